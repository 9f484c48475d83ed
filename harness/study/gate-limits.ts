import { UsageError } from '../model/errors.ts';
import type { PltLimit } from '../model/gate.ts';
import type { Plan } from '../model/study.ts';
import { inWords } from '../model/wording.ts';
import { findName } from './fields.ts';
import { type LinkSources, parseLink } from './link.ts';
import { renderLink } from './link-text.ts';
import { shortened } from './place.ts';
import { refused } from './quantity.ts';

const MAX_REGRET_PERCENT = 1_000;

/** How much longer something may take, as a share; written in percent with the sign, since 0.5 might mean either. */
export function parseMaxRegret(option: string, text: string): number {
  const allowed = `0% to ${MAX_REGRET_PERCENT}%, with the sign`;
  const percent = /^\d+(?:\.\d+)?\s*%$/.test(text.trim()) ? Number.parseFloat(text) : Number.NaN;
  if (percent >= 0 && percent <= MAX_REGRET_PERCENT) return percent / 100;
  throw refused(shortened(text), { where: option, allowed }, 'no percentage in range');
}

const PLT_ALLOWED = 'ARM=MS, ARM:LINK=MS, and @SITE after either, as in h3:4g=2500 or h3:4g@shop=2.5s';

/** The longest that an arm's median load may take: `h3:4g@shop=2500`; whether there are such is not known yet. */
export function parseMaxPlt(text: string): PltLimit {
  const [, what, time] = /^(.+)=([^=]+)$/s.exec(text.trim()) ?? [];
  const [, arm, link, site] = /^([^:@]+)(?::(.+?))?(?:@([^@]+))?$/s.exec(what?.trim() ?? '') ?? [];
  if (arm === undefined || time === undefined) throw refusedPlt(text, 'no arm with a time');
  const ms = parseMs(time.trim());
  if (!(ms > 0 && ms <= 3_600_000)) throw refusedPlt(text, 'no time up to an hour');
  return { asked: text.trim(), arm, ms, link, site };
}

function refusedPlt(text: string, why: string): UsageError {
  return refused(shortened(text), { where: '--max-plt', allowed: PLT_ALLOWED }, why);
}

function parseMs(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/i.exec(text) ?? [];
  return Number(number) * (unit?.toLowerCase() === 's' ? 1_000 : 1);
}

/** The limit with the study's own name for the link; refused where the study has no such arm, link or site. */
export function resolveMaxPlt(limit: PltLimit, { arms, conditions }: Plan, sources: LinkSources): PltLimit {
  const { link, site } = limit;
  const known = (of: (condition: (typeof conditions)[number]) => string) => [...new Set(conditions.map(of))];
  const sites = known((each) => each.site);
  const resolved = {
    ...limit,
    arm: findArm('--max-plt', limit.arm, arms),
    link: link === undefined ? undefined : findLink(link, conditions, sources),
    site: site === undefined ? undefined : findName('site', site, sites, '--max-plt'),
  };
  const isThere = conditions.some(
    (each) => (resolved.link ?? each.link.name) === each.link.name && (resolved.site ?? each.site) === each.site,
  );
  if (isThere) return resolved;
  throw new UsageError(
    `--max-plt: the study has no condition with ${resolved.site} over ${resolved.link}. Expected: ${inWords(
      known((each) => `${each.site} over ${each.link.name}`),
      'or',
    )}`,
  );
}

/** An arm of a study by its name. */
export function findArm(option: string, name: string, arms: Plan['arms']): string {
  return findName(
    'arm',
    name,
    arms.map((arm) => arm.name),
    option,
  );
}

/** The study's name for a link, however that is written. */
function findLink(text: string, conditions: Plan['conditions'], sources: LinkSources): string {
  const links = new Map(conditions.map(({ link }) => [link.name, renderLink(link)]));
  if (links.has(text)) return text;
  const allowed = [...links.keys()].join(', ');
  let meant: string;
  try {
    meant = renderLink(parseLink(text, sources, '--max-plt'));
  } catch {
    throw new UsageError(`--max-plt: no link "${shortened(text)}" in the study. Expected: ${allowed}`);
  }
  const found = [...links].find(([, written]) => written === meant);
  if (!found) throw new UsageError(`--max-plt: no link "${shortened(text)}" in the study. Expected: ${allowed}`);
  return found[0];
}
