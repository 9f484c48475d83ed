import type { LinkFigures } from '../model/calibration.ts';
import type { TopologyName } from '../model/lab.ts';
import type { Link } from '../model/link.ts';
import { measureLink } from '../network/calibration.ts';
import { DEFAULT_TUNING, type Network, openNetwork } from '../network/network.ts';
import { readTools } from '../system/tools.ts';
import { judgeLink, type LinkCheck, linkHolds } from '../verdict/calibration.ts';

let labs = 0;

/** A network of this topology under a name that no other lab of this process has. */
export async function openLab(topology: TopologyName = 'direct'): Promise<Network> {
  labs += 1;
  const { uml } = readTools();
  return openNetwork({ lab: `lab${labs}`, topology, tuning: DEFAULT_TUNING, userModeKernel: uml ?? undefined });
}

/** A link's figures and how they stand to what was asked. */
export interface Calibration {
  readonly figures: LinkFigures;
  readonly checks: readonly LinkCheck[];
  readonly ok: boolean;
}

/** Probes enough for a figure in a few seconds. */
const QUICK = { echoes: 60, lossProbes: 1_000, lossProbesWhereNone: 200, streamMs: 1_000 };

/** Sets a link and measures it; `scale` takes that many times the probes. */
export async function calibrateLink(network: Network, link: Link, scale = 1): Promise<Calibration> {
  await network.setLink(link);
  const loses = link.down.loss.kind !== 'none' || link.up.loss.kind !== 'none';
  const figures = await measureLink(network, link, {
    echoes: QUICK.echoes * scale,
    lossProbes: scale * (loses ? QUICK.lossProbes : QUICK.lossProbesWhereNone),
    // TCP needs some round trips to fill the link, then half a second to be counted.
    streamMs: QUICK.streamMs + 12 * (link.down.delayMs + link.up.delayMs),
  });
  const checks = judgeLink(link, figures);
  return { figures, checks, ok: linkHolds(checks) };
}
