import { z } from 'zod';
import { RULE_NAMES, RULES } from '../comparison/rules.ts';
import { VISITS } from '../model/arm.ts';
import { UNTIL } from '../model/comparison.ts';
import { DEVICE_NAMES } from '../model/device.ts';
import { TOPOLOGY_NAMES } from '../model/lab.ts';
import { OFFERS } from '../model/offer.ts';
import { PAPER_NAMES } from '../model/paper.ts';
import { HARS, METRICS } from '../model/study.ts';
import { armsField } from './arms-field.ts';
import {
  addProblem,
  knownName,
  listOf,
  mappingOf,
  numberWithin,
  oneOf,
  reading,
  shareInPercent,
  text,
  textLike,
  wholeNumber,
} from './fields.ts';
import { linksField } from './links-field.ts';
import { lacking, missingOf, mixField } from './mix.ts';
import { parseResolve } from './resolve-name.ts';
import { siteField } from './site-name.ts';
import type { StudySources } from './sources.ts';
import type { StudyWish } from './wish.ts';

/** A study's keys as a file may have them, checked one by one and within each mapping. */
export function studySchema(sources: StudySources) {
  const keys = studyKeys(sources);
  const quick = mappingOf(keys).superRefine(checkTogether);
  return mappingOf({ ...keys, quick: quick.exactOptional() })
    .superRefine(checkTogether)
    .superRefine(({ grids, sites, links }, context) => {
      if (grids) return;
      if (!sites) addProblem(context, 'missing. Expected: a list of sites (or grids)', ['sites']);
      if (!links) addProblem(context, 'missing. Expected: a list of links (or grids)', ['links']);
    })
    .superRefine(checkMix);
}

/** What one mapping of a study says. */
type StudyKeys = z.output<ReturnType<typeof mappingOf<ReturnType<typeof studyKeys>>>>;

function studyKeys(sources: StudySources) {
  const grid = gridKeys(sources);
  const optional = {
    sites: grid.sites.exactOptional(),
    links: grid.links.exactOptional(),
    servers: grid.servers.exactOptional(),
    visits: grid.visits.exactOptional(),
    topology: grid.topology.exactOptional(),
    tabs: grid.tabs.exactOptional(),
  };
  return {
    name: textLike(STUDY_NAME, STUDY_NAME_ALLOWED).exactOptional(),
    describes: textLike(/^\P{Cc}*$/u, 'one line').exactOptional(),
    grids: z
      .array(mappingOf({ ...optional, sites: grid.sites, links: grid.links }).superRefine(checkCrowd), {
        error: GRIDS,
      })
      .min(1, { error: GRIDS, abort: true })
      .exactOptional(),
    ...optional,
    arms: armsField(sources).exactOptional(),
    offers: listOf(oneOf(OFFERS), `offers: ${OFFERS.join(', ')}`).exactOptional(),
    firstVisits: shareInPercent(...SHARE).exactOptional(),
    withoutUdp: shareInPercent(...SHARE).exactOptional(),
    device: oneOf(DEVICE_NAMES).exactOptional(),
    rule: ruleField().exactOptional(),
    metric: oneOf(METRICS).exactOptional(),
    blocks: wholeNumber(...BLOCKS).exactOptional(),
    exactly: wholeNumber(...BLOCKS).exactOptional(),
    until: oneOf(UNTIL).exactOptional(),
    served: textLike(/^\P{Cc}{1,64}$/u, 'the name of an arm').exactOptional(),
    lighthouse: wholeNumber(...LIGHTHOUSE).exactOptional(),
    seed: wholeNumber(...SEED).exactOptional(),
    timeout: wholeNumber(...TIMEOUT_S, ' (seconds)').exactOptional(),
    budget: numberWithin(...BUDGET_MIN, ' (minutes)').exactOptional(),
    mix: mixField(sources).exactOptional(),
    repeats: oneOf(PAPER_NAMES).exactOptional(),
    insecure: z.boolean({ error: TRUTH }).exactOptional(),
    resolve: listOf(
      reading(text(RESOLVE), (written, where) => {
        parseResolve(written, where);
        return written;
      }),
      RESOLVE,
    ).exactOptional(),
    allOrigins: z.boolean({ error: TRUTH }).exactOptional(),
    thinkTimes: z.boolean({ error: TRUTH }).exactOptional(),
    har: oneOf(HARS).exactOptional(),
  };
}

/** What the numbers of a study may be, whether a file or an option gives them. */
export const BLOCKS = [1, 100_000] as const;
export const LIGHTHOUSE = [0, 1_000] as const;
export const SEED = [0, 0xffffffff] as const;
export const TIMEOUT_S = [1, 86_400] as const;
export const BUDGET_MIN = [0.1, 100_000] as const;
export const TABS = [1, 1_000] as const;
export const SHARE = [0, 100] as const;

const RESOLVE = 'HOST:PORT:ADDRESS';
const TRUTH = 'true, false';
/** What a study may be called: a folder is called so too. */
export const STUDY_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
const STUDY_NAME_ALLOWED = 'letters, digits, ., _ and -, up to 64';
const GRIDS = 'a list of grids, as in [{sites: [shop], links: [4g]}]';

function gridKeys(sources: StudySources) {
  return {
    sites: listOf(siteField(sources), 'sites'),
    links: linksField(sources),
    servers: listOf(knownName('server', sources.servers), 'servers'),
    visits: listOf(oneOf(VISITS), `visits: ${VISITS.join(', ')}`),
    topology: oneOf(TOPOLOGY_NAMES),
    tabs: listOf(wholeNumber(...TABS), 'numbers of tabs'),
  };
}

/** Finds keys that say the same thing twice, or contradict each other. */
function checkTogether(keys: Partial<StudyKeys>, context: z.RefinementCtx): void {
  checkCrowd(keys, context);
  for (const key of ['sites', 'links', 'servers', 'visits', 'topology', 'tabs'] as const)
    if (keys.grids && keys[key]) addProblem(context, 'cannot be combined with grids. Expected: in each of them', [key]);
  for (const key of ['arms', 'visits'] as const)
    if (keys.offers && keys[key]) addProblem(context, 'cannot be combined with offers. Expected: one of them', [key]);
  for (const key of ['blocks', 'until'] as const)
    if (keys.exactly !== undefined && keys[key] !== undefined)
      addProblem(context, 'cannot be combined with exactly. Expected: one of them', [key]);
}

/** Checks that there are tabs where there is a crowd, and nowhere else. */
function checkCrowd({ topology, tabs }: Pick<StudyWish, 'topology' | 'tabs'>, context: z.RefinementCtx): void {
  if (tabs && topology !== undefined && topology !== 'crowd')
    addProblem(context, `cannot be combined with topology ${topology}. Expected: crowd`, ['tabs']);
  if (topology === 'crowd' && !tabs)
    addProblem(context, 'missing. Expected: numbers of tabs, as in [10, 100]', ['tabs']);
}

/** Checks that a mix has only links of the study; one of the quick form, only those that it has then. */
function checkMix(file: StudyKeys & { quick?: StudyKeys | undefined }, context: z.RefinementCtx): void {
  const [whole, quick] = [file, file.quick ?? {}].map(
    (keys) => keys.links ?? keys.grids?.flatMap(({ links }) => links),
  );
  for (const [path, mix, links] of [
    [['mix'], file.mix, [...(whole ?? []), ...(quick ?? [])]],
    [['quick', 'mix'], file.quick?.mix, quick ?? whole ?? []],
  ] as const) {
    if (!mix) continue;
    const missing = missingOf(mix, links);
    const names = [...new Set(links.map(({ name }) => name))].join(', ');
    if (mix.named !== undefined && missing.length > 0)
      addProblem(context, `${lacking(mix.named, missing)}. Expected: with links of those names`, path);
    else for (const key of missing) addProblem(context, `no link of the study. Expected: ${names}`, [...path, key]);
  }
}

function ruleField() {
  const error = `${RULE_NAMES.join(', ')}, or {advantage, share}`;
  return z.union(
    [
      z.enum(RULE_NAMES).transform((name) => RULES[name]),
      // Each of two arms could beat the other in fewer than half of all blocks.
      mappingOf({ advantage: shareInPercent(0.1, 90), share: shareInPercent(50, 99) }),
    ],
    { error },
  );
}
