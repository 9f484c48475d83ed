import { expect, test } from '@jest/globals';
import { recordUndisturbed } from '../../../harness/browser/record/undisturbed.ts';
import { UsageError } from '../../../harness/model/errors.ts';
import type { SeenPage } from '../../../harness/model/recording.ts';

const CHANGED = 'net::ERR_NETWORK_CHANGED';
const PAGE: SeenPage = {
  url: 'https://shop.example/',
  atMs: 0,
  seed: 1,
  device: 'desktop',
  by: 'Chromium',
  exchanges: [],
  leftOut: [],
  notes: [],
};
const leaving = (why: string): SeenPage => ({ ...PAGE, leftOut: [{ what: 'GET https://shop.example/a.css', why }] });

/** Records as the outcomes say, one after the other, and says how often it was asked. */
async function recordAs(...outcomes: readonly (SeenPage | Error)[]) {
  const { signal } = new AbortController();
  let asked = 0;
  const record = async () => {
    const outcome = outcomes[asked]!;
    asked += 1;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const seen = await recordUndisturbed(record, signal).catch((error: Error) => error.message);
  return { seen, asked };
}

test('a page is recorded once, whatever else it left out', async () => {
  const seen = leaving('net::ERR_CONNECTION_REFUSED');
  expect(await recordAs(seen)).toEqual({ seen, asked: 1 });
});

test('it is recorded again where the network of the machine changed meanwhile', async () => {
  const unopened = new UsageError(`https://shop.example/ cannot be opened: ${CHANGED}`);
  expect(await recordAs(leaving(CHANGED), PAGE)).toEqual({ seen: PAGE, asked: 2 });
  expect(await recordAs(unopened, PAGE)).toEqual({ seen: PAGE, asked: 2 });
  const cutShort = { broken: `it ended early (${CHANGED})` } as SeenPage['exchanges'][number];
  expect(await recordAs({ ...PAGE, exchanges: [cutShort] }, PAGE)).toEqual({ seen: PAGE, asked: 2 });
});

test('where it changes all the time the recording says so, and a page that never opened is an error', async () => {
  const seen = leaving(CHANGED);
  const note = 'the network of this machine changed while the page loaded';
  expect(await recordAs(seen, seen, seen)).toEqual({ seen: { ...seen, notes: [note] }, asked: 3 });
  const unopened = new UsageError(`it cannot be opened: ${CHANGED}`);
  expect(await recordAs(unopened, unopened, unopened)).toEqual({ seen: unopened.message, asked: 3 });
});

test('other errors end it at once', async () => {
  expect(await recordAs(new UsageError('net::ERR_NAME_NOT_RESOLVED'))).toMatchObject({ asked: 1 });
});

test('a recording that is stopped is none, and is not made again', async () => {
  const stop = new AbortController();
  let asked = 0;
  const record = async () => {
    asked += 1;
    stop.abort();
    return leaving(CHANGED);
  };
  await expect(recordUndisturbed(record, stop.signal)).rejects.toThrow('aborted');
  await expect(recordUndisturbed(record, stop.signal)).rejects.toThrow('aborted');
  expect(asked).toBe(1);
});
