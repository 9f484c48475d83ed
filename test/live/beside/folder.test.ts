import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { recordPage } from '../../../harness/browser/record/record-page.ts';
import { portOf } from '../../../harness/model/arm.ts';
import { DEVICES } from '../../../harness/model/device.ts';
import { headerOf, type RecordedSite, type SeenPage } from '../../../harness/model/recording.ts';
import { recordFolder } from '../../../harness/run/record-folder.ts';
import { findFolder } from '../../../harness/site/folder/find-folder.ts';
import { keepPage } from '../../../harness/site/record/keep-page.ts';
import { readRecording, writeRecording } from '../../../harness/site/record/store.ts';
import { openReplay } from '../../../harness/site/replay/open-replay.ts';
import { findServable } from '../../../harness/site/replay/servable.ts';
import { servedOrigins } from '../../../harness/site/replay/served-recording.ts';
import { SCRATCH } from '../../../harness/system/enclosure.ts';
import { readTools } from '../../../harness/system/tools.ts';
import { labTest, noLab } from '../lab.ts';
import { openReplayNginx } from './replay-nginx.ts';

const SIGNAL = new AbortController().signal;
let outer: string;
beforeAll(() => {
  if (noLab === undefined) outer = mkdtempSync(join(tmpdir(), 'photofinish-folder-'));
});
afterAll(() => {
  if (outer !== undefined) rmSync(outer, { recursive: true });
});

const write = (path: string, text: string | Buffer) => {
  mkdirSync(dirname(join(outer, path)), { recursive: true });
  writeFileSync(join(outer, path), text);
};

/** What each of a recording's addresses was answered with. */
function statusesOf({ manifest }: RecordedSite): Record<string, number> {
  return Object.fromEntries(manifest.responses.map(({ url, status }) => [new URL(url).pathname, status]));
}

labTest(
  'a folder is recorded as a host would serve it, once for the same files',
  async () => {
    write('secret.txt', 'nobody else’s');
    write(
      'dist/index.html',
      '<!doctype html><title>Built</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/assets/main.8f2c3d1e.css"><script src="/app.js"></script><img src="/blog/pixel.svg"><img src="/.env"><img src="/out.txt"><img src="/..%2fsecret.txt"><iframe src="/blog"></iframe>',
    );
    write('dist/assets/main.8f2c3d1e.css', 'body { color: teal } '.repeat(200));
    write('dist/app.js', 'fetch("/nothing.json");');
    write('dist/blog/index.html', '<!doctype html>blog');
    write('dist/blog/pixel.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    write('dist/404.html', '<!doctype html>nothing here');
    write('dist/.env', 'SECRET=1');
    symlinkSync('../secret.txt', join(outer, 'dist/out.txt'));
    const options = { device: 'desktop', signal: SIGNAL, cache: join(outer, 'cache') } as const;
    const record = async () => recordFolder(findFolder(join(outer, 'dist'))!, options);
    const first = await record();
    expect(first.manifest).toMatchObject({ site: 'dist', url: 'https://dist.photofinish.test/' });
    expect(first.manifest.origins).toMatchObject([{ origin: 'https://dist.photofinish.test', protocol: 'h2' }]);
    const { leftOut } = first.manifest;
    expect({ ...statusesOf(first), leftOut: leftOut.length > 1 && leftOut }).toEqual({
      leftOut: false,
      '/': 200,
      '/assets/main.8f2c3d1e.css': 200,
      '/app.js': 200,
      '/blog/pixel.svg': 200,
      '/nothing.json': 404,
      '/.env': 404,
      '/out.txt': 404,
      '/blog': 301,
      '/blog/': 200,
    });
    expect(first.manifest.leftOut).toMatchObject([{ what: 'GET https://dist.photofinish.test/..%2fsecret.txt' }]);
    const css = first.manifest.responses.find(({ url }) => url.endsWith('.css'))!;
    expect(headerOf(css.headers, 'content-encoding')).toBe('br');
    expect(headerOf(css.headers, 'cache-control')).toMatch(/immutable/);
    expect(first.manifest.responses.filter(({ thinkMs }) => thinkMs !== undefined)).toEqual([]);
    expect(first.manifest.notes.filter((note) => /^not/.test(note))).toEqual([
      'not in the folder: 3 of what the page asks for, as /.env',
      'not served: 1 links that lead out of the folder, or to folders, as out.txt',
    ]);
    const again = await record();
    expect(again).toEqual(first);
    appendFileSync(join(outer, 'dist/app.js'), ' ');
    const changed = await record();
    expect(changed.root).not.toBe(first.root);
    expect(changed.manifest.recordedAtMs).toBeGreaterThan(first.manifest.recordedAtMs);
  },
  120_000,
);

async function look(url: string, resolved: Parameters<typeof recordPage>[0]['resolved'] = []): Promise<SeenPage> {
  return recordPage({
    url,
    chromium: readTools().chromium.path,
    folder: `${SCRATCH}/look`,
    device: DEVICES.desktop,
    seed: 3,
    insecure: true,
    waitMs: 500,
    signal: SIGNAL,
    resolved,
  });
}

labTest(
  'a page of localhost is replayed over TLS, and asks for the same',
  async () => {
    let own = '';
    const script = () => `
      fetch('${own}/one.json');
      fetch('http://' + location.host + '/two.json');
      fetch(\`\${location.origin}/log?page=\${encodeURIComponent(location.href)}\`);
      import('${own.replace('localhost', '127.0.0.1')}/module.js').then((m) => fetch(m.next));`;
    const server = createServer((request, response) => {
      const path = request.url!.split('?')[0]!;
      const integrity = `sha384-${createHash('sha384').update(script()).digest('base64')}`;
      const bodies: Record<string, [string, string]> = {
        '/home': [
          'text/html',
          `<!doctype html><link rel="icon" href="data:,"><script src="${own}/app.js" integrity="${integrity}" crossorigin></script><img src="${own.replace('http:', '')}/a.svg">`,
        ],
        '/app.js': ['text/javascript', script()],
        '/module.js': ['text/javascript', `export const next = '${own}/three.json';`],
        '/a.svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
      };
      const [type, body] = bodies[path] ?? ['application/json', `{"own":"${own}"}`];
      if (path === '/') response.writeHead(302, { location: `${own}/home` }).end();
      else response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': own }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    own = `http://localhost:${(server.address() as AddressInfo).port}`;
    const seen = await look(`${own}/`);
    await new Promise((resolve) => server.close(resolve));
    const kept = keepPage(seen, { site: 'local', keepSecrets: false, seed: 3 });
    expect(kept.manifest.responses).toHaveLength(9);
    const { manifest, root } = findServable(
      readRecording(writeRecording(kept, outer).root),
      join(outer, 'secured'),
    ).site;

    await using replay = await openReplay(undefined, { root, port: 4463, notes: `${outer}/notes`, thinks: false });
    const origins = servedOrigins(manifest, { protocol: 'h2', visit: 'cold', allOrigins: false, firstPort: 12_100 });
    mkdirSync(`${outer}/nginx`);
    await using _ = await openReplayNginx({ folder: `${outer}/nginx`, manifest, origins, backend: replay.address });
    const again = await look(
      manifest.url,
      origins.map(({ host, url, port }) => ({ host, port: portOf(url), address: `127.0.0.1:${port}` })),
    );
    expect(replay.takeNotes()).toEqual([]);
    const asked = (page: Pick<SeenPage, 'exchanges'>) =>
      page.exchanges.map(({ method, url, status }) => `${status} ${method} ${url}`).toSorted();
    expect(asked(again)).toEqual(
      manifest.responses.map(({ method, url, status }) => `${status} ${method} ${url}`).toSorted(),
    );
    expect(again.leftOut).toEqual([]);
    expect(again.exchanges.filter(({ protocol }) => protocol === 'h2').length).toBeGreaterThan(6);
  },
  90_000,
);
