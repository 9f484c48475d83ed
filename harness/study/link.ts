import { UsageError } from '../model/errors.ts';
import type { DirectionName, JitterDistribution, Link, LinkDirection, Loss, Rate, Trace } from '../model/link.ts';
import { MAX_QUEUE_PACKETS, queueOf, renderLink } from './link-text.ts';
import { NAMED_LINKS } from './named-links.ts';
import {
  type Expectation,
  parseDelayMs,
  parseNumber,
  parsePercent,
  parseRateKbps,
  refused,
  roundedTo,
} from './quantity.ts';
import { NAMED_TRACES, parseTrace, TRACE_ALLOWED } from './trace.ts';
import { unknownName } from './unknown-name.ts';

/** What a link's text may refer to. */
export interface LinkSources {
  /** The text of a trace file; throws where it cannot be read. */
  readonly readText: (path: string) => string;
}

/** One direction as it was asked for: what is absent takes its default. */
interface DirectionWish {
  rate?: Rate;
  delayMs?: number | undefined;
  jitterMs?: number;
  jitterDistribution?: JitterDistribution;
  loss?: Loss;
  reorderPercent?: number;
  duplicatePercent?: number;
  queue?: { packets: number } | { bandwidthDelayProducts: number } | { milliseconds: number };
}

interface Key {
  readonly allowed: string;
  readonly read: (text: string, expectation: Expectation, sources: LinkSources) => DirectionWish;
}

const DISTRIBUTIONS: readonly JitterDistribution[] = ['uniform', 'normal', 'pareto', 'paretonormal'];

const RATE_ALLOWED = '100kbit to 1gbit, or unlimited, as in rate=10mbit';
const KEYS: Readonly<Record<string, Key>> = {
  rate: {
    allowed: RATE_ALLOWED,
    read: (text, expectation) => ({
      rate: text === 'unlimited' ? { kind: 'unlimited' } : { kind: 'constant', kbps: parseRateKbps(text, expectation) },
    }),
  },
  trace: {
    allowed: TRACE_ALLOWED,
    read: (text, expectation, sources) => ({ rate: { kind: 'trace', trace: readTrace(text, expectation, sources) } }),
  },
  delay: {
    allowed: '0 to 10s, one way, as in delay=20ms',
    read: (text, expectation) => ({ delayMs: parseDelayMs(text, expectation) }),
  },
  rtt: {
    allowed: '0 to 10s, split evenly between the directions, as in rtt=40ms',
    read: (text, expectation) => ({ delayMs: roundedTo(parseDelayMs(text, expectation) / 2, 0.001) }),
  },
  jitter: {
    allowed: "0 up to the direction's delay, as in jitter=5ms",
    read: (text, expectation) => ({ jitterMs: parseDelayMs(text, expectation) }),
  },
  distribution: {
    allowed: DISTRIBUTIONS.join(', '),
    read: (text, expectation) => {
      const distribution = DISTRIBUTIONS.find((known) => known === text);
      if (!distribution) throw refused(text, expectation, 'no such distribution');
      return { jitterDistribution: distribution };
    },
  },
  loss: {
    allowed: '0% to 100%, in each direction, as in loss=2%',
    read: (text, expectation) => ({ loss: randomLoss(parsePercent(text, expectation)) }),
  },
  burst: {
    allowed: 'mean loss (below 100%) and mean length in packets (1 to 1000), as in burst=1%:5',
    read: (text, expectation) => ({ loss: parseBurst(text, expectation) }),
  },
  reorder: {
    allowed: '0% to 100% on a direction with a delay, as in reorder=1%',
    read: (text, expectation) => ({ reorderPercent: parsePercent(text, expectation) }),
  },
  duplicate: {
    allowed: '0% to 100%, as in duplicate=0.1%',
    read: (text, expectation) => ({ duplicatePercent: parsePercent(text, expectation) }),
  },
  queue: {
    allowed: `1 to ${MAX_QUEUE_PACKETS} packets, a time at the link's rate, or bandwidth-delay products, as in queue=50, queue=100ms or queue=2bdp`,
    read: (text, expectation) => ({ queue: parseQueue(text, expectation) }),
  },
};

/** What a key sets, where two keys set the same thing. */
const FIELD: Readonly<Record<string, string>> = { trace: 'rate', rtt: 'delay', burst: 'loss' };

/**
 * A link by name (`4g`), by specification (`rate=2mbit,rtt=218ms,loss=2%`), or by name with changes
 * (`4g,loss=1%`). A key sets both directions; `down.loss=1%` sets one; `down=` and `up=` are short for the rates.
 * However it was written, it is called by its name if it has one, and otherwise by its one canonical specification.
 */
export function parseLink(text: string, sources: LinkSources, where = '--link'): Link {
  const { udp, rest: parts } = takeUdp(
    text.split(',').map((part) => part.trim()),
    where,
  );
  if (parts.length === 0 || parts[0]!.includes('=')) {
    const link = { ...parseDirections(parts, sources, where), ...udp };
    return { name: renderLink(link), ...link };
  }
  const [name = '', ...changes] = parts;
  const { spec, source } = namedLink(name, where);
  const settings = spec.split(',');
  const asNamed = parseDirections(settings, sources, where);
  const changed = parseDirections(settings, sources, where, changes);
  if (renderLink(changed) === renderLink(asNamed))
    return {
      name: [name, ...(udp.udp === undefined ? [] : [`${UDP.key}=${udp.udp}`])].join(','),
      source,
      ...asNamed,
      ...udp,
    };
  const link = { ...changed, ...udp };
  return { name: renderLink(link), source: `${name}, changed; ${source}`, ...link };
}

/** What becomes of datagrams; a key of the link's, since it is the same both ways. */
const UDP = { key: 'udp', allowed: 'drop, as in udp=drop: H3 cannot be spoken over the link' } as const;

/** Takes what is said of datagrams out of settings. */
function takeUdp(
  settings: readonly string[],
  where: string,
): { readonly udp: Pick<Link, 'udp'>; readonly rest: readonly string[] } {
  const said = settings.filter((text) => text.split('=')[0] === UDP.key);
  const wrong = said.find((text) => text !== `${UDP.key}=drop`) ?? said[1];
  if (wrong !== undefined)
    throw new UsageError(
      `${where}: ${said.length > 1 ? 'udp is given twice' : `"${wrong}" is not valid`}. Expected: ${UDP.allowed}`,
    );
  return { udp: said.length > 0 ? { udp: 'drop' } : {}, rest: settings.filter((text) => !said.includes(text)) };
}

/** The directions that settings make, and changes laid over them. */
function parseDirections(
  settings: readonly string[],
  sources: LinkSources,
  where: string,
  changes: readonly string[] = [],
): Pick<Link, DirectionName> {
  const wishes: Record<DirectionName, DirectionWish> = { down: {}, up: {} };
  apply(settings, wishes, sources, where);
  apply(changes, wishes, sources, where);
  const rttMs = (wishes.down.delayMs ?? 0) + (wishes.up.delayMs ?? 0);
  return { down: resolved(wishes.down, rttMs, where), up: resolved(wishes.up, rttMs, where) };
}

function namedLink(name: string, where: string) {
  const named = Object.hasOwn(NAMED_LINKS, name) ? NAMED_LINKS[name] : undefined;
  if (named) return named;
  throw unknownName(name, { where, what: 'link', known: Object.keys(NAMED_LINKS), see: 'npx photofinish list links' });
}

/** Lays settings over what is wished so far; those for one direction refine those for both, whatever their order. */
function apply(
  texts: readonly string[],
  wishes: Record<DirectionName, DirectionWish>,
  sources: LinkSources,
  where: string,
): void {
  const settings = texts.map((text) => splitSetting(text, where));
  const given = new Map<string, string>();
  for (const { written, field, scope, text } of settings) {
    const earlier = given.get(`${scope} ${field}`);
    if (earlier !== undefined) throw new UsageError(`${where}: ${written}: given twice (${earlier}, then ${text})`);
    given.set(`${scope} ${field}`, text);
  }
  const refining = (setting: (typeof settings)[number]) => (setting.scope === 'both' ? 0 : 1);
  for (const { written, key, scope, value } of settings.toSorted((a, b) => refining(a) - refining(b))) {
    const wish = key.read(value, { where: `${where}: ${written}`, allowed: key.allowed }, sources);
    for (const direction of scope === 'both' ? (['down', 'up'] as const) : [scope])
      Object.assign(wishes[direction], wish);
  }
}

function splitSetting(text: string, where: string) {
  const [written = '', value = ''] = text.split(/=(.*)/s);
  if (value === '') throw new UsageError(`${where}: "${text}" is not valid. Expected: key=value, as in rtt=40ms`);
  const [first = '', rest] = written.split('.', 2);
  const scope: DirectionName | 'both' = first === 'down' || first === 'up' ? first : 'both';
  const name = scope === 'both' ? written : (rest ?? 'rate');
  const key = Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
  if (!key || (scope !== 'both' && name === 'rtt'))
    throw new UsageError(
      `${where}: unknown key "${written}". Expected: ${Object.keys(KEYS).join(', ')}, udp, down, up (the rates), and each but rtt for one direction, as in up.loss`,
    );
  return { text, written, value, key, scope, field: FIELD[name] ?? name };
}

function resolved(wish: DirectionWish, rttMs: number, where: string): LinkDirection {
  const delayMs = wish.delayMs ?? 0;
  const jitterMs = wish.jitterMs ?? 0;
  const rate = wish.rate ?? { kind: 'unlimited' };
  if (jitterMs > delayMs)
    throw new UsageError(
      `${where}: jitter of ${jitterMs} ms is above the delay of ${delayMs} ms. Expected: 0 up to the delay`,
    );
  if (wish.reorderPercent && delayMs === 0)
    throw new UsageError(
      `${where}: reorder needs a delay (a packet overtakes those under way). Expected: with rtt or delay`,
    );
  return {
    rate,
    delayMs,
    jitterMs,
    jitterDistribution: (jitterMs > 0 && wish.jitterDistribution) || 'normal',
    loss: wish.loss ?? { kind: 'none' },
    reorderPercent: wish.reorderPercent ?? 0,
    duplicatePercent: wish.duplicatePercent ?? 0,
    queuePackets: queuePackets(wish.queue, rate, rttMs),
  };
}

function queuePackets(queue: DirectionWish['queue'], rate: Rate, rttMs: number): number {
  // Nothing ever waits where the rate is unlimited: such links are one and the same.
  if (queue === undefined || rate.kind === 'unlimited') return queueOf(1, rate, rttMs);
  if ('packets' in queue) return queue.packets;
  return 'milliseconds' in queue
    ? queueOf(1, rate, queue.milliseconds)
    : queueOf(queue.bandwidthDelayProducts, rate, rttMs);
}

function readTrace(name: string, expectation: Expectation, sources: LinkSources): Trace {
  const named = Object.hasOwn(NAMED_TRACES, name) ? NAMED_TRACES[name] : undefined;
  if (named) return named();
  let text: string;
  try {
    text = sources.readText(name);
  } catch (cause) {
    throw refused(name, expectation, `cannot be read: ${(cause as Error).message}`);
  }
  return parseTrace(name, text, expectation);
}

function randomLoss(percent: number): Loss {
  return percent === 0 ? { kind: 'none' } : { kind: 'random', percent };
}

function parseBurst(text: string, expectation: Expectation): Loss {
  const [share = '', length = '', ...rest] = text.split(':');
  if (rest.length > 0 || length === '') throw refused(text, expectation, 'two values with a colon are needed');
  const percent = parsePercent(share, expectation);
  const meanBurstPackets = roundedTo(parseNumber(length, expectation), 1e-6);
  if (percent === 100) throw refused(text, expectation, 'nothing would arrive');
  if (meanBurstPackets < 1 || meanBurstPackets > 1_000) throw refused(text, expectation, 'length out of range');
  // The chain enters its bad state with probability p = loss / (length (1 - loss)) a packet, which must be one.
  if (percent / 100 / (meanBurstPackets * (1 - percent / 100)) > 1)
    throw refused(text, expectation, 'so much loss needs longer bursts');
  return percent === 0 ? { kind: 'none' } : { kind: 'burst', percent, meanBurstPackets };
}

function parseQueue(text: string, expectation: Expectation): NonNullable<DirectionWish['queue']> {
  const products = /^(.*)bdp$/i.exec(text.trim());
  if (products) {
    const bandwidthDelayProducts = products[1] === '' ? 1 : parseNumber(products[1]!, expectation);
    if (bandwidthDelayProducts <= 0 || bandwidthDelayProducts > 100) throw refused(text, expectation, 'out of range');
    return { bandwidthDelayProducts };
  }
  if (/ms$/i.test(text.trim())) return { milliseconds: parseDelayMs(text, expectation) };
  const packets = parseNumber(text, expectation);
  if (!Number.isInteger(packets) || packets < 1 || packets > MAX_QUEUE_PACKETS)
    throw refused(text, expectation, packets === 0 ? 'zero: nothing could ever be sent' : 'out of range');
  return { packets };
}
