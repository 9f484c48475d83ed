import { expect, test } from '@jest/globals';
import { takeTurn } from '../../harness/system/turn.ts';

let number = 0;

function machine() {
  number += 1;
  const name = `photofinish-test-${process.pid}-${number}`;
  const [waits, meets]: [string[], string[]] = [[], []];
  const stop = new AbortController();
  const ask = (study: string, beside = false) =>
    takeTurn({
      own: { study, out: `/${study}` },
      beside,
      stop: stop.signal,
      name,
      waits: (other) => waits.push(`${study} waits for ${other.study} in ${other.out}`),
      meets: (other) => meets.push(`${study} meets ${other.study}`),
    });
  return { waits, meets, stop, ask };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 100));

test('the second waits for the first, says whom it waits for, and has its turn after it', async () => {
  const { waits, ask } = machine();
  const first = await ask('one');
  let began = false;
  const second = ask('two').then((turn) => {
    began = true;
    return turn;
  });
  await soon();
  expect([began, waits]).toEqual([false, ['two waits for one in /one']]);
  await first![Symbol.asyncDispose]();
  await (await second)![Symbol.asyncDispose]();
  await (await ask('three'))![Symbol.asyncDispose]();
});

test('one that is to run beside begins at once, and both know of each other', async () => {
  const { waits, meets, ask } = machine();
  await using _first = await ask('one');
  await using _second = await ask('two', true);
  await soon();
  expect(waits).toEqual([]);
  expect(meets.toSorted()).toEqual(['one meets two', 'two meets one']);
});

test('one that ran beside another has the machine after it: a third waits for both', async () => {
  const { waits, meets, ask } = machine();
  const first = await ask('one');
  await using beside = new AsyncDisposableStack();
  beside.use(await ask('two', true));
  let began = false;
  const third = ask('three').then((turn) => {
    began = true;
    return turn;
  });
  await soon();
  await first![Symbol.asyncDispose]();
  await soon();
  await soon();
  await soon();
  expect([began, waits]).toEqual([false, ['three waits for one in /one', 'three waits for two in /two']]);
  await beside.disposeAsync();
  await (await third)![Symbol.asyncDispose]();
  expect(meets.toSorted()).toEqual(['one meets two', 'two meets one']);
});

test('one that ran beside another and ended before it has no turn to take over', async () => {
  const { ask } = machine();
  const first = await ask('one');
  await (await ask('two', true))![Symbol.asyncDispose]();
  await first![Symbol.asyncDispose]();
  await (await ask('three'))![Symbol.asyncDispose]();
});

test('who is asked to stop waits no more', async () => {
  const { stop, ask } = machine();
  await using _first = await ask('one');
  const second = ask('two');
  await soon();
  stop.abort();
  expect(await second).toBeUndefined();
});
