import { expect, test } from '@jest/globals';
import type { ReplayOrigin } from '../../harness/model/recording.ts';
import { renderReplayServers } from '../../harness/server/replay-nginx.ts';
import { expectGolden } from '../golden/golden.ts';

const origin = (host: string, more: Partial<ReplayOrigin> = {}): ReplayOrigin => ({
  ...{ origin: `https://${host}`, host, port: 443, secure: true, protocol: 'h2', firstParty: false, ...more },
});

test('origins of a recording, as nginx has them', () => {
  const listeners = [
    { address: '10.77.1.2', origin: origin('www.a.test'), protocol: 'h3' },
    { address: '10.77.1.2', origin: origin('cdn.a.test'), protocol: 'h3' },
    { address: '10.77.1.3', origin: origin('b.test'), protocol: 'h1' },
    { address: '10.77.1.3', origin: origin('c.test', { port: 80, secure: false }), protocol: 'h1c' },
  ] as const;
  const text = renderReplayServers({ listeners, backend: '127.0.0.1:4401', tls: ['ssl_session_tickets off;'] });
  expectGolden('nginx-replay.conf', `${text}\n`);
  // A socket's options can be said once only.
  expect(text.match(/reuseport/g)).toHaveLength(1);
  const headers = [...text.matchAll(/add_header (...-Svc '.*?') always/g)].map((match) =>
    match[1]!.replace(/:\d+/, ''),
  );
  expect(new Set(headers.map(({ length }) => length)).size).toBe(1);
});

test.each([
  ['a name that ends the line', origin('a.test; } server { listen 1')],
  ['a name with a variable', origin('$host')],
  ['an empty name', origin('')],
  ['a port that is none', origin('a.test', { port: Number.NaN })],
])('%s is not written', (_, bad) => {
  const listeners = [{ address: '10.77.1.2', origin: bad, protocol: 'h2' as const }];
  expect(() => renderReplayServers({ listeners, backend: '127.0.0.1:1', tls: [] })).toThrow(
    /nothing that nginx can be told/,
  );
});
