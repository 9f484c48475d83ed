import type { Mix } from '../harness/model/advice.ts';
import type { Features } from '../harness/model/tree.ts';
import { usualQueue } from './question.ts';

/** What a reader has chosen: it stands in the address, so that it can be sent to a colleague. */
export interface State {
  readonly asked: Features;
  /** Shares of the traffic by link; absent: the study's own. */
  readonly mix?: Mix | undefined;
  /** The condition that is open, by its id. */
  readonly condition?: string | undefined;
}

const NUMBERS = [
  ['rate', 'rateKbps', 1, Number.POSITIVE_INFINITY],
  ['rtt', 'rttMs', 0, 100_000],
  ['loss', 'lossPercent', 0, 100],
  ['objects', 'objects', 1, 1_000_000],
  ['bytes', 'totalBytes', 1, 1e12],
  ['queue', 'queuePackets', 1, 1_000_000],
] as const;

/** Reads an address's fragment; what is not there, or is nothing that can be asked, is as before. */
export function readState(fragment: string, before: State): State {
  const said = new URLSearchParams(fragment.replace(/^#/, ''));
  const numbers = NUMBERS.flatMap(([key, feature, low, high]) => {
    const value = Number(said.get(key) ?? Number.NaN);
    return value >= low && value <= high ? [[feature, value]] : [];
  });
  const condition = said.get('condition') ?? before.condition;
  const mix = readMix(said.get('mix')) ?? before.mix;
  const asked = { ...before.asked, ...Object.fromEntries(numbers), visit: said.get('visit') ?? before.asked.visit };
  return {
    asked: completed(asked, said.has('queue') || !(said.has('rate') || said.has('rtt'))),
    mix,
    condition: condition ?? undefined,
  };
}

/** What was asked, with what follows from it. */
export function completed(asked: Features, keepsQueue = false): Features {
  return {
    ...asked,
    bytesPerObject: asked.totalBytes / asked.objects,
    queuePackets: keepsQueue ? asked.queuePackets : usualQueue(asked),
  };
}

function readMix(text: string | null): Mix | undefined {
  const shares = (text ?? '').split(',').flatMap((part): [string, number][] => {
    const at = part.lastIndexOf(':');
    const share = Number(part.slice(at + 1));
    return at > 0 && share >= 0 && share <= 1e6 ? [[decodeName(part.slice(0, at)), share]] : [];
  });
  return shares.some(([, share]) => share > 0) ? Object.fromEntries(shares) : undefined;
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The fragment of the address that says what a reader has chosen. */
export function writeState({ asked, mix, condition }: State): string {
  const said = new URLSearchParams();
  for (const [key, feature] of NUMBERS)
    if (key !== 'queue' || asked.queuePackets !== usualQueue(asked)) said.set(key, `${asked[feature]}`);
  said.set('visit', asked.visit);
  if (mix)
    said.set(
      'mix',
      Object.entries(mix)
        .map(([name, share]) => `${encodeURIComponent(name)}:${share}`)
        .join(','),
    );
  if (condition !== undefined) said.set('condition', condition);
  return `#${said}`;
}
