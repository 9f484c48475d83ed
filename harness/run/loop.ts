import { EnvironmentError } from '../model/errors.ts';
import type { Link } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Block, Condition, Plan } from '../model/study.ts';
import { nextBlocks } from '../study/plan.ts';
import { measurementOf } from '../verdict/measurement.ts';
import { type EvidenceFiles, writeHar } from './evidence.ts';
import type { Calibration } from './lab.ts';
import { openLaunchLimit } from './launch-limit.ts';
import type { LighthouseTrial } from './lighthouse.ts';
import type { LabState, Rig } from './rig.ts';

/** What a study has come to so far. */
export interface Findings {
  readonly measurements: Measurement[];
  /** By the condition's id. */
  readonly calibrations: Map<string, Calibration>;
  /** By the link's name: what the lab was like with it. */
  readonly labs: Map<string, LabState>;
  /** Loads that warmed browsers up, and count for nothing. */
  warmUps: number;
  readonly scores: LighthouseTrial[];
}

/** Nothing yet. */
export function beginFindings(): Findings {
  return { measurements: [], calibrations: new Map(), labs: new Map(), warmUps: 0, scores: [] };
}

/** Who hears of what happens while a plan runs. */
export interface Listener {
  /** A link was measured, and is what it claims. */
  readonly calibrated: (link: Link, calibration: Calibration) => void;
  readonly measured: (block: Block, measurements: readonly Measurement[]) => void;
}

export interface RunOptions {
  /** The study's own, where the evidence of each load goes. */
  readonly folder: string;
  /** Looked at between one block and the next. */
  readonly stop: AbortSignal;
  readonly listener: Listener;
}

/** Runs a plan, block by block, to its end or until it is asked to stop; what it finds it adds to the findings. */
export async function runPlan(plan: Plan, rig: Rig, findings: Findings, options: RunOptions): Promise<void> {
  const { folder, stop, listener } = options;
  const { measurements, calibrations, labs } = findings;
  const launches = openLaunchLimit();
  let serial = 0;
  for (let blocks = nextBlocks(plan, measurements); blocks.length > 0; blocks = nextBlocks(plan, measurements)) {
    for (const block of blocks) {
      if (stop.aborted) return;
      const condition = plan.conditions.find((each) => each.id === block.condition)!;
      const { link } = condition;
      const calibration = await rig.openLink(link);
      refuseFalseLink(calibration, link.name);
      calibrations.set(condition.id, calibration);
      if (!labs.has(link.name)) {
        listener.calibrated(link, calibration);
        labs.set(link.name, await rig.describe());
      }
      if (launches.needed(condition.id)) findings.warmUps += (await rig.relaunch()).length;
      serial += 1;
      const measured = await runBlock(plan, rig, { block, condition, folder, name: `${serial}`.padStart(5, '0') });
      measurements.push(...measured);
      listener.measured(block, measured);
    }
  }
}

async function runBlock(
  plan: Plan,
  rig: Rig,
  { block, condition, folder, name }: EvidenceFiles & { readonly block: Block; readonly condition: Condition },
): Promise<Measurement[]> {
  const manifest = rig.manifestOf(condition.site);
  const measured: Measurement[] = [];
  for (const armName of block.order) {
    const { protocol } = plan.arms.find((each) => each.name === armName)!;
    const files = { folder, name: `${name}-${armName}` };
    const capture = await rig.load({ ...condition, protocol }, files);
    await writeHar(files, capture);
    const key = { condition: condition.id, block: block.index, arm: armName };
    measured.push(measurementOf({ key, protocol, manifest }, capture));
  }
  return measured;
}

/** A study on a link that is not what it claims would be about another link. */
function refuseFalseLink({ checks }: Calibration, link: string): void {
  const out = checks.find((check) => !check.ok);
  if (!out) return;
  const limits = out.within!.map((limit) => Number(limit.toFixed(3))).join(' to ');
  throw new EnvironmentError(
    `the link '${link}' is not what was asked: ${out.figure} is ${Number(out.measured.toFixed(3))} ${out.unit}, allowed ${limits}; see: photofinish calibrate --link ${link}`,
  );
}
