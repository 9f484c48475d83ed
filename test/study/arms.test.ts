import { expect, test } from '@jest/globals';
import { renderFlags } from '../../harness/browser/flags.ts';
import { originFor } from '../../harness/model/arm.ts';
import { UsageError } from '../../harness/model/errors.ts';
import { parseBrowserFlag } from '../../harness/study/arms.ts';

const OPTIONS = {
  address: '10.0.0.1',
  spki: 'x',
  quicOrigins: [originFor('h3', 'cold')],
  profile: '/p',
  keyLog: '/k',
  netLog: '/n',
};
/** Flags of ours in which an arm may well differ. */
const LEFT_TO_ARMS = ['--quic-client-connection-options=IW10'];

test('no arm may set what the harness sets to a value, or what makes a browser of a kind', () => {
  const all = (['tcp', 'quic', 'discovering'] as const).flatMap((kind) => renderFlags({ kind, ...OPTIONS }));
  const own = all.filter((flag) => (flag.includes('=') || /quic|debugging/.test(flag)) && !LEFT_TO_ARMS.includes(flag));
  expect(own.length).toBeGreaterThan(10);
  for (const flag of own) expect(() => parseBrowserFlag(flag, 'here')).toThrow(UsageError);
});

test.each([
  '--quic-version=h3',
  '--enable-features=A,B',
  '--dns-prefetch-disable',
  '--blink-settings=imagesEnabled=false',
])('an arm may set %s', (flag) => {
  expect(parseBrowserFlag(flag, 'here')).toBe(flag);
});

test.each([
  // Each starts a program, loads code, writes a file, or opens the browser to others.
  ...['--renderer-cmd-prefix=sh', '--utility-cmd-prefix=sh', '--gpu-launcher=sh', '--browser-subprocess-path=/bin/sh'],
  ...['--ppapi-plugin-launcher=sh', '--zygote-cmd-prefix=sh', '--plugin-launcher=sh', '--load-extension=/x'],
  ...['--disable-extensions-except=/x', '--log-file=/etc/cron.d/x', '--enable-logging=/x', '--trace-startup-file=/x'],
  ...['--crash-dumps-dir=/x', '--disk-cache-dir=/etc', '--register-pepper-plugins=/x', '--screenshot=/x'],
  ...[
    '--print-to-pdf=/x',
    '--no-sandbox',
    '--disable-web-security',
    '--allow-file-access-from-files',
    '--single-process',
  ],
  // Each gives a page more than a page may have.
  ...['--enable-blink-features=MojoJS', '--enable-features=A,MojoJSTest', '--blink-settings=webSecurityEnabled=false'],
  ...['--blink-settings=imagesEnabled=false,allowUniversalAccessFromFileURLs=true'],
  ...['--js-flags=--logfile=/etc/x', '--remote-debugging-port=9222', '--enable-features=A\n--no-sandbox', '--x'],
])('an arm may not set %j, whatever its study’s file says', (flag) => {
  expect(() => parseBrowserFlag(flag, 'here')).toThrow(UsageError);
});

test.each(['', '-x', '--', '--=x', 'https://a.b', '--a b', '--A', '--proxy-server=a', '--host-rules=MAP * a'])(
  'an arm may not set %j',
  (flag) => {
    expect(() => parseBrowserFlag(flag, 'here')).toThrow(/^here: ".*" is not valid \(.*\). Expected: /);
  },
);
