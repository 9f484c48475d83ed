import type { Mix } from './advice.ts';
import type { Protocol, Visit } from './arm.ts';
import type { Rule, Stopping } from './comparison.ts';
import type { DeviceName } from './device.ts';
import type { TopologyName } from './lab.ts';
import type { Link } from './link.ts';
import type { Offer, OfferShares } from './offer.ts';
import type { PaperName } from './paper.ts';
import type { SiteFacts } from './site.ts';

/** What is compared: one difference, everything else held equal. */
export interface Arm extends Way {
  readonly name: string;
  /** Another visit kind than the condition's, where that is what is compared. */
  readonly visit?: Visit;
  /** Arguments of Chromium's, for browsers of its own. */
  readonly browserFlags?: readonly string[];
  /** What goes over the same link at the same time, between another client and another server. */
  readonly beside?: Way | undefined;
}

/** How a page comes. */
export interface Way {
  readonly protocol: Protocol;
  /** What the server offers, where that is what is compared; the protocol is then the newest that it has. */
  readonly offer?: Offer | undefined;
  /** Another server than the condition's, where that is what is compared. */
  readonly server?: string | undefined;
  /**
   * Congestion control in place of the default: of TCP on the sending host, of QUIC in a server that lets one choose.
   */
  readonly congestion?: string;
}

/** The times that can decide; `upload` is from the click to the answer, of a site that sends a file. */
export const METRICS = ['plt', 'lcp', 'fcp', 'upload'] as const;

/** Which time of a load decides, fixed before the first block. */
export type Metric = (typeof METRICS)[number];

/** Which archives of counted loads may be asked for: `full` has the browser log each request, which slows the load. */
export const HARS = ['full'] as const;

/** How the archives of counted loads come about. */
export type HarKind = (typeof HARS)[number];

/** Every site over every link from every server in every kind of visit, and in every number of tabs where there are any. */
export interface Grid {
  readonly sites: readonly string[];
  readonly links: readonly Link[];
  readonly servers: readonly string[];
  readonly visits: readonly Visit[];
  /** Absent: `direct`, or `crowd` where there are tabs. */
  readonly topology?: TopologyName | undefined;
  /** How many tabs each client of a crowd opens at once. */
  readonly tabs?: readonly number[] | undefined;
}

/** What a person asked for, every default filled in and visible. */
export interface Study {
  readonly name: string;
  /** The grids of its conditions, in this order; no condition is in two of them. */
  readonly grids: readonly Grid[];
  readonly arms: readonly Arm[];
  readonly device: DeviceName;
  readonly rule: Rule;
  readonly metric: Metric;
  readonly stopping: Stopping;
  /** The arm that is served today: gains are over it. */
  readonly served: string;
  /** How often Lighthouse judges each arm in each condition. */
  readonly lighthouse: number;
  readonly seed: number;
  /** Absent: what each condition's link and bytes suggest. */
  readonly timeoutMs?: number | undefined;
  /** The traffic that the advice is for, by the links' names; absent: all links alike. */
  readonly mix?: Mix | undefined;
  /** How the visits of a study of offers are weighed; absent in other studies. */
  readonly offered?: OfferShares | undefined;
  /** The published study that this one repeats. */
  readonly repeats?: PaperName | undefined;
  /** The folders of those of its sites that are not Photofinish's own, by their names. */
  readonly places?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether certificates of pages at their own addresses need not be valid; `resolve` says where names lead:
   * HOST:PORT:ADDRESS.
   */
  readonly insecure?: boolean | undefined;
  readonly resolve?: readonly string[] | undefined;
  /** Whether all origins of recorded sites speak the arm's protocol, and not only those of the page's own server. */
  readonly allOrigins?: boolean | undefined;
  /** Whether recorded sites' answers take as long as they took when they were recorded; absent: they do. */
  readonly thinkTimes?: boolean | undefined;
  /** Absent: counted loads are not watched. */
  readonly har?: HarKind | undefined;
}

/** Everything that is held equal while the arms are compared. */
export interface Condition {
  readonly id: string;
  readonly site: string;
  readonly link: Link;
  readonly server: string;
  readonly visit: Visit;
  /** Absent: `direct`. */
  readonly topology?: TopologyName | undefined;
  /** How many tabs each client opens at once, in a crowd. */
  readonly tabs?: number | undefined;
  readonly device: DeviceName;
  /** How long one load may take. */
  readonly timeoutMs: number;
}

/**
 * Arms of a condition whose loads are the same as another arm's, by that arm: browsers that come back know of HTTP/3 from
 * Alt-Svc, whether there is a record as well or not. Where answers are what is asked for they are loaded once for both.
 */
export function armsAlike(
  { arms, stopping }: Pick<Plan, 'arms' | 'stopping'>,
  { visit, link }: Pick<Condition, 'visit' | 'link'>,
): ReadonlyMap<string, string> {
  const [told, published] = (['h3-altsvc', 'h3-record'] as const).map((offer) =>
    arms.find((arm) => arm.offer === offer),
  );
  const isAsked = stopping.kind === 'early' && stopping.until === 'settled';
  // Without UDP there is a race each time, which they begin differently; and a block compares two arms at least.
  const isShared = isAsked && visit === 'returning' && link.udp !== 'drop' && arms.length > 2;
  return new Map(isShared && told && published ? [[published.name, told.name]] : []);
}

/** The arms that are loaded in a condition. */
export function armsLoaded(
  plan: Pick<Plan, 'arms' | 'stopping'>,
  condition: Pick<Condition, 'visit' | 'link'>,
): readonly Arm[] {
  const alike = armsAlike(plan, condition);
  return plan.arms.filter(({ name }) => !alike.has(name));
}

/** What a study does: nothing after this reads the study. */
export interface Plan {
  readonly study: string;
  readonly seed: number;
  /** Its conditions; where not all are measured side by side, in this order. */
  readonly conditions: readonly Condition[];
  readonly arms: readonly Arm[];
  readonly rule: Rule;
  readonly metric: Metric;
  readonly stopping: Stopping;
  readonly served: string;
  readonly lighthouse: number;
  readonly mix?: Mix | undefined;
  readonly offered?: OfferShares | undefined;
  readonly repeats?: PaperName | undefined;
  readonly allOrigins?: boolean | undefined;
  readonly thinkTimes?: boolean | undefined;
  readonly har?: HarKind | undefined;
  /** What is known of its conditions' sites, by their names. */
  readonly sites: Readonly<Record<string, SiteFacts>>;
  readonly control: Control;
}

/**
 * What a study measures to test itself: an arm, its twin, and the same arm delayed, with a small page over one of the
 * study's links. A page that keeps the processor busy takes a different time in each load, and would hide the delay.
 *
 *     twin     the same arm under another name, in a browser of its own: a difference would be the harness's
 *     delayed  the page itself comes later by a tenth of what the arm takes: the harness must see it
 */
export interface Control {
  /** Where its measurements are filed. */
  readonly id: string;
  /** What is held equal: no condition of the study. */
  readonly condition: Condition;
  readonly arm: string;
  readonly twin: string;
  readonly delayed: string;
  /** Blocks, at most; none where the study is too short for one. */
  readonly cap: number;
}

/** Some arms once each, one right after the other, in random order: all those of the plan, or of its control. */
export interface Block {
  /** The condition's id: one of the plan's, or its control's. */
  readonly condition: string;
  /** From 0, in this condition. */
  readonly index: number;
  /** The arms' names in the order of their trials. */
  readonly order: readonly string[];
}

/** Which trial a measurement belongs to. */
export interface TrialKey {
  readonly condition: string;
  readonly block: number;
  readonly arm: string;
}
