import type { RemoteSite } from '../../model/remote.ts';

const H3 = {
  answers: 'answers over HTTP/3',
  untold: 'tells of no HTTP/3',
  silent: 'tells of HTTP/3 and does not answer',
  mute: 'speaks HTTP/3 and does not tell of it there',
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
