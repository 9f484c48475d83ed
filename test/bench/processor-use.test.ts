import { expect, test } from '@jest/globals';
import { kindOf } from '../../harness/bench/processor-use.ts';

test.each([
  ['/usr/lib/chromium/chromium\0--headless=new\0--user-data-dir=/x', 'chromium browser'],
  ['/usr/lib/chromium/chromium-headless-shell\0--user-data-dir=/x', 'chromium browser'],
  ['/usr/lib/chromium/chromium --type=renderer --enable-x --lang=en', 'chromium renderer'],
  ['/usr/lib/chromium/chromium\0--type=utility\0--utility-sub-type=network.mojom.NetworkService', 'chromium network'],
  ['nginx: worker process', 'nginx'],
  ['/work/node_modules/.bin/node\0harness/cli.ts', 'node'],
  ['/usr/bin/linux.uml mem=256M root=/dev/root', 'linux.uml'],
  ['', 'kernel'],
])('%s is called %s', (command, kind) => {
  expect(kindOf(command)).toBe(kind);
});
