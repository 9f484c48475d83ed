import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { BlockList, isIPv4 } from 'node:net';
import { EnvironmentError } from '../model/errors.ts';
import type { Host } from '../model/lab.ts';
import type { ServerPlace } from '../model/remote.ts';
import { enclosedAs, SCRATCH } from '../system/enclosure.ts';
import { findProgram, type RunningProcess, run, start } from '../system/process.ts';
import { connectTimeMs } from './connect-time.ts';
import type { Network } from './network.ts';
import { cableTo, OFFLOADS_OFF } from './router.ts';

/*
 * A way out of a lab, for servers that exist already: real packets from end to end, nothing that ends TCP or QUIC.
 *
 *   client ══ link ══ eth0 [first server's host] uplink ── veth ── photofinishN [this machine] ── its own routes ──►
 *                           passes on, as itself                   passes on, as itself
 *
 * Whatever the client sends to one of the places goes over the shaped link to the server's host, which passes it on under
 * its own address, as this machine does. Nothing else is let through, either way. All that is made here is named after the
 * device, whose number no other lab has; nothing that belongs to the machine is changed.
 */

/** A way from a lab's clients to servers outside, over its link. */
export interface Uplink extends AsyncDisposable {
  /** The device that it ends at in this machine's own network namespace; its table of rules has the same name. */
  readonly device: string;
}

/** The device's end in the lab. */
const INNER = 'uplink';
const OUTER = 'photofinish';
/** Addresses for tests of networks between two devices (RFC 2544): no real network has them. */
const SUBNETS = '198.18';
const MOST_UPLINKS = 1_000;
const RULES_TIMEOUT_MS = 10_000;

/** What stands in the way of any uplink here, whatever the address; undefined where nothing does. */
export function findObstacle(): string | undefined {
  if (enclosedAs() === 'user' || (enclosedAs() === undefined && process.geteuid?.() !== 0))
    return "needs root: a way out of the lab is an interface in this machine's own network";
  if (findProgram('nft') === undefined) return 'needs nft: apt-get install nftables';
  return undefined;
}

/** Whether there is a way out of a lab here, and how far it leads. */
export function describeWayOut(): string {
  const obstacle = findObstacle();
  if (obstacle !== undefined) return `no: ${obstacle}`;
  const device = parseDefaultRoute(readFileSync('/proc/net/route', 'utf8'));
  if (device === undefined)
    return 'yes, but only to networks that this machine has a route to: there is no default route';
  if (readForwarding(device)) return `yes: by way of ${device}`;
  return `only servers on this machine; for others run: ${forwardingCommand(device)}`;
}

/** The device that leads to where no other route does, from `/proc/net/route`. */
export function parseDefaultRoute(text: string): string | undefined {
  const [, ...routes] = text.trim().split('\n');
  const [device] =
    routes.map((line) => line.split('\t')).find(([, to, , , , , , mask]) => isAll(to) && isAll(mask)) ?? [];
  return device;
}

function isAll(hex: string | undefined): boolean {
  return hex === '00000000';
}

function forwardingCommand(device: string): string {
  return `sysctl -w net.ipv4.conf.${device.replaceAll('.', '/')}.forwarding=1`;
}

/** Leads a network's clients to these places, and nowhere else, by way of its first server's host. */
export async function openUplink(network: Network, places: readonly ServerPlace[]): Promise<Uplink> {
  const obstacle = findObstacle();
  if (obstacle !== undefined) throw new EnvironmentError(`an address outside the lab ${obstacle}`);
  const addresses = [...new Set(places.map(({ address }) => address))];
  for (const address of addresses) {
    assertOutside(address, network);
    assertAnswersPass(address, parseRoute(await showRoute(address)), readForwarding);
  }
  const gateway = network.servers[0]!;
  await using undo = new AsyncDisposableStack();
  const { device, number } = await makeCable(gateway, undo);
  const ends = uplinkEndsOf(number);
  await assertFree(device, ends);
  await configureOuter(device, ends);
  await configureInner(gateway, { ends, addresses, places });
  undo.use(await holdRules(device, renderOuterRules(device, { ends, places })));
  await network.leadOut(addresses);
  await assertLeadsThere(network.clients[0]!, places[0]!);
  const kept = undo.move();
  return { device, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The two addresses of an uplink. */
interface Ends {
  readonly outer: string;
  readonly inner: string;
}

/** The addresses of the uplink with a number: four of them for each. */
export function uplinkEndsOf(number: number): Ends {
  const first = 4 * number;
  const at = (offset: number) => `${SUBNETS}.${(first + offset) >> 8}.${(first + offset) & 255}`;
  return { outer: at(1), inner: at(2) };
}

/** Refuses what no uplink can lead to: the lab's own addresses, loopback, and whatever is not IPv4. */
function assertOutside(address: string, { clients, servers }: Pick<Network, 'clients' | 'servers'>): void {
  const says = (why: string) => new EnvironmentError(`${address} cannot be measured over a link: ${why}`);
  if (!isIPv4(address)) throw says('a lab speaks IPv4 alone');
  if (LOOPBACK.check(address)) throw says('a loopback address; have the server listen at another one of this machine');
  if ([...clients, ...servers].some((host) => host.address === address)) throw says("it is one of the lab's own");
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);

/** How this machine reaches an address. */
interface Route {
  /** Whether it is one of this machine's own. */
  readonly local: boolean;
  readonly device: string;
}

async function showRoute(address: string): Promise<string> {
  try {
    return await run(['ip', '-j', '-4', 'route', 'get', address]);
  } catch (cause) {
    throw new EnvironmentError(`this machine has no route to ${address}: ip route`, { cause });
  }
}

/** Reads what `ip -j route get` says. */
export function parseRoute(json: string): Route {
  const [route] = JSON.parse(json) as [{ readonly type?: string; readonly dev: string }];
  return { local: route.type === 'local', device: route.dev };
}

/**
 * Linux passes on what comes in at an interface if that interface's own setting says so, whichever it leaves by; that of
 * the whole machine only sets all of them. So the answers need it, at the interface that leads to the server: what the lab
 * sends comes in at an interface of its own.
 */
export function assertAnswersPass(address: string, route: Route, isForwarding: (device: string) => boolean): void {
  if (route.local || isForwarding(route.device)) return;
  throw new EnvironmentError(
    `this machine does not forward what comes in at ${route.device}, as answers of ${address} do; run: ${forwardingCommand(route.device)} (it lasts until a restart; 0 undoes it)`,
  );
}

function readForwarding(device: string): boolean {
  return readFileSync(`/proc/sys/net/ipv4/conf/${device}/forwarding`, 'utf8').trim() === '1';
}

/** The cable between this machine and the gateway; no other lab has its number as long as the device is there. */
async function makeCable(gateway: Host, undo: AsyncDisposableStack) {
  for (let number = 0; number < MOST_UPLINKS; number += 1) {
    const device = `${OUTER}${number}`;
    try {
      await run(['ip', 'link', 'add', 'name', device, ...cableTo(INNER, gateway.namespace)]);
    } catch (cause) {
      if (/File exists/.test((cause as Error).message)) continue;
      throw notAllowed(cause);
    }
    undo.defer(async () => void (await run(['ip', 'link', 'del', device])));
    return { device, number };
  }
  throw new EnvironmentError(`there are ${MOST_UPLINKS} uplinks already: ip link show type veth`);
}

/** A container may be root's and still have a network that it cannot change. */
function notAllowed(cause: unknown): EnvironmentError {
  const { message } = cause as Error;
  return new EnvironmentError(
    `this machine's network cannot be added to, which a way out of the lab needs: ${message}; in a container, --privileged lets it`,
    { cause },
  );
}

/** No route of this machine's may lead where the uplink's own addresses are. */
async function assertFree(device: string, { outer }: Ends): Promise<void> {
  const shown = await run(['ip', '-j', '-4', 'route', 'show', 'match', outer]);
  const others = (JSON.parse(shown) as { readonly dst: string }[]).filter(({ dst }) => dst !== 'default');
  if (others.length > 0)
    throw new EnvironmentError(`${device} needs ${outer}/30, where this machine has a route to ${others[0]!.dst}`);
}

async function configureOuter(device: string, { outer }: Ends): Promise<void> {
  try {
    writeFileSync(`/proc/sys/net/ipv4/conf/${device}/forwarding`, '1');
  } catch (cause) {
    throw notAllowed(cause);
  }
  const ipv6 = `/proc/sys/net/ipv6/conf/${device}/disable_ipv6`;
  if (existsSync(ipv6)) writeFileSync(ipv6, '1');
  // What this machine's own cards merged is taken apart before it comes to the link.
  await run(['ethtool', '-K', device, ...OFFLOADS_OFF]);
  await run(['ip', 'addr', 'add', `${outer}/30`, 'dev', device]);
  await run(['ip', 'link', 'set', device, 'mtu', '1500', 'up']);
}

const CONNECT_TIMEOUT_MS = 5_000;

/** What else this machine does with packets that it passes on cannot be seen from here, so it is tried. */
async function assertLeadsThere(client: Host, place: ServerPlace): Promise<void> {
  if ((await connectTimeMs(place, CONNECT_TIMEOUT_MS, client.namespace)) !== undefined) return;
  const where = `${place.address}:${place.port}`;
  if ((await connectTimeMs(place, CONNECT_TIMEOUT_MS)) === undefined)
    throw new EnvironmentError(`nothing answers at ${where}, over a link or without`);
  throw new EnvironmentError(
    `${where} answers this machine, but a firewall here drops forwarded packets; see the forward chains: nft list ruleset`,
  );
}

/** What the gateway's rules are made of. */
interface Passage {
  readonly ends: Ends;
  readonly places: readonly ServerPlace[];
}

async function configureInner(
  { namespace, device }: Host,
  { ends, addresses, places }: Passage & { readonly addresses: readonly string[] },
): Promise<void> {
  await run(['ethtool', '-K', INNER, ...OFFLOADS_OFF], { namespace });
  // Packets that come late over a slow link must not be taken for strangers.
  const settings = ['net.ipv4.ip_forward=1', 'net.ipv4.conf.all.send_redirects=0'];
  await run(['sysctl', '--ignore', '-qw', ...settings, `net.ipv4.conf.${device}.send_redirects=0`], { namespace });
  await run(['nft', renderInnerRules(device, { ends, places })], { namespace });
  await run(['sysctl', '--ignore', '-qw', 'net.netfilter.nf_conntrack_tcp_be_liberal=1'], { namespace });
  const ip = (...args: string[]) => run(['ip', '-n', namespace, ...args]);
  await ip('addr', 'add', `${ends.inner}/30`, 'dev', INNER);
  await ip('link', 'set', INNER, 'mtu', '1500', 'up');
  for (const address of addresses) await ip('route', 'replace', `${address}/32`, 'via', ends.outer, 'dev', INNER);
}

const renderPlaces = (places: readonly ServerPlace[]) =>
  [...new Set(places.map(({ address, port }) => `${address} . ${port}`))].join(', ');

/**
 * What the gateway lets through: TCP and UDP to the places, their answers, and what routers say of them. Nothing from
 * outside reaches the gateway itself.
 */
export function renderInnerRules(device: string, { places }: Passage): string {
  return `table ip ${INNER} {
  chain pass {
    type filter hook forward priority filter; policy drop;
    ct state invalid drop
    iifname "${device}" oifname "${INNER}" meta l4proto { tcp, udp } ip daddr . th dport { ${renderPlaces(places)} } accept
    iifname "${INNER}" oifname "${device}" ct state established,related accept
  }
  chain stay {
    type filter hook input priority filter;
    iifname "${INNER}" ct state != { established, related } drop
  }
  chain leave {
    type nat hook postrouting priority srcnat;
    oifname "${INNER}" masquerade
  }
}
`;
}

/** What this machine lets through, of the uplink's packets alone; the table goes with the process that holds it. */
export function renderOuterRules(device: string, { ends, places }: Passage): string {
  return `table ip ${device} {
  flags owner
  chain pass {
    type filter hook forward priority filter;
    iifname "${device}" ct state invalid drop
    iifname "${device}" ip daddr . th dport != { ${renderPlaces(places)} } drop
    oifname "${device}" ct state != { established, related } drop
  }
  chain stay {
    type filter hook input priority filter;
    iifname "${device}" ip daddr . th dport != { ${renderPlaces(places)} } drop
  }
  chain leave {
    type nat hook postrouting priority srcnat;
    ip saddr ${ends.inner} oifname != "${device}" masquerade
  }
}
`;
}

/**
 * Puts rules in place that are there as long as a process of the lab's is: the kernel takes an owner's table away with the
 * connection that it was made over (Linux 5.12), however that ends.
 */
async function holdRules(name: string, rules: string): Promise<AsyncDisposable> {
  const file = `${SCRATCH}/${name}.nft`;
  writeFileSync(file, rules);
  await using undo = new AsyncDisposableStack();
  const holder = undo.use(start(['nft', '-i']));
  holder.stdin.write(`include "${file}"\nlist table ip ${name}\n`);
  const said = await listenFor(holder, new RegExp(`table ip ${name} |Error`), RULES_TIMEOUT_MS);
  if (/Error/.test(said)) throw new EnvironmentError(`this kernel does not take the uplink's rules: ${said.trim()}`);
  const kept = undo.move();
  return { [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** What a program says, up to a pattern. */
async function listenFor({ stdout, stderr, ended }: RunningProcess, pattern: RegExp, timeoutMs: number) {
  let said = '';
  return await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`nft said nothing in ${timeoutMs} ms: ${said}`)), timeoutMs);
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      if (!pattern.test(said)) return;
      clearTimeout(timer);
      resolve(said);
    };
    stdout.on('data', hear);
    stderr.on('data', hear);
    const end = (by: unknown) => {
      clearTimeout(timer);
      reject(new Error(`nft ended (${by}): ${said}`));
    };
    void ended.then(end, end);
  });
}
