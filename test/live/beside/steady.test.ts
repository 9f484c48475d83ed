import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { followTargets, steadyTarget } from '../../../harness/browser/every-target.ts';
import { renderRecordingFlags } from '../../../harness/browser/flags.ts';
import { startBrowser } from '../../../harness/browser/launch.ts';
import { findProgram } from '../../../harness/browser/program.ts';
import { SCRATCH } from '../../../harness/system/enclosure.ts';
import { readTools } from '../../../harness/system/tools.ts';
import { labTest } from '../lab.ts';

const YEAR_MS = 365 * 86_400_000;
const SEEN = '({ now: Date.now(), draw: Math.random(), uuid: self.crypto.randomUUID?.() })';
const FRAME = `<script>parent.postMessage({ from: 'frame', ...${SEEN} }, '*')</script>`;
const WORKER = `postMessage({ from: 'worker', ...${SEEN} })`;
const page = (port: number) => `<!doctype html><link rel="icon" href="data:,"><script>
  self.seen = [{ from: 'page', ...${SEEN}, origin: performance.timeOrigin, start: performance.timing.navigationStart }];
  const hear = ({ data }) => seen.push(data);
  addEventListener('message', hear);
  new Worker('/worker.js').onmessage = hear;
</script><iframe src="http://localhost:${port}/frame"></iframe><iframe srcdoc="${FRAME.replaceAll('"', '&quot;')}"></iframe>`;

interface Seen {
  readonly from: string;
  readonly now: number;
  readonly draw: number;
  readonly uuid?: string;
  readonly origin?: number;
  readonly start?: number;
}

labTest(
  'a page, its frames (of another site, too) and its workers have another clock, and draw the same each time',
  async () => {
    const server = createServer((request, response) => {
      const { port } = server.address() as AddressInfo;
      const type = request.url === '/worker.js' ? 'text/javascript' : 'text/html';
      const body = { '/worker.js': WORKER, '/frame': FRAME }[request.url!] ?? page(port);
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const flags = renderRecordingFlags({
      profile: `${SCRATCH}/steady`,
      logsContents: true,
      netLog: '/dev/null',
      insecure: false,
      resolved: [],
    });
    const browser = await startBrowser({
      program: findProgram('tcp', readTools()),
      flags,
      folder: `${SCRATCH}/steady`,
    });
    try {
      const root = await browser.target().createCDPSession();
      const begun = followTargets(root, (session, target) => {
        steadyTarget(session, target, { seed: 7, aheadMs: -YEAR_MS }).catch(() => {});
      });
      const load = async (): Promise<readonly Seen[]> => {
        const opened = await browser.newPage();
        await opened.goto(`http://127.0.0.1:${port}/`);
        await opened.waitForFunction('seen.length === 4', { timeout: 20_000 });
        return (await opened.evaluate('seen')) as readonly Seen[];
      };
      const [first, second] = [await load(), await load()];
      begun();
      for (const { now, origin = now, start = now } of first)
        for (const ms of [now, origin, start]) expect(Math.abs(ms + YEAR_MS - Date.now())).toBeLessThan(60_000);
      const draws = (seen: readonly Seen[]) => seen.map(({ from, draw, uuid }) => `${from} ${draw} ${uuid}`).toSorted();
      expect(draws(second)).toEqual(draws(first));
      // Each has a stream of its own.
      expect(new Set(first.map(({ draw }) => draw)).size).toBe(4);
    } finally {
      await browser.close();
      server.closeAllConnections();
      server.close();
    }
  },
  90_000,
);
