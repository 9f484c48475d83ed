import { RULE_NAMES, RULES } from '../comparison/rules.ts';
import { PROTOCOLS, VISITS } from '../model/arm.ts';
import { UNTIL } from '../model/comparison.ts';
import { DEFAULT_DEVICE, DEVICE_NAMES } from '../model/device.ts';
import { UsageError } from '../model/errors.ts';
import { OFFERS } from '../model/offer.ts';
import type { Option, Values } from '../model/option.ts';
import { DEFAULT_SERVER } from '../model/server.ts';
import { type Arm, HARS, METRICS, type Study } from '../model/study.ts';
import { parseArm } from './arms.ts';
import { findName, namedTwice } from './fields.ts';
import { parseLink } from './link.ts';
import { renderLink } from './link-text.ts';
import { parseMix } from './mix.ts';
import { parseNumberWithin, parsePercent, parseWholeNumber, refused } from './quantity.ts';
import { servedByDefault } from './resolve.ts';
import { parseResolve } from './resolve-name.ts';
import { requireSite } from './site-name.ts';
import type { StudySources } from './sources.ts';
import { BLOCKS, BUDGET_MIN, LIGHTHOUSE, SEED, SHARE, TIMEOUT_S } from './study-schema.ts';
import type { StudyWish } from './wish.ts';

/** What the values of options are read with. */
interface Reading {
  readonly sources: StudySources;
  /** The arms of the study that the options are laid over. */
  readonly arms: readonly Arm[];
}

/** An option that makes a study: which key of the wish it sets, how its value is read, and how a study is written as it. */
type StudyOption = Option &
  (
    | { readonly sets?: undefined }
    | {
        [Key in keyof StudyWish]: {
          readonly sets: Key;
          readonly read: (value: never, reading: Reading) => StudyWish[Key];
          /** What to write so that this study results; undefined where the default says the same or no value can. */
          readonly write?: (study: Study) => string | readonly string[] | true | undefined;
        };
      }[keyof StudyWish]
  );

const PAGES = 'What is measured';
const EFFORT = 'How much is measured';
const ANSWER = 'How the answer is found';
const OTHERS_PAGES = 'Recorded pages, and pages at an address';
export const KEPT = 'What is shown and kept';

/** The options of `measure` that make a study. Each is described here and nowhere else. */
export const STUDY_OPTIONS = {
  study: {
    group: PAGES,
    value: 'NAME|FILE',
    says: 'A study that comes with Photofinish, or a study file in YAML or JSON (see harness/README.md).',
    default: 'today, or only your own pages and links where --site or --link is given',
    example: '--study kramer2015',
    takes: 'study',
  },
  quick: {
    group: PAGES,
    says: 'Runs the short form of the study, if it has one.',
    example: '--study today --quick',
  },
  site: {
    group: PAGES,
    value: 'NAME|FOLDER|URL',
    many: true,
    says: 'A page to measure: a name from "npx photofinish list sites", a folder with an index.html, or an address.',
    default: "the study's; many-small with --link alone",
    example: '--site ./dist',
    takes: 'site',
    sets: 'sites',
    read: (names: readonly string[], { sources }) =>
      once(
        '--site',
        names.map((name) => requireSite(name, sources, '--site')),
      ),
    write: ({ grids: [grid, another], places = {} }) =>
      another ? undefined : grid?.sites.map((name) => places[name] ?? name),
  },
  link: {
    group: PAGES,
    value: 'NAME|SPEC',
    many: true,
    says: 'A connection that visitors have: a name from "npx photofinish list links", a specification, or a name with changes (4g,loss=1%).',
    default: "the study's; those of the study today with --site alone",
    example: '--link 4g --link rate=2mbit,rtt=218ms,loss=2%',
    takes: 'link',
    sets: 'links',
    read: (texts: readonly string[], { sources }) => {
      const links = texts.map((text) => parseLink(text, sources));
      once('--link', links.map(renderLink)); // However each was written.
      return links;
    },
    write: ({ grids: [grid, another] }) =>
      another ? undefined : grid?.links.map((link) => (link.source === undefined ? renderLink(link) : link.name)),
  },
  server: {
    group: PAGES,
    value: 'NAME',
    many: true,
    says: 'A server to load the pages from: a name from "npx photofinish list servers".',
    default: DEFAULT_SERVER,
    example: '--server nginx --server haproxy',
    takes: 'server',
    sets: 'servers',
    read: (names: readonly string[], { sources }) =>
      once(
        '--server',
        names.map((name) => findName('server', name, sources.servers, '--server')),
      ),
    write: ({ grids: [grid, another] }) => (another ? undefined : grid?.servers),
  },
  visit: {
    group: PAGES,
    value: 'KIND',
    many: true,
    says: 'What the browser knows when it comes: nothing (cold), TLS tickets (resumed), tickets and cache (repeat), or nothing while it must discover HTTP/3 by itself (discovered).',
    default: 'cold',
    example: '--visit cold --visit repeat',
    takes: VISITS,
    sets: 'visits',
    read: (names: readonly string[]) =>
      once(
        '--visit',
        names.map((name) => findName('kind of visit', name, VISITS, '--visit')),
      ),
    write: ({ grids: [grid, another], offered }) => (another || offered ? undefined : grid?.visits),
  },
  arms: {
    group: PAGES,
    value: 'ARM,ARM…',
    says: 'What is compared: HTTP/1.1 (h1), HTTP/2 (h2), HTTP/3 (h3), HTTP/1.1 without TLS (h1c), one of them with a congestion control (h2-bbr), or arms of the study by their names.',
    default: "the study's, mostly h1,h2,h3",
    example: '--arms h2,h3',
    takes: PROTOCOLS,
    sets: 'arms',
    read: parseArms,
    write: ({ arms, offered }) => (offered ? undefined : arms.map(({ name }) => name).join(',')),
  },
  offers: {
    group: PAGES,
    value: 'OFFER,OFFER…',
    says: 'Compares what a server offers, in place of arms and visits: HTTP/2 alone (h2), HTTP/3 by Alt-Svc too (h3-altsvc), an HTTPS record too (h3-record). On first and returning visits, and over one link without UDP.',
    default: 'none: arms are compared',
    example: '--site mine --offers h2,h3-altsvc,h3-record',
    takes: OFFERS,
    sets: 'offers',
    read: (text: string) =>
      once(
        '--offers',
        text.split(',').map((name) => findName('offer', name.trim(), OFFERS, '--offers')),
      ),
    write: ({ arms, offered }) => (offered ? arms.map(({ name }) => name).join(',') : undefined),
  },
  device: {
    group: PAGES,
    value: 'DEVICE',
    says: 'desktop, or mobile: the screen and user agent of a phone, and a processor four times as slow.',
    default: DEFAULT_DEVICE,
    example: '--device mobile',
    takes: DEVICE_NAMES,
    sets: 'device',
    read: (name: string) => findName('device', name, DEVICE_NAMES, '--device'),
    write: ({ device }) => device,
  },
  blocks: {
    group: EFFORT,
    value: 'N',
    says: 'The most blocks that a condition gets. In a block every arm loads the page once, in random order.',
    default: '100; 20 for the studies today and switch-on, and for --site without --link',
    example: '--blocks 40',
    sets: 'blocks',
    read: (text: string) => parseWholeNumber('--blocks', text, ...BLOCKS),
    write: ({ stopping }) => (stopping.kind === 'early' ? `${stopping.cap}` : undefined),
  },
  exactly: {
    group: EFFORT,
    value: 'N',
    says: 'Measures N blocks in every condition and stops none of them early.',
    default: 'conditions stop early',
    example: '--exactly 30',
    sets: 'exactly',
    read: (text: string) => parseWholeNumber('--exactly', text, ...BLOCKS),
    write: ({ stopping }) => (stopping.kind === 'exactly' ? `${stopping.blocks}` : undefined),
  },
  until: {
    group: EFFORT,
    value: 'settled|proven',
    says: 'When a condition needs no more blocks: once its answer is sure (settled), or once it is proven.',
    default: 'settled',
    example: '--until proven',
    takes: UNTIL,
    sets: 'until',
    read: (name: string) => findName('way to stop', name, UNTIL, '--until'),
    write: ({ stopping }) => (stopping.kind === 'early' ? stopping.until : undefined),
  },
  budget: {
    group: EFFORT,
    value: 'MINUTES',
    says: 'Photofinish begins no block after this time. Conditions that are still open have an answer all the same. A study that is continued by --out has none unless you give one.',
    default: 'none; 5 for the studies today and switch-on, and for --site without --link, unless --exactly is given',
    example: '--budget 30',
    sets: 'budgetMs',
    read: (text: string) => 60_000 * parseNumberWithin('--budget', text, BUDGET_MIN, 'minutes'),
  },
  timeout: {
    group: EFFORT,
    value: 'SECONDS',
    says: 'After this time a page load counts as failed.',
    default: "120, or ten times the page's bytes over the rate if that is more; 600 where packets are lost",
    example: '--timeout 90',
    sets: 'timeoutMs',
    read: (text: string) => 1_000 * parseWholeNumber('--timeout', text, ...TIMEOUT_S),
    write: ({ timeoutMs }) => (timeoutMs === undefined ? undefined : `${timeoutMs / 1_000}`),
  },
  lighthouse: {
    group: EFFORT,
    value: 'N',
    says: 'Runs Lighthouse N times for every condition and arm, over the same link.',
    default: "the study's, mostly 0",
    example: '--lighthouse 3',
    sets: 'lighthouse',
    read: (text: string) => parseWholeNumber('--lighthouse', text, ...LIGHTHOUSE),
    write: ({ lighthouse }) => `${lighthouse}`,
  },
  seed: {
    group: EFFORT,
    value: 'N',
    says: 'The number that every random choice comes from. The same seed gives the same plan.',
    default: 'drawn, and printed',
    example: '--seed 7',
    sets: 'seed',
    read: (text: string) => parseWholeNumber('--seed', text, ...SEED),
    write: ({ seed }) => `${seed}`,
  },
  served: {
    group: ANSWER,
    value: 'ARM',
    says: 'What your site serves today. Gains are stated over this arm.',
    default: 'h2, or the first arm',
    example: '--served h1',
    sets: 'served',
    read: (name: string) => name,
    write: ({ served, arms }) => (served === servedByDefault(arms.map(({ name }) => name)) ? undefined : served),
  },
  mix: {
    group: ANSWER,
    value: 'NAME|SHARES|FILE',
    says: 'How your visitors are spread over the links: a name from "npx photofinish list mixes", shares, or a file of them.',
    default: 'every link counts the same',
    example: '--mix 4g=70,cable=30',
    takes: 'mix',
    sets: 'mix',
    read: (text: string, { sources }) => parseMix(text, sources),
    // A study of offers takes it from the shares of their visitors.
    write: ({ mix, offered }) =>
      mix && !offered
        ? Object.entries(mix)
            .map((share) => share.join('='))
            .join(',')
        : undefined,
  },
  'first-visits': {
    group: ANSWER,
    value: 'PERCENT',
    says: 'With --offers: the share of visits whose browser knows nothing of the server.',
    default: '50%; "npx photofinish list mixes" says why',
    example: '--first-visits 60%',
    sets: 'firstVisits',
    read: (text: string) => parseShare('--first-visits', text),
    write: ({ offered }) => offered && writeShare(offered.firstVisits),
  },
  'without-udp': {
    group: ANSWER,
    value: 'PERCENT',
    says: 'With --offers: the share of visitors whose network lets no UDP through.',
    default: '4.4%; "npx photofinish list mixes" says why',
    example: '--without-udp 10%',
    sets: 'withoutUdp',
    read: (text: string) => parseShare('--without-udp', text),
    write: ({ offered }) => offered && writeShare(offered.withoutUdp),
  },
  metric: {
    group: ANSWER,
    value: 'METRIC',
    says: 'The time that decides: page load (plt), largest contentful paint (lcp), first contentful paint (fcp), or the upload of a site that sends a file.',
    default: 'plt',
    example: '--metric lcp',
    takes: METRICS,
    sets: 'metric',
    read: (name: string) => findName('metric', name, METRICS, '--metric'),
    write: ({ metric }) => metric,
  },
  rule: {
    group: ANSWER,
    value: 'NAME',
    says: 'What "faster" means: by 3 % in more than half of all blocks (default), or by 10 % in more than 70 % (kramer2015).',
    default: 'default',
    example: '--rule kramer2015',
    takes: RULE_NAMES,
    sets: 'rule',
    read: (name: string) => RULES[findName('rule', name, RULE_NAMES, '--rule')],
    write: ({ rule }) =>
      RULE_NAMES.find((name) => RULES[name].advantage === rule.advantage && RULES[name].share === rule.share),
  },
  'all-origins': {
    group: OTHERS_PAGES,
    says: "Every origin of a recorded page speaks the arm's protocol, not only the page's own server.",
    example: '--site mine --all-origins',
    sets: 'allOrigins',
    read: (isOn: boolean) => isOn,
    write: ({ allOrigins }) => (allOrigins ? true : undefined),
  },
  'no-think-times': {
    group: OTHERS_PAGES,
    says: 'The answers of a recorded page come at once, instead of after the time that its servers took.',
    example: '--site mine --no-think-times',
    sets: 'thinkTimes',
    read: (isOn: boolean) => !isOn,
    write: ({ thinkTimes }) => (thinkTimes === false ? true : undefined),
  },
  insecure: {
    group: OTHERS_PAGES,
    says: 'Accepts certificates that are not valid.',
    example: '--site https://staging.example/ --insecure',
    sets: 'insecure',
    read: (isOn: boolean) => isOn,
    write: ({ insecure }) => (insecure ? true : undefined),
  },
  resolve: {
    group: OTHERS_PAGES,
    value: 'HOST:PORT:ADDRESS',
    many: true,
    says: "Finds a host at another address, like curl's option of that name. * stands for every host.",
    default: 'the name system of this machine',
    example: '--resolve shop.example:443:192.0.2.7',
    sets: 'resolve',
    read: (texts: readonly string[]) => {
      for (const text of texts) parseResolve(text);
      return texts;
    },
    write: ({ resolve }) => resolve,
  },
  har: {
    group: KEPT,
    value: 'full',
    says: 'Watches every counted load, so that its HAR archive has every field. This slows loads down.',
    default: 'off: archives have what was known without watching',
    example: '--har full',
    takes: HARS,
    sets: 'har',
    read: (name: string) => findName('kind of archive', name, HARS, '--har'),
    write: ({ har }) => har,
  },
} as const satisfies Readonly<Record<string, StudyOption>>;

/** The options of `measure` that make a study, as they were written. */
export type StudyFlags = Values<typeof STUDY_OPTIONS>;

/** The options that set something, by their names. */
export const SETTERS = Object.entries(STUDY_OPTIONS as Readonly<Record<string, StudyOption>>).flatMap(
  ([name, option]) => (option.sets === undefined ? [] : [{ name: name as keyof StudyFlags, ...option }]),
);

function once<Name extends string>(option: string, each: readonly Name[]): readonly Name[] {
  const twice = each.find((name, index) => each.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`${option}: ${namedTwice(twice)}`);
  return each;
}

/** Reads protocols, and arms that the study has, by their names. */
export function parseArms(text: string, { arms }: Pick<Reading, 'arms'>): readonly Arm[] {
  const each = once(
    '--arms',
    text.split(',').map((name) => name.trim()),
  );
  return each.map((name) => arms.find((arm) => arm.name === name) ?? parseArm(name, '--arms'));
}

/** A share of 1, of what is written in percent. */
function parseShare(where: string, text: string): number {
  const allowed = `${SHARE[0]}% to ${SHARE[1]}%, with the sign`;
  const value = text.trim().endsWith('%') ? parsePercent(text.trim(), { where, allowed }) : Number.NaN;
  if (value >= SHARE[0] && value <= SHARE[1]) return value / 100;
  throw refused(text, { where, allowed }, 'no share');
}

function writeShare(share: number): string {
  return `${Number((100 * share).toPrecision(10))}%`;
}
