import { EnvironmentError } from '../model/errors.ts';
import { nameOfSetup, type ServerSetup } from '../model/server.ts';
import type { Plan, Way } from '../model/study.ts';
import { congestionControls } from '../network/network.ts';
import { requireServer } from '../server/adapters.ts';

/** All servers that a plan's loads come from, that of its first condition first. */
export function setupsOf({ conditions, arms }: Pick<Plan, 'conditions' | 'arms'>): [ServerSetup, ...ServerSetup[]] {
  const servers = [...new Set(conditions.map(({ server }) => server))];
  const setups = servers.flatMap((server) => [
    { name: server },
    ...waysOf(arms).map((way) => ({ name: way.server ?? server, ...congestionOf(way) })),
  ]);
  const byName = new Map(setups.map((setup) => [nameOfSetup(setup), setup]));
  return [...byName.values()] as [ServerSetup, ...ServerSetup[]];
}

/** Of QUIC it is the server's, of TCP the kernel's. */
function congestionOf({ protocol, congestion }: Way): Pick<ServerSetup, 'congestion'> {
  return protocol === 'h3' && congestion !== undefined ? { congestion } : {};
}

function waysOf(arms: Plan['arms']): readonly Way[] {
  return arms.flatMap((arm) => (arm.beside ? [arm, arm.beside] : [arm]));
}

/** Says so where a plan asks for what this machine does not have: a server, or a congestion control of its kernel's. */
export function refuseMissing(plan: Plan): void {
  for (const { name } of setupsOf(plan)) requireServer(name);
  const known = congestionControls();
  for (const arm of plan.arms) {
    const missing = waysOf([arm])
      .filter(({ protocol }) => protocol !== 'h3')
      .flatMap(({ congestion }) => congestion ?? [])
      .find((congestion) => !known.includes(congestion));
    if (missing === undefined) continue;
    throw new EnvironmentError(
      `arm '${arm.name}': this kernel has no TCP congestion control '${missing}'; it has ${known.join(', ')}, and modprobe tcp_${missing} may add it`,
    );
  }
}
