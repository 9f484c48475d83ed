import { readFileSync } from 'node:fs';
import { UsageError } from '../model/errors.ts';
import type { Link } from '../model/link.ts';
import { renderCalibration } from '../report/calibration-table.ts';
import { calibrateLink, openLab } from '../run/lab.ts';
import { parseLink } from '../study/link.ts';

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
