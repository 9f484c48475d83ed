import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { basename, dirname } from 'node:path';
import type { Held } from '../model/held.ts';
import { SCRATCH } from './enclosure.ts';
import { type Argv, programEnvironment, succeeds } from './process.ts';

/*
 * A browser runs what strangers wrote, and a lab is made by root. So the browser, and all that it starts, runs as a
 * user that may do nothing here:
 *
 *   root's lab      nsenter ─► setpriv: a user of its own, no groups, no capabilities, no_new_privs ─► chromium ─► its sandbox
 *   a user's lab    nsenter ─► setpriv: that user, without the capabilities of its user namespace    ─► chromium ─► its sandbox
 *
 * Where root may not become another user, or the browser is out of others' reach, it stays root, without capabilities.
 * Its own sandbox needs user namespaces, which some machines keep to root.
 */

/** How browsers are held on this machine. */
export interface Confinement extends Required<Held> {
  /** What begins the arguments that start one. */
  readonly prefix: readonly string[];
  /** The user and group that it runs as, where that is another than this process's. */
  readonly uid?: number;
}

/**
 * The user that browsers run as, which owns nothing. The number is near the end of those that systemd gives to services
 * while they run, and that Debian gives to no person and no package.
 */
const BROWSER_UID = 65_117;

const NO_RIGHTS = ['--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs'] as const;
const NOBODY = [`--reuid=${BROWSER_UID}`, `--regid=${BROWSER_UID}`, '--clear-groups'] as const;

/** What Chromium's sandbox asks of the kernel. */
const AS_SANDBOX: Argv = ['unshare', '--user', '--map-root-user', '--pid', '--net', '--fork', 'true'];

let found: Promise<Confinement> | undefined;

/** Finds out by trying, once, how browsers can be held here; `program` is what must be within their reach. */
export function findConfinement(program: string): Promise<Confinement> {
  found ??= tryConfinements(program, process.geteuid?.() === 0, succeeds);
  return found;
}

/** What one process of a browser may hold: a page that takes more is refused it, and this machine has the rest. */
function mostBytes(): number {
  return Math.min(4 * 2 ** 30, Math.floor(totalmem() / 2));
}

/** Tries one way after the other, the safest first; the last is to start a browser as any program. */
export async function tryConfinements(
  program: string,
  isRoot: boolean,
  tried: (argv: Argv) => Promise<boolean>,
): Promise<Confinement> {
  const limited = ['prlimit', `--data=${mostBytes()}`, '--'];
  const without = [...limited, 'setpriv', ...NO_RIGHTS];
  const ways: readonly Omit<Confinement, 'sandboxed'>[] = [
    ...(isRoot ? [{ prefix: [...without, ...NOBODY], uid: BROWSER_UID, asRoot: false, keepsRights: false }] : []),
    { prefix: without, asRoot: isRoot, keepsRights: false },
    { prefix: limited, asRoot: isRoot, keepsRights: true },
  ];
  for (const way of ways) {
    const within = (argv: Argv) => [...way.prefix, ...argv] as unknown as Argv;
    // Chromium gives root no sandbox.
    if (await tried(within(['test', '-x', program])))
      return { ...way, sandboxed: !way.asRoot && (await tried(within(AS_SANDBOX))) };
  }
  return { prefix: [], asRoot: isRoot, keepsRights: true, sandboxed: !isRoot && (await tried(AS_SANDBOX)) };
}

/** Makes a folder that browsers may write to, and lets them pass the scratch folders that it is in. */
export function makeBrowserFolder(folder: string, { uid }: Confinement): void {
  mkdirSync(folder, { recursive: true });
  if (uid === undefined) return;
  chmodSync(folder, 0o700);
  chownSync(folder, uid, uid);
  for (let above = dirname(folder); `${above}/`.startsWith(`${SCRATCH}/`); above = dirname(above))
    chmodSync(above, (statSync(above).mode & 0o777) | 0o011);
}

/** Where a browser finds a file of ours: in its own folder, as a copy that it may read, if it is another user. */
export function lendToBrowser(file: string, folder: string, { uid }: Confinement): string {
  if (uid === undefined) return file;
  // A folder for each file, since one that has a file in it cannot be replaced.
  const [there, aside] = [`${folder}/lent-${basename(file)}/${basename(file)}`, `${folder}/lent.partial`];
  if (existsSync(there)) return there;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside);
  copyFileSync(file, `${aside}/${basename(file)}`);
  chmodSync(`${aside}/${basename(file)}`, 0o444);
  renameSync(aside, dirname(there));
  return there;
}

/** What browsers are told of the machine: a home and a place for what is temporary, of their own. */
export function browserEnvironment(confinement: Confinement): NodeJS.ProcessEnv {
  if (confinement.uid === undefined || !existsSync(SCRATCH)) return programEnvironment();
  const [home, temporary] = [`${SCRATCH}/browser-home`, `${SCRATCH}/browser-tmp`];
  for (const folder of [home, temporary]) makeBrowserFolder(folder, confinement);
  const { USER: _, LOGNAME: __, ...kept } = programEnvironment();
  return { ...kept, HOME: home, TMPDIR: temporary };
}
