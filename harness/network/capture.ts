import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import type { Host } from '../model/lab.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { start } from '../system/process.ts';
import { type Frame, parsePcap } from './pcap.ts';

/** A capture that is under way at a host's end of the link. */
export interface Capture extends AsyncDisposable {
  /** Ends it and resolves with what was seen; rejects where the kernel had to drop a frame. */
  finish(): Promise<readonly Frame[]>;
}

/** Bytes of each frame that are kept: all headers, and a probe's mark. */
const SNAP_BYTES = 96;
const BUFFER_KIB = 65_536;

/** Captures the headers of whatever passes a host's interface, for a purpose of that name; resolves once it listens. */
export async function openCapture(host: Host, purpose: string): Promise<Capture> {
  const file = `${SCRATCH}/${host.namespace}-${purpose}.pcap`;
  const tcpdump = start(
    // prettier-ignore
    [
      'tcpdump',
      '-i',
      host.device,
      '-n',
      '-s',
      `${SNAP_BYTES}`,
      '-B',
      `${BUFFER_KIB}`,
      '-Z',
      'root',
      '--time-stamp-precision=nano',
      '-w',
      file,
      'ip',
    ],
    { namespace: host.namespace },
  );
  await using undo = new AsyncDisposableStack();
  undo.use(tcpdump);
  let said = '';
  tcpdump.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  while (!said.includes('listening on')) {
    const end = await Promise.race([once(tcpdump.stderr, 'data'), tcpdump.ended]);
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
      if (end !== 0 || dropped !== 0)
        throw new Error(`a capture is incomplete (tcpdump ended with ${end}): ${said.trim()}`);
      const frames = parsePcap(readFileSync(file));
      rmSync(file);
      return frames;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
