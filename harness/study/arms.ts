import { PROTOCOLS, type Protocol, type Visit } from '../model/arm.ts';
import { UsageError } from '../model/errors.ts';
import type { Arm } from '../model/study.ts';
import { type Place, shortened } from './place.ts';
import { refused } from './quantity.ts';

/** What an arm may be called: evidence files are called so too, and the control has its own endings. */
export const ARM_NAME = /^(?!.*-(?:twin|delayed)$)[a-z0-9][a-z0-9.-]{0,39}$/;
export const ARM_NAME_ALLOWED = "a-z, 0-9, . and -, up to 40, without the control's endings -twin and -delayed";

/**
 * Arguments that make the lab and its proofs what they are: where names lead, what is trusted, which protocol, what is
 * written down. Of `disable-features` Chromium takes the last one only.
 */
const OF_THE_HARNESS: readonly RegExp[] = [
  /^headless$/,
  /^user-data-dir$/,
  /^remote-debugging-/,
  /^(?:disable|enable)-quic$/,
  /^origin-to-force-quic-on$/,
  /^disable-http2$/,
  /^host-(?:resolver-)?rules$/,
  /^(?:no-)?proxy-/,
  /^ignore-certificate-errors/,
  /^disable-features$/,
  /^force-effective-connection-type$/,
  /^(?:ssl-key-log-file|log-net-log|net-log-capture-mode)$/,
];

const FLAG_ALLOWED = 'as in --enable-features=NAME; not what sets profile, protocol, names, trust or logs';

/** An argument of Chromium's that leaves the lab as it is. */
export function parseBrowserFlag(flag: string, where: string): string {
  const [, name] = /^--([a-z0-9-]+)(?:=.*)?$/s.exec(flag) ?? [];
  if (name !== undefined && !OF_THE_HARNESS.some((own) => own.test(name))) return flag;
  throw refused(
    shortened(flag),
    { where, allowed: FLAG_ALLOWED },
    name === undefined ? 'no argument' : "the harness's own",
  );
}

/** TCP's congestion control is no matter of QUIC's. */
export function takesCongestion(protocol: Protocol): boolean {
  return protocol !== 'h3';
}

/** Arms with different names are different arms, in each kind of visit that a study has. */
export function assertArmsDiffer(arms: readonly Arm[], visits: ReadonlySet<Visit>, place: Place): void {
  for (const visit of visits) {
    const same = arms.map(({ protocol, congestion, browserFlags = [], visit: own = visit }) =>
      JSON.stringify([protocol, own, congestion, browserFlags.toSorted()]),
    );
    const index = same.findIndex((each, at) => same.indexOf(each) !== at);
    if (index === -1) continue;
    const [name, other] = [arms[index]!.name, arms[same.indexOf(same[index]!)]!.name];
    const differs = 'another protocol, visit, congestion or browserFlags';
    throw new UsageError(
      `${place(['arms', index])}: '${name}' differs in nothing from '${other}'; allowed: ${differs}`,
    );
  }
}

/** The arm that is called as its protocol, and differs in nothing else. */
export function parseArm(name: string, where: string): Arm {
  const protocol = PROTOCOLS.find((known) => known === name);
  if (protocol) return { name, protocol };
  throw new UsageError(`${where}: no protocol '${shortened(name)}'; allowed: ${PROTOCOLS.join(', ')}`);
}
