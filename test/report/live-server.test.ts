import { pbkdf2 } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FollowedStudy, followStudy } from '../../harness/report/live/follow.ts';
import { type LiveServer, openLiveServer } from '../../harness/report/live/server.ts';
import { smallPage } from './pages.ts';

const hash = promisify(pbkdf2);
const BUNDLE = { script: '/* script */', styles: '/* styles */' };
const scratch = mkdtempSync(join(tmpdir(), 'photofinish-served-'));
const folder = join(scratch, 'study');
let study: FollowedStudy;
let server: LiveServer;
let port: number;
/** What every address begins with. */
let token: string;

beforeAll(async () => {
  const outside = join(scratch, 'outside');
  for (const path of ['har', 'lighthouse', 'secret', 'pcap/deeper']) mkdirSync(join(folder, path), { recursive: true });
  mkdirSync(outside);
  const files = ['har/00001-h1.har.gz', 'lighthouse/a_b=c-h1-1.json.gz', 'report.html', 'summary.json'];
  for (const path of [...files, 'study.sqlite', 'har/notes.txt', 'har/.har.gz', 'secret/00001-h1.har.gz'])
    writeFileSync(join(folder, path), `this is ${path}`);
  writeFileSync(join(folder, 'pcap/00001-h1.pcap'), 'this is pcap/00001-h1.pcap');
  writeFileSync(join(folder, 'pcap/00001-h1.keys'), 'this is pcap/00001-h1.keys');
  writeFileSync(join(outside, '00002-h2.har.gz'), 'this is outside');
  writeFileSync(join(scratch, '00003-h2.har.gz'), 'this is outside');
  symlinkSync(join(outside, '00002-h2.har.gz'), join(folder, 'har/00002-h2.har.gz'));
  symlinkSync('00001-h1.har.gz', join(folder, 'har/00009-h1.har.gz'));
  symlinkSync(outside, join(folder, 'netlog'));
  writeFileSync(join(outside, '00004-h2.json.gz'), 'this is outside');
  study = followStudy({
    stamp: () => '',
    read: () => ({ data: smallPage({ sites: ['</script>'] }).page }),
    isAtWork: () => false,
  });
  server = await openLiveServer({ study, bundle: BUNDLE, folder, port: 0, token: 'A-Token-of-32-characters-or-more' });
  port = Number(new URL(server.url).port);
  token = new URL(server.url).pathname.slice(0, -1);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  study[Symbol.dispose]();
  rmSync(scratch, { recursive: true });
});

/** What the server says to exactly these words, which no HTTP client has tidied. */
function say(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setTimeout(3000, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const ask = (target: string, { method = 'GET', host = `Host: 127.0.0.1:${port}\r\n`, before = token } = {}) =>
  say(`${method} ${before}${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);

const statusOf = (answer: string) => Number(answer.split(' ')[1]);

describe('who calls it by another name is refused', () => {
  test.each([
    ['127.0.0.1', 200],
    ['localhost', 200],
    ['LOCALHOST', 200],
  ])('%s and its port', async (name, status) => {
    expect(statusOf(await ask('/', { host: `Host: ${name}:${port}\r\n` }))).toBe(status);
  });

  test.each([
    ['evil.example'],
    ['127.0.0.1'],
    ['localhost'],
    ['127.0.0.1:1'],
    ['localhost.evil.example'],
    ['[::1]'],
    ['0.0.0.0'],
    ['127.0.0.1.'],
    [''],
  ])('%s', async (name) => {
    // With the port, where the name has none: it is the name that is false.
    const host = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(name) ? name : `${name}:${port}`;
    for (const target of ['/', '/data.json', '/events', '/har/00001-h1.har.gz'])
      expect(statusOf(await ask(target, { host: `Host: ${host}\r\n` }))).toBe(421);
  });

  test('no name at all', async () => {
    expect(statusOf(await ask('/', { host: '' }))).toBe(400);
    expect(statusOf(await say('GET / HTTP/1.0\r\n\r\n'))).toBe(421);
  });

  test('or as a proxy', async () => {
    expect(statusOf(await ask(`http://127.0.0.1:${port}/`, { before: '' }))).toBe(400);
    expect(statusOf(await ask('http://evil.example/', { host: 'Host: evil.example\r\n', before: '' }))).toBe(421);
  });
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])('%s is refused', async (method) => {
  const answer = await ask('/', { method });
  expect(statusOf(answer)).toBe(405);
  expect(answer).toMatch(/\r\nallow: GET, HEAD\r\n/i);
});

describe('evidence', () => {
  test.each([
    ['/har/00001-h1.har.gz', 'application/gzip'],
    ['/lighthouse/a_b=c-h1-1.json.gz', 'application/gzip'],
    ['/lighthouse/a_b%3Dc-h1-1.json.gz', 'application/gzip'],
    ['/pcap/00001-h1.pcap', 'application/vnd.tcpdump.pcap'],
    ['/summary.json', 'application/json; charset=utf-8'],
    ['/report.html', 'text/html; charset=utf-8'],
  ])('is served: %s', async (target, type) => {
    const answer = await ask(target);
    expect(statusOf(answer)).toBe(200);
    expect(answer).toContain(`Content-Type: ${type}\r\n`);
    expect(answer.endsWith(`this is ${decodeURIComponent(target).slice(1)}`)).toBe(true);
    const head = await ask(target, { method: 'HEAD' });
    expect(head).toContain('Content-Length: ');
    expect(head.endsWith('\r\n\r\n')).toBe(true);
  });

  test.each([
    ['/study.sqlite'],
    // What opens the packets stays on the disk.
    ['/pcap/00001-h1.keys'],
    ['/har'],
    ['/har/'],
    ['/har/notes.txt'],
    ['/har/.har.gz'],
    ['/secret/00001-h1.har.gz'],
    ['/pcap/deeper'],
    ['/har/00077-h1.har.gz'],
    ['/HAR/00001-h1.har.gz'],
    // By a link: out of the folder, within it, and as a folder.
    ['/har/00002-h2.har.gz'],
    ['/har/00009-h1.har.gz'],
    ['/netlog/00004-h2.json.gz'],
    // By what a name may hide: plain, encoded, encoded twice, with what ends a name for others.
    ['/../00003-h2.har.gz'],
    ['/har/../../00003-h2.har.gz'],
    ['/har/..%2f..%2f00003-h2.har.gz'],
    ['/har/%2e%2e/%2e%2e/00003-h2.har.gz'],
    ['/har/%252e%252e%252f%252e%252e%252f00003-h2.har.gz'],
    ['/har/..%5c..%5c00003-h2.har.gz'],
    ['/har/%2e%2e%2fhar%2f00001-h1.har.gz'],
    ['/har//00001-h1.har.gz'],
    [`/har/%2fetc%2fpasswd.har.gz`],
    ['//etc/passwd'],
    ['/har/00001-h1.har.gz%00.har.gz'],
    ['/./har/00001-h1.har.gz'],
    ['/%2e/report.html'],
    ['/constructor/prototype'],
    ['/__proto__/x.har.gz'],
    [`/har/${'a'.repeat(400)}.har.gz`],
  ])('is not: %s', async (target) => {
    const answer = await ask(target);
    expect(statusOf(answer)).toBe(404);
    expect(answer).not.toContain('this is');
  });

  test.each(['/har/%', '/%E0%A4%A/x'])('what cannot be decoded is not understood: %s', async (target) => {
    expect(statusOf(await ask(target))).toBe(400);
  });
});

test('nothing that it says may be taken for anything else, or read by anybody else', async () => {
  for (const target of ['/', '/data.json', '/har/00001-h1.har.gz', '/nowhere', '/report.html']) {
    const answer = await ask(target);
    expect(answer).toContain('X-Content-Type-Options: nosniff\r\n');
    expect(answer).toContain('Cross-Origin-Resource-Policy: same-origin\r\n');
    expect(answer).toMatch(
      /\r\nContent-Security-Policy: (sandbox [a-z -]+; )?default-src 'none'; .*frame-ancestors 'none'\r\n/,
    );
    expect(answer).not.toMatch(/access-control-|x-powered-by/i);
  }
  expect(await ask('/har/00001-h1.har.gz')).toContain('Content-Disposition: attachment');
});

test('the page may ask its own server, and nobody else; what it shows is its data', async () => {
  const answer = await ask('/');
  expect(answer.match(/connect-src [^;]*;/g)).toEqual(["connect-src 'self';", "connect-src 'self';"]);
  const [, json] = /id="data">(.*?)<\/script>/s.exec(answer)!;
  expect(json).toBe(study.page().json);
  const [, body] = (await ask('/data.json')).split('\r\n\r\n');
  expect(body).toContain(study.page().json);
});

test('events begin with all that is the case', async () => {
  const answer = await say(
    `GET ${token}/events HTTP/1.1\r\nHost: localhost:${port}\r\nLast-Event-ID: long.ago\r\n\r\n`,
  );
  expect(answer).toContain('Content-Type: text/event-stream');
  const [, data] = /\ndata: (.*)\n/.exec(answer)!;
  expect(JSON.parse(data!)).toMatchObject({
    version: study.page().version,
    phase: 'resting',
    progress: { conditions: 3 },
  });
});

test('no more than some dozens may follow at a time', async () => {
  const sockets = Array.from({ length: 33 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${token}/events HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    return socket;
  });
  const answers = await Promise.all(
    sockets.map(
      (socket) => new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString()))),
    ),
  );
  expect(answers.map(statusOf).filter((status) => status === 503)).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
});

describe('a client that does not take what it asked for', () => {
  const BYTES = 30_000_000; // More than the kernel keeps for a client that reads nothing.
  let slow: LiveServer;
  let long: FollowedStudy;
  beforeAll(async () => {
    writeFileSync(join(folder, 'har/00008-h1.har.gz'), '');
    truncateSync(join(folder, 'har/00008-h1.har.gz'), BYTES);
    const { page } = smallPage();
    const data = { ...page, title: 'x'.repeat(BYTES) };
    long = followStudy({ stamp: () => '', read: () => ({ data }), isAtWork: () => false });
    long.finish('x'.repeat(BYTES));
    const patience = { sendMs: 300, leastBytesPerMs: BYTES / 300, breathMs: 300 };
    slow = await openLiveServer({ study: long, bundle: BUNDLE, folder, port: 0, token: 'x', patience });
  });
  afterAll(async () => {
    await slow[Symbol.asyncDispose]();
    long[Symbol.dispose]();
  });

  test.each(['/', '/data.json', '/har/00008-h1.har.gz', '/events'])(
    '%s: it is let go, and has a part',
    async (target) => {
      const { host, port: at } = new URL(slow.url);
      const socket = connect(Number(at), '127.0.0.1');
      await once(socket, 'connect');
      socket.pause();
      socket.write(`GET /x${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      while (isOpen(Number(at), socket.localPort!)) await setTimeout(20);
      let had = 0;
      socket.on('data', ({ length }: Buffer) => {
        had += length;
      });
      socket.resume();
      await new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
      expect(had).toBeGreaterThan(0);
      expect(had).toBeLessThan(BYTES);
    },
    60_000,
  );

  test('even where the file opened later than the server first looked', async () => {
    const { host, port: at } = new URL(slow.url);
    const socket = connect(Number(at), '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    const busy = keepThreadsBusy(700);
    socket.write(`GET /x/har/00008-h1.har.gz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    await busy;
    while (isOpen(Number(at), socket.localPort!)) await setTimeout(20);
    socket.destroy();
  }, 60_000);

  /** Keeps the threads that open files busy, for at least this many milliseconds. */
  async function keepThreadsBusy(ms: number): Promise<void> {
    const until = performance.now() + ms;
    const thread = async () => {
      while (performance.now() < until) await hash('password', 'salt', 100_000, 64, 'sha512');
    };
    const THREADS = 4;
    await Promise.all(Array.from({ length: 2 * THREADS }, thread));
  }

  /** Whether the server has a connection open: a client that reads nothing hears nothing of its end. */
  function isOpen(at: number, client: number): boolean {
    const [own, other] = [at, client].map((port) => port.toString(16).toUpperCase().padStart(4, '0'));
    const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
    const ESTABLISHED = '01';
    return lines.some((line) => {
      const [, local = '', remote = '', state] = line.trim().split(/\s+/);
      return local.endsWith(`:${own}`) && remote.endsWith(`:${other}`) && state === ESTABLISHED;
    });
  }
});

test('a port that is taken is said so', async () => {
  await expect(openLiveServer({ study, bundle: BUNDLE, folder, port, token: 'x' })).rejects.toThrow(
    `port ${port} is taken`,
  );
});

describe('the token in its address', () => {
  test.each(['/', '/data.json', '/events', '/har/00001-h1.har.gz', '/report.html', '/nowhere'])(
    'without it nothing is shown: %s',
    async (target) => {
      for (const before of ['', '/x', token.slice(0, -1), token.toLowerCase()]) {
        const answer = await ask(target, { before });
        expect(statusOf(answer)).toBe(403);
        expect(answer).not.toMatch(/this is|id="data"/);
      }
    },
  );
});

test('the report that stays is in a sandbox, in which it is of no origin of ours', async () => {
  const policy = /\r\nContent-Security-Policy: (.*)\r\n/.exec(await ask('/report.html'))![1]!;
  expect(policy).toMatch(/^sandbox allow-scripts allow-downloads; /);
  expect(policy).not.toContain('allow-same-origin');
});
