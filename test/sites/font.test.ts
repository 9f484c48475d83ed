import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { renderFont } from '../../sites/font.ts';
import { GLYPHS } from '../../sites/strokes.ts';

const TABLES = ['OS/2', 'cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'name', 'post'].length;

test.each([{ weight: 300 }, { weight: 400 }, { weight: 400, italic: true }, { weight: 700 }])(
  'a font of %j is a whole WOFF2 file',
  (style) => {
    const font = renderFont(style);
    expect(font.toString('latin1', 0, 4)).toBe('wOF2');
    expect(font.readUInt32BE(8)).toBe(font.length);
    expect(font.readUInt16BE(12)).toBe(TABLES);
    const { lengths, end } = readDirectory(font);
    const content = brotliDecompressSync(font.subarray(end, end + font.readUInt32BE(20)));
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(content.length);
    const unpacked = lengths.reduce((sum, length) => sum + 16 + length + (-length & 3), 12);
    expect(font.readUInt32BE(16)).toBe(unpacked);
    // What a font of ASCII weighs on the web.
    expect(font.length).toBeGreaterThan(20_000);
    expect(font.length).toBeLessThan(50_000);
  },
);

test('letters, digits and punctuation are drawn', () => {
  const missing = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).filter(
    (character) => !GLYPHS.has(character),
  );
  expect(missing.join('')).toBe('\\^`{}~');
});

function readDirectory(font: Buffer): { lengths: number[]; end: number } {
  const lengths: number[] = [];
  let end = 48;
  for (let table = 0; table < TABLES; table += 1) {
    end += 1;
    let length = 0;
    do length = (length << 7) | (font[end]! & 127);
    while (font[end++]! >= 128);
    lengths.push(length);
  }
  return { lengths, end };
}
