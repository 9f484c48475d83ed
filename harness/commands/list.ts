import { join } from 'node:path';
import { RECIPES } from '../../sites/recipes.ts';
import { toldSize } from '../../sites/told-size.ts';
import { UsageError } from '../model/errors.ts';
import { EXIT } from '../model/exit-code.ts';
import { wordsForLink } from '../model/link-title.ts';
import { NAME_SERVER_MS } from '../model/offer.ts';
import { REMOTE, REMOTE_ABILITIES } from '../model/remote.ts';
import type { Study } from '../model/study.ts';
import { percentInWords } from '../model/wording.ts';
import { describeWayOut } from '../network/uplink.ts';
import { describeRange } from '../report/progress.ts';
import { renderTable, type TerminalColumn } from '../report/table.ts';
import { roomFor } from '../run/labs.ts';
import { RECORDINGS } from '../run/sites.ts';
import { ADAPTERS } from '../server/adapters.ts';
import { listRecordings, readRecording } from '../site/record/store.ts';
import { findName } from '../study/fields.ts';
import { findPreset } from '../study/flags.ts';
import { countConditions } from '../study/grids.ts';
import { NAMED_LINKS } from '../study/named-links.ts';
import { type MixSource, NAMED_MIXES } from '../study/named-mixes.ts';
import { NAME_SERVER_SOURCE, OFFER_SHARES } from '../study/offers.ts';
import { shortened } from '../study/place.ts';
import { planStudy } from '../study/plan.ts';
import { resolveStudy } from '../study/resolve.ts';
import { timeNeeded } from '../study/time-needed.ts';
import { lay } from '../study/wish.ts';
import { LIST_NAMES } from './command-table.ts';
import { PRESETS, studySources } from './sources.ts';

/** One kind of thing there is to measure with: how it is asked for, and a table of it. */
interface Section {
  readonly title: string;
  readonly table: () => string;
}

const SECTIONS: Readonly<Record<(typeof LIST_NAMES)[number], Section>> = {
  studies: { title: 'Studies (--study)', table: listStudies },
  sites: { title: 'Sites (--site)', table: listSites },
  links: { title: 'Links (--link)', table: listLinks },
  servers: { title: 'Servers (--server)', table: listServers },
  mixes: { title: 'Mixes (--mix)', table: listMixes },
};

/** Reads the operand of `list`: the one section to show, or all of them. */
export function parseList(section?: string): readonly (typeof LIST_NAMES)[number][] {
  return section === undefined ? LIST_NAMES : [findName('section', section, LIST_NAMES, 'list')];
}

/** `photofinish list`: what there is to measure with. */
export async function list(print: (line: string) => void, names = parseList()): Promise<number> {
  const sections = names.map((name) => SECTIONS[name]);
  print(sections.map(({ title, table }) => `${title}:\n${table()}`).join('\n\n'));
  return EXIT.done;
}

function listStudies(): string {
  const sources = studySources();
  const studies = PRESETS.map((name) => {
    const file = findPreset(name, sources);
    const whole = resolveStudy(file.whole, sources, name);
    const quick = file.quick && resolveStudy(lay(file.whole, file.quick), sources, name);
    return { ...whole, takes: describeNeeded(whole.study), quick: quick ? describeNeeded(quick.study) : '' };
  });
  return renderTable<(typeof studies)[number]>(
    [
      { title: 'name', text: ({ study }) => study.name },
      {
        title: 'conditions × arms',
        text: ({ study }) =>
          `${study.grids.reduce((sum, grid) => sum + countConditions(grid), 0)} × ${study.arms.length}`,
      },
      {
        title: 'blocks',
        text: ({ study: { stopping } }) =>
          stopping.kind === 'exactly' ? `${stopping.blocks}` : `up to ${stopping.cap}`,
      },
      { title: 'takes about', text: ({ takes }) => takes },
      { title: 'budget', text: ({ budgetMs }) => (budgetMs === undefined ? '' : `${budgetMs / 60_000} min`) },
      { title: '--quick takes', text: ({ quick }) => quick },
      { title: 'what it is', text: ({ describes }) => describes },
    ],
    studies,
  );
}

function describeNeeded(study: Study): string {
  const plan = planStudy(study, (site) => ({ ...toldSize(RECIPES[site]!), digest: '' }));
  return describeRange(timeNeeded(plan, roomFor(plan.conditions)));
}

function listSites(): string {
  const recorded = listRecordings(RECORDINGS).map((name): [string, string] => [name, describeRecording(name)]);
  return describe([
    ...Object.entries(RECIPES).map(([name, { describes }]): [string, string] => [name, describes]),
    ...recorded,
  ]);
}

function describeRecording(name: string): string {
  try {
    const { url, recordedAtMs, responses, device } = readRecording(join(RECORDINGS, name)).site.manifest;
    const at = new Date(recordedAtMs).toISOString().slice(0, 10);
    return `recorded: ${shortened(url)}, ${responses.length} requests, as ${device}, ${at}`;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message;
  }
}

function listServers(): string {
  const here = ADAPTERS.map((adapter) => {
    const found = adapter.find();
    return { ...adapter, here: 'missing' in found ? `no: ${found.missing}` : `yes: ${found.version}` };
  });
  const describes = 'a page at its address: IIS, a commercial host, a CDN';
  const servers = [...here, { ...REMOTE_ABILITIES, name: REMOTE, describes, here: describeWayOut() }];
  return renderTable<(typeof servers)[number]>(
    [
      { title: 'name', text: ({ name }) => name },
      { title: 'what it is', text: ({ describes }) => describes },
      { title: 'arms', text: ({ protocols }) => protocols.join(', ') },
      { title: 'visits', text: ({ visits }) => visits.join(', ') },
      { title: "QUIC's congestion control", text: ({ congestions }) => congestions.join(', ') || 'its own' },
      { title: 'here', text: (server) => server.here },
    ],
    servers,
  );
}

function describe(rows: readonly (readonly [name: string, describes: string])[]): string {
  return renderTable(
    [
      { title: 'name', text: ([name]) => name },
      { title: 'what it is', text: ([, describes]) => describes },
    ],
    rows,
  );
}

function listLinks(): string {
  const links = Object.entries(NAMED_LINKS);
  const columns: readonly TerminalColumn<(typeof links)[number]>[] = [
    { title: 'name', text: ([name]) => name },
    { title: 'in words', text: ([name]) => wordsForLink(name) ?? '' },
    { title: 'what it is', text: ([, link]) => link.spec },
    { title: 'where the numbers come from', text: ([, link]) => link.source },
  ];
  return renderTable(columns, links);
}

/** What each is, then what its shares were reckoned from: too much for a line of a table. */
function listMixes(): string {
  const mixes = Object.entries(NAMED_MIXES);
  const columns: readonly TerminalColumn<(typeof mixes)[number]>[] = [
    { title: 'name', text: ([name]) => name },
    {
      title: 'shares in %',
      text: ([, { shares }]) =>
        Object.entries(shares)
          .map((share) => share.join('='))
          .join(', '),
    },
    { title: 'what it is', text: ([, { describes }]) => describes },
  ];
  const origins = mixes.map(([name, { derived, sources }]) => {
    return withSources(`${name}: ${derived.join('; ')}; from:`, sources);
  });
  return [renderTable(columns, mixes), ...origins, 'Of studies of offers:', ...listOfferShares()].join('\n\n');
}

/** How visits are weighed where offers are compared, how far the name server is, and from where that is known. */
function listOfferShares(): readonly string[] {
  const options = { firstVisits: '--first-visits', withoutUdp: '--without-udp' } as const;
  const shares = Object.entries(OFFER_SHARES).map(([name, { share, describes, derived, sources }]) =>
    withSources(
      `${options[name as keyof typeof options]} ${percentInWords(100 * share)}: ${describes}; ${derived}; from:`,
      sources,
    ),
  );
  return [...shares, withSources(`the name server is ${NAME_SERVER_MS} ms away, between them:`, [NAME_SERVER_SOURCE])];
}

function withSources(head: string, sources: readonly MixSource[]): string {
  const lines = sources.map(
    ({ says, title, publisher, date, address }) => `  ${says}\n    (${title}; ${publisher}; ${date}; ${address})`,
  );
  return [head, ...lines].join('\n');
}
