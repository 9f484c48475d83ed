import { existsSync, renameSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { makeHar } from '../browser/har.ts';
import type { LaunchedBrowser } from '../browser/launch.ts';
import { isWatched, type WatchedDetail, writeLog } from '../measurement/timed-log.ts';
import type { Capture } from '../model/capture.ts';
import type { Host } from '../model/lab.ts';
import { recordPackets } from '../network/capture.ts';
import { makePrivate, makePrivateFolder, nameAside, writePrivate } from '../system/write-whole.ts';

/** Which evidence a study keeps besides the archive of each load. */
export interface KeptEvidence {
  /** The packets of each load at the client's end, with the secrets that open them. */
  readonly pcap: boolean;
  /** What the browser's network stack did. */
  readonly netLog: boolean;
}

/** Where the evidence of one trial goes: files of this name below the study's folder. */
export interface EvidenceFiles {
  readonly folder: string;
  /** The block and the arm. */
  readonly name: string;
}

/** Does what makes the evidence, and keeps what is wanted of it. */
export async function keepEvidence<T>(
  { pcap, netLog }: KeptEvidence,
  { folder, name }: EvidenceFiles,
  { client, launched }: { readonly client: Host; readonly launched: LaunchedBrowser },
  load: () => Promise<T>,
): Promise<T> {
  launched.keyLog.take(); // What came before is another load's.
  launched.netLog.take();
  const packets = `${folder}/pcap/${name}.pcap`;
  const aside = nameAside(packets);
  if (pcap) makePrivateFolder(`${folder}/pcap`);
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rmSync(aside, { force: true })); // What a load has left that did not come to its end.
  const recording = pcap ? undo.use(await recordPackets(client, aside)) : undefined;
  const loaded = await load();
  if (recording) {
    await recording.finish();
    makePrivate(aside);
    renameSync(aside, packets);
    writePrivate(`${folder}/pcap/${name}.keys`, launched.keyLog.take());
  }
  if (netLog) writePrivate(`${folder}/netlog/${name}.json.gz`, gzipSync(launched.netLog.take()));
  return loaded;
}

/** What the archive of an unwatched load says of itself. */
const WRITTEN_FROM_RECORD =
  "Nothing watched this load: times, sizes, statuses and protocols are from the page's own record, methods and connections (the client's port) from the server's log.";
const WITH_DETAILS =
  'Headers, priorities, initiators, types and status texts are those of a load of the same page by the same arm that was watched.';

/** Writes a load's archive; a load that came to nothing has none. What only a watched load tells comes from one. */
export async function writeHar(
  { folder, name }: EvidenceFiles,
  capture: Capture,
  details?: ReadonlyMap<string, WatchedDetail>,
): Promise<void> {
  const watched = isWatched(capture);
  const log = watched ? capture.browser.events : writeLog(capture, details);
  if (log.length === 0) return;
  const comment = watched ? undefined : [WRITTEN_FROM_RECORD, ...(details ? [WITH_DETAILS] : [])].join(' ');
  const har = await makeHar(capture.page.url, log, comment);
  writePrivate(`${folder}/har/${name}.har.gz`, gzipSync(JSON.stringify(har)));
}

/** The files that hold a trial's evidence, below the study's folder. */
export function evidenceOf({ folder, name }: EvidenceFiles): string[] {
  return filesNamed(name).filter((file) => existsSync(`${folder}/${file}`));
}

/** Removes what a load of the same name has left whose block was never stored: it would pass for this one's. */
export function dropEvidence({ folder, name }: EvidenceFiles): void {
  for (const file of filesNamed(name)) rmSync(`${folder}/${file}`, { force: true });
}

function filesNamed(name: string): readonly string[] {
  return [`har/${name}.har.gz`, `pcap/${name}.pcap`, `pcap/${name}.keys`, `netlog/${name}.json.gz`];
}
