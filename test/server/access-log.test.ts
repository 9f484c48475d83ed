import { appendFileSync, closeSync, mkdtempSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { followAccessLog } from '../../harness/server/access-log.ts';
import { nginx, parseNginxLog } from '../../harness/server/nginx.ts';

// Lines as nginx 1.30 wrote them.
const H1 =
  '{"timeMs":1795256224.997,"port":4441,"clientPort":22248,"protocol":"HTTP/1.1","tls":"TLSv1.3","resumed":"r","earlyData":"","method":"GET","request":"/a.html?x=\\"1\\"","status":200,"bodyBytes":2812,"seconds":0.003}\n';
const H3 =
  '{"timeMs":1795256227.722,"port":4443,"clientPort":35765,"protocol":"HTTP/3.0","tls":"TLSv1.3","resumed":".","earlyData":"1","method":"GET","request":"/b","status":304,"bodyBytes":0,"seconds":0.000}\n';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-log-'));
  path = join(folder, 'access.log');
});
afterEach(() => rmSync(folder, { recursive: true }));
const words = () => join(folder, 'error.log');
const follow = () => followAccessLog({ requests: path, parse: parseNginxLog, words: words(), routine: nginx.routine });

test('a line is a request as the server saw it', () => {
  expect(parseNginxLog(H1 + H3)).toEqual([
    expect.objectContaining({
      timeMs: 1_795_256_224_997,
      port: 4441,
      clientPort: 22_248,
      protocol: 'h1',
      resumed: true,
      earlyData: false,
      request: '/a.html?x="1"',
      status: 200,
      bodyBytes: 2812,
      seconds: 0.003,
    }),
    expect.objectContaining({ protocol: 'h3', resumed: false, earlyData: true, status: 304 }),
  ]);
});

test('a protocol without a name here is unknown', () => {
  expect(parseNginxLog(H1.replace('HTTP/1.1', 'HTTP/4.0'))).toMatchObject([{ protocol: 'unknown' }]);
});

test('a log is followed: each request once, what was skipped never, half a line not yet', () => {
  const log = follow();
  expect(log.take()).toEqual([]); // Before the server made it.
  appendFileSync(path, H1);
  log.skip();
  expect(log.take()).toEqual([]);
  appendFileSync(path, H3 + H1.slice(0, 40));
  expect(log.take()).toMatchObject([{ protocol: 'h3' }]);
  expect(log.take()).toEqual([]);
  appendFileSync(path, H1.slice(40));
  expect(log.take()).toMatchObject([{ protocol: 'h1' }]);
});

test('the log of a server that was started anew is followed from its beginning, however long the one before was', () => {
  const log = follow();
  appendFileSync(path, H1);
  log.skip();
  appendFileSync(`${path}.next`, H3 + H1 + H1);
  renameSync(`${path}.next`, path);
  expect(log.take()).toMatchObject([{ protocol: 'h3' }, { protocol: 'h1' }, { protocol: 'h1' }]);
});

test('what was skipped does not fill the memory that it lies in, even where its writer does not append', async () => {
  const log = follow();
  const writer = openSync(path, 'w');
  for (let megabytes = 0; megabytes < 8; megabytes += 1) {
    writeSync(writer, `${' '.repeat(1_048_575)}\n`);
    log.skip();
  }
  const keptBytes = () => statSync(path).blocks * 512;
  for (let waits = 0; waits < 100 && keptBytes() > 3_000_000; waits += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(keptBytes()).toBeLessThan(3_000_000);
  writeSync(writer, H3);
  closeSync(writer);
  expect(log.take()).toMatchObject([{ protocol: 'h3' }]);
});

test('what a server says of itself is followed too: the last lines, without those that tell of nothing wrong', () => {
  const log = follow();
  expect(log.takeWords()).toEqual([]);
  const say = (level: string, says: string) =>
    appendFileSync(words(), `2026/11/22 22:53:36 [${level}] 712#712: *4 ${says}, client: 10.77.0.11\n`);
  const failed = 'SSL_do_handshake() failed (SSL: error:0A00006E:SSL routines::bad extension) while handling frames';
  say('info', failed);
  log.skip();
  say('notice', 'start worker process 712');
  say('info', 'client closed connection while waiting for request');
  say('info', 'client 10.77.0.11 closed keepalive connection');
  expect(log.takeWords()).toEqual([]);
  say('info', failed);
  expect(log.takeWords()).toEqual([expect.stringContaining(failed)]);
  expect(log.takeWords()).toEqual([]);
  // A request that was not finished is another matter.
  say('info', 'client prematurely closed connection');
  say('info', 'client closed connection while SSL handshaking');
  expect(log.takeWords()).toHaveLength(2);
  for (let line = 1; line <= 9; line += 1) say('error', `${line}${' '.repeat(1_000)}`);
  const said = log.takeWords();
  expect(said.map((each) => /\*4 (\d)/.exec(each)![1])).toEqual(['7', '8', '9']);
  for (const line of said) expect(line).toHaveLength(160);
});
