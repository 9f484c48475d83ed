import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { measure, parseMeasure } from '../../harness/commands/measure.ts';
import { EXIT } from '../../harness/model/exit-code.ts';
import { requestStop, stopRequested } from '../../harness/system/stop.ts';

test('a study that is stopped while a page is looked at ends as one that is stopped, and has begun nothing', async () => {
  const out = join(tmpdir(), `photofinish-stopped-${process.pid}`);
  stopRequested();
  requestStop();
  const said: string[] = [];
  const request = parseMeasure({ site: ['https://shop.example/'], link: ['4g'], out });
  expect(await measure(request, { write: (text) => said.push(text) })).toBe(EXIT.stopped);
  expect(said).toEqual([]);
  expect(existsSync(out)).toBe(false);
});
