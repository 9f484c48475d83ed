import { measurementOf } from '../measurement/measurement.ts';
import type { Capture } from '../model/capture.ts';
import { TOPOLOGIES } from '../model/lab.ts';
import type { Measurement } from '../model/measurement.ts';
import { type DisturbedLoad, evidenceName, type FinishedBlock, type FinishedTrial } from '../model/session.ts';
import type { Arm, Block, Condition, Plan } from '../model/study.ts';
import { syncFiles } from '../system/sync-files.ts';
import { dropEvidence, evidenceOf, writeHar } from './evidence.ts';
import type { Lab } from './lab.ts';
import type { Load } from './load-request.ts';
import type { Reference } from './reference.ts';

/** A block as it is to be run. */
export interface BlockRequest {
  readonly block: Block;
  /** From 1 in its study: the name of its evidence. */
  readonly serial: number;
  /** The study's folder, where evidence goes. */
  readonly folder: string;
  /** By how much the control's delayed arm is held back. */
  readonly delayMs?: number | undefined;
  /** What a watched load of the page by an arm told. */
  readonly referenceOf?: (arm: string) => Reference | undefined;
  /** Whether a load waited for a core so long that it is made again. */
  readonly isDisturbed?: (arm: string, measurement: Measurement) => boolean;
  /** Whether its loads keep the cores busy, and so come before those of neighbours: all of them, or arms would differ in that. */
  readonly isQuick?: boolean;
  /** Has each load of an arm wait for its turn; it hears of what was seen. */
  readonly inTurn?: (arm: string, load: (onCoresFree?: () => void) => Promise<Capture>) => Promise<Capture>;
}

/** A load is made this many times at most; the last one counts, however long it waited. */
const MOST_TRIES = 3;

/**
 * Runs a block over the link that is open: every arm once, in its order, and again where it was disturbed. Its evidence is on
 * the disk by then.
 */
export async function runBlock(plan: Plan, lab: Lab, request: BlockRequest): Promise<FinishedBlock> {
  const { block, serial, folder } = request;
  const beganMs = Date.now();
  const trials: FinishedTrial[] = [];
  const disturbed: DisturbedLoad[] = [];
  const { inTurn = (_, begin) => begin(), isDisturbed = () => false } = request;
  for (const arm of block.order) {
    const load = { ...loadFor(plan, request, arm), watched: plan.har === 'full', isQuick: request.isQuick };
    const files = { folder, name: evidenceName(serial, arm) };
    const reference = request.referenceOf?.(arm);
    dropEvidence(files);
    const key = { condition: block.condition, block: block.index, arm };
    const loadOnce = async () => {
      const capture = await inTurn(arm, (onCoresFree) => lab.load(load, files, onCoresFree));
      return { capture, measurement: withReference(measurementOf(key, capture), reference) };
    };
    let loaded = await loadOnce();
    for (let tries = 1; isDisturbed(arm, loaded.measurement) && tries < MOST_TRIES; tries += 1) {
      disturbed.push({ arm, capture: loaded.capture });
      loaded = await loadOnce();
    }
    await writeHar(files, loaded.capture, reference?.details);
    trials.push({ ...loaded, evidence: evidenceOf(files) });
  }
  // After the last load, so that no disk is at work during one.
  await syncFiles(
    folder,
    trials.flatMap(({ evidence }) => evidence),
  );
  return { serial, block, beganMs, trials, disturbed: disturbed.length > 0 ? disturbed : undefined };
}

/**
 * Fails a measurement whose reference load had a flaw. A server that sends something else than the page has does so in
 * every load; only a watched load shows it.
 */
function withReference(measurement: Measurement, reference: Reference | undefined): Measurement {
  if (measurement.status !== 'ok' || !reference?.flaw) return measurement;
  const { condition, block, arm, launch } = measurement;
  return { condition, block, arm, launch, ...reference.flaw, says: `the reference load: ${reference.flaw.says}` };
}

/** The condition that a block is measured in: of the plan, or its control's. */
export function conditionOf({ conditions, control }: Plan, { condition }: Pick<Block, 'condition'>): Condition {
  return condition === control.id ? control.condition : conditions.find(({ id }) => id === condition)!;
}

/** The load of one of a block's arms. */
export function loadFor(plan: Plan, { block, delayMs }: Pick<BlockRequest, 'block' | 'delayMs'>, name: string): Load {
  const { control } = plan;
  const condition = conditionOf(plan, block);
  const { site, device, timeoutMs, visit, server, tabs } = condition;
  const isControl = block.condition === control.id;
  const arm = plan.arms.find((each) => each.name === (isControl ? control.arm : name))!;
  return {
    site,
    device,
    timeoutMs,
    protocol: arm.protocol,
    offer: arm.offer,
    visit: arm.visit ?? visit,
    server: arm.server ?? server,
    congestion: arm.congestion,
    beside: besideOf(plan, condition, arm),
    tabs,
    browser: isControl && name === control.twin ? ownBrowser(name, arm) : browserOf(arm),
    holdMs: isControl && name === control.delayed ? delayMs : undefined,
  };
}

/** The clients that load at the same time: what the arm has beside it, or a crowd's other clients. */
function besideOf(
  { control }: Plan,
  { id, topology, server }: Condition,
  { protocol, beside, ...arm }: Arm,
): Load['beside'] {
  if (id === control.id) return undefined;
  if (topology === 'crowd') {
    const own = { protocol, server: arm.server ?? server, congestion: arm.congestion };
    return Array.from({ length: TOPOLOGIES.crowd.clients - 1 }, () => own);
  }
  return beside && [{ ...beside, server: beside.server ?? server }];
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
