import { setTimeout } from 'node:timers/promises';
import type { Calibration } from '../model/calibration.ts';
import { EnvironmentError } from '../model/errors.ts';
import type { StudyEvent } from '../model/event.ts';
import type { TopologyName } from '../model/lab.ts';
import type { Link } from '../model/link.ts';
import type { OpenedLink } from './calibrations.ts';
import type { Lab } from './lab.ts';

/**
 * The pauses between a lab whose link is false and a new one. What else a machine does, or the machine that it is part
 * of, may last for minutes, and must not end a study of hours.
 */
const PATIENCE_MS = [0, 60_000, 120_000];

/** How long to try, and what is told of each attempt. */
export interface Patience {
  readonly stop: AbortSignal;
  readonly tell: (event: StudyEvent & { event: 'false-link' }) => void;
  /** How long to wait before each new lab; set by tests. */
  readonly pausesMs?: readonly number[] | undefined;
}

/**
 * Opens a link that is what it claims, in a new lab if need be; throws where there is none: a study on it would be about
 * another link. Nothing where it was asked to stop meanwhile.
 */
export async function openTrueLink(
  lab: Pick<Lab, 'openLink' | 'renewLab'>,
  { link, topology }: { readonly link: Link; readonly topology?: TopologyName | undefined },
  { stop, tell, pausesMs = PATIENCE_MS }: Patience,
): Promise<OpenedLink | undefined> {
  for (let attempt = 0; ; attempt += 1) {
    const opened = await lab.openLink(link, topology);
    if (opened.calibration.ok) return opened;
    const says = whatIsFalse(opened.calibration);
    const pauseMs = pausesMs[attempt];
    if (pauseMs === undefined)
      throw new EnvironmentError(
        `the link '${link.name}' is not what was asked: ${says}; see: npx photofinish calibrate --link ${link.name}`,
      );
    if (stop.aborted) return undefined;
    tell({ event: 'false-link', link: link.name, says, pauseMs });
    await setTimeout(pauseMs, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return undefined;
    await lab.renewLab(topology);
  }
}

function whatIsFalse({ checks, attempts, stolenShare = 0 }: Calibration): string {
  const { figure, measured, unit, within } = checks.find((check) => !check.ok)!;
  const limits = within!.map((limit) => Number(limit.toFixed(3))).join(' to ');
  const stolen = (100 * stolenShare).toFixed(1);
  return `${figure} is ${Number(measured.toFixed(3))} ${unit}, allowed ${limits}, in the last of ${attempts} measurements, while ${stolen} % of this machine's processor went to others`;
}
