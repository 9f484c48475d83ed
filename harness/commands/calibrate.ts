import { EXIT } from '../model/exit-code.ts';
import type { Link } from '../model/link.ts';
import type { Values } from '../model/option.ts';
import { renderCalibration } from '../report/calibration-table.ts';
import { calibrateLink, openLabNetwork } from '../run/lab-network.ts';
import { parseLink } from '../study/link.ts';
import { parseWholeNumber } from '../study/quantity.ts';
import { stopRequested } from '../system/stop.ts';
import { takeTurn } from '../system/turn.ts';
import type { COMMANDS } from './command-table.ts';
import { LINK_SOURCES } from './sources.ts';
import { takeTurnFor } from './turn.ts';

/** What `calibrate` was asked for. */
export interface CalibrateRequest {
  readonly links: readonly Link[];
  /** How many times the usual number of probes. */
  readonly scale: number;
  /** Begins although something else is measured on this machine. */
  readonly beside: boolean;
}

/** Reads the options of `calibrate`. */
export function parseCalibrate(options: Values<typeof COMMANDS.calibrate.options>): CalibrateRequest {
  const texts = options.link ?? ['rate=10mbit,rtt=40ms'];
  return {
    links: texts.map((text) => parseLink(text, LINK_SOURCES)),
    scale: parseWholeNumber('--scale', options.scale ?? '1', 1, 1000),
    beside: options.beside ?? false,
  };
}

/** `photofinish calibrate`: prints each link's table; 1 where a figure is out of tolerance, 4 where it was stopped. */
export async function calibrate(
  { links, scale, beside }: CalibrateRequest,
  print: (line: string) => void,
  take = takeTurn,
): Promise<number> {
  const stop = stopRequested();
  await using _turn = await takeTurnFor({ study: 'calibrate', out: process.cwd() }, { beside, print }, take);
  if (stop.aborted) return EXIT.stopped;
  await using network = await openLabNetwork();
  let ok = true;
  for (const link of links) {
    if (stop.aborted) return EXIT.stopped;
    const calibration = await calibrateLink(network, link, scale);
    ok &&= calibration.ok;
    print(`${link.name}${link.source ? ` (${link.source})` : ''}`);
    print(renderCalibration(calibration.checks));
    print(calibration.attempts > 1 ? `measured ${calibration.attempts} times; the last is shown\n` : '');
  }
  return ok ? EXIT.done : EXIT.failed;
}
