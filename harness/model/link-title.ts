/** A link that its specification says in full by rate, round trip and loss, both ways alike. */
const PLAIN = /^rate=([\d.]+)([kmg])bit,rtt=([\d.]+)ms,loss=([\d.]+)%$/;
const RATES: Readonly<Record<string, string>> = { k: 'kbit/s', m: 'Mbit/s', g: 'Gbit/s' };

/**
 * What people call a link: its name, or `50 Mbit/s, 218 ms, 2 % loss` where its name is a specification that says no more
 * than that.
 */
export function titleOfLink(name: string): string {
  const [, rate, unit, rttMs, lossPercent] = PLAIN.exec(name) ?? [];
  return rate === undefined ? name : `${rate} ${RATES[unit!]}, ${rttMs} ms, ${lossPercent} % loss`;
}
