import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { followNetLog } from '../../harness/browser/net-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-net-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('each part of a network log is a log of its own', () => {
  const path = join(folder, 'net-log.json');
  const log = followNetLog(path);
  expect(log.take()).toBe('');
  appendFileSync(path, '{"constants":{"a":1},\n');
  expect(log.take()).toBe('');
  appendFileSync(path, '"events": [\n{"time":"1"},\n{"time":"2"},\n');
  expect(JSON.parse(log.take())).toEqual({ constants: { a: 1 }, events: [{ time: '1' }, { time: '2' }] });
  expect(JSON.parse(log.take())).toEqual({ constants: { a: 1 }, events: [] });
  appendFileSync(path, '{"time":"3"},\n{"ti');
  expect(JSON.parse(log.take())).toEqual({ constants: { a: 1 }, events: [{ time: '3' }] });
});
