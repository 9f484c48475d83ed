import { describe, expect, test } from '@jest/globals';
import { originsAt } from '../../harness/model/arm.ts';
import { nginx } from '../../harness/server/nginx.ts';
import { expectGolden } from '../golden/golden.ts';
import { SETTINGS } from './settings.ts';

function render(altSvc?: boolean): string {
  return nginx.render({ ...SETTINGS, altSvc })['nginx.conf']!;
}

test('the configuration as a whole', () => {
  expectGolden('nginx.conf', render());
});

test.each(['send_timeout', 'client_header_timeout', 'keepalive_timeout'])(
  'whatever waits long for its turn is not given up by the default of %s, a minute',
  (name) => {
    expect(render()).toContain(`  ${name} 900s;`);
  },
);

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
    for (const text of servers)
      expect(text.includes('quic_retry on')).toBe(/name h3-(?:returning|remembering);/.test(text));
  });

  test('gives tickets to those who come back, and to nobody else', () => {
    for (const text of servers)
      expect(text.includes('ssl_session_tickets on')).toBe(/-(?:returning|remembering);/.test(text));
  });
});

test('only one test takes Alt-Svc away', () => {
  expect(render(false)).toBe(render().replaceAll("Alt-Svc 'h3", "Not-Svc 'h3"));
});
