import { PROTOCOLS, type Visit } from '../model/arm.ts';
import { UsageError } from '../model/errors.ts';
import type { ServerAbilities } from '../model/server.ts';
import type { Arm, Grid } from '../model/study.ts';
import { type FieldPlace, shortened } from './place.ts';
import { refused } from './quantity.ts';
import type { StudySources } from './sources.ts';
import { unknownName } from './unknown-name.ts';

/** What an arm may be called: evidence files are called so too, and the control has its own endings. */
export const ARM_NAME = /^(?!.*-(?:twin|delayed)$)[a-z0-9][a-z0-9.+-]{0,39}$/;
export const ARM_NAME_ALLOWED = "a-z, 0-9, ., + and -, up to 40, without the control's endings -twin and -delayed";

/**
 * The arguments of Chromium that an arm may have: each changes how a page is loaded or drawn, and none starts a program,
 * opens or writes a file, loads code, or touches what the lab and its proofs stand on (names, trust, protocol, logs, the
 * profile, the sandbox). A study's file may come from anybody: what is not in this list is refused.
 */
const ALLOWED_FLAGS: readonly string[] = [
  'accept-lang',
  'blink-settings',
  'disable-blink-features',
  'disable-preconnect',
  'dns-prefetch-disable',
  'enable-blink-features',
  'enable-experimental-web-platform-features',
  'enable-features',
  'enable-low-end-device-mode',
  'force-device-scale-factor',
  'force-prefers-reduced-motion',
  'lang',
  'num-raster-threads',
  'process-per-site',
  'quic-client-connection-options',
  'quic-connection-options',
  'quic-max-packet-length',
  'quic-version',
  'renderer-process-limit',
  'ssl-version-max',
  'ssl-version-min',
  'window-size',
];

/**
 * What no argument may name: features that give pages Chromium's own interfaces between processes, and settings that give them
 * other origins or files.
 */
const REFUSED_VALUE = /mojo|websecurity|universalaccess|fileaccess/i;

/** An argument of Chromium's that leaves the lab as it is and the machine alone. */
export function parseBrowserFlag(flag: string, where: string): string {
  const [, name] = /^--([a-z0-9-]+)(?:=[\w.,:;/|*<>&=+%@-]{0,400})?$/.exec(flag) ?? [];
  const isKnown = name !== undefined && ALLOWED_FLAGS.includes(name);
  if (isKnown && !REFUSED_VALUE.test(flag)) return flag;
  const why = name === undefined ? 'no argument' : 'not one that a study may give';
  throw refused(shortened(flag), { where, allowed: BROWSER_FLAGS }, why);
}

/** What an arm may give the browser, for messages. */
export const BROWSER_FLAGS = ALLOWED_FLAGS.map((name) => `--${name}`).join(', ');

/** Arms with different names are different arms, in every grid of a study. */
export function assertArmsDiffer(arms: readonly Arm[], grids: readonly Grid[], place: FieldPlace): void {
  for (const { visits, servers } of grids)
    for (const visit of visits)
      for (const server of servers) {
        const same = arms.map(({ name: _, ...arm }) => JSON.stringify(sorted({ server, visit, ...arm })));
        const index = same.findIndex((each, at) => same.indexOf(each) !== at);
        if (index === -1) continue;
        const [name, other] = [arms[index]!.name, arms[same.indexOf(same[index]!)]!.name];
        const differs = 'another protocol, server, visit, congestion, browserFlags or beside';
        throw new UsageError(
          `${place(['arms', index])}: "${name}" differs in nothing from "${other}". Expected: ${differs}`,
        );
      }
}

/** An arm's fields in a fixed order, so that arms which differ in their order alone are equal. */
function sorted({ browserFlags = [], beside, ...arm }: Omit<Arm, 'name'>): unknown {
  const inOrder = (part: object) => Object.entries(part).toSorted();
  return [inOrder(arm), inOrder(beside ?? {}), browserFlags.toSorted()];
}

/** Every server can do what the arms want of it, and the hosts are there for what goes on at the same time. */
export function assertArmsServed(
  arms: readonly Arm[],
  grids: readonly Grid[],
  { sources, place }: { readonly sources: Pick<StudySources, 'servers' | 'abilitiesOf'>; readonly place: FieldPlace },
): void {
  for (const [index, arm] of arms.entries())
    for (const { servers, visits, topology } of grids) {
      const ways = [{ way: arm, path: ['arms', index] }];
      if (arm.beside) ways.push({ way: { ...arm.beside, name: arm.name }, path: ['arms', index, 'beside'] });
      for (const { way, path } of ways)
        for (const server of way.server === undefined ? servers : [way.server])
          for (const visit of arm.visit === undefined ? visits : [arm.visit])
            for (const needed of visitsNeeded(visit, sources.abilitiesOf(server)))
              assertServed({ ...way, server, visit: needed }, sources.abilitiesOf(server), place(path));
      const { visit = 'cold' } = arm;
      if (arm.beside && topology !== 'dumbbell')
        throw new UsageError(
          `${place(['arms', index, 'beside'])}: cannot be used here. Expected: where topology is dumbbell`,
        );
      const alone = [...visits, visit].find((each) => each !== 'cold');
      if (alone && (arm.beside || topology === 'crowd'))
        throw new UsageError(`${place(['arms', index])}: no ${alone} visits of several at once. Expected: cold`);
    }
}

/** The visits that a server must be able to serve for a visit; with offers, it gives tickets and tells of H3. */
function visitsNeeded(visit: Visit, { offersAnyway }: ServerAbilities): readonly Visit[] {
  if (visit === 'first' || (visit === 'returning' && offersAnyway)) return ['discovered'];
  return visit === 'returning' ? ['resumed', 'discovered'] : [visit];
}

function assertServed(
  { protocol, server, visit, congestion }: Arm & { readonly server: string; readonly visit: Visit },
  { protocols, visits, congestions }: ServerAbilities,
  where: string,
): void {
  const refuse = (what: string, allowed: readonly string[]) => {
    throw new UsageError(`${where}: ${server} has no ${what}. Expected: ${allowed.join(', ') || 'none'}`);
  };
  if (!protocols.includes(protocol)) refuse(protocol, protocols);
  if (!visits.includes(visit)) refuse(`${visit} visits`, visits);
  // TCP's congestion control is the kernel's, which is asked where the study is run.
  if (protocol === 'h3' && congestion !== undefined && !congestions.includes(congestion))
    refuse(`congestion control "${congestion}" of QUIC`, congestions);
}

/** The congestion controls by which an arm can be called: `h2-bbr`. Others need a study file. */
const CONGESTIONS_IN_NAMES = ['bbr', 'cubic', 'reno'] as const;

/** The arm that is called as its protocol, or as that and a congestion control, and differs in nothing else. */
export function parseArm(name: string, where: string): Arm {
  const [first, ...rest] = name.split('-');
  const protocol = PROTOCOLS.find((known) => known === first);
  if (protocol && rest.length === 0) return { name, protocol };
  const congestion = CONGESTIONS_IN_NAMES.find((known) => known === rest.join('-'));
  if (protocol && congestion) return { name, protocol, congestion };
  throw unknownName(name, { where, what: 'protocol', known: PROTOCOLS });
}
