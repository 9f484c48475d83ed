import { readFileSync } from 'node:fs';
import type { LinkFigures } from '../model/calibration.ts';
import { UsageError } from '../model/errors.ts';
import type { Link } from '../model/link.ts';
import { measureLink } from '../network/calibration.ts';
import type { Network } from '../network/network.ts';
import { renderCalibration } from '../report/calibration-table.ts';
import { parseLink } from '../study/link.ts';
import { judgeLink, type LinkCheck, linkHolds } from '../verdict/calibration.ts';
import { openLab } from './lab.ts';

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

/** A link from the command line; trace files are read from the disk. */
export function linkFromText(text: string): Link {
  return parseLink(text, { readText: (path) => readFileSync(path, 'utf8') });
}

/** `photofinish calibrate`: prints each link's table; 1 where a figure is out of tolerance. */
export async function calibrate(
  { link: texts = ['rate=10mbit,rtt=40ms'], scale = '1' }: { link?: readonly string[]; scale?: string },
  print: (line: string) => void,
): Promise<number> {
  if (!/^[1-9]\d{0,2}$/.test(scale)) throw new UsageError(`--scale: '${scale}' will not do; allowed: 1 to 999`);
  const links = texts.map(linkFromText);
  await using network = await openLab();
  let ok = true;
  for (const link of links) {
    const calibration = await calibrateLink(network, link, Number(scale));
    ok &&= calibration.ok;
    print(`${link.name}${link.source ? ` (${link.source})` : ''}`);
    print(`${renderCalibration(calibration.checks)}\n`);
  }
  return ok ? 0 : 1;
}
