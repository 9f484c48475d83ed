import { GLYPHS, type Point } from './strokes.ts';
import { type FontTable, packWoff2 } from './woff2.ts';

/** How a font's pen draws. */
export interface FontStyle {
  /** How thick the pen is, from 100 to 900 as in CSS. */
  readonly weight: number;
  /** Whether characters lean to the right. */
  readonly italic?: boolean;
}

const UNITS_PER_EM = 1000;
const UNITS_PER_STEP = 50;
const [ASCENT, DESCENT] = [900, -260];
const SPACE_WIDTH = 320;

/** A WOFF2 font that draws printable ASCII. */
export function renderFont(style: FontStyle): Buffer {
  return packWoff2(renderTables(style));
}

// ---------------------------------------------------------------- outlines

interface Outline {
  readonly advance: number;
  readonly contours: readonly (readonly Point[])[];
}

/** Every stroke's every piece is a contour of its own; where they overlap they are ink all the same. */
function drawOutline(character: string, style: FontStyle): Outline {
  const glyph = GLYPHS.get(character);
  if (!glyph) return { advance: SPACE_WIDTH, contours: [] };
  const pen = 12 + style.weight / 14;
  const margin = 45 + pen;
  const place = ([x, y]: Point): Point => [
    margin + UNITS_PER_STEP * (x + (style.italic ? 0.2 * y : 0)),
    UNITS_PER_STEP * y,
  ];
  const contours = glyph.lines.flatMap((line) =>
    line.slice(1).map((point, index) => pieceOf(place(line[index]!), place(point), pen)),
  );
  return { advance: Math.round(2 * margin + UNITS_PER_STEP * glyph.width), contours };
}

/** A straight piece of a stroke with round ends, clockwise. */
function pieceOf(from: Point, to: Point, pen: number): Point[] {
  const heading = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const around = (end: Point, quarter: number) =>
    [0, 1, 2, 3].map((step): Point => {
      const angle = heading + (Math.PI / 2) * quarter - (Math.PI / 3) * step;
      return [Math.round(end[0] + pen * Math.cos(angle)), Math.round(end[1] + pen * Math.sin(angle))];
    });
  return [...around(to, 1), ...around(from, -1)];
}

// ---------------------------------------------------------------- TrueType tables

const FIRST = 0x20;
const LAST = 0x7e;

function renderTables(style: FontStyle): FontTable[] {
  // Glyph 0 stands for what is missing; then ASCII in order.
  const characters = ['?', ...Array.from({ length: LAST - FIRST + 1 }, (_, i) => String.fromCharCode(FIRST + i))];
  const outlines = characters.map((character) => drawOutline(character, style));
  const glyphs = outlines.map(renderGlyph);
  const offsets = glyphs.map((_, index) => glyphs.slice(0, index).reduce((sum, glyph) => sum + glyph.length, 0));
  const glyf = Buffer.concat(glyphs);
  const bounds = boundsOf(outlines.flatMap(({ contours }) => contours.flat()));
  const widest = Math.max(...outlines.map(({ advance }) => advance));
  const pointCounts = outlines.map(({ contours }) => contours.flat().length);
  const contourCounts = outlines.map(({ contours }) => contours.length);
  return [
    ['OS/2', renderOs2(style, outlines)],
    ['cmap', renderCmap()],
    ['glyf', glyf],
    ['head', renderHead(style, bounds)],
    ['hhea', words([1, 0, ASCENT, DESCENT, 0, widest, bounds[0]!, 0, bounds[2]!, 1, ...zeros(7), outlines.length])],
    ['hmtx', words(outlines.flatMap(({ advance, contours }) => [advance, boundsOf(contours.flat())[0]!]))],
    ['loca', longs([...offsets, glyf.length])],
    [
      'maxp',
      words([1, 0, outlines.length, Math.max(...pointCounts), Math.max(...contourCounts), 0, 0, 2, ...zeros(8)]),
    ],
    ['name', renderNames('Photofinish Stroke', `${style.weight}${style.italic ? ' Italic' : ''}`)],
    ['post', words([3, 0, style.italic ? -11 : 0, 0, -100, 50, ...zeros(10)])],
  ];
}

function renderHead({ weight, italic }: FontStyle, bounds: readonly number[]): Buffer {
  const look = (weight >= 600 ? 1 : 0) | (italic ? 2 : 0);
  const magic = [0x5f0f, 0x3cf5];
  // Version, revision, checksum (the browser makes it), magic, flags, scale, two dates, bounds, look, and long offsets.
  return words([1, 0, 1, 0, 0, 0, ...magic, 0x080b, UNITS_PER_EM, ...zeros(8), ...bounds, look, 8, 2, 1, 0]);
}

const ON_CURVE = 1;

function renderGlyph({ contours }: Outline): Buffer {
  if (contours.length === 0) return Buffer.alloc(0);
  const points = contours.flat();
  const ends = contours.map((_, index) => contours.slice(0, index + 1).flat().length - 1);
  const steps = (axis: 0 | 1) => points.map((point, index) => point[axis] - (index > 0 ? points[index - 1]![axis] : 0));
  const glyph = Buffer.concat([
    words([contours.length, ...boundsOf(points), ...ends, 0]), // No instructions.
    Buffer.alloc(points.length, ON_CURVE),
    words([...steps(0), ...steps(1)]),
  ]);
  return Buffer.concat([glyph, Buffer.alloc(-glyph.length & 3)]);
}

/** Least x and y, greatest x and y. */
function boundsOf(points: readonly Point[]): number[] {
  if (points.length === 0) return [0, 0, 0, 0];
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** One run of characters, each the glyph one after its place in the run, and the end that the format asks for. */
function renderCmap(): Buffer {
  const segments = [[LAST, 0xffff], [0], [FIRST, 0xffff], [1 - FIRST, 1], [0, 0]].flat();
  const body = [4, 2 * (7 + segments.length), 0, 4, 4, 1, 0, ...segments];
  return words([0, 1, 3, 1, 0, 12, ...body]);
}

function renderOs2({ weight, italic }: FontStyle, outlines: readonly Outline[]): Buffer {
  const average = Math.round(outlines.reduce((sum, { advance }) => sum + advance, 0) / outlines.length);
  const selection = (italic ? 0x01 : 0) | (weight >= 600 ? 0x20 : 0) | (weight < 600 && !italic ? 0x40 : 0);
  const scripts = [650, 600, 0, 75, 650, 600, 0, 350, 50, 250]; // Small characters above and below, and struck through.
  return words([
    ...[4, average, weight, 5, 0, ...scripts, ...zeros(6)],
    ...[0, 1, ...zeros(6)], // It has the characters of Basic Latin.
    ...[0x5046, 0x4e53, selection, FIRST, LAST, ASCENT, DESCENT, 0, ASCENT, -DESCENT],
    ...[0, 1, 0, 0, 500, 700, 0, FIRST, 0],
  ]);
}

function renderNames(family: string, style: string): Buffer {
  const names = [
    [1, family],
    [2, style],
    [3, `${family} ${style}`],
    [4, `${family} ${style}`],
    [6, `${family} ${style}`.replaceAll(' ', '-')],
  ] as const;
  let offset = 0;
  const records = names.flatMap(([id, text]) => {
    const record = [3, 1, 0x409, id, 2 * text.length, offset]; // Windows, Unicode, American English.
    offset += 2 * text.length;
    return record;
  });
  const texts = names.map(([, text]) => Buffer.from(text, 'utf16le').swap16());
  return Buffer.concat([words([0, names.length, 6 + 12 * names.length, ...records]), ...texts]);
}

/** Numbers of 16 bits, big-endian. */
function words(numbers: readonly number[]): Buffer {
  const buffer = Buffer.alloc(2 * numbers.length);
  numbers.forEach((number, index) => {
    buffer.writeUInt16BE(number & 0xffff, 2 * index);
  });
  return buffer;
}

function longs(numbers: readonly number[]): Buffer {
  return words(numbers.flatMap((number) => [number >>> 16, number]));
}

function zeros(count: number): number[] {
  return new Array<number>(count).fill(0);
}
