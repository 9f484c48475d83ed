import { createContext, runInContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { renderSteadyScript, type Steadiness } from '../../harness/browser/steady-script.ts';

/** What an expression comes to in a page of its own that the script ran in first. */
function evaluate(steadiness: Steadiness, expression: string, href = 'https://shop.test/a?b=1'): unknown {
  const { origin, pathname } = new URL(href);
  class Crypto {
    getRandomValues(array: Uint8Array) {
      if (array.byteLength > 65_536) throw new Error('QuotaExceededError');
      return array;
    }
    randomUUID() {
      return 'the own one';
    }
  }
  class Performance {
    get timeOrigin() {
      return 1000;
    }
  }
  const page = createContext({
    location: { href, origin, pathname },
    Crypto,
    crypto: new Crypto(),
    Performance,
    performance: new Performance(),
  });
  runInContext(renderSteadyScript(steadiness), page);
  return JSON.parse(runInContext(`JSON.stringify(${expression})`, page) as string);
}

const HOUR_MS = 3_600_000;
const PAST = { seed: 7, aheadMs: -HOUR_MS };
const DRAWS = '[Math.random(), [...crypto.getRandomValues(new Uint8Array(4))], crypto.randomUUID()]';

test('the same seed draws the same, another seed and another document something else', () => {
  const draws = evaluate(PAST, DRAWS);
  expect(draws).toEqual(evaluate(PAST, DRAWS));
  expect(draws).not.toEqual(evaluate({ ...PAST, seed: 8 }, DRAWS));
  expect(draws).not.toEqual(evaluate(PAST, DRAWS, 'https://shop.test/other'));
  // A query may hold a time.
  expect(draws).toEqual(evaluate(PAST, DRAWS, 'https://shop.test/a?t=1700000000000'));
});

test.each([
  ['Date.now() - OWN', -HOUR_MS],
  ['new Date().getTime() - OWN', -HOUR_MS],
  ['+new Date(Date()) - OWN', -HOUR_MS],
  ['new Date(5).getTime()', 5],
  ['new Date(2020, 1, 1).getFullYear()', 2020],
  ['Date.UTC(2020, 0)', 1_577_836_800_000],
  ['new Date() instanceof Date', true],
  ['new Date().constructor === Date', true],
  ['new (class extends Date { twice() { return 2 } })(9).twice()', 2],
  ['performance.timeOrigin', 1000 - HOUR_MS],
  [
    '/^\\d/.test(new Intl.DateTimeFormat("en").format()) && new Intl.DateTimeFormat("en").format(0).endsWith("0")',
    true,
  ],
  ['(() => { try { crypto.getRandomValues(new Uint8Array(65537)) } catch (e) { return e.message } })()', /Quota/],
  ['crypto.randomUUID()', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
])('%s', (expression, expected) => {
  const value = evaluate(PAST, expression.replaceAll('OWN', `${Date.now()}`));
  if (expected instanceof RegExp) expect(value).toMatch(expected);
  else if (expression.includes('OWN')) expect(Math.abs(Number(value) - Number(expected))).toBeLessThan(2000);
  else expect(value).toEqual(expected);
});

test('without another time the clock is left alone, and twice is as once', () => {
  expect(evaluate({ seed: 1, aheadMs: 0 }, 'Date.toString()')).toMatch(/native code/);
  const twice = `(() => { ${renderSteadyScript(PAST)} return Math.abs(Date.now() - ${Date.now()} + ${HOUR_MS}) < 2000 })()`;
  expect(evaluate(PAST, twice)).toBe(true);
});

test('sockets of a page that was recorded come to nothing at once, whatever it hears them by', async () => {
  class CloseEvent extends Event {
    readonly code: number;
    constructor(type: string, { code }: { code: number }) {
      super(type);
      this.code = code;
    }
  }
  const heard: unknown[] = [];
  const page = createContext({
    location: { href: 'https://shop.test/' },
    EventTarget,
    Event,
    CloseEvent,
    DOMException,
    URL,
    setTimeout,
    heard,
    WebSocket: Object,
  });
  runInContext(renderSteadyScript({ ...PAST, refusesSockets: true }), page);
  runInContext(
    `const socket = new WebSocket('wss://shop.test/socket');
    heard.push(socket.url, socket.readyState, WebSocket.OPEN);
    try { socket.send('early'); } catch (error) { heard.push(error.name); }
    socket.onclose = ({ code }) => heard.push(code, socket.readyState);
    socket.addEventListener('error', ({ type }) => heard.push(type));`,
    page,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(heard).toEqual(['wss://shop.test/socket', 0, 1, 'InvalidStateError', 'error', 1006, 3]);
  const other = createContext({ location: { href: 'https://shop.test/' }, WebSocket: Object });
  runInContext(renderSteadyScript(PAST), other);
  expect(runInContext('WebSocket.name', other)).toBe('Object');
});
