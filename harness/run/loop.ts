import { EnvironmentError } from '../model/errors.ts';
import type { Link } from '../model/link.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Block, Plan } from '../model/study.ts';
import { nextBlocks } from '../study/plan.ts';
import { measurementOf } from '../verdict/measurement.ts';
import { type EvidenceFiles, writeHar } from './evidence.ts';
import type { Calibration } from './lab.ts';
import type { LabState, Rig } from './rig.ts';

/** What a study has come to. */
export interface Findings {
  readonly measurements: readonly Measurement[];
  /** By the condition's id. */
  readonly calibrations: ReadonlyMap<string, Calibration>;
  /** By the link's name: what the lab was like with it. */
  readonly labs: ReadonlyMap<string, LabState>;
}

/** Who hears of what happens while a plan runs. */
export interface Listener {
  /** A link was measured, and is what it claims. */
  readonly calibrated: (link: Link, calibration: Calibration) => void;
  readonly measured: (block: Block, measurements: readonly Measurement[]) => void;
}

/** Runs a plan to its end, block by block; the evidence of each load goes below the study's folder. */
export async function runPlan(plan: Plan, rig: Rig, folder: string, listener: Listener): Promise<Findings> {
  let serial = 0;
  const measurements: Measurement[] = [];
  const calibrations = new Map<string, Calibration>();
  const labs = new Map<string, LabState>();
  for (let blocks = nextBlocks(plan, measurements); blocks.length > 0; blocks = nextBlocks(plan, measurements)) {
    for (const block of blocks) {
      const condition = plan.conditions.find((each) => each.id === block.condition)!;
      const calibration = await rig.openLink(condition.link);
      refuseFalseLink(calibration, condition.link.name);
      calibrations.set(condition.id, calibration);
      if (!labs.has(condition.link.name)) {
        listener.calibrated(condition.link, calibration);
        labs.set(condition.link.name, await rig.describe());
      }
      serial += 1;
      const measured = await runBlock(plan, rig, block, { folder, name: `${serial}`.padStart(5, '0') });
      measurements.push(...measured);
      listener.measured(block, measured);
    }
  }
  return { measurements, calibrations, labs };
}

async function runBlock(plan: Plan, rig: Rig, block: Block, { folder, name: blockName }: EvidenceFiles) {
  const condition = plan.conditions.find((each) => each.id === block.condition)!;
  const manifest = rig.manifestOf(condition.site);
  const measured: Measurement[] = [];
  for (const name of block.order) {
    const { protocol } = plan.arms.find((each) => each.name === name)!;
    const files = { folder, name: `${blockName}-${name}` };
    const capture = await rig.load({ ...condition, protocol }, files);
    await writeHar(files, capture);
    const key = { condition: condition.id, block: block.index, arm: name };
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
