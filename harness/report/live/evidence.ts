import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of a study's folder that may be looked at. */
export interface EvidenceFile extends AsyncDisposable {
  readonly handle: FileHandle;
  readonly bytes: number;
  readonly type: string;
}

/** What a study's folder has for others: by folder, itself being the one without a name, the ends of its files' names and what they are. */
const EVIDENCE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': { 'report.html': 'text/html; charset=utf-8', 'summary.json': 'application/json; charset=utf-8' },
  har: { '.har.gz': 'application/gzip' },
  // The keys that open it stay on the disk.
  pcap: { '.pcap': 'application/vnd.tcpdump.pcap' },
  netlog: { '.json.gz': 'application/gzip' },
  lighthouse: { '.json.gz': 'application/gzip' },
};

/**
 * Opens a file of a study's evidence; nothing where the name is none of those that a study writes, or leads anywhere
 * else than where it says: by a link, or by whatever a name may hide.
 */
export async function openEvidence(folder: string, kind: string, name: string): Promise<EvidenceFile | undefined> {
  const type = typeOf(kind, name);
  if (type === undefined) return undefined;
  try {
    await using undo = new AsyncDisposableStack();
    // What waits for a writer, as a pipe does, would wait for ever.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = undo.use(await open(join(folder, kind, name), flags));
    const stat = await handle.stat();
    // The kernel's word for what was opened, whatever has been put in its place meanwhile.
    const isItself = (await realpath(`/proc/self/fd/${handle.fd}`)) === join(await realpath(folder), kind, name);
    if (!stat.isFile() || !isItself) return undefined;
    const kept = undo.move();
    return { handle, bytes: stat.size, type, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  } catch (cause) {
    if (REFUSALS.has((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw cause;
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES', 'ENXIO', 'ENAMETOOLONG']);

function typeOf(kind: string, name: string): string | undefined {
  if (!Object.hasOwn(EVIDENCE, kind)) return undefined;
  const types = EVIDENCE[kind]!;
  if (kind === '') return Object.hasOwn(types, name) ? types[name] : undefined;
  if (!/^[\w=-][\w.=-]*$/.test(name)) return undefined;
  return Object.entries(types).find(([end]) => name.endsWith(end))?.[1];
}
