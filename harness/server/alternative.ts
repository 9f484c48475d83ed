import type { Origin } from '../model/arm.ts';

/**
 * The header by which a server tells of H3. Without it Chromium treats a forced h3 origin as one without priorities and
 * holds low-priority requests to six at a time. The other arms send a header of the same length that says nothing.
 */
export function alternativeOf({ protocol, port }: Pick<Origin, 'protocol' | 'port'>, altSvc = true) {
  return { name: protocol === 'h3' && altSvc ? 'Alt-Svc' : 'Not-Svc', value: `h3=":${port}"; ma=86400` };
}
