import { SEEN_AS } from '../devtools-log.ts';
import { discovers, type Flaw, more, strayReason, type Testimony, withOrigins } from './testimony.ts';

/** Proof 1: every request of the page came over its origin's protocol. */
export function proveProtocol(testimony: Testimony): Flaw | undefined {
  const answered = withOrigins(testimony).filter(([{ protocol }]) => protocol !== undefined && protocol !== '');
  // A visit that discovers H3 begins on H2; what must happen is the switch.
  const others = answered.filter(
    ([{ protocol }, origin]) => protocol !== SEEN_AS[origin.protocol] && !(discovers(origin) && protocol === 'h2'),
  );
  if (others.length === 0) return undefined;
  const [{ url, protocol }, origin] = others[0]!;
  const says = `${url} came over ${protocol}, not ${SEEN_AS[origin.protocol]}${more(others)}`;
  return { status: 'failed', reason: strayReason(origin.protocol), says };
}
