import { setTimeout } from 'node:timers/promises';
import { judgeLink, linkHolds } from '../calibration/calibration.ts';
import { linkFigures } from '../calibration/link-figures.ts';
import type { Calibration } from '../model/calibration.ts';
import type { TopologyName } from '../model/lab.ts';
import { type Link, rttMs } from '../model/link.ts';
import { type CalibrationEffort, measureLink } from '../network/calibration.ts';
import { DEFAULT_TUNING, type Network, openNetwork } from '../network/network.ts';
import { watchHost } from '../system/host-load.ts';
import { readTools } from '../system/tools.ts';

let labs = 0;

/** A network of this topology under a name that no other lab of this process has. */
export async function openLabNetwork(topology: TopologyName = 'direct'): Promise<Network> {
  labs += 1;
  const { uml } = readTools();
  return openNetwork({ lab: `lab${labs}`, topology, tuning: DEFAULT_TUNING, userModeKernel: uml ?? undefined });
}

/** The pauses before a link is measured again: a machine may be busy with something else for a while. */
const PAUSES_MS = [0, 0, 5_000, 15_000, 30_000];
/** Probes enough for a figure in a few seconds. */
const QUICK = { echoes: 60, lossProbes: 1_000, lossProbesWhereNone: 200, streamMs: 1_000 };

/**
 * Sets a link and measures it; `scale` takes that many times the probes. A machine that was busy with something else
 * spoils a figure, so a link that is out of tolerance is measured again, later each time.
 */
export async function calibrateLink(network: Network, link: Link, scale = 1): Promise<Calibration> {
  await network.setLink(link);
  for (let attempt = 0; ; attempt += 1) {
    const lookAtHost = watchHost();
    const figures = linkFigures(link, await measureLink(network, link, effort(link, scale)));
    const { stolenShare } = lookAtHost();
    const checks = judgeLink(link, figures);
    const ok = linkHolds(checks);
    if (ok || attempt === PAUSES_MS.length) return { figures, checks, ok, attempts: attempt + 1, stolenShare };
    await setTimeout(PAUSES_MS[attempt]);
  }
}

function effort(link: Link, scale: number): CalibrationEffort {
  const loses = link.down.loss.kind !== 'none' || link.up.loss.kind !== 'none';
  return {
    echoes: QUICK.echoes * scale,
    lossProbes: scale * (loses ? QUICK.lossProbes : QUICK.lossProbesWhereNone),
    // TCP needs some round trips to fill the link, then half a second to be counted.
    streamMs: QUICK.streamMs + 12 * rttMs(link),
  };
}
