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
    `${those} exist already, and nobody here has their logs.`,
    'In their place the wire is asked: each answer came from where its origin was found before, over the arm’s transport and the link, with no fewer bytes than the browser says.',
    'Contents are held to have come whole, not to be what was sent; that a visit was a first one rests on the browser alone, since the wire does not show an earlier session.',
    'Beyond the link is the real way, whose delay, losses and load are in every figure; congestion control is the servers’ own, and third parties speak what they can.',
  ].join(' ');
}
