import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { followAccessLog } from '../../harness/server/access-log.ts';
import { parseNginxLog } from '../../harness/server/nginx.ts';

// As nginx 1.30 wrote them.
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

test('a line is a request as the server saw it', () => {
  expect(parseNginxLog(H1 + H3)).toEqual([
    expect.objectContaining({
      ...{ timeMs: 1_795_256_224_997, port: 4441, clientPort: 22_248, protocol: 'h1', resumed: true, earlyData: false },
      ...{ request: '/a.html?x="1"', status: 200, bodyBytes: 2812, seconds: 0.003 },
    }),
    expect.objectContaining({ protocol: 'h3', resumed: false, earlyData: true, status: 304 }),
  ]);
});

test('a protocol without a name here is unknown', () => {
  expect(parseNginxLog(H1.replace('HTTP/1.1', 'HTTP/4.0'))).toMatchObject([{ protocol: 'unknown' }]);
});

test('a log is followed: each request once, what was skipped never, half a line not yet', () => {
  const log = followAccessLog(path, parseNginxLog);
  expect(log.take()).toEqual([]); // Before the server made it.
  appendFileSync(path, H1);
  log.skip();
  expect(statSync(path).size).toBe(0); // Or a study's would fill the memory that it lies in.
  expect(log.take()).toEqual([]);
  appendFileSync(path, H3 + H1.slice(0, 40));
  expect(log.take()).toMatchObject([{ protocol: 'h3' }]);
  expect(log.take()).toEqual([]);
  appendFileSync(path, H1.slice(40));
  expect(log.take()).toMatchObject([{ protocol: 'h1' }]);
});
