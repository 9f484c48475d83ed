import type { LoadFigures, Measurement } from '../../harness/model/measurement.ts';

/** What nginx says of one QUIC handshake in some 12,000 (README, Servers). */
const MISREAD = /missing transport parameters/;
const ATTEMPTS = 3;

/**
 * The figures of a load that must come to its end. It is made again where the machine was held up while its clocks were
 * read, as a study makes it again, or where nginx misread a parameter; and says so.
 */
export async function figuresOf(load: () => Promise<Measurement>): Promise<LoadFigures> {
  for (let attempt = 1; ; attempt += 1) {
    const measured = await load();
    if (measured.status === 'ok') return measured;
    const { condition, arm, status, reason } = measured;
    const says = `${condition} ${arm}: ${status}: ${reason}: ${measured.says}`;
    if (attempt === ATTEMPTS || !(reason === 'clock' || MISREAD.test(measured.says))) throw new Error(says);
    process.stderr.write(`LOADED AGAIN: ${says}\n`);
  }
}
