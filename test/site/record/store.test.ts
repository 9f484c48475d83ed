import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bodyFile, type RecordedManifest } from '../../../harness/model/recording.ts';
import { keepPage } from '../../../harness/site/record/keep-page.ts';
import { listRecordings, readRecording, writeRecording } from '../../../harness/site/record/store.ts';

let outer: string;
let root: string;
let manifest: RecordedManifest;
const kept = (text: string) =>
  keepPage(
    {
      url: 'https://a.test/',
      atMs: 1,
      device: 'desktop',
      by: 'a test',
      leftOut: [],
      notes: [],
      exchanges: ['/', '/b'].map((path, wantedMs) => ({
        method: 'GET',
        url: `https://a.test${path}`,
        requestHeaders: [],
        status: 200,
        wantedMs,
        kind: 'Other',
        headers: [['Content-Type', 'text/html']],
        body: Buffer.from(text + path),
        bodyIs: 'encoded' as const,
      })),
    },
    { site: 'a', keepSecrets: false, seed: 7 },
  );

beforeAll(() => {
  outer = mkdtempSync(join(tmpdir(), 'photofinish-store-'));
});
afterAll(() => rmSync(outer, { recursive: true }));
beforeEach(() => {
  rmSync(join(outer, 'recorded'), { recursive: true, force: true });
  ({ root, manifest } = writeRecording(kept('one'), join(outer, 'recorded')));
});

test('what was written is what is read, and is listed', () => {
  const read = readRecording(root);
  expect(read.site.manifest).toEqual(manifest);
  expect(read.leftOut).toEqual([]);
  expect(read.site.manifest.responses.map(({ body }) => read.bodies.get(body!)!.toString())).toEqual(['one/', 'one/b']);
  mkdirSync(join(outer, 'recorded', '.b.partial-1'));
  mkdirSync(join(outer, 'recorded', 'empty'));
  expect(listRecordings(join(outer, 'recorded'))).toEqual(['a']);
  expect(listRecordings(join(outer, 'nowhere'))).toEqual([]);
});

test('another recording takes its place, whole', () => {
  writeRecording(kept('two'), join(outer, 'recorded'));
  const read = readRecording(root);
  expect([...read.bodies.values()].map(String)).toEqual(['two/', 'two/b']);
  expect(readdirSync(join(outer, 'recorded'))).toEqual(['a']);
});

test.each([
  ['that is none', { ...kept('two'), manifest: { ...kept('two').manifest, url: 'no address' } }, /url/],
  [
    'of which a body cannot be written',
    { ...kept('two'), bodies: new Map([...kept('two').bodies, ['0'.repeat(64), 7 as never]]) },
    /must be of type/,
  ],
])('one %s leaves the one before as it was', (_, broken, complaint) => {
  expect(() => writeRecording(broken, join(outer, 'recorded'))).toThrow(complaint);
  expect(readRecording(root).site.manifest).toEqual(manifest);
  expect(readdirSync(join(outer, 'recorded'))).toEqual(['a']);
});

describe('a body from elsewhere', () => {
  const secondBody = () => join(root, bodyFile(manifest.responses[1]!.body!));
  test.each<[string, () => void, RegExp]>([
    ['that is missing', () => rmSync(secondBody()), /its body is missing/],
    ['that is cut short', () => truncateSync(secondBody(), 2), /its body is cut short: 2 of 5 bytes/],
    ['that is longer', () => writeFileSync(secondBody(), 'longer than that'), /cannot be read: it has 16 bytes, of 5/],
    ['that is another', () => writeFileSync(secondBody(), 'wrong'), /its body is another than was recorded/],
    [
      'that is a link',
      () => {
        rmSync(secondBody());
        symlinkSync('/etc/hostname', secondBody());
      },
      /cannot be read: ELOOP/,
    ],
    [
      'that is a folder',
      () => {
        rmSync(secondBody());
        mkdirSync(secondBody());
      },
      /cannot be read: it is no file/,
    ],
  ])('%s is left out with a line, and nothing else is', (_, damage, says) => {
    damage();
    const read = readRecording(root);
    expect(read.leftOut).toEqual([{ what: 'GET https://a.test/b', why: expect.stringMatching(says) }]);
    expect(read.site.manifest.responses.map(({ url }) => url)).toEqual(['https://a.test/']);
  });
});

describe('a manifest from elsewhere', () => {
  type Change = (written: { [key: string]: unknown; responses: Record<string, unknown>[] }) => void;
  test.each<[string, Change, RegExp]>([
    ['of a later version', (m) => Object.assign(m, { schema: 2 }), /is no recording: schema/],
    [
      'whose body is a path',
      (m) => Object.assign(m.responses[0]!, { body: '../../../etc/passwd' }),
      /responses.0.body: a SHA-256/,
    ],
    ['whose address is none', (m) => Object.assign(m.responses[0]!, { url: 'file:///etc/passwd' }), /responses.0.url/],
    ['whose host could end a line', (m) => Object.assign(m.responses[0]!, { url: 'https://a;}b/' }), /responses.0.url/],
    [
      'whose header could end a line',
      (m) => Object.assign(m.responses[0]!, { headers: [['a', 'b\r\nc: d']] }),
      /responses.0.headers.0: a header/,
    ],
    [
      'whose header has no name',
      (m) => Object.assign(m.responses[0]!, { headers: [['', 'b']] }),
      /responses.0.headers.0/,
    ],
    ['whose method is two', (m) => Object.assign(m.responses[0]!, { method: 'GET /\r\n' }), /responses.0.method/],
    ['that thinks for ever', (m) => Object.assign(m.responses[0]!, { thinkMs: 1e12 }), /responses.0.thinkMs/],
    [
      'whose origin is no origin',
      (m) => Object.assign(m, { origins: [{ origin: 'https://a;}/', offersH3: false, certificateNames: [] }] }),
      /origins.0.origin/,
    ],
    [
      'whose address is no address',
      (m) =>
        Object.assign(m, {
          origins: [{ origin: 'https://a.test', address: '1;}', offersH3: false, certificateNames: [] }],
        }),
      /origins.0.address/,
    ],
    ['without responses', (m) => Object.assign(m, { responses: 7 }), /responses/],
  ])('%s is refused in a line', (_, change, says) => {
    const path = join(root, 'manifest.json');
    const written = JSON.parse(readFileSync(path, 'utf8'));
    change(written);
    writeFileSync(path, JSON.stringify(written));
    expect(() => readRecording(root)).toThrow(says);
  });

  test('that is missing, no JSON, or a link is refused', () => {
    const path = join(root, 'manifest.json');
    writeFileSync(path, '{');
    expect(() => readRecording(root)).toThrow(/is no JSON/);
    rmSync(path);
    expect(() => readRecording(root)).toThrow(/cannot be read: ENOENT/);
    symlinkSync('/etc/hostname', path);
    expect(() => readRecording(root)).toThrow(/cannot be read: ELOOP/);
  });

  test('under another name is another site', () => {
    const other = join(dirname(root), 'b');
    cpSync(root, other, { recursive: true });
    expect(readRecording(other).site.manifest.site).toBe('b');
  });
});
