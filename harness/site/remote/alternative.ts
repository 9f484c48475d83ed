import { type Header, headerOf } from '../../model/recording.ts';

/**
 * Whether headers tell of H3 at a server's own host and port (RFC 7838): a browser that has QUIC forced goes there, and
 * nowhere else.
 */
export function tellsOfH3(
  headers: readonly Header[],
  { host, port }: { readonly host: string; readonly port: number },
) {
  const told = headerOf(headers, 'alt-svc') ?? '';
  return [...told.matchAll(/(?:^|,)\s*h3="([^":]*):(\d+)"/g)].some(
    ([, at, atPort]) => (at === '' || at === host) && Number(atPort) === port,
  );
}
