import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { originsAt } from '../../harness/model/arm.ts';
import { renderNginx } from '../../harness/server/nginx.ts';
import { expectGolden } from '../golden/golden.ts';

const TEMPLATE = readFileSync(new URL('../../nginx/nginx.conf', import.meta.url), 'utf8');

function render(altSvc?: boolean): string {
  const object = (path: string, thinkMs?: number) => ({
    ...{ path, bytes: 1, type: 'image/png', sha256: '' },
    ...(thinkMs !== undefined && { thinkMs }),
  });
  const site = (name: string, thinkMs?: number) => ({
    root: `/cache/${name}-1-1`,
    manifest: { site: name, seed: 1, document: `/${name}/index.html`, objects: [object(`/${name}/a.png`, thinkMs)] },
  });
  return renderNginx(TEMPLATE, {
    host: { namespace: 'lab1-server1', address: '10.77.0.21', device: 'eth0' },
    folder: '/run/photofinish/lab1-server1',
    certificate: { certificate: '/f/certificate.pem', key: '/f/key.pem', spki: '' },
    sites: [site('quick'), site('thoughtful', 100)],
    origins: originsAt(0),
    behind: '127.0.0.1:4401',
    backend: '127.0.0.1:4400',
    holdFile: '/run/photofinish/lab1-server1/hold',
    ...(altSvc !== undefined && { altSvc }),
  });
}

test('the configuration as a whole', () => {
  expectGolden('nginx.conf', render());
});

describe('an origin', () => {
  const servers = render()
    .split(/^ {2}server \{$/m)
    .slice(1);
  const serverOf = (name: string) => servers.find((text) => text.includes(`server_name ${name};`))!;

  test.each(originsAt(0).map(({ protocol, reception }) => `${protocol}-${reception}`))('%s is there', (name) => {
    expect(serverOf(name)).toBeDefined();
  });

  test('sends as many bytes of headers as every other', () => {
    const lengths = servers.map((text) => /add_header (...-Svc '.*?')/.exec(text)![1]!.length);
    expect(new Set(lengths).size).toBe(1);
  });

  test('tells of H3 where it speaks it, and nowhere else', () => {
    for (const text of servers) expect(text.includes('Alt-Svc')).toBe(/ quic /.test(text));
  });

  test('has an address proven, and so gives out tokens for it, only where visitors of h3 come back', () => {
    for (const text of servers) expect(text.includes('quic_retry on')).toBe(text.includes('name h3-returning;'));
  });

  test('gives tickets to those who come back, and to nobody else', () => {
    for (const text of servers) expect(text.includes('ssl_session_tickets on')).toBe(text.includes('-returning;'));
  });
});

test('only one test takes Alt-Svc away', () => {
  expect(render(false)).toBe(render().replaceAll("Alt-Svc 'h3", "Not-Svc 'h3"));
});
