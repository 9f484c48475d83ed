import { describe, expect, test } from '@jest/globals';
import { type FlagOptions, renderFlags } from '../../harness/browser/flags.ts';
import { confined } from '../../harness/browser/launch.ts';
import { forcedAt, originsAt, tells } from '../../harness/model/arm.ts';
import { expectGolden } from '../golden/golden.ts';

const H3_ORIGINS = originsAt(0).filter(({ protocol }) => protocol === 'h3');
const OPTIONS: Omit<FlagOptions, 'kind'> = {
  address: '10.77.0.21',
  spki: 'c3BraQ==',
  profile: '/run/profile',
  quicOrigins: H3_ORIGINS.filter((origin) => !tells(origin)).map(forcedAt),
};

test('all flags of the browser that speaks QUIC', () => {
  expectGolden('chromium-quic.txt', `${renderFlags({ ...OPTIONS, kind: 'quic' }).join('\n')}\n`);
});

test('the headless shell has the same ones, but is headless by itself, and has to be told to let no page open windows', () => {
  const [first, ...others] = renderFlags({ ...OPTIONS, kind: 'quic' });
  expect(first).toBe('--headless=new');
  const ofShell = renderFlags({ ...OPTIONS, kind: 'quic', isShell: true });
  expect(ofShell).toEqual(['--block-new-web-contents', ...others]);
});

describe('the browsers differ in nothing but QUIC', () => {
  const rest = (kind: FlagOptions['kind']) => renderFlags({ ...OPTIONS, kind }).filter((flag) => !/quic/.test(flag));
  test.each(['tcp', 'discovering'] as const)('%s', (kind) => {
    expect(rest(kind)).toEqual(rest('quic'));
  });
  test('one has it off, one is forced, one is free', () => {
    const quic = (kind: FlagOptions['kind'], quicOrigins = OPTIONS.quicOrigins) =>
      renderFlags({ ...OPTIONS, kind, quicOrigins }).filter((flag) => /quic/.test(flag));
    expect(quic('tcp')).toEqual(['--disable-quic']);
    const window = '--quic-client-connection-options=IW10';
    // Its list forces nothing: it has certificates of unknown roots accepted over QUIC.
    const told = H3_ORIGINS.filter(tells).map(forcedAt);
    expect(quic('discovering', told)).toEqual([
      ...['--enable-quic', window, '--origin-to-force-quic-on=h3.photofinish.test:9'],
    ]);
    expect(quic('discovering', [])).toEqual(['--enable-quic', window]);
    expect(quic('offered', told)).toEqual(quic('discovering', told));
    expect(quic('quic')).toEqual([
      ...['--enable-quic', window],
      '--origin-to-force-quic-on=h3.photofinish.test:4433,h3.photofinish.test:4443',
    ]);
  });
});

test('a sandbox is done without only where the machine lets there be none', () => {
  expect(confined(['--a'], { sandboxed: true })).toEqual(['--a']);
  expect(confined(['--a'], { sandboxed: false })).toEqual(['--a', '--no-sandbox']);
  expect(renderFlags({ ...OPTIONS, kind: 'tcp' })).not.toContain('--no-sandbox');
});

test('what is written down besides is asked for', () => {
  const flags = renderFlags({ ...OPTIONS, kind: 'tcp', keyLog: '/k', netLog: '/n' });
  expect(flags.slice(-2)).toEqual(['--ssl-key-log-file=/k', '--log-net-log=/n']);
});

test('one to which offers are made looks names up, by the resolver that asks for HTTPS records', () => {
  const flags = renderFlags({ ...OPTIONS, kind: 'offered' });
  expect(flags).toContain('--enable-features=AsyncDns');
  expect(flags.find((flag) => flag.startsWith('--disable-features='))).not.toContain('AsyncDns');
  expect(flags).toContain('--host-resolver-rules=EXCLUDE *.photofinish.test, MAP * ~NOTFOUND');
});
