import { describe, expect, test } from '@jest/globals';
import { EarlierVisitError } from '../../harness/browser/visit.ts';
import type { BrowserCapture, Capture } from '../../harness/model/capture.ts';
import { DEVICES } from '../../harness/model/device.ts';
import type { Link } from '../../harness/model/link.ts';
import type { Page } from '../../harness/model/page.ts';
import type { Counters } from '../../harness/network/counters.ts';
import { type Party, runTrial, type Surroundings } from '../../harness/run/trial.ts';
import { linkOf } from '../links.ts';

const LINK = linkOf('rtt=0ms');
const counters = { zero: async () => {}, read: async () => ({}), frames: () => 0 } as unknown as Counters;
const SERVER_SILENT = { part: 'server', says: 'nginx did not answer within 1.5 s' } as const;

interface Fault {
  /** How the load ended; of several at once the last. */
  readonly ending?: BrowserCapture['ending'];
  /** What went wrong before it. */
  readonly before?: Error;
  /** What is found where each part of the lab is asked. */
  readonly found?: Capture['broken'];
  /** Whether the browser is still there, and answers. */
  readonly connected?: boolean;
  readonly answers?: boolean;
  /** How many load at once. */
  readonly loads?: number;
  readonly isQuick?: boolean;
  /** The link, and what has died once it was asked. */
  readonly link?: Link;
  readonly foundOfLink?: Capture['broken'];
}

/** A trial in a lab in which something is at fault, and what was asked for it. */
async function tryWith(fault: Fault) {
  const {
    ending,
    before,
    found,
    connected = true,
    answers = true,
    loads = 1,
    isQuick,
    link = LINK,
    foundOfLink,
  } = fault;
  const asked: string[] = [];
  const shares: (string | undefined)[] = [];
  const launched = {
    browser: { connected },
    answers: async () => {
      asked.push('browser');
      return answers;
    },
    inFront: <T>(work: () => Promise<T>, share?: string) => {
      shares.push(share);
      return work();
    },
  };
  let visits = 0;
  const openVisitor = () => {
    visits += 1;
    const ends = ending && visits === loads ? { ending } : {};
    return {
      load: async () => ({ capture: { events: [], digests: {}, ...ends }, host: { cores: [] } }),
      async [Symbol.asyncDispose]() {},
    };
  };
  const page: Page = { url: 'https://a.test/', visit: 'cold', origins: [{} as never], objects: [] };
  const party = {
    launched,
    trial: { page, device: DEVICES.desktop, timeoutMs: 1_000, isQuick },
    client: counters,
    server: counters,
    log: { skip() {}, take: () => [], takeWords: () => [] },
    endConnections: async () => {},
  } as unknown as Party;
  const around: Surroundings = {
    room: {
      prepare() {},
      ready: async () => {},
      async take() {
        if (before) throw before;
        return openVisitor();
      },
    },
    serverPids: () => {
      shares.push('servers');
      return [];
    },
    counters: [counters],
    link,
    beyondMs: 0,
    spareLoss: async () => {},
    findDead: () => (asked.includes('link') ? foundOfLink : undefined),
    askLink: async () => void asked.push('link'),
    async ask() {
      asked.push('parts');
      return found;
    },
  };
  const { broken, browser } = await runTrial([party, ...Array<Party>(loads - 1).fill(party)], around);
  return { broken, asked, ended: browser.ending, shares };
}

describe('whose fault it is that a load has no answer', () => {
  test.each(['timeout', 'network'] as const)('%s: a part of the lab that is silent, before the browser', async (by) => {
    const { broken, asked } = await tryWith({ ending: { by, says: '' }, found: SERVER_SILENT, answers: false });
    expect([broken, asked]).toEqual([SERVER_SILENT, ['parts']]);
  });

  test('a browser that is silent, where all parts answer', async () => {
    const { broken } = await tryWith({ ending: { by: 'timeout', says: '' }, answers: false });
    expect(broken).toEqual({ part: 'harness', says: 'the browser did not answer and was killed' });
  });

  test('the browser of a client beside the first, whose load alone had no answer', async () => {
    const { broken } = await tryWith({ ending: { by: 'timeout', says: '' }, answers: false, loads: 2 });
    expect(broken).toMatchObject({ part: 'harness' });
  });

  test('the arm’s, where all answer', async () => {
    const { broken, asked } = await tryWith({ ending: { by: 'timeout', says: '' } });
    expect([broken, asked]).toEqual([undefined, ['parts', 'browser']]);
  });

  test.each(['page-crash', 'browser-crash', 'abort'] as const)('%s tells by itself: nothing is asked', async (by) => {
    const { broken, asked } = await tryWith({ ending: { by, says: '' }, found: SERVER_SILENT, answers: false });
    expect([broken, asked]).toEqual([undefined, []]);
  });
});

test('an earlier visit without an answer is judged as a load is', async () => {
  const before = new EarlierVisitError({ by: 'timeout', says: 'not done' });
  expect((await tryWith({ before, found: SERVER_SILENT })).broken).toEqual(SERVER_SILENT);
  const { broken, ended } = await tryWith({ before });
  expect([broken, ended]).toEqual([undefined, { by: 'timeout', says: 'the visit before the visit: not done' }]);
});

test('after a load over a trace the link is asked whether it still follows it, and after others it is not', async () => {
  const foundOfLink = { part: 'link', says: 'what plays its trace ended' } as const;
  const { broken, asked } = await tryWith({ link: linkOf('train,rtt=0ms'), foundOfLink });
  expect([broken, asked]).toEqual([foundOfLink, ['link']]);
  expect(await tryWith({ foundOfLink })).toMatchObject({ broken: undefined, asked: [] });
});

test('a browser that was killed before its load makes the load void; what else fails there is a bug', async () => {
  const before = new Error('Target closed');
  const { broken } = await tryWith({ before, connected: false });
  expect(broken).toEqual({ part: 'harness', says: 'the browser ended outside a page load: Target closed' });
  await expect(tryWith({ before })).rejects.toThrow('Target closed');
});

test('the browsers of a quick load come before all others, and of any other load before all that is not timed', async () => {
  expect((await tryWith({ isQuick: true, loads: 2 })).shares).toEqual(['servers', 'first', 'first']);
  expect((await tryWith({})).shares).toEqual(['servers', 'timed']);
});
