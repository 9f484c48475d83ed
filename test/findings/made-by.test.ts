import { expect, test } from '@jest/globals';
import { madeBy } from '../../harness/findings/made-by.ts';
import type { Summary } from '../../harness/findings/summary.ts';

const VERSION: Summary['version'] = {
  chromium: '156.0.8078.108 (headless shell)',
  servers: { nginx: '1.30.6, OpenSSL 3.6.5', apache: '2.4.69, OpenSSL 3.6.5' },
};

const NGINX = { ...VERSION, servers: { nginx: '1.30.6, OpenSSL 3.6.5' } };

function from(servers: readonly string[], version: Summary['version'] = VERSION): string {
  return madeBy({ version, conditions: servers.map((server) => ({ server })) as never });
}

test.each<[string, string, string]>([
  ['one server', from(['nginx', 'nginx'], NGINX), 'by Chromium 156 from nginx 1.30.6'],
  ['two', from(['nginx', 'apache']), 'by Chromium 156 from nginx 1.30.6 and apache 2.4.69'],
  ['one of an arm', from(['nginx']), 'by Chromium 156 from nginx 1.30.6 and apache 2.4.69'],
  ['one whose version is unknown', from(['remote'], { ...VERSION, servers: {} }), 'by Chromium 156 from remote'],
  ['many', from(['nginx', 'apache', 'caddy', 'haproxy']), 'by Chromium 156 from 4 servers'],
  ['no session yet', from(['nginx'], {}), 'from nginx'],
])('loads are told by browser and server: %s', (_, told, expected) => {
  expect(told).toBe(expected);
});
