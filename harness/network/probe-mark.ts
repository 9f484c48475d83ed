import type { ProbePhase } from '../model/calibration.ts';

/** What marks a calibration's datagram, so that both captures can be matched: which phase, and which of its packets. */
export interface ProbeMark {
  readonly phase: ProbePhase;
  readonly sequence: number;
}

const MAGIC = 0x50464e00; // "PFN", then the phase.
const PHASES: readonly ProbePhase[] = ['echo', 'sparse', 'flood'];

export const MARK_BYTES = 8;

/** Writes a mark at the beginning of a datagram. */
export function writeMark(datagram: Buffer, { phase, sequence }: ProbeMark): void {
  datagram.writeUInt32BE(MAGIC + PHASES.indexOf(phase), 0);
  datagram.writeUInt32BE(sequence, 4);
}

/** The mark of a datagram, or nothing where it is not a probe's. */
export function readMark(datagram: Buffer): ProbeMark | undefined {
  if (datagram.length < MARK_BYTES) return undefined;
  const word = datagram.readUInt32BE(0);
  const phase = (word & 0xffffff00) >>> 0 === MAGIC ? PHASES[word & 0xff] : undefined;
  return phase && { phase, sequence: datagram.readUInt32BE(4) };
}
