import type { TopologyName } from '../model/lab.ts';
import { DEFAULT_TUNING, type Network, openNetwork } from '../network/network.ts';
import { readTools } from '../system/tools.ts';

let labs = 0;

/** A network of this topology under a name that no other lab of this process has. */
export async function openLab(topology: TopologyName = 'direct'): Promise<Network> {
  labs += 1;
  const { uml } = readTools();
  return openNetwork({ lab: `lab${labs}`, topology, tuning: DEFAULT_TUNING, userModeKernel: uml ?? undefined });
}
