import { fewestBlocks } from '../comparison/evidence.ts';
import { FALSE_DISCOVERY_RATE, RULES } from '../comparison/rules.ts';
import type { Rule, Stopping } from '../model/comparison.ts';
import { DEFAULT_DEVICE } from '../model/device.ts';
import { UsageError } from '../model/errors.ts';
import type { Arm, Study } from '../model/study.ts';
import { assertArmsDiffer, assertArmsServed } from './arms.ts';
import { resolveGrids } from './grids.ts';
import { resolveMix } from './mix.ts';
import { mixOffered, withOffers } from './offers.ts';
import { nameSites } from './site-name.ts';
import type { StudySources } from './sources.ts';
import { unknownName } from './unknown-name.ts';
import type { PlacedWish } from './wish.ts';

/** A study that was asked for, what it is for, and its time budget. */
export interface AskedStudy {
  readonly study: Study;
  readonly describes: string;
  /** The time after which no block begins. No part of the study: it changes nothing of what is measured. */
  readonly budgetMs?: number | undefined;
}

/** A wish with every default filled in; `named` is what the study is called where it does not say. */
export function resolveStudy(wished: PlacedWish, sources: StudySources, named: string): AskedStudy {
  const asked = withOffers(wished);
  const { wish, place } = asked;
  const { grids, places } = nameSites(resolveGrids(asked, sources), asked.wish.places ?? {}, {
    sources,
    where: place(['sites']),
  });
  const { arms = DEFAULT_ARMS, seed = sources.drawSeed(), timeoutMs, mix, budgetMs, offered } = wish;
  const links = grids.flatMap((grid) => grid.links);
  const { rule = RULES.default } = wish;
  assertArmsDiffer(arms, grids, place);
  assertArmsServed(arms, grids, { sources, place });
  const options = sources.presets.includes(named) ? [`--study ${named}`] : [];
  const shares = mix && resolveMix(mix, { links, options }, place);
  const mixed = offered ? mixOffered(links, offered, shares) : shares;
  const study: Study = {
    name: wish.name ?? named,
    grids,
    arms,
    device: wish.device ?? DEFAULT_DEVICE,
    rule,
    metric: wish.metric ?? 'plt',
    stopping: resolveStopping(asked, rule),
    served: resolveServed(asked, arms),
    lighthouse: wish.lighthouse ?? 0,
    seed,
    timeoutMs,
    mix: mixed,
    offered,
    repeats: wish.repeats,
    // What is the default anyway is left out.
    places: Object.keys(places).length > 0 ? places : undefined,
    insecure: wish.insecure ? true : undefined,
    resolve: wish.resolve,
    allOrigins: wish.allOrigins ? true : undefined,
    thinkTimes: wish.thinkTimes === false ? false : undefined,
    har: wish.har,
  };
  return { study, describes: wish.describes ?? '', budgetMs };
}

const DEFAULT_ARMS: readonly Arm[] = (['h1', 'h2', 'h3'] as const).map((protocol) => ({ name: protocol, protocol }));
const DEFAULT_CAP = 100;

function resolveStopping({ wish, place }: PlacedWish, rule: Rule): Stopping {
  const { exactly, blocks: cap = DEFAULT_CAP, until = 'settled' } = wish;
  if (exactly !== undefined) {
    if (wish.until === undefined) return { kind: 'exactly', blocks: exactly };
    throw new UsageError(`${place(['until'])}: cannot be combined with exactly. Expected: with blocks`);
  }
  const fewest = fewestBlocks(rule, FALSE_DISCOVERY_RATE);
  if (until === 'settled' || cap >= fewest) return { kind: 'early', until, cap };
  throw new UsageError(
    `${place(['blocks'])}: ${cap} blocks cannot prove anything. Expected: ${fewest} or more, or until settled`,
  );
}

/** What most sites serve already. */
const COMMON = 'h2';

/** The arm that is taken to be served today unless the user says: HTTP/2, or the first arm of a study without it. */
export function servedByDefault(arms: readonly string[]): string {
  return arms.includes(COMMON) ? COMMON : arms[0]!;
}

function resolveServed({ wish, place }: PlacedWish, arms: readonly Arm[]): string {
  const names = arms.map(({ name }) => name);
  if (wish.served === undefined) return servedByDefault(names);
  if (names.includes(wish.served)) return wish.served;
  throw unknownName(wish.served, { where: place(['served']), what: 'arm', known: names });
}
