import { titleOfArm } from '../model/arm.ts';
import { UsageError } from '../model/errors.ts';
import { TOPOLOGIES } from '../model/lab.ts';
import { type Link, loses, rttMs, serializationMs } from '../model/link.ts';
import { type Lacks, offered, REMOTE } from '../model/remote.ts';
import { DEFAULT_SERVER } from '../model/server.ts';
import { type SiteFacts, SMALL_SITE, SMALL_SITE_SIZE } from '../model/site.ts';
import type { Condition, Control, Grid, Plan, Study, Way } from '../model/study.ts';
import { singlesOf } from './grids.ts';
import { shortened } from './place.ts';

/** Resolves a study into what will be done. */
export function planStudy(study: Study, factsOf: (site: string) => SiteFacts): Plan {
  const { name, grids, device: _, timeoutMs: __, places: ___, insecure: ____, resolve: _____, ...kept } = study;
  assertMetricSuits(study, factsOf);
  assertSenderSuits(study);
  assertReplayed(study, factsOf);
  for (const site of new Set(study.grids.flatMap(({ sites }) => sites))) assertServable(study, site, factsOf(site));
  const conditions = conditionsOf(study, factsOf);
  const sites = Object.fromEntries(grids.flatMap((grid) => grid.sites.map((site) => [site, factsOf(site)])));
  return { study: name, ...kept, conditions, sites, control: planControl(study, conditions) };
}

function conditionsOf({ grids, device, timeoutMs }: Study, factsOf: (site: string) => SiteFacts): Condition[] {
  return grids.flatMap((grid) =>
    singlesOf(grid).map(({ sites, links, servers, visits, topology = 'direct', tabs = [] }): Condition => {
      const [site, link, server, visit] = [sites[0]!, links[0]!, servers[0]!, visits[0]!];
      const among = topology === 'direct' ? [] : [topology];
      return {
        id: [site, link.name, server, visit, ...among, ...tabs.map((number) => `${number} tabs`)].join('|'),
        site,
        link,
        server,
        visit,
        device,
        topology: topology !== 'direct' ? topology : undefined,
        tabs: tabs[0],
        timeoutMs: timeoutMs ?? suggestTimeoutMs(link, factsOf(site), TOPOLOGIES[topology].clients),
      };
    }),
  );
}

/** What decides must be there in every load. */
function assertMetricSuits({ grids, metric }: Study, factsOf: (site: string) => SiteFacts): void {
  if (metric !== 'plt' && grids.some(({ topology }) => topology === 'crowd'))
    throw new UsageError(`metric: ${metric} cannot be used with tabs, which tell load times alone. Expected: plt`);
  const sites = grids.flatMap((grid) => grid.sites);
  const other = sites.find((site) => (factsOf(site).uploadBytes === undefined) === (metric === 'upload'));
  if (other === undefined) return;
  const says = metric === 'upload' ? 'sends no file. Expected: upload-…' : 'sends a file. Expected: metric upload';
  throw new UsageError(`metric: ${metric} cannot be used with site "${other}", which ${says}`);
}

/** An upload is sent by the browser, whose QUIC congestion control cannot be chosen. */
function assertSenderSuits({ metric, arms }: Study): void {
  if (metric !== 'upload') return;
  const chooses = (way: Way | undefined) => way?.protocol === 'h3' && way.congestion !== undefined;
  const arm = arms.find((each) => chooses(each) || chooses(each.beside));
  if (!arm) return;
  throw new UsageError(
    `arm "${arm.name}": the browser sends an upload, and its QUIC's congestion control cannot be chosen. Expected with metric upload: congestion of h1, h2, h1c`,
  );
}

/** A page that exists already has servers of its own, speaks what they offer, and is loaded by one visitor at a time. */
function assertReachable({ grids, arms }: Study, site: string, lacks: Lacks): void {
  const refuse = (what: string, allowed: string) => {
    throw new UsageError(`${shortened(site)}: ${what}. Expected: ${allowed}`);
  };
  const own = grids.filter(({ sites }) => sites.includes(site));
  const elsewhere = arms.find(({ server, beside }) => server !== undefined || beside !== undefined);
  if (elsewhere)
    refuse(`arm "${elsewhere.name}" has a server or something beside it`, 'arms of the page’s own servers');
  const chosen = arms.find(({ congestion }) => congestion !== undefined);
  if (chosen)
    refuse(`arm "${chosen.name}" has a congestion control, which is its servers' own`, 'arms without congestion');
  if (hasSeveral(own)) refuse('it is loaded by one visitor at a time', 'topology direct or routed, without tabs');
  const asked = arms.find(({ protocol }) => lacks[protocol] !== undefined);
  if (asked === undefined) return;
  const { protocol: lacking, offer } = asked;
  // Only what needs no quotes can be typed as it stands here.
  const address = /^[\w:/.-]{1,80}$/.test(site) ? site : 'ADDRESS';
  const recorded = `npx photofinish record ${address} mine, then npx photofinish measure --site mine`;
  const would =
    lacking === 'h1c'
      ? ''
      : `. To learn what ${titleOfArm({ name: offer ?? lacking, protocol: lacking })} would do: ${recorded}`;
  const allowed = offer
    ? 'an address whose server has HTTP/2 and HTTP/3'
    : `--arms ${offered(lacks).replaceAll(' ', '')}`;
  refuse(lacks[lacking]!, `${allowed}${would}`);
}

/** Whether several load at once. */
function hasSeveral(grids: readonly Grid[]): boolean {
  return grids.some(({ topology = 'direct' }) => TOPOLOGIES[topology].clients > 1);
}

/** What is asked of recorded sites alone. */
function assertReplayed({ grids, allOrigins, thinkTimes }: Study, factsOf: (site: string) => SiteFacts): void {
  if (grids.some(({ sites }) => sites.some((site) => factsOf(site).recorded !== undefined))) return;
  const asked = { allOrigins, thinkTimes };
  const key = (['allOrigins', 'thinkTimes'] as const).find((each) => asked[each] !== undefined);
  if (key) throw new UsageError(`${key}: can only be used with a site that was recorded; the study has none`);
}

/** A recorded site has servers of its own, as nginx plays them, and is loaded by one visitor at a time. */
function assertServable(study: Study, site: string, { recorded, remote }: SiteFacts): void {
  if (remote) assertReachable(study, site, remote);
  if (recorded === undefined) return;
  const { grids, arms } = study;
  const refuse = (what: string, allowed: string) => {
    throw new UsageError(`site "${site}" was recorded, and ${what}. Expected: ${allowed}`);
  };
  const own = grids.filter(({ sites }) => sites.includes(site));
  const server = [...own.flatMap(({ servers }) => servers), ...arms.flatMap((arm) => arm.server ?? [])].find(
    (name) => name !== DEFAULT_SERVER,
  );
  if (server !== undefined) refuse(`is not served by ${server}`, DEFAULT_SERVER);
  if (hasSeveral(own)) refuse('is loaded by one visitor at a time', 'topology direct or routed, without tabs');
  if (recorded === 'https' && arms.some(({ protocol }) => protocol === 'h1c'))
    refuse('came over https, which no arm in the clear serves', 'h1, h2, h3');
}

const CONTROL_CAP = 30;
/** Three to learn what the arm takes, and nine: with fewer not even a delay that shows in each block is proven. */
const CONTROL_LEAST = 12;

/**
 * Over a quicker link the processor makes most of a small page's time, and its noise hides a tenth of that: at 36 ms one
 * study found its delay in 9 blocks and another, on a busier host, not in 19.
 */
const CONTROL_LINK_LEAST_MS = 50;

/**
 * The control goes over the quickest link that makes itself felt, or the slowest where none does; one that loses
 * nothing, if there is one; with the arm that most sites serve.
 */
function planControl({ arms, stopping }: Study, conditions: readonly Condition[]): Control {
  const steady = conditions.filter((each) => !loses(each.link));
  const quickestFirst = (steady.length > 0 ? steady : conditions).toSorted(
    (a, b) => linkTakesMs(a.link) - linkTakesMs(b.link),
  );
  const chosen = quickestFirst.find(({ link }) => linkTakesMs(link) >= CONTROL_LINK_LEAST_MS) ?? quickestFirst.at(-1)!;
  const { link } = chosen;
  const arm = (arms.find(({ name }) => name === 'h2') ?? arms[0]!).name;
  const blocks = stopping.kind === 'exactly' ? stopping.blocks : CONTROL_CAP;
  const cap = blocks < CONTROL_LEAST ? 0 : Math.min(CONTROL_CAP, blocks);
  const id = `control|${link.name}`;
  const { tabs: _, ...alike } = chosen;
  // The control's page is the lab's.
  const server = alike.server === REMOTE ? DEFAULT_SERVER : alike.server;
  const condition = { ...alike, server, id, site: SMALL_SITE, timeoutMs: TIMEOUT_WITH_LOSS_MS };
  return { id, condition, arm, twin: `${arm}-twin`, delayed: `${arm}-delayed`, cap };
}

/** What a link takes for a round trip and the small page's bytes. */
function linkTakesMs(link: Link): number {
  return rttMs(link) + serializationMs(link.down.rate, SMALL_SITE_SIZE.bytes);
}

const TIMEOUT_MS = 120_000;
/** One connection that loses packets over a long way takes minutes. */
const TIMEOUT_WITH_LOSS_MS = 600_000;

/** The longest that a load may take: more than a day. */
export const MOST_TIMEOUT_MS = 100_000_000;

/**
 * The larger of two minutes and ten times what the bytes take at the link's rate, up to the longest that a load may take;
 * ten minutes where there is loss.
 */
export function suggestTimeoutMs(
  link: Link,
  { bytes, uploadBytes = 0 }: Pick<SiteFacts, 'bytes' | 'uploadBytes'>,
  visitors = 1,
): number {
  const takesMs = visitors * (serializationMs(link.down.rate, bytes) + serializationMs(link.up.rate, uploadBytes));
  const suggested = Math.max(loses(link) ? TIMEOUT_WITH_LOSS_MS : TIMEOUT_MS, Math.ceil(10 * takesMs));
  return Math.min(suggested, MOST_TIMEOUT_MS);
}
