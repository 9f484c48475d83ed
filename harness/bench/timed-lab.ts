import type { Lab } from '../run/lab.ts';
import { machineSeconds } from './processor-use.ts';

/** What a study does with its lab. */
export type Phase =
  | 'open the lab'
  | 'calibrate'
  | 'launch and warm up'
  | 'reference loads'
  | 'loads'
  | 'films'
  | 'the rest';

/** What a phase came to so far. */
export interface PhaseCost {
  readonly times: number;
  readonly wallSeconds: number;
  /** Processor time of all cores. */
  readonly coreSeconds: number;
}

/** A lab that does what another does, and keeps count of what each phase takes. */
export function timeLab(lab: Lab, costs: Map<Phase, PhaseCost>): Lab {
  const timed = async <T>(phase: Phase, act: () => Promise<T>): Promise<T> => timePhase(costs, phase, act);
  return {
    ...lab,
    openLink: (...wanted) => timed('calibrate', () => lab.openLink(...wanted)),
    relaunch: (how) => timed('launch and warm up', () => lab.relaunch(how)),
    loadReference: (...wanted) => timed('reference loads', () => lab.loadReference(...wanted)),
    load: (...wanted) => timed('loads', () => lab.load(...wanted)),
    film: (load) => timed('films', () => lab.film(load)),
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

/** Does something and counts it to a phase. */
export async function timePhase<T>(costs: Map<Phase, PhaseCost>, phase: Phase, act: () => Promise<T>): Promise<T> {
  const [beganMs, beganCores] = [performance.now(), machineSeconds()];
  const result = await act();
  const { times, wallSeconds, coreSeconds } = costs.get(phase) ?? { times: 0, wallSeconds: 0, coreSeconds: 0 };
  costs.set(phase, {
    times: times + 1,
    wallSeconds: wallSeconds + (performance.now() - beganMs) / 1000,
    coreSeconds: coreSeconds + machineSeconds() - beganCores,
  });
  return result;
}
