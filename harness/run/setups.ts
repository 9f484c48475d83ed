import { EnvironmentError } from '../model/errors.ts';
import { nameOfSetup, type ServerSetup } from '../model/server.ts';
import type { Plan, Way } from '../model/study.ts';
import { congestionControls } from '../network/network.ts';
import { findAdapter } from '../server/adapters.ts';

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
  for (const { name } of setupsOf(plan)) {
    const found = findAdapter(name).find();
    if ('missing' in found) throw new EnvironmentError(`no ${name} here: ${found.missing}`);
  }
  const known = congestionControls();
  const arm = plan.arms.find(({ beside, ...own }) =>
    [own, ...(beside ? [beside] : [])].some(
      ({ protocol, congestion }) => protocol !== 'h3' && congestion !== undefined && !known.includes(congestion),
    ),
  );
  if (!arm) return;
  const missing = [arm.congestion, arm.beside?.congestion].find((each) => each !== undefined && !known.includes(each));
  throw new EnvironmentError(
    `arm '${arm.name}': this kernel has no TCP congestion control '${missing}'; it has ${known.join(', ')}, and modprobe tcp_${missing} may add it`,
  );
}
