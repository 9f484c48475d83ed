import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'puppeteer-core';
import { launchBrowser } from '../../harness/browser/launch.ts';
import { ORIGINS, originFor } from '../../harness/model/arm.ts';
import { UNLIMITED } from '../../harness/model/link.ts';
import type { Network } from '../../harness/network/network.ts';
import { openLab } from '../../harness/run/lab.ts';
import { openService, type Service } from '../../harness/run/service.ts';
import { findSite } from '../../harness/run/sites.ts';
import { parseLink } from '../../harness/study/link.ts';
import { SCRATCH } from '../../harness/system/enclosure.ts';
import { readTools } from '../../harness/system/tools.ts';
import { makeUploadFile } from '../../sites/upload-files.ts';
import { labTest } from './lab.ts';

/** Bytes of the studied uploads' order, each type, none of them round. */
const FILES = { jpg: 734_003, mp4: 2_097_153, txt: 65_537 } as const;

let folder: string;
let network: Network;
let service: Service;
beforeAll(async () => {
  if (process.env.PHOTOFINISH_NO_LAB !== undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'photofinish-uploads-'));
  network = await openLab();
  service = await openService(network.servers[0]!, { sites: [findSite('upload')], altSvc: true });
}, 60_000);
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await network?.[Symbol.asyncDispose]();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

function launch(protocol: 'h1' | 'h2' | 'h3') {
  return launchBrowser({
    ...{ chromium: readTools().chromium.path, host: network.clients[0]!, kind: protocol === 'h3' ? 'quic' : 'tcp' },
    ...{ profile: `${SCRATCH}/profiles/upload-${protocol}`, address: network.servers[0]!.address, spki: service.spki },
    ...{ quicOrigins: ORIGINS.filter((origin) => origin.protocol === 'h3'), keeps: { keyLog: false, netLog: false } },
  });
}

/** Fills in the form as a visitor does; resolves with what the page reports. */
async function upload(browser: Browser, url: string, path: string): Promise<Record<string, unknown>> {
  const page = await browser.newPage();
  await page.goto(url);
  const input = (await page.$('#file'))!;
  await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(path);
  await page.click('#send');
  const report = await page.waitForFunction('window.photofinishUpload', { timeout: 30_000 });
  return (await report.jsonValue()) as Record<string, unknown>;
}

/**
 * With the window that nginx has by default, 64 KB a round trip, HTTP/2 takes 7.3 s; with the initial window that
 * Chromium has, HTTP/3 takes 1.3 s.
 */
labTest(
  '2 MB over 218 ms take as long as a slow start takes, whatever the protocol',
  async () => {
    await network.setLink(parseLink('rate=50mbit,rtt=218ms', { readText: () => '' }));
    const path = join(folder, 'two.mp4');
    writeFileSync(path, makeUploadFile('mp4', 2_000_000, 1).body);
    for (const protocol of ['h1', 'h2', 'h3'] as const) {
      await using launched = await launch(protocol);
      const { url } = originFor(protocol, 'cold');
      const { seconds } = await upload(launched.browser, `${url}/upload/index.html`, path);
      expect([protocol, seconds, Number(seconds) > 1.55 && Number(seconds) < 2.2]).toEqual([protocol, seconds, true]);
    }
    await network.setLink(UNLIMITED);
  },
  60_000,
);

describe('a file that is sent by the form', () => {
  for (const protocol of ['h1', 'h2', 'h3'] as const)
    labTest(
      `arrives whole over ${protocol}, whatever its type and length`,
      async () => {
        await using launched = await launch(protocol);
        const origin = originFor(protocol, 'cold');
        for (const [type, bytes] of Object.entries(FILES)) {
          const { body: content } = makeUploadFile(type as keyof typeof FILES, bytes, 1);
          const path = join(folder, `file.${type}`);
          writeFileSync(path, content);
          service.log.skip();
          const report = await upload(launched.browser, `${origin.url}/upload/index.html`, path);
          const sha256 = createHash('sha256').update(content).digest('hex');
          expect(report).toMatchObject({ status: 200, bytes, sha256, seconds: expect.any(Number) });
          expect(service.log.take()).toContainEqual(
            expect.objectContaining({ method: 'POST', request: '/uploads', protocol, status: 200 }),
          );
        }
      },
      60_000,
    );
});
