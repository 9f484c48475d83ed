import type { Random } from '../harness/stats/random.ts';
import { encodeJpeg, type Picture, UNIT } from './jpeg.ts';

/** What a photo shows: hills below a sky, or a vessel in a studio. */
export type PhotoScene = 'landscape' | 'vessel';

export interface PhotoOptions {
  readonly random: Random;
  readonly bytes: number;
  readonly scene?: PhotoScene;
  /** Width over height; 3:2 where absent. */
  readonly ratio?: number;
  /** How many pixels a byte stands for; 3 where absent, as in a photo saved for the web. */
  readonly pixelsPerByte?: number;
}

/** A JPEG photo of exactly the given size, with as many pixels as such a photo has. */
export function renderPhoto({
  random,
  bytes,
  scene = 'landscape',
  ratio = 1.5,
  pixelsPerByte = 3,
}: PhotoOptions): Buffer {
  const width = Math.max(2, Math.round(Math.sqrt(bytes * pixelsPerByte * ratio) / UNIT)) * UNIT;
  const height = Math.max(1, Math.round(width / ratio / UNIT)) * UNIT;
  return encodeJpeg(SCENES[scene](random, width, height), bytes);
}

/** Lightness and the two colour differences, each 0 to 255. */
type Colour = readonly [lightness: number, blue: number, red: number];

/** A colour at a point. */
type Painter = (x: number, y: number) => Colour;

const SCENES: Readonly<Record<PhotoScene, (random: Random, width: number, height: number) => Picture>> = {
  landscape: (random, width, height) => expose(width, height, paintLandscape(random, width, height)),
  vessel: (random, width, height) => expose(width, height, paintVessel(random, width, height)),
};

/** Width and height are whole units, so that no plane needs an edge. */
function expose(width: number, height: number, paint: Painter): Picture {
  const half = width / 2;
  const picture = {
    width,
    height,
    lightness: new Uint8ClampedArray(width * height),
    blue: new Uint8ClampedArray((width * height) / 4),
    red: new Uint8ClampedArray((width * height) / 4),
  };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const colour = paint(x, y);
      picture.lightness[y * width + x] = colour[0];
      if (((x | y) & 1) === 0) {
        picture.blue[(y >> 1) * half + (x >> 1)] = colour[1];
        picture.red[(y >> 1) * half + (x >> 1)] = colour[2];
      }
    }
  return picture;
}

/** High sky, low sky, near ground, and the hour they belong to. */
const LIGHTS = [
  [0x3f7fc4, 0xd8e8f2, 0x2f4a24], // Noon over grass.
  [0x27406e, 0xf2b27a, 0x4a3f4e], // Dusk.
  [0x7fa6c0, 0xf6e7cf, 0x6b4a2b], // Morning in a dry land.
  [0x8d99a6, 0xdfe3e6, 0x2c3a38], // Overcast.
  [0x4a90b8, 0xcfe9ea, 0x1f5a63], // By the sea.
] as const;

const RIDGES = 4;

function paintLandscape(random: Random, width: number, height: number): Painter {
  const texture = drawTexture(random);
  const light = LIGHTS[Math.floor(random() * LIGHTS.length)]!;
  const [high, low, near] = [toColour(light[0]), toColour(light[1]), toColour(light[2])];
  const horizon = height * (0.35 + 0.2 * random());
  const [sunX, sunY] = [width * (0.15 + 0.7 * random()), horizon * (0.3 + 0.5 * random())];
  const layers = [low, ...Array.from({ length: RIDGES }, (_, index) => mix(low, near, (index + 1) / RIDGES))];
  const tops = Array.from({ length: RIDGES }, (_, ridge) => {
    const base = horizon + ((height - horizon) * ridge * (0.6 + 0.3 * random())) / RIDGES;
    const [row, relief] = [Math.floor(random() * SIDE), height * (0.16 - 0.03 * ridge)];
    return Float32Array.from(
      { length: width },
      (_, x) => base - relief * (0.3 + sampleTexture(texture, (x * 150) / width, row + 0.5)),
    );
  });
  return (x, y) => {
    let layer = 0;
    for (let ridge = 0; ridge < RIDGES; ridge += 1) if (y >= tops[ridge]![x]!) layer = ridge + 1;
    const grain = 10 * texture[((y & 255) << 8) | ((x + 97) & 255)]!;
    if (layer === 0) {
      const clouds = Math.max(0, sampleTexture(texture, (x * 60) / width, (y * 110) / height));
      const [right, below] = [(x - sunX) / height, (y - sunY) / height];
      const glow = 40 / (1 + 60 * (right * right + below * below));
      const [lightness, blue, red] = mix(high, low, Math.min(1, y / horizon));
      return [lightness + 60 * clouds + glow + grain / 3, blue - 20 * clouds, red + glow / 4];
    }
    // The nearer the ground, the rougher it looks.
    const [lightness, blue, red] = layers[layer]!;
    const rough = 12 + (70 * layer) / RIDGES;
    const detail = texture[(((y * 2) & 255) << 8) | (x & 255)]! + texture[(((y >> 1) & 255) << 8) | ((x >> 2) & 255)]!;
    const depth = (y - tops[layer - 1]![x]!) / height;
    return [lightness + rough * detail * 0.7 + grain - 40 * depth, blue - 6 * detail, red + 6 * detail];
  };
}

const GLAZES = [0xb5452c, 0x2f6f8f, 0xd9b44a, 0x4c7a53, 0x6b4a7e, 0xe8e2d6, 0x33383d] as const;
const BACKDROPS = [0xece8e1, 0xdfe6ea, 0xf3ece4, 0xe6e9df] as const;

function paintVessel(random: Random, width: number, height: number): Painter {
  const texture = drawTexture(random);
  const glaze = toColour(GLAZES[Math.floor(random() * GLAZES.length)]!);
  const backdrop = toColour(BACKDROPS[Math.floor(random() * BACKDROPS.length)]!);
  const [top, bottom] = [height * (0.12 + 0.15 * random()), height * 0.84];
  const profile = Array.from({ length: 6 }, () => (0.08 + 0.2 * random()) * Math.min(width, height));
  const radius = (y: number) => {
    const place = ((y - top) / (bottom - top)) * (profile.length - 1);
    const index = Math.min(profile.length - 2, Math.floor(place));
    return profile[index]! + (profile[index + 1]! - profile[index]!) * smooth(place - index);
  };
  return (x, y) => {
    const grain = 9 * texture[((y & 255) << 8) | ((x + 31) & 255)]! + 5 * texture[((x & 255) << 8) | (y & 255)]!;
    const across = x - width / 2;
    if (y >= top && y < bottom) {
      const turn = across / radius(y);
      if (turn > -1 && turn < 1) {
        const lit = 0.25 + 0.9 * Math.max(0, 0.8 * Math.sqrt(1 - turn * turn) - 0.45 * turn);
        const wear = 25 * sampleTexture(texture, x * 0.4, y * 0.4);
        return [glaze[0] * lit + wear + grain, mixNumber(128, glaze[1], lit), mixNumber(128, glaze[2], lit)];
      }
    }
    const [right, below] = [across / width, (y - bottom) / height];
    const shadow = 70 / (1 + 30 * right * right + 900 * below * below);
    return [backdrop[0] - shadow - (y > bottom - 0.06 * height ? 14 : 0) + grain, backdrop[1], backdrop[2]];
  };
}

const SIDE = 256;

/** Fractal noise of about -1 to 1 on a square that joins at its edges, as rough as nature at every scale. */
function drawTexture(random: Random): Float32Array {
  const texture = new Float32Array(SIDE * SIDE);
  for (let cells = 4, weight = 0.5; cells <= SIDE; cells *= 2, weight *= 0.62) {
    const lattice = new Float32Array(cells * cells).map(() => (2 * random() - 1) * weight);
    const size = SIDE / cells;
    const shares = new Float64Array(size).map((_, place) => smooth(place / size));
    for (let y = 0; y < SIDE; y += 1) {
      const row = Math.floor(y / size);
      const [upper, lower, down] = [row * cells, ((row + 1) % cells) * cells, shares[y % size]!];
      for (let column = 0; column < cells; column += 1) {
        const next = (column + 1) % cells;
        const left = mixNumber(lattice[upper + column]!, lattice[lower + column]!, down);
        const right = mixNumber(lattice[upper + next]!, lattice[lower + next]!, down);
        const start = y * SIDE + column * size;
        for (let place = 0; place < size; place += 1) texture[start + place]! += mixNumber(left, right, shares[place]!);
      }
    }
  }
  return texture;
}

/** The texture between its points. */
function sampleTexture(texture: Float32Array, x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const at = (right: number, below: number) => texture[(((row + below) & 255) << 8) | ((column + right) & 255)]!;
  return mixNumber(mixNumber(at(0, 0), at(1, 0), x - column), mixNumber(at(0, 1), at(1, 1), x - column), y - row);
}

function toColour(rgb: number): Colour {
  const [red, green, blue] = [rgb >> 16, (rgb >> 8) & 255, rgb & 255];
  const lightness = 0.299 * red + 0.587 * green + 0.114 * blue;
  return [lightness, 128 + (blue - lightness) * 0.564, 128 + (red - lightness) * 0.713];
}

function mix(from: Colour, to: Colour, share: number): Colour {
  return [mixNumber(from[0], to[0], share), mixNumber(from[1], to[1], share), mixNumber(from[2], to[2], share)];
}

function mixNumber(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

function smooth(share: number): number {
  return share * share * (3 - 2 * share);
}
