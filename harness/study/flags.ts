import { PROTOCOLS, type Protocol, VISITS, type Visit } from '../model/arm.ts';
import { DEVICE_NAMES, type DeviceName } from '../model/device.ts';
import { UsageError } from '../model/errors.ts';
import type { Link } from '../model/link.ts';
import type { Arm, Study } from '../model/study.ts';
import { type LinkSources, parseLink } from './link.ts';
import { renderLink } from './link-text.ts';
import { parseWholeNumber } from './quantity.ts';

/** The options of `measure` that make a study, as they were written. */
export interface StudyFlags {
  readonly site?: readonly string[];
  readonly link?: readonly string[];
  readonly arms?: string;
  readonly visit?: readonly string[];
  readonly device?: string;
  readonly exactly?: string;
  readonly lighthouse?: string;
  readonly seed?: string;
  readonly timeout?: string;
}

/** What a study's text may refer to. */
export interface StudySources extends LinkSources {
  /** The names of all sites. */
  readonly sites: readonly string[];
  readonly drawSeed: () => number;
}

/** The study that the options ask for, with every default filled in. */
export function studyFromFlags(flags: StudyFlags, sources: StudySources): Study {
  return {
    name: 'first-light',
    sites: once('--site', flags.site ?? ['many-small']).map((name) => parseSite(name, sources.sites)),
    links: parseLinks(flags.link ?? ['rate=10mbit,rtt=40ms'], sources),
    visits: once('--visit', flags.visit ?? ['cold']).map((name) => oneOf('--visit', name, VISITS) as Visit),
    arms: parseArms(flags.arms ?? 'h1,h2,h3'),
    device: oneOf('--device', flags.device ?? 'desktop', DEVICE_NAMES) as DeviceName,
    exactly: parseWholeNumber('--exactly', flags.exactly ?? '5', 1, 100_000),
    lighthouse: parseWholeNumber('--lighthouse', flags.lighthouse ?? '0', 0, 1_000),
    seed: flags.seed === undefined ? sources.drawSeed() : parseWholeNumber('--seed', flags.seed, 0, 0xffffffff),
    ...(flags.timeout !== undefined && { timeoutMs: 1000 * parseWholeNumber('--timeout', flags.timeout, 1, 86_400) }),
  };
}

function once(option: string, names: readonly string[]): readonly string[] {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`${option}: '${twice}' is named twice; allowed: each once`);
  return names;
}

function parseLinks(texts: readonly string[], sources: LinkSources): Link[] {
  const links = texts.map((text) => parseLink(text, sources));
  once('--link', links.map(renderLink)); // However each was written.
  return links;
}

function oneOf(option: string, name: string, known: readonly string[]): string {
  if (!known.includes(name)) throw new UsageError(`${option}: no '${name}'; allowed: ${known.join(', ')}`);
  return name;
}

function parseSite(name: string, known: readonly string[]): string {
  if (!known.includes(name)) throw new UsageError(`--site: no site '${name}'; known are ${known.join(', ')}`);
  return name;
}

function parseArms(text: string): Arm[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !PROTOCOLS.includes(name as Protocol));
  if (unknown !== undefined) throw new UsageError(`--arms: no protocol '${unknown}'; allowed: ${PROTOCOLS.join(', ')}`);
  return once('--arms', names).map((name) => ({ name, protocol: name as Protocol }));
}
