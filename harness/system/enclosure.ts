import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvironmentError } from '../model/errors.ts';
import { EXIT } from '../model/exit-code.ts';
import { type Argv, run, succeeds, systemPath } from './process.ts';
import { STOP_SIGNALS } from './stop.ts';

/*
 * Labs live in an enclosure: a mount and a process namespace of their own (and, for an ordinary user, a user
 * namespace in which that user has root's rights but not its number, since programs that find themselves root try to
 * become another user, and there is no other). The kernel takes it down with its first process, however that ends, and
 * with it every process, network namespace, interface, mount and scratch file of the labs inside:
 *
 *   photofinish ─► [sudo ─►] unshare ─► init ─► photofinish, enclosed ─► labs
 *        └───────── lifeline ────────────►┘ └── asks it to stop
 *
 * The lifeline is init's standard input, which alone passes sudo. However the outer process ends, it closes, and init
 * ends; so nothing is left behind even by SIGKILL. Requests to stop go through it as bytes, since an ordinary user may
 * send no signal to what sudo started; no terminal's signal reaches the inside by itself, which is a session of its own.
 * Two enclosures cannot meet: names below /run/netns are private.
 */

const MARK = 'PHOTOFINISH_ENCLOSED';

/** Where an enclosure's scratch files are: in memory, private, gone with it. */
export const SCRATCH = '/run/photofinish';

/** The enclosure's first process. */
const INIT = fileURLToPath(new URL('./init.pl', import.meta.url));

/** How the enclosure is entered: as root, as an ordinary user in a user namespace, or by sudo. */
export type EnclosureKind = 'root' | 'user' | 'sudo';

/** Whether this process is inside an enclosure. */
export function isEnclosed(): boolean {
  return process.env[MARK] !== undefined;
}

/** How this process's enclosure was entered; undefined outside of any. */
export function enclosedAs(): EnclosureKind | undefined {
  return process.env[MARK] as EnclosureKind | undefined;
}

/** The arguments that start a program in namespaces as an enclosure has them, to try what can be done there. */
export function asEnclosed(kind: EnclosureKind, argv: Argv): Argv {
  const unshare = ['unshare', '--mount', '--pid', '--fork', '--mount-proc'];
  if (kind === 'user') unshare.push('--user', '--map-current-user', '--keep-caps');
  return [...(kind === 'sudo' ? ['sudo', '-n', '--preserve-env'] : []), ...unshare, ...argv] as [string, ...string[]];
}

/** Finds out by trying how this user may make an enclosure; root first, then a user namespace, then sudo. */
export async function findEnclosure(): Promise<EnclosureKind> {
  const kinds: EnclosureKind[] = process.geteuid?.() === 0 ? ['root'] : ['user', 'sudo'];
  const refusals: string[] = [];
  for (const kind of kinds) {
    try {
      await run(asEnclosed(kind, mountingMemory('/run', 'mode=755')));
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

/** A Ctrl-C comes from the terminal, and once more from npm; what comes this soon after a request is the same one. */
const SAME_REQUEST_MS = 500;

/**
 * Runs a program enclosed, with this process's output, and resolves with its exit code, or with 4 where a signal ended
 * it. A signal that asks this process to stop asks that program; a second one ends it and everything inside at once.
 */
export async function runEnclosed(argv: Argv, as?: EnclosureKind): Promise<number> {
  let askedMs: number | undefined;
  let passOn = () => {};
  const heed = () => {
    const nowMs = performance.now();
    if (askedMs !== undefined && nowMs - askedMs < SAME_REQUEST_MS) return;
    askedMs = nowMs;
    passOn();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, heed);
  try {
    const kind = as ?? (await findEnclosure());
    if (askedMs !== undefined) return EXIT.stopped;
    const [command, ...args] = asEnclosed(kind, ['perl', INIT, ...argv]);
    const enclosed = spawn(command, args, {
      stdio: ['pipe', 'inherit', 'inherit'],
      detached: true,
      env: { ...process.env, [MARK]: kind },
    });
    enclosed.stdin.on('error', () => {}); // EPIPE: it has ended, which is heard of below.
    passOn = () => enclosed.stdin.write('s');
    return await new Promise<number>((resolve, reject) => {
      enclosed.once('error', (cause) => reject(new Error(`cannot start '${command}'`, { cause })));
      enclosed.once('exit', (code) => resolve(code === null || SIGNALLED.has(code) ? EXIT.stopped : code));
    });
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, heed);
  }
}

/** What the enclosure's first process says where SIGHUP, SIGINT or SIGTERM ended the program, or a second request did. */
const SIGNALLED: ReadonlySet<number> = new Set([129, 130, 143]);

/** The arguments that lay an empty filesystem in memory over a folder. */
function mountingMemory(folder: string, options: string): Argv {
  // The program `mount` refuses every user but number 0, whatever its rights; the system call does not.
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
  process.env.PATH = systemPath();
  delete process.env.XDG_RUNTIME_DIR;
  delete process.env.DBUS_SESSION_BUS_ADDRESS;
}

/** How to start a program in the place where it is tried; by default right here. */
export type Within = (argv: Argv) => Argv;

/** Whether a program may run at real-time priority, found out by trying. */
export function mayRunRealtime(within: Within = (argv) => argv): Promise<boolean> {
  return succeeds(within(['chrt', '--fifo', '10', 'true']));
}
