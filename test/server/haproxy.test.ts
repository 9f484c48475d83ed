import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { originsAt } from '../../harness/model/arm.ts';
import type { ServerSettings } from '../../harness/server/adapter.ts';
import { haproxy, parseHaproxyLog, renderHaproxy } from '../../harness/server/haproxy.ts';
import { expectGolden } from '../golden/golden.ts';
import { SETTINGS } from './settings.ts';

const TEMPLATE = readFileSync(new URL('../../nginx/haproxy.cfg', import.meta.url), 'utf8');

function render(settings: Partial<ServerSettings> = {}): string {
  return renderHaproxy(TEMPLATE, { ...SETTINGS, ...settings });
}

test('the configuration as a whole', () => {
  expectGolden('haproxy.cfg', render());
});

describe('an origin', () => {
  const frontends = new Map(
    render()
      .split(/^frontend /m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf('\n')), text]),
  );

  test.each(originsAt(0).map(({ protocol, reception }) => `${protocol}-${reception}`))('%s is there', (name) => {
    expect(frontends.get(name)).toBeDefined();
  });

  test('sends as many bytes of headers as every other', () => {
    const lengths = [...frontends.values()].map((text) => /set-header (...-Svc '.*?')/.exec(text)![1]!.length);
    expect(new Set(lengths).size).toBe(1);
  });

  test('tells of H3 where it speaks it, and nowhere else', () => {
    for (const text of frontends.values()) expect(text.includes('Alt-Svc')).toBe(/ quic4@/.test(text));
  });

  test('gives tickets to those who come back, and to nobody else', () => {
    for (const [name, text] of frontends)
      expect(text.includes('tls-ticket-keys')).toBe(/^h[123]-(?:returning|remembering)$/.test(name));
  });
});

test.each(haproxy.congestions)(
  'the congestion control %s is that of every QUIC listener, and of nothing else',
  (name) => {
    expect(render({ congestion: name })).toBe(render().replaceAll('quic-cc-algo cubic', `quic-cc-algo ${name}`));
  },
);

// Lines as HAProxy 3.2 wrote them.
const LINES = `{"timeMs":1795281619006,"port":4433,"clientPort":12823,"protocol":"HTTP/3.0","tls":"TLSv1.3","resumed":"0","earlyData":"0","method":"GET","request":"/few-small/index.html?x=1","status":200,"bodyBytes":"385","passedBytes":642,"milliseconds":1}
[NOTICE]   (612) : haproxy version is 3.2.26-1
{"timeMs":1795281857225,"port":4443,"clientPort":40129,"protocol":"HTTP/2.0","tls":"TLSv1.3","resumed":"1","earlyData":"1","method":"GET","request":"/many-small/index.html","status":304,"bodyBytes":"-","passedBytes":207,"milliseconds":970}
{"timeMs":1795281857300,"port":4434,"clientPort":40130,"protocol":"HTTP/1.1","tls":"-","resumed":"","earlyData":"","method":"POST","request":"/uploads","status":200,"bodyBytes":"800","passedBytes":300,"milliseconds":12}
`;

test('a line is a request as the server saw it', () => {
  expect(parseHaproxyLog(LINES)).toMatchObject([
    {
      timeMs: 1_795_281_619_006,
      port: 4433,
      clientPort: 12_823,
      protocol: 'h3',
      tls: 'TLSv1.3',
      resumed: false,
      earlyData: false,
      method: 'GET',
      request: '/few-small/index.html?x=1',
      status: 200,
      bodyBytes: 385,
      seconds: 0.001,
    },
    { protocol: 'h2', resumed: true, earlyData: true, status: 304, bodyBytes: 0 },
    { protocol: 'h1', tls: '', resumed: false, bodyBytes: 300 },
  ]);
});
