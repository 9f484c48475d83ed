/*
 * node .ci/complete-lock.mjs, after any change of the dependencies.
 *
 * A registry that does not serve the packages of other platforms makes npm leave them out of package-lock.json, which
 * `npm ci` of npm 11 then refuses. This writes down what is missing: name, version, and the platform that the name says.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = { 'arm-eabi': 'arm', 'arm-gnueabihf': 'arm', 'arm-musleabihf': 'arm' };

/** @param {string} name */
function platformOf(name) {
  const words = name.split('/').at(-1)?.split('-') ?? [];
  const at = words.findIndex((word) => SYSTEMS.includes(word));
  const [system, ...rest] = words.slice(at);
  const processor = PROCESSORS[/** @type {keyof typeof PROCESSORS} */ (rest.join('-'))] ?? rest[0];
  const libc = rest.some((word) => word.startsWith('musl'))
    ? ['musl']
    : rest.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : [];
  return { os: [system], cpu: [processor], ...(libc.length > 0 ? { libc } : {}) };
}

let added = 0;
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (lock.packages[`node_modules/${name}`] || lock.packages[`${place}/node_modules/${name}`]) continue;
    const dev = entry.dev === true ? { dev: true } : {};
    lock.packages[`node_modules/${name}`] = { version, optional: true, ...dev, ...platformOf(name) };
    added += 1;
  }
}
const [root, ...others] = Object.entries(lock.packages);
lock.packages = Object.fromEntries([
  /** @type {[string, unknown]} */ (root),
  ...others.sort(([a], [b]) => (a < b ? -1 : 1)),
]);
writeFileSync(path, `${JSON.stringify(lock, undefined, 2)}\n`);
process.stdout.write(`package-lock.json: ${added} packages of other platforms added\n`);
