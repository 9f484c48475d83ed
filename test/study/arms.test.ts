import { expect, test } from '@jest/globals';
import { renderFlags } from '../../harness/browser/flags.ts';
import { originFor } from '../../harness/model/arm.ts';
import { UsageError } from '../../harness/model/errors.ts';
import { parseBrowserFlag } from '../../harness/study/arms.ts';

const OPTIONS = {
  ...{ address: '10.0.0.1', spki: 'x', quicOrigins: [originFor('h3', 'cold')], profile: '/p' },
  ...{ keyLog: '/k', netLog: '/n' },
};
/** Said again they change nothing, or what may well be the difference that an arm is. */
const LEFT_TO_ARMS = ['--password-store=basic', '--quic-client-connection-options=IW10'];

test('no arm may set what the harness sets to a value, or what makes a browser of a kind', () => {
  const all = (['tcp', 'quic', 'discovering'] as const).flatMap((kind) => renderFlags({ kind, ...OPTIONS }));
  const own = all.filter((flag) => (flag.includes('=') || /quic|debugging/.test(flag)) && !LEFT_TO_ARMS.includes(flag));
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
