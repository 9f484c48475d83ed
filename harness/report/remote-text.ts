import { REMOTE } from '../model/remote.ts';
import type { Plan } from '../model/study.ts';

/** What of the proofs is weaker where servers exist already, and why; undefined where all of them are the lab's. */
export function describeWitnesses({ conditions, arms }: Pick<Plan, 'conditions' | 'arms'>): string | undefined {
  const servers = arms.flatMap((arm) =>
    arm.server === undefined ? conditions.map(({ server }) => server) : [arm.server],
  );
  if (!servers.includes(REMOTE)) return undefined;
  const those = servers.every((server) => server === REMOTE) ? 'The servers' : `The servers called ${REMOTE}`;
  return [
    `${those} are outside the lab, and Photofinish does not have their logs.`,
    'The wire stands in for them: each answer came from the address that its origin had before, over the arm’s transport and the link, with no fewer bytes than the browser reports.',
    'Photofinish checks that contents came whole, but cannot check that they are what was sent. Only the browser tells that a visit was a first one.',
    'Beyond the link lies the real network, whose delay, losses and load are in every figure. Congestion control is the servers’ own, and third parties speak what they can.',
  ].join(' ');
}
