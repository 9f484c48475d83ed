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
    'In their place the wire is asked: each answer came from the address where its origin was found before, over TCP or QUIC as the arm wants it, by way of the link, and no fewer bytes than the browser says.',
    'Contents are held to have come whole, not to be what was sent.',
    'That a visit was a first one rests on the browser alone, which had never been anywhere: the wire does not show whether a handshake took up an earlier session.',
    "Beyond the link is the real way to them: its delay comes to the link's own, and its losses, its load and theirs are in every figure. Their congestion control and their first window are what they are.",
    'Origins of third parties speak what they can of what the arm wants.',
  ].join(' ');
}
