import { EnvironmentError } from '../model/errors.ts';
import { REMOTE } from '../model/remote.ts';
import { nameOfSetup, type ServerSetup } from '../model/server.ts';
import type { Plan, Way } from '../model/study.ts';
import { congestionControls } from '../network/network.ts';
import { findObstacle } from '../network/uplink.ts';
import { requireServer } from '../server/adapters.ts';

/**
 * All servers of the lab's that a plan's loads come from, that of its first condition first; where none does, the control's.
 */
export function setupsOf({
  conditions,
  arms,
  control,
}: Pick<Plan, 'conditions' | 'arms' | 'control'>): [ServerSetup, ...ServerSetup[]] {
  const own = conditions.map(({ server }) => server).filter((server) => server !== REMOTE);
  const servers = [...new Set(own.length > 0 ? own : [control.condition.server])];
  const setups = servers.flatMap((server) => [
    { name: server },
    ...waysOf(arms).map((way) => ({ name: way.server ?? server, ...congestionOf(way) })),
  ]);
  const byName = new Map(setups.map((setup) => [nameOfSetup(setup), setup]));
  return [...byName.values()] as [ServerSetup, ...ServerSetup[]];
}

/** Congestion control as far as the server sets it, which is that of QUIC; TCP's is set in the kernel. */
function congestionOf({ protocol, congestion }: Way): Pick<ServerSetup, 'congestion'> {
  return protocol === 'h3' && congestion !== undefined ? { congestion } : {};
}

function waysOf(arms: Plan['arms']): readonly Way[] {
  return arms.flatMap((arm) => (arm.beside ? [arm, arm.beside] : [arm]));
}

/** Throws where a plan asks for what this machine does not have: a server, or a congestion control of its kernel's. */
export function refuseMissing(plan: Plan): void {
  for (const { name } of setupsOf(plan)) requireServer(name);
  const obstacle = plan.conditions.some(({ server }) => server === REMOTE) ? findObstacle() : undefined;
  if (obstacle !== undefined) throw new EnvironmentError(`server ${REMOTE} ${obstacle}`);
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
