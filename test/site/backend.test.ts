import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { HOLD_PATH, THINK_PATH, THOUGHT_PATH, UPLOAD_PATH } from '../../harness/model/site.ts';
import { createBackend } from '../../harness/site/backend.ts';

const MAX_BYTES = 3_000_000;
const MAIN = fileURLToPath(new URL('../../harness/site/backend.ts', import.meta.url));

let folder: string;
let server: Server;
let url: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-uploads-'));
  server = createServer(createBackend({ folder, maxBytes: MAX_BYTES, holdFile: join(folder, 'hold') })).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${UPLOAD_PATH}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  rmSync(folder, { recursive: true });
});

test.each([0, 1, 1_000, 65_537, MAX_BYTES])('a body of %i bytes is counted, digested and deleted', async (bytes) => {
  const body = randomBytes(bytes);
  const response = await fetch(url, { method: 'POST', body });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ bytes, sha256: createHash('sha256').update(body).digest('hex') });
  await untilEmpty();
});

test('two bodies at once do not mix', async () => {
  const bodies = [randomBytes(500_000), randomBytes(700_000)];
  const answers = await Promise.all(
    bodies.map(async (body) => (await fetch(url, { method: 'POST', body })).json() as Promise<{ bytes: number }>),
  );
  expect(answers.map((answer) => answer.bytes)).toEqual([500_000, 700_000]);
  await untilEmpty();
});

test('a body that says that it is too long is refused before it is read', async () => {
  const response = await fetch(url, { method: 'POST', body: randomBytes(MAX_BYTES + 1) });
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual({ error: `more than ${MAX_BYTES} bytes` });
  await untilEmpty();
});

test('a body that turns out too long is refused', async () => {
  const upload = request(url, { method: 'POST' }); // In chunks: no length is announced.
  for (let part = 0; part < 4; part += 1) upload.write(randomBytes(1_000_000));
  upload.end();
  const [response] = await once(upload, 'response');
  expect(response.statusCode).toBe(413);
  response.resume();
  await untilEmpty();
});

test('an upload that is broken off leaves nothing, and the next one works', async () => {
  const upload = request(url, { method: 'POST', headers: { 'content-length': 1_000_000 } });
  upload.on('error', () => {});
  upload.write(randomBytes(200_000));
  while (readdirSync(folder).length === 0) await pause(5);
  upload.destroy();
  await untilEmpty();
  expect((await fetch(url, { method: 'POST', body: 'whole' })).status).toBe(200);
});

test.each([
  ['GET', UPLOAD_PATH],
  ['POST', '/elsewhere'],
])('%s %s is not there', async (method, path) => {
  expect((await fetch(new URL(path, url), { method })).status).toBe(404);
});

describe('a server that asks for time', () => {
  const ask = async (path: string, thinkMs?: number) => {
    const beganMs = performance.now();
    const headers: Record<string, string> = thinkMs === undefined ? {} : { 'x-think-ms': `${thinkMs}` };
    const response = await fetch(new URL(`${path}/site/index.html?a=1`, url), { headers });
    return { file: response.headers.get('x-accel-redirect'), tookMs: performance.now() - beganMs };
  };

  test('has it, and is told the file', async () => {
    const { file, tookMs } = await ask(THINK_PATH, 80);
    expect(file).toBe(`${THOUGHT_PATH}/site/index.html?a=1`);
    expect(tookMs).toBeGreaterThan(79);
  });

  test('has a page held back as long as the file says, whether it thinks about it or not', async () => {
    writeFileSync(join(folder, 'hold'), '60');
    expect((await ask(HOLD_PATH)).tookMs).toBeGreaterThan(59);
    expect((await ask(HOLD_PATH, 60)).tookMs).toBeGreaterThan(119);
    writeFileSync(join(folder, 'hold'), '120');
    expect((await ask(HOLD_PATH)).tookMs).toBeGreaterThan(119);
  });
});

test('as a program it says when it is ready, takes an upload, and ends when asked to', async () => {
  const port = await freePort();
  const program = start(['--port', String(port), '--folder', join(folder, 'own'), '--max-bytes', '10']);
  expect(await firstLine(program)).toBe('ready');
  const address = `http://127.0.0.1:${port}${UPLOAD_PATH}`;
  expect(await (await fetch(address, { method: 'POST', body: 'small' })).json()).toMatchObject({ bytes: 5 });
  expect((await fetch(address, { method: 'POST', body: 'much too long' })).status).toBe(413);
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
});

test.each([
  [['--folder', '/tmp/nowhere'], '--port: a number from 1 to 65535'],
  [['--port', '8080'], '--folder: where bodies are written'],
  [['--port', '8080', '--folder', '/tmp/nowhere', '--max-bytes', 'many'], '--max-bytes: a number of bytes from 1 up'],
])('%j is refused', async (argv, reason) => {
  const program = start(argv);
  let said = '';
  program.stderr!.on('data', (data) => {
    said += data;
  });
  const [code] = await once(program, 'close');
  expect(code).not.toBe(0);
  expect(said).toContain(reason);
});

function start(argv: readonly string[]): ChildProcess {
  return spawn(process.execPath, [MAIN, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function firstLine(program: ChildProcess): Promise<string> {
  const [data] = await once(program.stdout!, 'data');
  return String(data).trim();
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** A file goes after its answer, so it may be there a moment longer. */
async function untilEmpty(): Promise<void> {
  while (readdirSync(folder).some((name) => name.startsWith('upload-'))) await pause(5);
}
