/** A link that its specification says in full by rate, round trip and loss, both ways alike. */
const PLAIN = /^rate=([\d.]+)([kmg])bit,rtt=([\d.]+)ms,loss=([\d.]+)%$/;
const KBIT: Readonly<Record<string, number>> = { k: 1, m: 1_000, g: 1_000_000 };

/** What links are, where their names do not say it to everyone. */
const WORDS: Readonly<Record<string, string>> = {
  '5g': 'mobile',
  '4g': 'mobile',
  '3g': 'mobile',
  '3g-slow': 'mobile, weak signal',
  'wifi-lossy': 'crowded Wi-Fi',
  'satellite-leo': 'low-orbit satellite',
  'satellite-geo': 'high-orbit satellite',
  train: 'mobile, on a train',
};

/** What a link is in words that stand beside its name; undefined where the name says it. */
export function wordsForLink(name: string): string | undefined {
  return Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
}

/** A link's title, and after it in brackets what it is: `satellite-leo (low-orbit satellite)`. */
export function fullTitleOfLink(name: string): string {
  const words = wordsForLink(name);
  return words === undefined ? titleOfLink(name) : `${name} (${words})`;
}

/**
 * What people call a link: its name, or `50 Mbit/s, 218 ms, 2 % loss` where its name is a specification that says no more
 * than that.
 */
export function titleOfLink(name: string): string {
  const [, rate, unit, rttMs, lossPercent] = PLAIN.exec(name) ?? [];
  if (rate === undefined) return name;
  return `${rateInWords(Number(rate) * KBIT[unit!]!)}, ${rttMs} ms, ${lossPercent} % loss`;
}

function rateInWords(kbps: number): string {
  if (kbps >= 1_000_000) return `${kbps / 1_000_000} Gbit/s`;
  return kbps >= 1_000 ? `${kbps / 1_000} Mbit/s` : `${kbps} kbit/s`;
}
