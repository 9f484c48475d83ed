import type { LoadFigures, Measurement } from '../../harness/model/measurement.ts';

type Void = Extract<Measurement, { status: 'void' }>;

/** What nginx says of one QUIC handshake in some 12,000 (README, Servers). */
const MISREAD = /missing transport parameters/;
const ATTEMPTS = 3;

/**
 * Whether the machine was held up: while a load's clocks were read, for whole seconds, or when a browser that comes back
 * was to ask before its handshake is done. This is chance, which a study makes up for.
 */
const isHeldUp = (measured: Measurement): measured is Void =>
  measured.status === 'void' &&
  (['clock', 'not-warm'].includes(measured.reason) || /^photofinish stood still/.test(measured.says));

/**
 * What was measured, as it is. It is measured again where the machine was held up, as a study does, or where nginx misread
 * a parameter; and says so.
 */
export async function measuredAgain<Made extends readonly Measurement[]>(measure: () => Promise<Made>): Promise<Made> {
  for (let attempt = 1; ; attempt += 1) {
    const measured = await measure();
    const spoilt = measured.filter((each) => isHeldUp(each) || (each.status === 'failed' && MISREAD.test(each.says)));
    if (spoilt.length === 0 || attempt === ATTEMPTS) return measured;
    for (const each of spoilt) process.stderr.write(`LOADED AGAIN: ${sayingOf(each)}\n`);
  }
}

/** The figures of a load that must come to its end; it may be made again, as in `measuredAgain`. */
export async function figuresOf(load: () => Promise<Measurement>): Promise<LoadFigures> {
  const [measured] = await measuredAgain(async () => [await load()] as const);
  if (measured.status === 'ok') return measured;
  throw new Error(sayingOf(measured));
}

/**
 * All loads of a study, which come in their order, but those of blocks during which the machine was held up: such a block is
 * run again, and this says so. Nothing else may have been void.
 */
export function undisturbed(measurements: readonly Measurement[]): readonly Measurement[] {
  const wrong = measurements.find((each) => each.status === 'void' && !isHeldUp(each));
  if (wrong) throw new Error(sayingOf(wrong));
  const blocks: Measurement[][] = [];
  for (const each of measurements) {
    const last = blocks.at(-1);
    const isOfLast = last?.every((one) => nameOf(one) === nameOf(each) && one.arm !== each.arm);
    if (isOfLast) last!.push(each);
    else blocks.push([each]);
  }
  for (const each of measurements.filter(isHeldUp)) process.stderr.write(`RUN AGAIN: ${sayingOf(each)}\n`);
  return blocks.filter((block) => !block.some(isHeldUp)).flat();
}

/** A block's name. */
function nameOf({ condition, block }: Measurement): string {
  return `${condition} ${block}`;
}

function sayingOf(measured: Measurement): string {
  const { condition, arm, status } = measured;
  return [condition, `${arm}:`, status, ...(status === 'ok' ? [] : [measured.reason, measured.says])].join(' ');
}
