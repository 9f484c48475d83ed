import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { summarizeStudy } from '../findings/summary.ts';
import { FALSE_ALARM_RATE } from '../gate/checks.ts';
import { differingCircumstances } from '../gate/circumstances.ts';
import { gateStudyOf } from '../gate/gate-study.ts';
import { judgeGate } from '../gate/judge-gate.ts';
import { firstDifference } from '../gate/same-plan.ts';
import { UsageError } from '../model/errors.ts';
import { EXIT } from '../model/exit-code.ts';
import type { FoundStudy } from '../model/found-study.ts';
import type { GateFindings, GateLimits, PltLimit } from '../model/gate.ts';
import type { Values } from '../model/option.ts';
import type { Plan } from '../model/study.ts';
import { inWords } from '../model/wording.ts';
import { type GateContext, renderGate } from '../report/gate-text.ts';
import { renderJunit } from '../report/junit.ts';
import { fewestFor } from '../stats/median-interval.ts';
import { readFoundStudy } from '../store/found-study.ts';
import { findArm, parseMaxPlt, parseMaxRegret, resolveMaxPlt } from '../study/gate-limits.ts';
import { shortened } from '../study/place.ts';
import { writeWhole } from '../system/write-whole.ts';
import type { COMMANDS } from './command-table.ts';
import { orDamaged, withStudy } from './open-study.ts';
import { LINK_SOURCES } from './sources.ts';

/** What `gate` was asked for. */
export interface GateOrder {
  /** The study's folder. */
  readonly folder: string;
  /** The arm that the site is served with; absent: the one that the advice says to serve. */
  readonly serve?: string | undefined;
  readonly limits: GateLimits;
  /** The folder of the study that this one must be no slower than. */
  readonly baseline?: string | undefined;
  readonly strict: boolean;
  readonly junit?: string | undefined;
  /** For programs in place of people. */
  readonly json: boolean;
  /** The limits as they were written. */
  readonly asked: readonly string[];
}

type GateFlags = Values<typeof COMMANDS.gate.options>;

const LIMITS = ['max-regret', 'max-mix-regret', 'max-plt', 'no-slower-than'] as const;

/** Reads the options and the operand of `gate`. */
export function parseGate(flags: GateFlags, [folder]: readonly string[]): GateOrder {
  const { serve, junit, strict = false, json = false, 'no-slower-than': baseline } = flags;
  const { 'max-regret': regret, 'max-mix-regret': mixRegret, 'max-plt': plts = [] } = flags;
  const asked = LIMITS.flatMap((name) => [flags[name] ?? []].flat().map((value) => `--${name} ${value}`));
  if (asked.length === 0)
    throw new UsageError(
      `gate: there is no limit to check. Expected: ${inWords(
        LIMITS.map((name) => `--${name}`),
        'or',
      )}. Example: npx photofinish gate ${shortened(folder!)} --serve h3 --max-regret 5%`,
    );
  return {
    folder: resolve(folder!),
    limits: {
      maxRegret: regret === undefined ? undefined : parseMaxRegret('--max-regret', regret),
      maxMixRegret: mixRegret === undefined ? undefined : parseMaxRegret('--max-mix-regret', mixRegret),
      maxPlt: plts.map(parseMaxPlt),
    },
    strict,
    json,
    asked,
    serve,
    baseline: baseline === undefined ? undefined : resolve(baseline),
    junit: junit === undefined ? undefined : resolve(junit),
  };
}

/** `photofinish gate DIR`: holds a study against limits; 1 where one is broken, or with `--strict` not proven to be kept. */
export async function gate(order: GateOrder, print: (line: string) => void): Promise<number> {
  return orDamaged(order.folder, () => judge(order, print));
}

function judge(order: GateOrder, print: (line: string) => void): number {
  const now = readStudy(order.folder, '');
  const before = order.baseline === undefined ? undefined : readStudy(order.baseline, '--no-slower-than: ');
  if (before) refuseAnotherPlan(before.plan, now.plan, order.baseline!);
  const limits = resolveLimits(order.limits, now.plan);
  const served = findServed(order, now);
  const named = order.serve === undefined ? {} : { arms: [served.arm] };
  const study = gateStudyOf(now);
  const findings = judgeGate({
    study,
    served: served.arm,
    chosen: order.serve === undefined,
    limits,
    strict: order.strict,
    baseline: before && { study: gateStudyOf(before), arms: study.arms, ...named },
  });
  const context: GateContext = {
    study: now.plan.study,
    asked: order.asked,
    strict: order.strict,
    notes: [...served.notes, ...(before ? [UNPAIRED, ...differingCircumstances({ before, now })] : [])],
    fewestBlocks: fewestFor(FALSE_ALARM_RATE / findings.comparisons, samplingOf(now.plan)),
  };
  if (order.junit !== undefined) writeWhole(order.junit, renderJunit(findings, context, originOf(now)));
  print(order.json ? renderJson(findings, context) : renderGate(findings, context));
  return findings.passed ? EXIT.done : EXIT.failed;
}

const UNPAIRED =
  'the loads of two studies are not paired, so what drifted between the two studies counts as a difference, too';

function readStudy(folder: string, where: string): FoundStudy {
  const found = withStudy(folder, (store) => readFoundStudy(store));
  if (found.measurements.some(({ condition }) => condition !== found.plan.control.id)) return found;
  throw new UsageError(
    `${where}no load was measured yet in ${folder}: npx photofinish measure --out ${folder} continues it`,
  );
}

function refuseAnotherPlan(before: Plan, now: Plan, folder: string): void {
  const difference = firstDifference({ before, now });
  if (difference === undefined) return;
  throw new UsageError(
    `--no-slower-than: ${folder} is another study: ${difference}. Expected: one of the same conditions, arms, rule and metric`,
  );
}

function resolveLimits(limits: GateLimits, plan: Plan): GateLimits {
  if (hasRegret(limits) && plan.arms.length === 1)
    throw new UsageError('--max-regret: the study has one arm alone, and so none that is faster. Expected: --max-plt');
  return { ...limits, maxPlt: limits.maxPlt.map((limit): PltLimit => resolveMaxPlt(limit, plan, LINK_SOURCES)) };
}

/** What the site is served with: what was said, or what the study advises. */
function findServed({ serve, limits }: GateOrder, found: FoundStudy): { arm: string; notes: readonly string[] } {
  if (serve !== undefined) return { arm: findArm('--serve', serve, found.plan.arms), notes: [] };
  // Only a limit on regret is about the arm that is served.
  if (!hasRegret(limits)) return { arm: found.plan.arms[0]!.name, notes: [] };
  const { advice } = summarizeStudy(found);
  const arm = advice?.serve ?? found.plan.served;
  const why = advice ? 'as the study advises' : 'as today, since the study has no advice yet';
  return { arm, notes: [`the gate takes the site to be served with ${arm}, ${why}; --serve names another arm`] };
}

function hasRegret({ maxRegret, maxMixRegret }: GateLimits): boolean {
  return maxRegret !== undefined || maxMixRegret !== undefined;
}

function samplingOf({ stopping }: Plan): 'fixed' | 'stopped' {
  return stopping.kind === 'exactly' ? 'fixed' : 'stopped';
}

/** The study's own last moment, so that the same study gives the same file. */
function originOf({ sessions }: FoundStudy): { readonly hostname: string; readonly atMs: number } {
  return { hostname: hostname() || 'localhost', atMs: sessions.at(-1)?.lastMs ?? 0 };
}

function renderJson(findings: GateFindings, context: GateContext): string {
  const { study, asked, strict, notes, fewestBlocks } = context;
  return JSON.stringify({ schema: 1, study, asked, strict, ...findings, fewestBlocks, notes }, undefined, 2);
}
