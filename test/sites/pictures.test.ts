import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../harness/stats/random.ts';
import { renderPhoto } from '../../sites/photo.ts';
import { renderFlag } from '../../sites/png.ts';
import { readJpeg, readPng } from './formats.ts';

describe('flags', () => {
  test.each([400, 401, 402, 431, 1600, 4096, 8191, 8192, 60_000])('of %i bytes', (bytes) => {
    for (let seed = 0; seed < 12; seed += 1) {
      const flag = renderFlag(seededRandom(seed), bytes);
      expect(flag.length).toBe(bytes);
      readPng(flag);
    }
  });

  test('have more pixels where they have more bytes', () => {
    const sizes = [400, 1600, 8192].map((bytes) => readPng(renderFlag(seededRandom(1), bytes)));
    expect(sizes).toEqual([
      { width: 26, height: 17 },
      { width: 64, height: 43 },
      { width: 154, height: 103 },
    ]);
  });

  test('need room for their header', () => {
    expect(() => renderFlag(seededRandom(1), 100)).toThrow(/a flag has at least \d+ bytes, asked for 100/);
  });
});

describe('photos', () => {
  test.each([
    [131_072, 'landscape', { width: 768, height: 512 }],
    [20_000, 'vessel', { width: 304, height: 208 }],
    [1_000, 'landscape', { width: 64, height: 48 }],
  ] as const)('of %i bytes, %s', (bytes, scene, size) => {
    for (let seed = 0; seed < 2; seed += 1) {
      const photo = renderPhoto({ random: seededRandom(seed), bytes, scene });
      expect(photo.length).toBe(bytes);
      expect(readJpeg(photo)).toMatchObject(size);
    }
  });

  test('are bytes of a picture, not of comments', () => {
    for (let seed = 0; seed < 4; seed += 1) {
      const { commentBytes } = readJpeg(renderPhoto({ random: seededRandom(seed), bytes: 131_072 }));
      expect(commentBytes).toBeLessThan(131_072 * 0.1);
    }
  });

  test('of consecutive sizes each have their size', () => {
    for (let bytes = 3_000; bytes < 3_020; bytes += 1) {
      const photo = renderPhoto({ random: seededRandom(7), bytes });
      expect(photo.length).toBe(bytes);
      readJpeg(photo);
    }
  });

  test('need room for their header', () => {
    expect(() => renderPhoto({ random: seededRandom(1), bytes: 400 })).toThrow(/does not fit into 400 bytes/);
  });
});
