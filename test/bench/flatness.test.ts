import { expect, test } from '@jest/globals';
import { coursesOf, renderCsv, renderPlot } from '../live/soak/flatness.ts';
import type { Figure, Sample } from '../live/soak/samples.ts';

const STILL = {
  ownMb: 200,
  othersMb: 900,
  ownDescriptors: 60,
  othersDescriptors: 900,
  processes: 30,
  namespaces: 3,
  files: 500,
  filesMb: 80,
};

/** A soak in which some figures grow by a given amount with each sample, after a start in which all rise. */
function soakOf(growing: Partial<Record<Figure, number>> = {}): readonly Sample[] {
  return Array.from({ length: 60 }, (_, index) => {
    const figures = Object.entries(STILL).map(([name, value]) => {
      const grown = value + index * (growing[name as Figure] ?? 0) + (index % 2);
      return [name, index < 5 ? value / 2 : grown];
    });
    return { loads: 80 * index, minutes: 2 * index, ...(Object.fromEntries(figures) as typeof STILL) };
  });
}

const growingOnes = (samples: readonly Sample[]) =>
  coursesOf(samples)
    .filter(({ isFlat }) => !isFlat)
    .map(({ figure }) => figure);

test('what comes to be at first and varies is flat', () => {
  expect(growingOnes(soakOf())).toEqual([]);
});

test.each<[Figure, number]>([
  ['ownMb', 3],
  ['ownDescriptors', 1],
  ['processes', 1],
  ['namespaces', 0.1],
  ['files', 5],
])('%s that grows by %d with each sample is found', (figure, by) => {
  expect(growingOnes(soakOf({ [figure]: by }))).toEqual([figure]);
});

test('what was seen is a table and a picture that names what grows', () => {
  const samples = soakOf({ processes: 1 });
  expect(renderCsv(samples).split('\n')).toHaveLength(62);
  const picture = renderPlot(samples, 'a soak');
  expect(picture.match(/<polyline/g)).toHaveLength(8);
  expect(picture.match(/[\w ]+: up to \d+, GROWS/g)).toEqual(['processes: up to 90, GROWS']);
});
