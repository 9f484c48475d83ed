import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'puppeteer-core';
import { renderRecordingFlags } from '../../../harness/browser/flags.ts';
import { asLaunched, startBrowser } from '../../../harness/browser/launch.ts';
import { chromiumAt, findProgram } from '../../../harness/browser/program.ts';
import { recordPage } from '../../../harness/browser/record/record-page.ts';
import { openFirstVisitor } from '../../../harness/browser/visit.ts';
import { measurementOf } from '../../../harness/measurement/measurement.ts';
import { DEVICES } from '../../../harness/model/device.ts';
import { type Lab, openLab } from '../../../harness/run/lab.ts';
import { findSite } from '../../../harness/run/sites.ts';
import { findConfinement } from '../../../harness/system/confinement.ts';
import { SCRATCH } from '../../../harness/system/enclosure.ts';
import { type Argv, run, succeeds } from '../../../harness/system/process.ts';
import { readTools } from '../../../harness/system/tools.ts';
import { inPeace } from '../../in-peace.ts';
import { figuresOf } from '../figures.ts';
import { labTest, noLab } from '../lab.ts';
import { findProcesses } from '../processes.ts';
import { HOARD, scriptedSite } from '../scripted-site.ts';
import { waysOfThisMachine } from '../ways.ts';

/** What pages do to browsers that open them, as scripts that run while they load. */
const DEEDS: Readonly<Record<string, string>> = {
  alerts: "alert('hello'); confirm('sure?'); prompt('name?'); window.photofinishAsked = true;",
  leaves: "addEventListener('beforeunload', (event) => event.preventDefault());",
  opens: "open('/few-small/index.html'); open('about:blank', '_blank', 'width=100');",
  hoards: HOARD,
  downloads:
    "const a = document.createElement('a'); a.download = 'x.bin'; a.href = URL.createObjectURL(new Blob(['x'])); a.click();",
};

/** What the caller's environment has, and no program of the lab's may have. */
const SECRET = 'hunter2-of-the-caller';

let folder: string;
let lab: Lab;
let ways: ReturnType<typeof waysOfThisMachine>;
beforeAll(async () => {
  if (noLab !== undefined) return;
  ways = waysOfThisMachine();
  folder = mkdtempSync(join(tmpdir(), 'photofinish-held-'));
  process.env.CI_TOKEN = SECRET;
  lab = await openLab({
    sites: [
      findSite('few-small'),
      ...Object.entries(DEEDS).map(([name, script]) => scriptedSite(folder, name, script)),
    ],
  });
}, 120_000);
afterAll(async () => {
  delete process.env.CI_TOKEN;
  await lab?.[Symbol.asyncDispose]();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

const ordinary = { protocol: 'h2', visit: 'cold', device: 'desktop', timeoutMs: 15_000 } as const;

function loadOf(site: string) {
  return figuresOf(async () =>
    measurementOf({ condition: site, block: 0, arm: 'h2' }, await lab.load({ site, ...ordinary })),
  );
}

/** What the kernel says of a process: its user, its capabilities, and what it may gain. */
function statusOf(pid: number): Readonly<Record<string, string>> {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/:\s+/, 2) as [string, string]));
}

/** What the kernel says of the processes that match; those of a visitor who leaves may end meanwhile. */
function statusesOf(pattern: RegExp): readonly (readonly [pid: number, Readonly<Record<string, string>>])[] {
  return findProcesses(pattern).flatMap((pid) => {
    try {
      return [[pid, statusOf(pid)] as const];
    } catch {
      return [];
    }
  });
}

describe('a browser may do nothing here', () => {
  labTest(
    'neither it nor what it starts has a right of root, and what pages run is in its sandbox',
    async () => {
      await loadOf('few-small');
      const { asRoot, sandboxed } = await findConfinement(findProgram('tcp', readTools()).path);
      expect(asRoot).toBe(false);
      const all = statusesOf(/\/chromium/).filter(([pid]) => pid !== process.pid);
      expect(all.length).toBeGreaterThan(5);
      for (const [pid, { Uid, Gid, Groups, CapEff, CapPrm, NoNewPrivs }] of all) {
        expect({ pid, ids: `${Uid} ${Gid}`.split(/\s+/).includes('0') && process.geteuid?.() === 0 }).toEqual({
          pid,
          ids: false,
        });
        expect({ Groups: Groups?.trim() ?? '', CapPrm, CapEff, NoNewPrivs }).toMatchObject({ NoNewPrivs: '1' });
      }
      const [main] = findProcesses(/\/chromium\S* .*--remote-debugging-pipe/).filter(
        (pid) => !/--type=/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
      );
      expect(statusOf(main!)).toMatchObject({
        CapEff: '0000000000000000',
        CapBnd: '0000000000000000',
        CapPrm: '0000000000000000',
      });
      // The next visitor's page is opened after a load, while the browser gives way to whatever else is tested.
      const findRenderers = () => statusesOf(/--type=renderer/);
      for (const openedBy = performance.now() + 10_000; findRenderers().length === 0 && performance.now() < openedBy; )
        await setTimeout(50);
      expect(findRenderers().length).toBeGreaterThan(0);
      if (!sandboxed) return;
      // One that was started a moment ago is not in its sandbox yet, and runs no page.
      const until = performance.now() + 5_000;
      const findOutside = () => findRenderers().filter(([, { Seccomp }]) => Seccomp !== '2');
      let outside = findOutside();
      for (; outside.length > 0 && performance.now() < until; outside = findOutside()) await setTimeout(50);
      expect(outside).toEqual([]);
      expect((await lab.describe()).confinement).toEqual({ asRoot: false, keepsRights: false, sandboxed: true });
    },
    60_000,
  );

  labTest(
    'neither it nor a server knows what is in the environment of its caller',
    async () => {
      await loadOf('few-small');
      const environments = [/--remote-debugging-pipe/, /nginx: (worker|master)|\/nginx .*nginx\.conf/].map((pattern) =>
        findProcesses(pattern).map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8')),
      );
      for (const each of environments) expect(each.length).toBeGreaterThan(0);
      expect(environments.map((each) => each.filter((text) => text.includes(SECRET)).length)).toEqual([0, 0]);
    },
    60_000,
  );

  labTest(
    'it cannot read the lab’s keys',
    async () => {
      await loadOf('few-small');
      const { prefix } = await findConfinement(findProgram('tcp', readTools()).path);
      // Browsers make and remove folders in their profiles meanwhile.
      const found = await run(['find', SCRATCH, ...'-name profiles -prune -o -type f -iname *key* -print'.split(' ')]);
      const keys = found.split('\n').filter(Boolean);
      expect(keys.length).toBeGreaterThan(0);
      if (process.geteuid?.() !== 0) return; // It is the same user then, held by its own sandbox.
      for (const key of keys)
        expect([key, await succeeds([...prefix, 'test', '-r', key] as unknown as Argv)]).toEqual([key, false]);
      expect(await succeeds([...prefix, 'test', '-r', '/etc/hostname'] as unknown as Argv)).toBe(true);
    },
    60_000,
  );
});

describe('a page that wants more than to load', () => {
  for (const name of Object.keys(DEEDS))
    labTest(
      `${name}: it loads, as fast as any`,
      async () => {
        await inPeace(async () => expect((await loadOf(name)).pltMs).toBeLessThan(5_000));
        // And so does what comes after it.
        await loadOf('few-small');
      },
      60_000,
    );
});

labTest(
  'this machine has passed on nothing of all these loads, by no interface more than before',
  async () => {
    await loadOf('few-small');
    expect(waysOfThisMachine()).toEqual(ways);
  },
  30_000,
);

describe('a visitor who clicks gets no window and no file', () => {
  const LOOT = 'photofinish-loot.bin';
  const HTML = `<!doctype html><link rel="icon" href="data:,">
<a id="file" href="/${LOOT}">a file</a> <a id="made" download="${LOOT}" href="data:application/octet-stream,x">made</a>
<a id="window" target="_blank" rel="opener" href="/window">a window</a>`;

  /** Clicks on everything, and says what came of it: windows that are open, and files, wherever browsers may write. */
  async function click(page: Page): Promise<unknown> {
    for (const id of ['file', 'made', 'window']) {
      await page.click(`#${id}`);
      await setTimeout(500);
    }
    const isThere = () =>
      page
        .browser()
        .targets()
        .some((target) => target.url().endsWith('/window'));
    for (const until = performance.now() + 5_000; isThere() && performance.now() < until; ) await setTimeout(50);
    const files = (readdirSync(SCRATCH, { recursive: true }) as string[]).filter((name) =>
      /loot|crdownload/.test(name),
    );
    return { windows: isThere(), files };
  }

  async function served<T>(work: (url: string) => Promise<T>): Promise<T> {
    const server = createServer(({ url }, response) => {
      if (url === `/${LOOT}`) response.setHeader('content-type', 'application/octet-stream').end('x');
      else response.setHeader('content-type', 'text/html').end(url === '/' ? HTML : '<!doctype html>window');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  const chromium = () => readTools().chromium.path;
  const how = { device: DEVICES.desktop, insecure: false, resolved: [], signal: new AbortController().signal };

  labTest(
    'while a page is recorded',
    async () => {
      let came: unknown;
      const act = async (page: Page) => {
        came = await click(page);
      };
      await served((url) =>
        recordPage({ ...how, url, act, chromium: chromium(), folder: `${SCRATCH}/clicked`, seed: 1, waitMs: 0 }),
      );
      expect(came).toEqual({ windows: false, files: [] });
    },
    60_000,
  );

  labTest(
    'while a page is loaded',
    async () => {
      const folder = `${SCRATCH}/loaded`;
      const options = { ...how, profile: `${folder}/profile`, netLog: `${folder}/log.json`, logsContents: false };
      const flags = renderRecordingFlags(options);
      await using launched = await asLaunched(await startBrowser({ program: chromiumAt(chromium()), flags, folder }));
      await using visitor = await openFirstVisitor(launched, how.device);
      const came = await served(async (url) => {
        await visitor.load({ url, timeoutMs: 20_000, awaited: [], signal: how.signal });
        const target = launched.browser.targets().find((each) => each.url() === url)!;
        return click((await target.page())!);
      });
      expect(came).toEqual({ windows: false, files: [] });
    },
    60_000,
  );
});
