import { linkFigures } from '../../harness/calibration/link-figures.ts';
import type { LinkFigures } from '../../harness/model/calibration.ts';
import type { Link } from '../../harness/model/link.ts';
import { type CalibrationEffort, measureLink } from '../../harness/network/calibration.ts';
import type { Network } from '../../harness/network/network.ts';

/** Measures what a link does that was asked to be this one: between the first client and server if no others are named. */
export async function measure(
  network: Network,
  asked: Link,
  effort: CalibrationEffort,
  between?: Parameters<typeof measureLink>[3],
): Promise<LinkFigures> {
  return linkFigures(asked, await measureLink(network, asked, effort, between));
}
