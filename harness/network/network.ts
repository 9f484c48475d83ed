import { readFileSync } from 'node:fs';
import { PROBE_PORT } from '../model/calibration.ts';
import type { Host, HostState, HostTuning, TopologyName } from '../model/lab.ts';
import type { DirectionName, Link } from '../model/link.ts';
import { run } from '../system/process.ts';
import { openNamespace } from './namespace.ts';
import { kernelHasNetem, noNetem, OFFLOADS_OFF, openKernelRouter, type Router, wayOutCommands } from './router.ts';
import { renderShaping, scheduleTrace } from './shaping.ts';
import { openUserModeRouter, type UserModeKernel } from './user-mode-router.ts';
import { type WiredHost, type Wiring, wire } from './wiring.ts';

/** Hosts in network namespaces of their own, and the one link between clients and servers. */
export interface Network extends AsyncDisposable {
  readonly clients: readonly Host[];
  readonly servers: readonly Host[];
  readonly router: Router;
  /** Makes the link what is asked; whatever was under way on the one before is dropped. */
  setLink(link: Link): Promise<void>;
  /** What the kernel says of the link, as `tc -s` prints its qdiscs and classes, for each direction. */
  linkState(): Promise<Readonly<Record<DirectionName, string>>>;
  /** What each host's kernel was told, read back from it. */
  describeHosts(): Promise<readonly HostState[]>;
  /**
   * Has what clients send to these addresses go over the link to the first server's host, which is to pass it on. They
   * open TCP connections with the same settings as always.
   */
  leadOut(addresses: readonly string[]): Promise<void>;
  /** Tells a host's kernel other settings for the connections to come. */
  tune(host: Host, tuning: HostTuning): Promise<void>;
  /** Resolves with what happened once a part of the link has ended by itself; never rejects. */
  readonly ended: Promise<string>;
  /** Whether the link is alive; what is measured over it otherwise is void. */
  healthy(): boolean;
  /** Resolves with whether the link is alive, after asking it. */
  answers(): Promise<boolean>;
}

export interface NetworkOptions {
  /** Begins the name of everything that is made. */
  readonly lab: string;
  readonly topology: TopologyName;
  readonly tuning: HostTuning;
  /** What stands in where this kernel has no netem. */
  readonly userModeKernel?: UserModeKernel | undefined;
  /** Which of the two kernels shapes; absent: this one if it can. */
  readonly driver?: 'kernel' | 'uml' | undefined;
}

/** The congestion controls that this kernel has for TCP. */
export function congestionControls(): readonly string[] {
  return readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8').trim().split(' ');
}

/**
 * What a web server's kernel usually runs, whatever this machine's is set to. Only the initial window differs: it must
 * be the same for TCP and QUIC. nginx opens QUIC with 12,000 bytes and has some 13.7 kB to send at once when the first
 * large object is asked for; with nine segments HTTP/1.1 has 13.0 kB then, with the ten of RFC 6928 it has 14.5.
 */
export const DEFAULT_TUNING: HostTuning = { congestionControl: 'cubic', initialWindowPackets: 9 };

/** Settings of each host's kernel: nothing that matters to a transfer is inherited from the machine. */
const HOST_SYSCTLS: Readonly<Record<string, string>> = {
  // A connection must not learn from the one before it.
  'net.ipv4.tcp_no_metrics_save': '1',
  'net.ipv4.tcp_fastopen': '0',
  'net.ipv4.tcp_slow_start_after_idle': '1',
  'net.ipv4.tcp_ecn': '2',
  'net.ipv4.tcp_sack': '1',
  'net.ipv4.tcp_timestamps': '1',
  'net.ipv4.tcp_window_scaling': '1',
  'net.ipv4.tcp_mtu_probing': '0',
  // Room for 1 Gbit/s over 100 ms and more.
  'net.ipv4.tcp_rmem': '4096 131072 33554432',
  'net.ipv4.tcp_wmem': '4096 131072 33554432',
  'net.ipv4.tcp_tw_reuse': '1',
  // Above all ports that programs of the lab listen at.
  'net.ipv4.ip_local_port_range': `${PROBE_PORT + 1} 65000`,
  'net.ipv6.conf.all.disable_ipv6': '1',
  'net.ipv6.conf.default.disable_ipv6': '1',
};

/** Builds the hosts and what stands between them; the link is unlimited until it is set. */
export async function openNetwork(options: NetworkOptions): Promise<Network> {
  const wiring = wire(options.lab, options.topology);
  await using undo = new AsyncDisposableStack();
  for (const { namespace } of wiring.hosts) undo.use(await openNamespace(namespace));
  const router = undo.use(await openRouter(options, wiring));
  await Promise.all(wiring.hosts.map((host) => configureHost(host, options.tuning)));
  const kept = undo.move();
  return {
    clients: wiring.hosts.filter((host) => host.role === 'client'),
    servers: wiring.hosts.filter((host) => host.role === 'server'),
    router,
    async setLink(link) {
      await router.play([]);
      const directions = ['down', 'up'] as const;
      await router.apply(
        directions.flatMap((name) => renderShaping(wiring.shaped[name], link[name], router.transitMs)),
      );
      const schedules = directions.flatMap((name) => {
        const { rate } = link[name];
        return rate.kind === 'trace' ? [scheduleTrace(wiring.shaped[name], rate.trace)] : [];
      });
      await router.play(schedules);
    },
    async linkState() {
      const show = async ({ node, device }: { readonly node: string; readonly device: string }) => {
        const shown = (kind: string) => router.show(['tc', '-s', '-n', node, kind, 'show', 'dev', device]);
        return (await shown('qdisc')) + (await shown('class'));
      };
      return { down: await show(wiring.shaped.down), up: await show(wiring.shaped.up) };
    },
    describeHosts: () => Promise.all(wiring.hosts.map(describeHost)),
    async leadOut(addresses) {
      const gateway = wiring.hosts.find(({ role }) => role === 'server')!;
      for (const client of wiring.hosts.filter(({ role }) => role === 'client'))
        for (const address of addresses) {
          const way = [`${address}/32`, 'via', client.gateway ?? gateway.address, 'src', client.address];
          await run(['ip', '-n', client.namespace, ...routeArguments(client, options.tuning, way)]);
        }
      await router.apply(wayOutCommands(wiring, addresses));
    },
    async tune(host, tuning) {
      const wired = wiring.hosts.find((known) => known.namespace === host.namespace)!;
      await run(['ip', '-n', host.namespace, ...routeArguments(wired, tuning)]);
    },
    ended: router.ended,
    healthy: () => router.healthy(),
    answers: () => router.answers(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function openRouter(options: NetworkOptions, wiring: Wiring): Promise<Router> {
  const driver = options.driver ?? ((await kernelHasNetem()) ? 'kernel' : 'uml');
  if (driver === 'kernel') return openKernelRouter(wiring);
  if (!options.userModeKernel) throw noNetem();
  return openUserModeRouter(options.lab, wiring, options.userModeKernel);
}

async function configureHost(host: WiredHost, tuning: HostTuning): Promise<void> {
  const { namespace, device } = host;
  await run(['ethtool', '-K', device, ...OFFLOADS_OFF], { namespace });
  await run(['sysctl', '--ignore', '-qw', ...Object.entries(HOST_SYSCTLS).map(([key, value]) => `${key}=${value}`)], {
    namespace,
  });
  const commands = [
    ['link', 'set', 'lo', 'up'],
    ['link', 'set', device, 'address', host.mac, 'mtu', '1500'],
    ['link', 'set', device, 'up'],
    ['addr', 'add', `${host.address}/${host.prefixLength}`, 'dev', device],
    ...host.neighbours.map(({ address, mac }) => [
      'neigh',
      'add',
      address,
      'lladdr',
      mac,
      'dev',
      device,
      'nud',
      'permanent',
    ]),
    routeArguments(host, tuning),
  ];
  await run(['ip', '-n', namespace, '-batch', '-'], {
    input: commands.map((words) => `${words.join(' ')}\n`).join(''),
  });
}

async function describeHost({ namespace, device }: WiredHost): Promise<HostState> {
  const values = await run(['sysctl', '--ignore', ...Object.keys(HOST_SYSCTLS)], { namespace });
  const features = await run(['ethtool', '-k', device], { namespace });
  return {
    namespace,
    routes: (await run(['ip', '-n', namespace, 'route']))
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    sysctls: Object.fromEntries(
      values
        .trim()
        .split('\n')
        .map((line) => line.replaceAll('\t', ' ').split(' = ') as [string, string]),
    ),
    offloadsOn: [...features.matchAll(/^(\S*(?:segmentation|receive)-offload): on/gm)].map((match) => match[1]!),
  };
}

/**
 * The route to all other hosts carries the congestion control and the initial window. The sysctl would do the former
 * only where the machine's `tcp_allowed_congestion_control` permits it, which is global; a route's is the lab's own.
 */
function routeArguments(host: WiredHost, tuning: HostTuning, way = wayToOthers(host)): string[] {
  const { congestionControl, initialWindowPackets } = tuning;
  return [
    'route',
    'replace',
    ...way,
    'dev',
    host.device,
    'congctl',
    congestionControl,
    'initcwnd',
    `${initialWindowPackets}`,
  ];
}

/** All subnets of a lab; its hosts have no route to anything else. */
const LAB_SUBNETS = '10.77.0.0/16';

function wayToOthers(host: WiredHost): readonly string[] {
  return host.gateway ? [LAB_SUBNETS, 'via', host.gateway] : [`${subnet(host)}`, 'src', host.address];
}

function subnet(host: WiredHost): string {
  return `${host.address.replace(/\d+$/, '0')}/${host.prefixLength}`;
}
