import {
  type DirectionName,
  FRAME_BYTES,
  type Link,
  type LinkDirection,
  type Loss,
  meanRateKbps,
  type Rate,
  rttMs,
} from '../model/link.ts';

const MIN_QUEUE_PACKETS = 10;
export const MAX_QUEUE_PACKETS = 100_000;

/** The packets of full size that fill a number of round trips at the mean rate, and never fewer than ten. */
export function queueOf(bandwidthDelayProducts: number, rate: Rate, rttMs: number): number {
  const kbps = meanRateKbps(rate) ?? 0;
  const packets = Math.ceil((bandwidthDelayProducts * kbps * rttMs) / (8 * FRAME_BYTES));
  return Math.min(MAX_QUEUE_PACKETS, Math.max(MIN_QUEUE_PACKETS, packets));
}

/** One key of a link's text, for either direction: a setting, or nothing where it is the default. */
type Setting = (direction: LinkDirection) => string | undefined;

/**
 * The specification of a link, the same for all ways to write it, and parsed to the same link again: rate, RTT and loss
 * always, the rest where it is not the default, in this order; one setting where both directions have it alike.
 */
export function renderLink(link: Pick<Link, DirectionName | 'udp'>): string {
  const whole = { name: '', ...link };
  const defaultQueue = ({ rate }: LinkDirection) => queueOf(1, rate, rttMs(whole));
  const settings: readonly Setting[] = [
    ({ loss }) => lossText(loss),
    ({ jitterMs }) => (jitterMs > 0 ? `jitter=${plain(jitterMs)}ms` : undefined),
    ({ jitterDistribution }) => (jitterDistribution === 'normal' ? undefined : `distribution=${jitterDistribution}`),
    ({ reorderPercent }) => (reorderPercent > 0 ? `reorder=${plain(reorderPercent)}%` : undefined),
    ({ duplicatePercent }) => (duplicatePercent > 0 ? `duplicate=${plain(duplicatePercent)}%` : undefined),
    (direction) => (direction.queuePackets === defaultQueue(direction) ? undefined : `queue=${direction.queuePackets}`),
  ];
  return [
    ...renderRates(link),
    ...renderDelays(whole),
    ...settings.flatMap((setting) => renderSetting(link, setting)),
    ...(link.udp === undefined ? [] : [`udp=${link.udp}`]),
  ].join(',');
}

function renderSetting({ down, up }: Pick<Link, DirectionName>, setting: Setting): string[] {
  const [ofDown, ofUp] = [setting(down), setting(up)];
  if (ofDown === ofUp) return ofDown === undefined ? [] : [ofDown];
  return [...(ofDown === undefined ? [] : [`down.${ofDown}`]), ...(ofUp === undefined ? [] : [`up.${ofUp}`])];
}

function renderRates({ down, up }: Pick<Link, DirectionName>): string[] {
  const text = ({ rate }: LinkDirection) => (rate.kind === 'trace' ? rate.trace.name : rateText(rate));
  const key = ({ rate }: LinkDirection) => (rate.kind === 'trace' ? 'trace' : 'rate');
  if (key(down) === key(up) && text(down) === text(up)) return [`${key(down)}=${text(down)}`];
  const scoped = (name: DirectionName, direction: LinkDirection) =>
    `${direction.rate.kind === 'trace' ? `${name}.trace` : name}=${text(direction)}`;
  return [scoped('down', down), scoped('up', up)];
}

function rateText(rate: Exclude<Rate, { kind: 'trace' }>): string {
  if (rate.kind === 'unlimited') return 'unlimited';
  const { kbps } = rate;
  if (kbps >= 1_000_000) return `${plain(kbps / 1_000_000)}gbit`;
  return kbps >= 1_000 ? `${plain(kbps / 1_000)}mbit` : `${plain(kbps)}kbit`;
}

function renderDelays(link: Link): string[] {
  const { down, up } = link;
  if (down.delayMs === up.delayMs) return [`rtt=${plain(rttMs(link))}ms`];
  return [`down.delay=${plain(down.delayMs)}ms`, `up.delay=${plain(up.delayMs)}ms`];
}

function lossText(loss: Loss): string {
  switch (loss.kind) {
    case 'none':
      return 'loss=0%';
    case 'random':
      return `loss=${plain(loss.percent)}%`;
    case 'burst':
      return `burst=${plain(loss.percent)}%:${plain(loss.meanBurstPackets)}`;
  }
}

/** Six places are more than any value of a link has. */
function plain(value: number): string {
  return `${Number(value.toFixed(6))}`;
}
