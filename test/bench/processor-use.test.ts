import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { kindOf, watchProcessors } from '../../harness/bench/processor-use.ts';

test.each([
  ['/usr/lib/chromium/chromium\0--headless=new\0--user-data-dir=/x', 'chromium browser'],
  ['/usr/lib/chromium/chromium --type=renderer --enable-x --lang=en', 'chromium renderer'],
  ['/usr/lib/chromium/chromium\0--type=utility\0--utility-sub-type=network.mojom.NetworkService', 'chromium network'],
  ['nginx: worker process', 'nginx'],
  ['/work/node_modules/.bin/node\0harness/cli.ts', 'node'],
  ['/usr/bin/linux.uml mem=256M root=/dev/root', 'linux.uml'],
  ['', 'kernel'],
])('%s is called %s', (command, kind) => {
  expect(kindOf(command)).toBe(kind);
});

test('who computes is seen to, and the machine with it', async () => {
  const look = watchProcessors();
  const untilMs = performance.now() + 300;
  while (performance.now() < untilMs);
  await setTimeout(20);
  const { machineSeconds, byProcess } = look();
  expect(machineSeconds).toBeGreaterThan(0.15);
  expect(byProcess.get('node')).toBeGreaterThan(0.15);
});
