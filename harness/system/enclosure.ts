import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { EnvironmentError } from '../model/errors.ts';
import { type Argv, run, runInherited, start } from './process.ts';

/*
 * Labs live in an enclosure: a mount and a process namespace of their own (and, for an ordinary user, a user
 * namespace in which that user has root's rights but not its number, since programs that find themselves root try to
 * become somebody else, and there is nobody else). The kernel takes it down with its first process, however that ends, and
 * with it every process, network namespace, interface, mount and scratch file of the labs inside:
 *
 *   photofinish ─► setpriv --pdeathsig ─► unshare --kill-child ─► init ─► photofinish, enclosed ─► labs
 *        │  killed: so is ►                    │  killed: so is ►   │  ended: so is everything else
 *
 * So nothing is left behind even by SIGKILL, and two enclosures cannot meet: names below /run/netns are private.
 */

const MARK = 'PHOTOFINISH_ENCLOSED';

/** Where an enclosure's scratch files are: in memory, private, gone with it. */
export const SCRATCH = '/run/photofinish';

/** The enclosure's first process. */
const INIT = new URL('./init.sh', import.meta.url).pathname;

/** How the enclosure is entered: as root, as an ordinary user in a user namespace, or by sudo. */
export type EnclosureKind = 'root' | 'user' | 'sudo';

/** Whether this process is inside an enclosure. */
export function isEnclosed(): boolean {
  return process.env[MARK] !== undefined;
}

/** The arguments that start a program enclosed. */
export function enclosing(kind: EnclosureKind, argv: Argv): Argv {
  const unshare = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const tied = ['setpriv', '--pdeathsig', 'KILL', ...unshare];
  if (kind === 'user') tied.push('--user', '--map-current-user', '--keep-caps');
  const whole = [...tied, 'sh', INIT, ...argv];
  return (kind === 'sudo' ? ['sudo', '-n', '--preserve-env', ...whole] : whole) as [string, ...string[]];
}

/** Finds out by trying how this user may make an enclosure; root first, then a user namespace, then sudo. */
export async function findEnclosure(): Promise<EnclosureKind> {
  const kinds: EnclosureKind[] = process.geteuid?.() === 0 ? ['root'] : ['user', 'sudo'];
  const refusals: string[] = [];
  for (const kind of kinds) {
    try {
      await run(enclosing(kind, mountingMemory('/run', 'mode=755')));
      return kind;
    } catch (cause) {
      const { message } = cause as Error;
      refusals.push(`${kind}: ${message.split(' ended with ').at(-1)}`);
    }
  }
  throw new EnvironmentError(
    `a lab needs network namespaces, and this user may not make any (${refusals.join('; ')}): run it as root`,
  );
}

/**
 * Runs a program enclosed, with this process's terminal, and resolves with its exit code. Signals that ask this
 * process to stop are passed on; a Ctrl-C reaches the enclosed program by the terminal itself.
 */
export async function runEnclosed(argv: Argv): Promise<number> {
  const kind = await findEnclosure();
  let outermost: number | undefined;
  const passOn = () => {
    const enclosed = outermost && firstDescendant(outermost, kind === 'sudo' ? 4 : 2);
    if (enclosed) process.kill(enclosed, 'SIGTERM');
  };
  const ignore = () => {};
  process.on('SIGINT', ignore).on('SIGTERM', passOn).on('SIGHUP', passOn);
  try {
    const code = await runInherited(enclosing(kind, argv), {
      env: { ...process.env, [MARK]: kind },
      started: (pid) => {
        outermost = pid;
      },
    });
    return SIGNALLED.has(code) ? 4 : code;
  } finally {
    process.off('SIGINT', ignore).off('SIGTERM', passOn).off('SIGHUP', passOn);
  }
}

/** What the enclosure's first process says where SIGHUP, SIGINT or SIGTERM ended the program. */
const SIGNALLED: ReadonlySet<number> = new Set([129, 130, 143]);

/** The arguments that lay an empty filesystem in memory over a folder. */
function mountingMemory(folder: string, options: string): Argv {
  // The program `mount` refuses whoever is not root by number, whatever his rights; the system call does not.
  const call = process.arch === 'arm64' ? 40 : 165;
  const script = `my ($type, $at, $with) = @ARGV; syscall(${call}, $type, $at, $type, 0, $with) == 0 or die "$at: $!\\n"`;
  return ['perl', '-e', script, 'tmpfs', folder, options];
}

/** Makes the inside ready: private /run and /dev/shm in memory, a scratch folder, and an empty home for programs. */
export async function furnishEnclosure(): Promise<void> {
  // Name resolution often hangs on a file below /run, which the private one hides: it is carried over.
  const resolver = existsSync('/etc/resolv.conf') ? realpathSync('/etc/resolv.conf') : '';
  const kept = resolver.startsWith('/run/') ? readFileSync(resolver) : undefined;
  await run(mountingMemory('/run', 'mode=755'));
  if (existsSync('/dev/shm')) await run(mountingMemory('/dev/shm', 'mode=1777'));
  for (const folder of ['/run/netns', SCRATCH, `${SCRATCH}/home`, `${SCRATCH}/tmp`]) mkdirSync(folder);
  if (kept) {
    mkdirSync(dirname(resolver), { recursive: true });
    writeFileSync(resolver, kept);
  }
  process.env.HOME = `${SCRATCH}/home`;
  process.env.TMPDIR = `${SCRATCH}/tmp`;
  process.env.PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`;
  delete process.env.XDG_RUNTIME_DIR;
  delete process.env.DBUS_SESSION_BUS_ADDRESS;
}

/** The process `depth` generations below another, by its number in this process's view. */
function firstDescendant(pid: number, depth: number): number | undefined {
  let at = pid;
  for (let generation = 0; generation < depth; generation += 1) {
    let children: string;
    try {
      children = readFileSync(`/proc/${at}/task/${at}/children`, 'utf8').trim();
    } catch {
      return undefined;
    }
    if (children === '') return undefined;
    at = Number(children.split(' ')[0]);
  }
  return at;
}

/** Whether a program may run at real-time priority here, found out by trying. */
export async function mayRunRealtime(): Promise<boolean> {
  await using trial = start(['chrt', '--fifo', '10', 'true']);
  return (await trial.ended.catch(() => 1)) === 0;
}
