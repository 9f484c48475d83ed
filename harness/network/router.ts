import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvironmentError } from '../model/errors.ts';
import { SCRATCH, type Within } from '../system/enclosure.ts';
import { type Argv, type RunningProcess, run, start, succeeds } from '../system/process.ts';
import { openNamespace } from './namespace.ts';
import type { TraceSchedule } from './shaping.ts';
import type { Port, Wiring } from './wiring.ts';

/**
 * Where a wiring's nodes live and the link's `tc` commands run: this kernel where it has netem, otherwise a user-mode
 * kernel that stands between the hosts. The commands and what they do are the same.
 */
export interface Router extends AsyncDisposable {
  readonly driver: RouterDriver;
  /** The kernel whose netem it is. */
  readonly kernel: string;
  /** Whether it runs before all else on the machine, so that load cannot slow the link down. */
  readonly realtime: boolean;
  /** How long a packet takes to pass it where it does nothing, one way; it counts towards a link's delay. */
  readonly transitMs: number;
  /** Runs commands in order; rejects at the first that fails. */
  apply(commands: readonly Argv[]): Promise<void>;
  /** Runs one command and resolves with what it prints. */
  show(command: Argv): Promise<string>;
  /** Follows these schedules, over and over, until the next call. */
  play(schedules: readonly TraceSchedule[]): Promise<void>;
  /** Processor time that the link itself has used so far, in milliseconds; the kernel's own is not told apart. */
  cpuMs(): number | undefined;
  /** Resolves with what happened once a program that it consists of has ended; never rejects. */
  readonly ended: Promise<string>;
  /** Whether all that it consists of is alive; what is measured over it otherwise is void. */
  healthy(): boolean;
  /**
   * Resolves with whether all parts are alive, after asking the kernel; one that does not answer is dead from then on.
   */
  answers(): Promise<boolean>;
}

export type RouterDriver = 'kernel' | 'uml';

/** The commands that make a node's inside, once its ports are there. */
export function nodeCommands(wiring: Wiring): readonly Argv[] {
  return wiring.nodes.flatMap((node): Argv[] => {
    const ip = (...args: string[]): Argv => ['ip', '-n', node.name, ...args];
    const sysctl = (...settings: string[]): Argv => ['ip', 'netns', 'exec', node.name, 'sysctl', '-qw', ...settings];
    const up = node.ports.map((port) => ip('link', 'set', port.device, 'up'));
    if (node.kind === 'cable') {
      const [one, other] = node.ports;
      return [...up, ...passingOn(node.name, one!, other!), ...passingOn(node.name, other!, one!)];
    }
    return [
      sysctl('net.ipv4.ip_forward=1', 'net.ipv4.conf.all.send_redirects=0', 'net.ipv4.conf.default.send_redirects=0'),
      ...up,
      ...node.ports.flatMap(({ device, address, neighbour }) => [
        ip('addr', 'add', `${address}/24`, 'dev', device),
        ip('neigh', 'add', neighbour.address, 'lladdr', neighbour.mac, 'dev', device, 'nud', 'permanent'),
      ]),
      ...(node.gateway ? [ip('route', 'add', 'default', 'via', node.gateway)] : []),
    ];
  });
}

/**
 * The commands by which nodes route what is for these addresses to the first server's host, which stands for all that is
 * beyond it. A node that is not next to it sends everything that it does not know to the one that is.
 */
export function wayOutCommands({ hosts, nodes }: Wiring, addresses: readonly string[]): readonly Argv[] {
  const gateway = hosts.find(({ role }) => role === 'server')!;
  const next = nodes.filter(({ kind, ports }) => {
    return kind === 'router' && ports.some(({ host }) => host === gateway.namespace);
  });
  return next.flatMap(({ name }) =>
    addresses.map((address): Argv => ['ip', '-n', name, 'route', 'replace', `${address}/32`, 'via', gateway.address]),
  );
}

/** What comes in at a port and is for the host behind the other leaves there; a raw socket also hears what it sends. */
function passingOn(node: string, from: Port, to: Port): Argv[] {
  const target = ['flower', 'dst_mac', to.neighbour.mac, 'action', 'mirred', 'egress', 'redirect', 'dev', to.device];
  return [
    ['tc', '-n', node, 'qdisc', 'add', 'dev', from.device, 'ingress'],
    ['tc', '-n', node, 'filter', 'add', 'dev', from.device, 'parent', 'ffff:', ...target],
  ];
}

/** The commands that make the nodes' namespaces and the trunk between two of them. */
export function trunkCommands(wiring: Wiring): readonly Argv[] {
  const trunks = wiring.nodes.filter((node) => node.ports.some((port) => port.device === 'trunk'));
  const [near, far] = trunks.map((node) => ({ node, port: node.ports.find((port) => port.device === 'trunk')! }));
  if (!near || !far) return [];
  const trunk = [
    'name',
    'trunk',
    'address',
    near.port.mac,
    ...cableTo('trunk', far.node.name),
    'address',
    far.port.mac,
  ];
  return [['ip', '-n', near.node.name, 'link', 'add', ...trunk]];
}

/** The arguments that give a new interface its other end, in another namespace. */
export function cableTo(device: string, namespace: string): string[] {
  return ['type', 'veth', 'peer', 'name', device, 'netns', namespace];
}

/** Commands of one program at one place, to be run as its batch: a start costs the user-mode kernel 100 ms. */
export interface CommandBatch {
  readonly argv: Argv;
  /** The batch file's text, or nothing for a command that stands alone. */
  readonly text?: string | undefined;
}

/** Joins neighbouring commands of the form `ip -n NODE ...`, `tc -n NODE ...` or `ip link ...` into batches. */
export function batched(commands: readonly Argv[]): readonly CommandBatch[] {
  const batches: CommandBatch[] = [];
  for (const command of commands) {
    const [program, first, second] = command;
    const place = first === '-n' ? ['-n', second!] : program === 'ip' && first === 'link' ? [] : undefined;
    if (!place) {
      batches.push({ argv: command });
      continue;
    }
    const words = command.slice(1 + place.length);
    const argv: Argv = [program, ...place, '-batch'];
    const last = batches.at(-1);
    const joins = last?.text !== undefined && last.argv.join(' ') === argv.join(' ');
    if (joins) batches.pop();
    batches.push({ argv, text: `${joins ? last.text : ''}${words.join(' ')}\n` });
  }
  return batches;
}

/** Segments are never merged into trains longer than the MTU, so that queues and losses count what a wire would carry. */
export const OFFLOADS_OFF = ['tso', 'off', 'gso', 'off', 'gro', 'off', 'tx', 'off', 'rx', 'off', 'sg', 'off'] as const;

/** Whether this kernel has netem, found out by using it. */
export function kernelHasNetem(within: Within = (argv) => argv): Promise<boolean> {
  const netem = ['netem', 'delay', '1ms', 'rate', '1mbit'];
  return succeeds(within(['unshare', '--net', 'tc', 'qdisc', 'add', 'dev', 'lo', 'root', ...netem]));
}

/** Hears of the ends of programs that a router needs, and tells of the first. */
export function hearOfEnds(): Pick<Router, 'ended' | 'healthy'> & { hear(what: string): void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  let alive = true;
  return {
    ended: promise,
    healthy: () => alive,
    hear(what) {
      alive = false;
      resolve(what);
    },
  };
}

/** A folder of a lab's own for what its router's programs read. */
export function openFolder(name: string): Disposable & { readonly path: string } {
  const path = `${SCRATCH}/${name}`;
  mkdirSync(path, { recursive: true });
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A router made of namespaces of this kernel; the hosts' namespaces must be there. */
export async function openKernelRouter(wiring: Wiring): Promise<Router> {
  await using undo = new AsyncDisposableStack();
  const folder = undo.use(openFolder(wiring.nodes[0]!.name));
  let players: RunningProcess[] = [];
  const stopPlaying = async () => {
    const stopped = players;
    players = [];
    await Promise.all(stopped.map((player) => player[Symbol.asyncDispose]()));
  };
  undo.defer(stopPlaying);
  for (const node of wiring.nodes) {
    undo.use(await openNamespace(node.name));
    for (const { device, mac, host } of node.ports) {
      if (!host) continue;
      await run(['ip', '-n', node.name, 'link', 'add', 'name', device, 'address', mac, ...cableTo('eth0', host)]);
    }
  }
  const apply = async (commands: readonly Argv[]) => {
    for (const { argv, text } of batched(commands))
      await (text === undefined ? run(argv) : run([...argv, '-'] as unknown as Argv, { input: text }));
  };
  await apply(trunkCommands(wiring));
  for (const node of wiring.nodes)
    for (const { device } of node.ports)
      await run(['ethtool', '-K', device, ...OFFLOADS_OFF], { namespace: node.name });
  await apply(nodeCommands(wiring));
  const kernel = (await run(['uname', '-r'])).trim();
  const { hear, ...health } = hearOfEnds();
  const kept = undo.move();
  return {
    driver: 'kernel',
    kernel,
    realtime: true,
    transitMs: 0,
    apply,
    show: (command) => run(command),
    async play(schedules) {
      await stopPlaying();
      players = schedules.map((schedule, index) => {
        const player = start(playerOf(schedule, `${folder.path}/${index}.schedule`));
        const heard = (end: unknown) => players.includes(player) && hear(`the player of a trace ended (${end})`);
        void player.ended.then(heard, heard);
        return player;
      });
    },
    cpuMs: () => undefined,
    ...health,
    answers: async () => health.healthy(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The program that follows a schedule. */
const PLAYER = fileURLToPath(new URL('./play-trace.pl', import.meta.url));

/**
 * Writes a schedule into a file, with the program beside it, and returns the command that follows it. A user-mode kernel
 * takes words without blanks, which the path of this project may have.
 */
export function playerOf({ node, device, periodMs, bucketMs, steps }: TraceSchedule, file: string): Argv {
  const us = (ms: number) => `${Math.round(ms * 1000)}`;
  const program = join(dirname(file), basename(PLAYER));
  copyFileSync(PLAYER, program);
  writeFileSync(file, steps.map(({ atMs, kbps }) => `${us(atMs)} ${kbps}\n`).join(''));
  return ['ip', 'netns', 'exec', node, 'perl', program, file, us(periodMs), us(bucketMs), device];
}

/** The error for a machine that can shape no link at all. */
export function noNetem(): EnvironmentError {
  return new EnvironmentError(
    'this kernel has no netem, and there is no user-mode kernel to stand in for it: apt-get install user-mode-linux (x86-64 only)',
  );
}
