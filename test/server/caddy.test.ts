import { describe, expect, test } from '@jest/globals';
import { originsAt } from '../../harness/model/arm.ts';
import { parseCaddyLog, renderCaddy } from '../../harness/server/caddy.ts';
import { expectGolden } from '../golden/golden.ts';
import { originsOf, SETTINGS } from './settings.ts';

test('the configuration as a whole, of two origins', () => {
  const origins = originsOf(['h2', 'h3']).filter(
    ({ protocol, reception }) => (protocol === 'h2') === (reception === 'first'),
  );
  expectGolden('caddy.txt', renderCaddy({ ...SETTINGS, origins: origins.slice(0, 2) }));
});

describe('an origin', () => {
  const { servers } = JSON.parse(renderCaddy(SETTINGS)).apps.http;

  test.each(originsAt(0).map(({ protocol, reception, port }) => [`${protocol}-${reception}`, port]))(
    '%s is there',
    (name, port) => {
      expect(servers[name!]).toMatchObject({ listen: [`10.77.0.21:${port}`] });
    },
  );

  test.each([
    ['h1-first', ['h1'], 'Not-Svc'],
    ['h2-first', ['h1', 'h2'], 'Not-Svc'],
    ['h3-first', ['h3'], 'Alt-Svc'],
    ['h3-discovering', ['h1', 'h2', 'h3'], 'Alt-Svc'],
    ['h1c-first', ['h1'], 'Not-Svc'],
  ])('%s speaks %j, and tells of H3 by %s', (name, protocols, header) => {
    const { routes, ...server } = servers[name];
    expect(server).toMatchObject({ protocols });
    expect(Object.keys(routes[0].handle[1].response.set)).toEqual([header]);
  });
});

// Lines as Caddy 2.11 wrote them.
const LINES = `{"level":"info","ts":1795284511.153013,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"10.77.0.11","remote_port":"32398","client_ip":"10.77.0.11","proto":"HTTP/2.0","method":"POST","host":"h2.photofinish.test:4432","uri":"/uploads","tls":{"resumed":false,"version":772,"cipher_suite":4865,"proto":"h2","server_name":"h2.photofinish.test","ech":false}},"bytes_read":200000,"user_id":"","duration":0.248599845,"size":92,"status":200,"port":"4432"}
{"level":"info","ts":1795284513.8324356,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"10.77.0.11","remote_port":"12897","client_ip":"10.77.0.11","proto":"HTTP/3.0","method":"GET","host":"h3.photofinish.test:4433","uri":"/upload-txt-200kb/index.html","tls":{"resumed":true,"version":772,"cipher_suite":4865,"proto":"h3","server_name":"h3.photofinish.test","ech":false}},"bytes_read":0,"user_id":"","duration":0.000232485,"size":1535,"status":200,"port":"4433"}
`;

test('a line is a request as the server saw it', () => {
  expect(parseCaddyLog(LINES)).toEqual([
    {
      timeMs: 1_795_284_511_153.013,
      port: 4432,
      clientPort: 32_398,
      protocol: 'h2',
      tls: 'TLSv1.3',
      resumed: false,
      earlyData: false,
      method: 'POST',
      request: '/uploads',
      status: 200,
      bodyBytes: 92,
      seconds: 0.248599845,
    },
    expect.objectContaining({ protocol: 'h3', resumed: true, port: 4433, bodyBytes: 1535 }),
  ]);
});

test('a request in the clear has no TLS', () => {
  const [line] = LINES.replaceAll(/"tls":\{.*?\}/g, '"nothing":{}').split('\n');
  expect(parseCaddyLog(`${line}\n`)).toMatchObject([{ tls: '', resumed: false }]);
});
