import { expect, test } from '@jest/globals';
import { renderFlags } from '../../harness/browser/flags.ts';
import { originFor } from '../../harness/model/arm.ts';
import { UsageError } from '../../harness/model/errors.ts';
import { parseBrowserFlag } from '../../harness/study/arms.ts';

const OPTIONS = {
  ...{ address: '10.0.0.1', spki: 'x', quicOrigins: [originFor('h3', 'cold')], profile: '/p' },
  ...{ keyLog: '/k', netLog: '/n' },
};
/** Said again they change nothing, or nothing that a result rests on. */
const HARMLESS = ['--password-store=basic'];

test('no arm may set what the harness sets to a value, or what makes a browser of a kind', () => {
  const all = (['tcp', 'quic', 'discovering'] as const).flatMap((kind) => renderFlags({ kind, ...OPTIONS }));
  const own = all.filter((flag) => (flag.includes('=') || /quic|debugging/.test(flag)) && !HARMLESS.includes(flag));
  expect(own.length).toBeGreaterThan(10);
  for (const flag of own) expect(() => parseBrowserFlag(flag, 'here')).toThrow(UsageError);
});

test.each(['--quic-version=h3', '--enable-features=A,B', '--disable-background-networking', '--js-flags=--no-opt'])(
  'an arm may set %s',
  (flag) => {
    expect(parseBrowserFlag(flag, 'here')).toBe(flag);
  },
);

test.each(['', '-x', '--', '--=x', 'https://a.b', '--a b', '--A', '--proxy-server=a', '--host-rules=MAP * a'])(
  'an arm may not set %j',
  (flag) => {
    expect(() => parseBrowserFlag(flag, 'here')).toThrow(/^here: '.*' will not do \(.*\); allowed: /);
  },
);
