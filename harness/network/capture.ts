import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { LabError } from '../model/errors.ts';
import type { Host } from '../model/lab.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { start } from '../system/process.ts';
import { parsePcap, type WireFrame } from './pcap.ts';

/** A capture that is under way at a host's end of the link. */
export interface RunningCapture extends AsyncDisposable {
  /** Ends it and resolves with what was seen; where the kernel had to drop a frame, it rejects, and the lab is renewed. */
  finish(): Promise<readonly WireFrame[]>;
}

/** Bytes of each frame that are kept: all headers, and a probe's mark. */
const SNAP_BYTES = 96;
const BUFFER_KIB = 65_536;
const START_TIMEOUT_MS = 10_000;

/** Captures the headers of whatever passes a host's interface, for a purpose of that name; resolves once it listens. */
export async function openCapture(host: Host, purpose: string, filter = 'ip'): Promise<RunningCapture> {
  const file = `${SCRATCH}/${host.namespace}-${purpose}.pcap`;
  await using undo = new AsyncDisposableStack();
  undo.defer(() => rmSync(file, { force: true }));
  const recording = undo.use(await recordPackets(host, file, { snapBytes: SNAP_BYTES, filter }));
  const kept = undo.move();
  return {
    async finish() {
      await recording.finish();
      return parsePcap(readFileSync(file));
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A file of packets that is being written. */
export interface Recording extends AsyncDisposable {
  /** Ends it, so that the file is whole; where the kernel had to drop a frame, it rejects, and the lab is renewed. */
  finish(): Promise<void>;
}

/** Writes what passes a host's interface to a file, each frame whole or its beginning; resolves once it listens. */
export async function recordPackets(
  host: Host,
  file: string,
  { snapBytes = 0, filter = 'ip' }: { readonly snapBytes?: number; readonly filter?: string | undefined } = {},
): Promise<Recording> {
  const listen = ['-i', host.device, '-n', '-s', `${snapBytes}`, '-B', `${BUFFER_KIB}`];
  // Frames that are kept whole are taken at once: the kernel would hand them over in blocks, and keep one that is not full.
  if (snapBytes === 0) listen.push('--immediate-mode');
  const write = ['-Z', 'root', '--time-stamp-precision=nano', '-w', file];
  await using undo = new AsyncDisposableStack();
  const tcpdump = undo.use(start(['tcpdump', ...listen, ...write, filter], { namespace: host.namespace }));
  let said = '';
  tcpdump.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const inTime = AbortSignal.timeout(START_TIMEOUT_MS);
  while (!said.includes('listening on')) {
    const end = await Promise.race([once(tcpdump.stderr, 'data', { signal: inTime }), tcpdump.ended]);
    if (!Array.isArray(end)) throw new Error(`tcpdump ended with ${end}: ${said.trim()}`);
  }
  const kept = undo.move();
  return {
    async finish() {
      // What has arrived is in the kernel's buffer; on an interrupt tcpdump writes all of it.
      await new Promise((resolve) => setTimeout(resolve, 50));
      tcpdump.child.kill('SIGINT');
      const end = await tcpdump.ended;
      const dropped = Number(/(\d+) packets? dropped by kernel/.exec(said)?.[1] ?? Number.NaN);
      // The caller gets it like any other error of the disk.
      const full = /No space left on device/.exec(said)?.[0];
      if (full) throw Object.assign(new Error(`ENOSPC: ${full}, write '${file}'`), { code: 'ENOSPC' });
      if (end !== 0 || dropped !== 0)
        throw new LabError(`a capture is incomplete (tcpdump ended with ${end}): ${said.trim()}`);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
