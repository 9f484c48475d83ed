import type { Page } from 'puppeteer-core';
import { compareRequests } from '../measurement/fidelity.ts';
import { measurementOf } from '../measurement/measurement.ts';
import type { Protocol } from '../model/arm.ts';
import { EnvironmentError } from '../model/errors.ts';
import type { StudyEvent } from '../model/event.ts';
import { EXIT } from '../model/exit-code.ts';
import type { Link } from '../model/link.ts';
import type { RecordedManifest, RecordedSite } from '../model/recording.ts';
import { isFaithful, renderVerified } from '../report/fidelity-text.ts';
import { renderEvent } from '../report/progress.ts';
import { type Lab, openLab } from '../run/lab.ts';
import { openTrueLink } from '../run/true-link.ts';
import { findServers, ownOrigin } from '../site/replay/addresses.ts';
import { median } from '../stats/order.ts';
import { parseLink } from '../study/link.ts';
import { LINK_SOURCES } from './sources.ts';

/** The number of loads that a time is the median of, live and replayed. */
export const VERIFYING_LOADS = 7;

const TIMEOUT_MS = 120_000;

/** Replays a recording in a lab and says how near it comes to the page; 1 where that is not near enough. */
export async function verify(
  site: RecordedSite,
  how: {
    readonly act?: ((page: Page) => Promise<unknown>) | undefined;
    /** What lies between the live page and here; absent: as far as the recording tells. */
    readonly link?: Link | undefined;
    readonly signal: AbortSignal;
  },
  print: (line: string) => void,
): Promise<number> {
  const { manifest } = site;
  const { live } = manifest;
  if (!live) throw new EnvironmentError('--verify: the recording does not say how long the page took');
  const protocol = recordedProtocol(manifest);
  const link = how.link ?? recordedLink(manifest);
  await using lab = await openLab({ sites: [site] });
  const { seen, notes, manifest: served } = await lab.recordAgain(manifest.site, { protocol, ...how });
  const tell = (event: StudyEvent) => renderEvent(event).lines.forEach(print);
  if (!(await openTrueLink(lab, { link }, { stop: how.signal, tell }))) return EXIT.stopped;
  const { times, mishaps } = await timeReplay(lab, manifest, protocol);
  if (times.length === 0) throw new EnvironmentError(`--verify: the replay did not load: ${mishaps[0]}`);
  const verified = {
    fidelity: compareRequests(served, seen.exchanges, notes),
    link: link.name,
    linkIs: how.link ? ('given' as const) : ('estimated' as const),
    liveMs: live.pltMs,
    liveLoads: live.loads ?? 1,
    replayMs: median(times),
    replayLoads: times.length,
    mishaps,
  };
  print(`\n${renderVerified(verified)}`);
  return isFaithful(verified) ? EXIT.done : EXIT.failed;
}

/** Times the replay over the open link. What is void is loaded again, as in a study; within bounds. */
async function timeReplay(lab: Lab, { site, device }: RecordedManifest, protocol: Protocol) {
  const times: number[] = [];
  const mishaps: string[] = [];
  for (let load = 0, counted = 0; counted < VERIFYING_LOADS && load < 2 * VERIFYING_LOADS; load += 1) {
    const capture = await lab.load({ site, protocol, device, visit: 'cold', timeoutMs: TIMEOUT_MS });
    const measured = measurementOf({ condition: '', block: load, arm: protocol }, capture);
    if (measured.status === 'ok') times.push(measured.pltMs);
    else mishaps.push(`${measured.status}: ${measured.says}`);
    if (measured.status !== 'void') counted += 1;
  }
  return { times, mishaps };
}

/** What the page's own origin spoke. */
function recordedProtocol(manifest: RecordedManifest): Protocol {
  const own = ownOrigin(manifest);
  return findServers(manifest)
    .flatMap(({ origins }) => origins)
    .find(({ origin }) => origin === own)!.protocol;
}

/** What came faster than this came over no link to speak of. */
const MOST_KBPS = 200_000;
/** A nearer server is on this machine or beside it: how fast it sends tells of the browser and not of a link. */
const LEAST_RTT_MS = 2;

/** The link between the machine that recorded a page and the page's own server, as far as the recording tells. */
export function recordedLink(manifest: RecordedManifest): Link {
  const { live, origins } = manifest;
  const own = ownOrigin(manifest);
  const { rttMs = 0 } = origins.find(({ origin }) => origin === own) ?? {};
  const rate = live?.downKbps !== undefined && live.downKbps <= MOST_KBPS ? `${live.downKbps}kbit` : 'unlimited';
  return parseLink(rttMs < LEAST_RTT_MS ? 'rate=unlimited' : `rate=${rate},rtt=${rttMs.toFixed(1)}ms`, LINK_SOURCES);
}
