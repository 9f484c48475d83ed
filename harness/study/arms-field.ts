import { z } from 'zod';
import { PROTOCOLS, VISITS } from '../model/arm.ts';
import { ARM_NAME, ARM_NAME_ALLOWED, parseArm, parseBrowserFlag } from './arms.ts';
import { addProblem, knownName, listOf, mappingOf, namedTwice, oneOf, reading, text, textLike } from './fields.ts';
import type { StudySources } from './sources.ts';

const ARM = `${PROTOCOLS.join(', ')}, one of them with a congestion control (h2-bbr), or {name, protocol, server, visit, congestion, browserFlags, beside}`;
/** What a congestion control may be called. */
export const CONGESTION_NAME = /^[a-z0-9_]{1,15}$/;
const CONGESTION = 'the name of a congestion control, as in bbr';

/** The arms of a study: protocols, and mappings that differ in one thing more. */
export function armsField({ servers }: Pick<StudySources, 'servers'>) {
  const flag = reading(text('an argument of Chromium, as in --enable-features=NAME'), parseBrowserFlag);
  const way = {
    protocol: oneOf(PROTOCOLS),
    server: knownName('server', servers).exactOptional(),
    congestion: textLike(CONGESTION_NAME, CONGESTION).exactOptional(),
  };
  const full = mappingOf({
    name: textLike(ARM_NAME, ARM_NAME_ALLOWED),
    ...way,
    visit: oneOf(VISITS).exactOptional(),
    browserFlags: listOf(flag, 'arguments of Chromium').exactOptional(),
    beside: mappingOf(way).exactOptional(),
  });
  const short = reading(text(ARM), parseArm);
  return z
    .array(z.union([short, full], { error: ARM }), { error: 'a list of arms' })
    .min(1, { error: 'a list of arms', abort: true })
    .superRefine((arms, context) => {
      const index = arms.findIndex(({ name }, at) => arms.findIndex((arm) => arm.name === name) !== at);
      if (index !== -1) addProblem(context, namedTwice(arms[index]!.name), [index]);
    });
}
