import { readFileSync } from 'node:fs';

/**
 * How this machine could pass on what a lab sends: its interfaces, and how much it has passed on. What it sends itself
 * meanwhile does not count here.
 */
export function waysOfThisMachine(): Readonly<Record<string, unknown>> {
  const devices = readFileSync('/proc/self/net/dev', 'utf8')
    .match(/^\s*\S+(?=:)/gm)!
    .map((name) => name.trim());
  const [names, counts] = readFileSync('/proc/self/net/snmp', 'utf8')
    .match(/^Ip:.*$/gm)!
    .map((line) => line.split(' '));
  return { devices: devices.toSorted(), passedOn: counts![names!.indexOf('ForwDatagrams')] };
}
