import { join } from 'node:path';
import { EnvironmentError } from './failure.mjs';

/** What Debian calls an architecture, its library folder and its dynamic loader, by Node's name for it. */
const architectures = {
  x64: { debian: 'amd64', triplet: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { debian: 'arm64', triplet: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

/**
 * What Debian calls an architecture and its parts.
 *
 * @param {string} arch
 * @returns {{ debian: string, triplet: string, loader: string }}
 */
export function debianArchitecture(arch) {
  if (arch === 'x64' || arch === 'arm64') return architectures[arch];
  throw new EnvironmentError(`there are no packages to take for ${arch}: x64 and arm64 are what this runs on`);
}

/**
 * The argument vector that starts a program of an unpacked tree with the tree's own loader and libraries, whatever the
 * machine's are.
 *
 * @param {string} folder the tree
 * @param {string} arch
 * @param {string} program its path in the tree
 * @returns {string[]}
 */
export function privateCommand(folder, arch, program) {
  const { triplet, loader } = debianArchitecture(arch);
  const libraries = join(folder, 'usr/lib', triplet);
  // Without --inhibit-cache a library that the tree lacks would come, another version of it, from the machine.
  return [join(libraries, loader), '--inhibit-cache', '--library-path', libraries, join(folder, program)];
}

/**
 * The libraries that a program would load from outside of its tree, from what its loader lists (`ld.so --list`).
 *
 * @param {string} list
 * @param {string} folder the tree
 * @returns {string[]}
 */
export function foreignLibraries(list, folder) {
  return list.split('\n').flatMap((line) => {
    const match = /^\s*(\S+) => (.*?)( \(0x[0-9a-f]+\))?$/.exec(line);
    return match === null || String(match[2]).startsWith(`${folder}/`) ? [] : [String(match[1])];
  });
}
