import { REMOTE, type RemoteSite } from '../model/remote.ts';
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

const H3 = {
  answers: 'answers over HTTP/3',
  untold: 'tells of no HTTP/3',
  silent: 'tells of HTTP/3 and does not answer',
};
const OVER_TCP = { h1: 'HTTP/1.1', h2: 'HTTP/2', h1c: 'HTTP/1.1 in the clear' };

/** What was found of a page before it was measured, as text that a study keeps. */
export function describeRemote(site: RemoteSite): string {
  const { url, atMs, by, origins, objects, trusted, notes } = site;
  const lines = [
    `${url}, as ${by} found it at ${new Date(atMs).toISOString()}`,
    '',
    'Names lead to these addresses for the whole study, and no other name leads anywhere:',
    ...origins.map(({ origin, address, tcp, h3, rttMs }) => {
      const away = rttMs === undefined ? '' : `, ${rttMs.toFixed(1)} ms away`;
      return `  ${origin} at ${address}${away}: ${OVER_TCP[tcp]}, ${H3[h3]}`;
    }),
    '',
    'What came each time, and must:',
    ...objects.map((object) => `  ${object.url}`),
    ...(trusted.length > 0
      ? ['', 'Certificates are accepted for these keys, valid or not:', ...indented(trusted)]
      : []),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}
