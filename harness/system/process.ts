import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** A program and its arguments; never a shell's line. */
export type Argv = readonly [string, ...string[]];

export interface ProcessOptions {
  /** The network namespace to start in; the harness's own where absent. */
  readonly namespace?: string | undefined;
  readonly input?: string;
  /** The time after which the program is killed and the run has failed. */
  readonly timeoutMs?: number | undefined;
  /** The environment, in place of the least that programs need. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface StartOptions extends ProcessOptions {
  /** Open files that take its standard output and error, in place of pipes. */
  readonly outputs?: readonly [stdout: number, stderr: number];
}

/** A program that runs until it is disposed of or ends by itself. */
export interface RunningProcess extends AsyncDisposable {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it has ended, with what it ended by: a code, or a signal's name. */
  readonly ended: Promise<number | string>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const GRACE_MS = 2_000;

/** The arguments that start a program in a network namespace; `nsenter` becomes the program, so signals reach it. */
export function inNamespace(namespace: string | undefined, argv: Argv): Argv {
  return namespace === undefined ? argv : ['nsenter', `--net=/run/netns/${namespace}`, '--', ...argv];
}

/** Runs a program to its end and resolves with its standard output; rejects where it fails, with what it said. */
export async function run(argv: Argv, options: ProcessOptions = {}): Promise<string> {
  await using program = start(argv, options);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(program.pid);
  }, timeoutMs);
  try {
    program.stdin.end(options.input ?? '');
    const [stdout, stderr, end] = await Promise.all([text(program.stdout), text(program.stderr), program.ended]);
    if (timedOut) throw new Error(`'${argv.join(' ')}' took longer than ${timeoutMs} ms`);
    if (end !== 0) throw new Error(`'${argv.join(' ')}' ended with ${end}: ${(stderr || stdout).trim()}`);
    return stdout;
  } finally {
    clearTimeout(timer);
  }
}

/** What programs are started with: where things are, and one locale. The caller's environment may hold secrets, as in CI. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'USER', 'LOGNAME', 'NODE_COMPILE_CACHE'];
  const kept = names.map((name) => [name, process.env[name]] as const);
  return { ...Object.fromEntries(kept.filter(([, value]) => value !== undefined)), LANG: 'C.UTF-8' };
}

/** The PATH, and the folders of the system's own programs, which an ordinary user's often lacks. */
export function systemPath(): string {
  return [...new Set(`${process.env.PATH ?? '/usr/bin:/bin'}:/usr/sbin:/sbin`.split(':'))].join(':');
}

/** Where a program is, or nothing where there is none of that name. */
export function findProgram(name: string): string | undefined {
  const paths = systemPath()
    .split(':')
    .map((folder) => join(folder, name));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether a program ends well; what it says is lost. */
export async function succeeds(argv: Argv): Promise<boolean> {
  return run(argv).then(
    () => true,
    () => false,
  );
}

/** The programs that run in each network namespace. */
const running = new Map<string, Set<number>>();

/** The programs that were started in a network namespace and have not ended. */
export function programsIn(namespace: string): readonly number[] {
  return [...(running.get(namespace) ?? [])];
}

/**
 * Starts a program in a process group of its own, so that a Ctrl-C in the terminal is the harness's to deal with.
 * Disposing of it ends it: asked first, killed after two seconds.
 */
export function start(argv: Argv, options: StartOptions = {}): RunningProcess {
  const [command, ...args] = inNamespace(options.namespace, argv);
  const { outputs = ['pipe', 'pipe'] as const, env = programEnvironment() } = options;
  const stdio = ['pipe', ...outputs] as const;
  const child = spawn(command, args, { stdio: [...stdio], detached: true, env }) as ChildProcess & {
    readonly stdin: Writable;
    readonly stdout: Readable;
    readonly stderr: Readable;
  };
  const ended = new Promise<number | string>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`cannot start '${argv.join(' ')}': ${cause.message}`, { cause })));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  // Code that awaits the end gets the error of a failed start; without such code it must not end this process.
  ended.catch(() => {});
  if (options.namespace !== undefined && child.pid !== undefined) {
    const { pid } = child;
    const beside = running.get(options.namespace) ?? new Set();
    running.set(options.namespace, beside.add(pid));
    child.once('close', () => beside.delete(pid));
  }
  child.stdin.on('error', () => {}); // EPIPE: the program has ended, which `ended` tells.
  return {
    pid: child.pid ?? -1,
    child,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    async [Symbol.asyncDispose]() {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => killGroup(child.pid!), GRACE_MS);
      await ended.catch(() => {});
      clearTimeout(timer);
    },
  };
}

/** Kills a started program and every process that it started in turn. */
export function killGroup(pid: number): void {
  if (pid <= 0) return; // It was never started; to the kernel these numbers mean others.
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}

async function text(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
