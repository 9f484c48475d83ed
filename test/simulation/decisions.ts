import { type Calibration, calibrationOf } from '../../harness/bench/decisions/calibration.ts';
import { SCENARIOS, simulate } from '../../harness/bench/decisions/generated.ts';
import { readReplayed, replay } from '../../harness/bench/decisions/replay.ts';
import { RULES, type RuleName } from '../../harness/comparison/rules.ts';

/** What answers come to over a number of replays of the 2015 study, its blocks in a random order. */
export function replayed(rule: RuleName, times: number): Calibration {
  return calibrationOf(replay(readReplayed(), RULES[rule], times));
}

/** What answers come to in a number of generated studies of a scenario, by its place. */
export function generated(scenario: number, studies: number): Calibration {
  return calibrationOf(simulate(SCENARIOS[scenario]!, studies));
}
