import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { measurementOf } from '../../harness/measurement/measurement.ts';
import type { Protocol } from '../../harness/model/arm.ts';
import { DEVICES, type DeviceName } from '../../harness/model/device.ts';
import { UNLIMITED } from '../../harness/model/link.ts';
import type { LoadFigures } from '../../harness/model/measurement.ts';
import type { GeneratedSite } from '../../harness/model/site.ts';
import { type Lab, openLab } from '../../harness/run/lab.ts';
import { median } from '../../harness/stats/order.ts';
import { inPeace } from '../in-peace.ts';
import { figuresOf } from './figures.ts';
import { labTest } from './lab.ts';
import { cpuMs, findProcesses } from './processes.ts';

const ARMS = ['h1', 'h2', 'h3'] as const;
const SITE = 'compute';
/** A page that computes for half a second or so on its own thread, as does a frame in it. */
const LOOP = 'for (let i = 0, x = 1; i < 8e6; i += 1) x = (x * 1103515245 + 12345) % 2147483648;';

let lab: Lab;
let folder: string;
beforeAll(async () => {
  if (process.env.PHOTOFINISH_NO_LAB !== undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'photofinish-device-'));
  lab = await openLab({ sites: [makeSite()] });
  await lab.setLink(UNLIMITED);
}, 120_000);
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

function makeSite(): GeneratedSite {
  mkdirSync(join(folder, SITE));
  const page = (body: string) => `<!doctype html><link rel="icon" href="data:,"><p>x<script>${LOOP}</script>${body}`;
  const files = { 'index.html': page('<iframe src="frame.html"></iframe>'), 'frame.html': page('') };
  const objects = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, SITE, name), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    return { path: `/${SITE}/${name}`, bytes: text.length, type: 'text/html', sha256 };
  });
  return { root: folder, manifest: { site: SITE, seed: 1, document: objects[0]!.path, objects } };
}

function compute(protocol: Protocol, device: DeviceName): Promise<LoadFigures> {
  return figuresOf(async () => {
    const capture = await lab.load({ site: SITE, protocol, visit: 'cold', device, timeoutMs: 60_000 });
    return measurementOf({ condition: SITE, block: 0, arm: protocol }, capture);
  });
}

labTest(
  'a telephone computes so many times as slowly in every arm, and each load says how slowly it did',
  async () => {
    const { cpuSlowdown: asked } = DEVICES.mobile;
    await inPeace(async () => {
      const desktop: LoadFigures[] = [];
      const mobile: LoadFigures[] = [];
      for (const protocol of ARMS) {
        desktop.push(await compute(protocol, 'desktop'));
        mobile.push(await compute(protocol, 'mobile'));
      }
      expect(desktop.map(({ cpuSlowdown }) => cpuSlowdown)).toEqual([undefined, undefined, undefined]);
      const own = median(desktop.map(({ pltMs }) => pltMs));
      const found = mobile.map(({ pltMs, cpuSlowdown = 0 }) => [pltMs / own, cpuSlowdown]);
      const isAsAsked = (factor: number) => factor > 0.8 * asked && factor < 1.3 * asked;
      expect([found, found.flat().every(isAsAsked)]).toEqual([found, true]);
      // The page's thread never rests, whichever cores it is on.
      expect([...desktop, ...mobile].map(({ cpuBound }) => cpuBound)).toEqual(Array(6).fill(true));
    });
  },
  120_000,
);

labTest(
  'a visitor with a telephone who waits for his load takes no core meanwhile',
  async () => {
    for (const protocol of ARMS) await compute(protocol, 'mobile');
    await inPeace(async () => {
      await setTimeout(500); // The next visitors get ready.
      const browsers = findProcesses(/chromium.*--user-data-dir/);
      const before = cpuMs(browsers);
      await setTimeout(2_000);
      expect(cpuMs(browsers) - before).toBeLessThan(200);
    });
  },
  60_000,
);
