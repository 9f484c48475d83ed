import type { Measurement } from '../model/measurement.ts';
import type { FinishedBlock, FinishedTrial } from '../model/session.ts';
import type { Arm, Block, Condition, Plan } from '../model/study.ts';
import { syncFiles } from '../system/sync-files.ts';
import { measurementOf } from '../verdict/measurement.ts';
import { evidenceOf, writeHar } from './evidence.ts';
import type { Load, Rig } from './rig.ts';

/** A block as it is to be run. */
export interface BlockRequest {
  readonly block: Block;
  /** From 1 in its study: the name of its evidence. */
  readonly serial: number;
  /** The study's own, where evidence goes. */
  readonly folder: string;
  /** By how much the control's delayed arm is held back. */
  readonly delayMs?: number | undefined;
}

/** Runs a block over the link that is open: every arm once, in its order. Its evidence is on the disk by then. */
export async function runBlock(plan: Plan, rig: Rig, request: BlockRequest): Promise<FinishedBlock> {
  const { block, serial, folder } = request;
  const beganMs = Date.now();
  const trials: FinishedTrial[] = [];
  for (const arm of block.order) {
    const load = loadFor(plan, request, arm);
    const files = { folder, name: `${`${serial}`.padStart(5, '0')}-${arm}` };
    const capture = await rig.load(load, files);
    await writeHar(files, capture);
    const key = { condition: block.condition, block: block.index, arm };
    const claim = { key, protocol: load.protocol, manifest: rig.manifestOf(load.site) };
    trials.push({ measurement: measurementOf(claim, capture), capture, evidence: evidenceOf(files) });
  }
  // After the last load, so that no disk is at work during one.
  await syncFiles(
    folder,
    trials.flatMap(({ evidence }) => evidence),
  );
  return { serial, block, beganMs, trials };
}

/** The condition that a block is measured in: of the plan, or its control's. */
export function conditionOf({ conditions, control }: Plan, { condition }: Block): Condition {
  return condition === control.id ? control.condition : conditions.find(({ id }) => id === condition)!;
}

/** The load of one of a block's arms. */
export function loadFor(plan: Plan, { block, delayMs }: Pick<BlockRequest, 'block' | 'delayMs'>, name: string): Load {
  const { control } = plan;
  const { site, device, timeoutMs, visit } = conditionOf(plan, block);
  const isControl = block.condition === control.id;
  const arm = plan.arms.find((each) => each.name === (isControl ? control.arm : name))!;
  return {
    ...{ site, device, timeoutMs },
    protocol: arm.protocol,
    visit: arm.visit ?? visit,
    congestion: arm.congestion,
    browser: isControl && name === control.twin ? ownBrowser(name, arm) : browserOf(arm),
    holdMs: isControl && name === control.delayed ? delayMs : undefined,
  };
}

/** The browser that an arm has for itself, if it does. */
export function browserOf(arm: Arm): Load['browser'] {
  return arm.browserFlags && ownBrowser(arm.name, arm);
}

function ownBrowser(name: string, { browserFlags = [] }: Arm): NonNullable<Load['browser']> {
  return { name, flags: browserFlags };
}

/** What was measured in a block, without the evidence. */
export function measurementsOf({ trials }: FinishedBlock): Measurement[] {
  return trials.map(({ measurement }) => measurement);
}
