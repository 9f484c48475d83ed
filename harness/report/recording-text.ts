import type { LeftOut, RecordedManifest, RecordedOrigin, RecordedResponse } from '../model/recording.ts';
import { renderTable, type TerminalColumn } from './table.ts';

/** At most this many lines of a kind are shown; more are counted, and the manifest has them all. */
const LINES = 10;

/** What a recording holds, what it does not, and how that is treated, for the terminal. */
export function renderRecording(
  manifest: RecordedManifest,
  { root, secretKeys }: { readonly root: string; readonly secretKeys: readonly string[] },
): string {
  const { responses, leftOut, notes } = manifest;
  const sections = [
    `${manifest.url}, by ${manifest.by}, as ${manifest.device}`,
    renderTable(columns(responses), manifest.origins),
    ['Kept:', ...indent(summed(manifest))].join('\n'),
    ...(leftOut.length > 0 ? [[`Not kept (${leftOut.length}):`, ...indent(listed(leftOut))].join('\n')] : []),
    ['To know:', ...indent([...notes, ...secrets(manifest, secretKeys), ...TREATMENT])].join('\n'),
    root,
  ];
  return sections.join('\n\n');
}

function columns(responses: readonly RecordedResponse[]): readonly TerminalColumn<RecordedOrigin>[] {
  const own = (origin: string) => responses.filter(({ url }) => new URL(url).origin === origin);
  return [
    { title: 'origin', text: ({ origin }) => origin },
    { title: 'protocol', text: ({ protocol, offersH3 }) => `${protocol ?? '?'}${offersH3 ? ', offers h3' : ''}` },
    { title: 'address', text: ({ address }) => address ?? '?' },
    { title: 'RTT ms', align: 'right', text: ({ rttMs }) => rttMs?.toFixed(1) ?? '?' },
    { title: 'requests', align: 'right', text: ({ origin }) => `${own(origin).length}` },
    {
      title: 'bytes',
      align: 'right',
      text: ({ origin }) => `${own(origin).reduce((sum, { bytes }) => sum + bytes, 0)}`,
    },
  ];
}

function summed({ url: page, responses, origins, live }: RecordedManifest): string[] {
  const refused = responses.find(({ url, status }) => url === page && status >= 400);
  const bytes = responses.reduce((sum, each) => sum + each.bytes, 0);
  const again = responses.filter(({ encoded }) => encoded === 'again').length;
  const posted = responses.filter(({ requestBody }) => requestBody !== undefined).length;
  const errors = responses.filter(({ status }) => status >= 400).length;
  return [
    `${responses.length} requests to ${origins.length} origins, ${bytes} bytes of bodies as they went over the wire`,
    ...(again > 0
      ? [`${again} bodies were known only decoded, and were encoded again as they had been: sizes may differ a little`]
      : []),
    ...(posted > 0 ? [`${posted} requests with bodies: answered by address and body, or by address alone`] : []),
    ...(errors > 0 ? [`${errors} answers with an error's status, as they came`] : []),
    ...(refused
      ? [`the page itself was answered with ${refused.status}: perhaps it is not what its visitors see`]
      : []),
    ...(live ? [`the page took ${Math.round(live.pltMs)} ms to load`] : []),
  ];
}

function listed(leftOut: readonly LeftOut[]): string[] {
  return [...Map.groupBy(leftOut, ({ why }) => why)].flatMap(([why, each]) => [
    `${why}:`,
    ...each.slice(0, LINES).map(({ what }) => `  ${what}`),
    ...(each.length > LINES ? [`  and ${each.length - LINES} more, which manifest.json names`] : []),
  ]);
}

function secrets({ secrets: kept }: RecordedManifest, keys: readonly string[]): string[] {
  return [
    kept === 'kept'
      ? 'cookies and Authorization headers are in it as they were (--keep-secrets)'
      : "cookies' values and Authorization headers were removed (--keep-secrets keeps them)",
    ...(keys.length > 0 ? [`addresses are in it as they were, with values of ${keys.join(', ')}`] : []),
    'bodies are in it as they were: what a page shows only to you is in there too',
  ];
}

const TREATMENT = ['service workers were bypassed: pages asked the network for everything'];

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
