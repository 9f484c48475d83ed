import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LabError } from '../model/errors.ts';
import { mayRunRealtime, type Within } from '../system/enclosure.ts';
import { canGiveWay, givingWay } from '../system/give-way.ts';
import {
  type Argv,
  killGroup,
  programEnvironment,
  type RunningProcess,
  run,
  start,
  succeeds,
} from '../system/process.ts';
import { isStopped } from '../system/silence.ts';
import { openNamespace } from './namespace.ts';
import {
  batched,
  cableTo,
  hearOfEnds,
  nodeCommands,
  OFFLOADS_OFF,
  openFolder,
  playerOf,
  type Router,
  trunkCommands,
} from './router.ts';
import type { Wiring } from './wiring.ts';

/*
 *   client1          the lab's "link" namespace              server1
 *   eth0 ═══════════ vec0 ┌──────────────────────┐ vec1 ═══════ eth0
 *        tap, or veth     │ user-mode kernel:    │
 *        and raw socket   │ the wiring's nodes   │
 *                         └──────────────────────┘
 *
 * A tap queues thousands of packets while the user-mode kernel is busy; a raw socket on a veth about ninety, but an
 * ordinary user may open one in a namespace of their own where /dev/net/tun is root's.
 */

/** Debian's user-mode kernel and the folder of the modules for it, which ends with its version. */
export interface UserModeKernel {
  readonly kernel: string;
  readonly modules: string;
}

const INIT = fileURLToPath(new URL('./user-mode-init.sh', import.meta.url));
/** What passing it takes a packet on the empty link: measured as 0.25 to 0.35 ms there and back. */
const TRANSIT_MS = 0.13;
const BOOT = fileURLToPath(new URL('./boot-kernel.pl', import.meta.url));
/** Has the C library of its programs keep to the registers of SSE: those of AVX do not outlive a page fault (boot-kernel.pl). */
const SSE_ALONE = ['AVX', 'AVX2', 'AVX512F', 'AVX512VL', 'AVX512BW', 'AVX_Fast_Unaligned_Load'];
const WITHOUT_AVX = `GLIBC_TUNABLES=glibc.cpu.hwcaps=${SSE_ALONE.map((name) => `-${name}`).join(',')}`;
/** The link's real-time priority: before all other programs, the probes of a calibration too. */
const PRIORITY = '10';
const WAKER = fileURLToPath(new URL('./wake-link.pl', import.meta.url));
const BOOT_TIMEOUT_MS = 30_000;
const COMMAND_TIMEOUT_MS = 20_000;
const ANSWER_TIMEOUT_MS = 2_000;
/** After each such time without an answer it is rung: it may have lost the signal of its timer. It starts in less, mostly. */
const RING_MS = 5_000;
/** The place of SIGALRM among a process's signals, as /proc tells them. */
const ALARM = 1n << 13n;
const MARK = '\x1e';
/** A tap's queue towards the user-mode kernel: longer than any burst a sender lets go. */
const TAP_QUEUE_PACKETS = '10000';

/** A router inside a user-mode kernel; the hosts' namespaces must be there. It dies with the lab. */
export async function openUserModeRouter(lab: string, wiring: Wiring, image: UserModeKernel): Promise<Router> {
  await using undo = new AsyncDisposableStack();
  const link = `${lab}-link`;
  undo.use(await openNamespace(link));
  const folder = undo.use(openFolder(link));

  const ports = wiring.nodes.flatMap((node) => node.ports.filter((port) => port.host).map((port) => ({ node, port })));
  const transport = (await mayUseTaps()) ? 'tap' : 'raw';
  const vectors: string[] = [];
  for (const [index, { port }] of ports.entries()) {
    const device = `t${index}`;
    if (transport === 'tap') {
      await run(['ip', '-n', link, 'tuntap', 'add', 'dev', device, 'mode', 'tap']);
    } else {
      await run(['ip', '-n', link, 'link', 'add', 'name', device, ...cableTo('eth0', port.host!)]);
      await run(['ethtool', '-K', device, ...OFFLOADS_OFF], { namespace: link });
      await run(['ip', '-n', link, 'link', 'set', device, 'up']);
    }
    // One frame a call: with more, Linux 6.1 corrupts what it forwards from a raw socket; on a tap it makes no difference.
    vectors.push(`vec${index}:transport=${transport},ifname=${device},depth=1,gro=0,mac=${port.mac}`);
  }

  const realtime = await mayRunRealtime();
  const boot: Argv = [
    ...['perl', BOOT, image.kernel],
    ...['mem=256M', 'root=/dev/root', 'rootfstype=hostfs', 'rootflags=/', 'ro', 'quiet'],
    ...[
      'con0=fd:0,fd:1',
      'con=null',
      WITHOUT_AVX,
      'init=/bin/sh',
      ...vectors,
      '--',
      bootWord(INIT),
      bootWord(`${image.modules}/kernel`),
    ],
  ] as [string, ...string[]];
  // Its memory is a file that it unlinks at once, on the enclosure's private /dev/shm.
  // While it starts it keeps a core busy for two seconds, and no packet waits for it: loads of other labs would.
  const guest = start(realtime && canGiveWay() ? givingWay(boot) : boot, {
    namespace: link,
    env: { ...programEnvironment(), TMPDIR: '/dev/shm' },
  });
  const guestEnded = endOf(guest);
  undo.defer(async () => {
    killGroup(guest.pid); // It has no state that is worth a shutdown.
    await guestEnded;
  });
  const { hear, ...health } = hearOfEnds();
  void guestEnded.then((end) => hear(`the user-mode kernel ended (${end})`));
  const { next, command } = openConsole(guest, guestEnded, hear, () => ringTimer(guest.pid));
  const ready = await next(BOOT_TIMEOUT_MS);
  const kernel = /^ready (\S+)/.exec(ready.mark)?.[1];
  if (!kernel) throw new Error(`the user-mode kernel did not come up: ${ready.text.trim()} ${ready.mark}`);

  const healthy = () => {
    if (isStopped(guest.pid)) hear('the user-mode kernel was stopped');
    return health.healthy();
  };
  const batchFile = `${folder.path}/batch`; // It reads this machine's files, so a batch need not pass the console.
  const apply = async (commands: readonly Argv[]) => {
    for (const { argv, text } of batched(commands)) {
      if (text !== undefined) writeFileSync(batchFile, text);
      await command(text === undefined ? argv : ([...argv, batchFile] as unknown as Argv));
    }
  };

  for (const node of wiring.nodes) await command(['ip', 'netns', 'add', node.name]);
  await apply([
    ...trunkCommands(wiring),
    ...ports.map(
      ({ node, port }, index): Argv => ['ip', 'link', 'set', `vec${index}`, 'netns', node.name, 'name', port.device],
    ),
    ...nodeCommands(wiring),
  ]);
  // After its other end is up: the user-mode kernel opens a tap by its name, in the link's namespace.
  for (const [index, { port }] of ports.entries()) {
    if (transport === 'raw') continue;
    await run(['ip', '-n', link, 'link', 'set', `t${index}`, 'txqueuelen', TAP_QUEUE_PACKETS]);
    await run(['ip', '-n', link, 'link', 'set', `t${index}`, 'netns', port.host!, 'name', 'eth0']);
  }
  if (realtime) await hurry(guest.pid);
  const hosts = ports.map(({ port }) => port.host!);
  const wake: Argv = ['perl', WAKER, `${guest.pid}`, 'eth0', ...hosts];
  const waker = undo.use(start(realtime ? ['chrt', '--fifo', PRIORITY, ...wake] : wake));
  void endOf(waker).then((end) => hear(`what wakes the user-mode kernel ended (${end})`));

  const kept = undo.move();
  return {
    driver: 'uml',
    kernel,
    realtime,
    transitMs: TRANSIT_MS,
    apply,
    show: command,
    async play(schedules) {
      await command(['stop']);
      for (const [index, schedule] of schedules.entries())
        await command(['play', ...playerOf(schedule, `${folder.path}/${index}.schedule`)]);
    },
    cpuMs: () => processGroupCpuMs(guest.pid),
    ended: health.ended,
    healthy,
    async answers() {
      // A trace is played without an end, and a change may be under way: it is asked when nothing else is.
      if (healthy()) await command(['check'], ANSWER_TIMEOUT_MS).catch(() => hear('the player of a trace ended'));
      return healthy();
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A path in a kernel's command line, where blanks part words and quotes keep them together. */
export function bootWord(path: string): string {
  return /\s/.test(path) ? `"${path}"` : path;
}

interface Answer {
  readonly text: string;
  readonly mark: string;
}

/**
 * Resolves with what ended a program, once it has ended itself. Programs that the user-mode kernel started may live on
 * for a while, with its output open, so the output's end is not waited for.
 */
function endOf({ child, ended }: RunningProcess): Promise<number | string> {
  const exited = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  return Promise.race([exited, ended.catch(() => 'no start')]);
}

/**
 * The console of a user-mode kernel, which prints answers: text, then a mark with the status. Where it is silent for a while
 * `ring` is called, and where it is silent for too long, `hear` is told, since what it says later would be taken for the
 * answer to something else.
 */
export function openConsole(
  { stdin, stdout }: Pick<RunningProcess, 'stdin' | 'stdout'>,
  ended: Promise<number | string>,
  hear: (says: string) => void,
  ring = () => {},
  ringMs = RING_MS,
) {
  let pending = '';
  let wake = () => {};
  let over: number | string | undefined;
  stdout.on('data', (chunk: Buffer) => {
    pending += chunk.toString('latin1');
    wake();
  });
  void ended.then((end) => {
    over = end;
    wake();
  });
  const next = async (timeoutMs: number): Promise<Answer> => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const match = new RegExp(`^([^${MARK}]*)${MARK}([^\\n]*)\\n`).exec(pending);
      if (match) {
        pending = pending.slice(match[0].length);
        return { text: match[1]!.replaceAll('\r', ''), mark: match[2]!.trim() };
      }
      const left = deadline - performance.now();
      if (over !== undefined) throw new Error(`the user-mode kernel ended (${over}): ${pending.trim().slice(-2000)}`);
      if (left <= 0)
        throw new Error(`the user-mode kernel did not answer in ${timeoutMs} ms: ${pending.trim().slice(-2000)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(
          () => {
            ring();
            resolve();
          },
          Math.min(left, ringMs),
        );
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  return {
    next,
    /** Has the kernel run a program; resolves with what that prints. */
    async command(argv: Argv, timeoutMs = COMMAND_TIMEOUT_MS): Promise<string> {
      if (argv.some((word) => word === '' || /\s/.test(word)))
        throw new Error(`the user-mode kernel takes words without blanks: ${JSON.stringify(argv)}`);
      stdin.write(`${argv.join(' ')}\n`);
      const answer = await next(timeoutMs).catch((cause: Error) => {
        hear(cause.message);
        throw new LabError(cause.message, { cause });
      });
      if (answer.mark !== '0')
        throw new Error(`the user-mode kernel: '${argv.join(' ')}' ended with ${answer.mark}: ${answer.text.trim()}`);
      return answer.text;
    },
  };
}

/** Whether taps can be made, found out by making one: what the permissions of /dev/net/tun say may be untrue. */
export function mayUseTaps(within: Within = (argv) => argv): Promise<boolean> {
  return succeeds(within(['unshare', '--net', 'ip', 'tuntap', 'add', 'dev', 'tap0', 'mode', 'tap']));
}

/**
 * Has a user-mode kernel look at its timers: it may have lost their signal (wake-link.pl), and then waits for ever. Before it
 * has begun to heed that signal it would die of it.
 */
function ringTimer(kernel: number): void {
  try {
    const heeded = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${kernel}/status`, 'utf8'))?.[1];
    if (heeded && BigInt(`0x${heeded}`) & ALARM) process.kill(kernel, 'SIGALRM');
  } catch {
    // It has ended, which others tell.
  }
}

/** Has a user-mode kernel come before all other programs from now on, with the processes in which its own programs run. */
async function hurry(kernel: number): Promise<void> {
  const setPriority = (pid: number): Argv => ['chrt', '--all-tasks', '--fifo', '--pid', PRIORITY, `${pid}`];
  // The kernel first: what it starts from then on has its priority.
  await run(setPriority(kernel));
  for (const { pid } of processesOf(kernel)) await succeeds(setPriority(pid)); // Some end meanwhile.
}

/** User and system time of all processes of a group; a kernel tick is 10 ms. */
function processGroupCpuMs(group: number): number {
  return 10 * processesOf(group).reduce((sum, { ticks }) => sum + ticks, 0);
}

/** The processes of a group, and the ticks that each has run. */
function processesOf(group: number): readonly { readonly pid: number; readonly ticks: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The program's name, in parentheses, may hold blanks: fields count from behind it.
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        const ticks = Number(fields[11]) + Number(fields[12]);
        return Number(fields[2]) === group ? [{ pid: Number(name), ticks }] : [];
      } catch {
        return []; // It has ended since the folder was read.
      }
    });
}
