import { median } from '../../../harness/stats/order.ts';
import { FIGURES, type Figure, type Sample } from './samples.ts';

/** How much higher a figure may be at the end than in the middle, beside a share of itself: figures vary. */
const MOST_GROWTH: Readonly<Record<Figure, number>> = {
  ownMb: 30,
  othersMb: 60,
  ownDescriptors: 5,
  othersDescriptors: 60,
  processes: 3,
  namespaces: 0,
  files: 40,
  filesMb: 10,
};
const MOST_SHARE = 0.05;

/** A figure over a soak. */
export interface Course {
  readonly figure: Figure;
  /** The medians of its second and its last third: the first is when everything starts. */
  readonly middle: number;
  readonly end: number;
  readonly isFlat: boolean;
}

/** How all figures went. */
export function coursesOf(samples: readonly Sample[]): readonly Course[] {
  const third = Math.floor(samples.length / 3);
  return (Object.keys(FIGURES) as Figure[]).map((figure) => {
    const of = (part: readonly Sample[]) => median(part.map((sample) => sample[figure]));
    const [middle, end] = [of(samples.slice(third, 2 * third)), of(samples.slice(2 * third))];
    return { figure, middle, end, isFlat: end - middle <= MOST_GROWTH[figure] + MOST_SHARE * middle };
  });
}

/** One line for each sample. */
export function renderCsv(samples: readonly Sample[]): string {
  const names = ['loads', 'minutes', ...(Object.keys(FIGURES) as Figure[])] as const;
  const cell = (number: number) => `${Math.round(100 * number) / 100}`;
  const lines = samples.map((sample) => names.map((name) => cell(sample[name])).join(','));
  return `${[names.join(','), ...lines].join('\n')}\n`;
}

const [WIDTH, HEIGHT, GAP] = [640, 90, 40];

/** A picture of each figure over the loads, from zero. */
export function renderPlot(samples: readonly Sample[], title: string): string {
  const most = Math.max(1, ...samples.map(({ loads }) => loads));
  const panels = coursesOf(samples).map(({ figure, isFlat }, index) => {
    const highest = Math.max(1, ...samples.map((sample) => sample[figure]));
    const y = GAP + index * (HEIGHT + GAP);
    const points = samples.map((sample) => {
      const [x, up] = [(WIDTH * sample.loads) / most, (HEIGHT * sample[figure]) / highest];
      return `${x.toFixed(1)},${(y + HEIGHT - up).toFixed(1)}`;
    });
    const says = `${FIGURES[figure]}: up to ${Math.round(highest)}${isFlat ? '' : ', GROWS'}`;
    return [
      `<text x="0" y="${y - 6}">${says}</text>`,
      `<path d="M0 ${y + HEIGHT}H${WIDTH}" stroke="#bbb"/>`,
      `<polyline points="${points.join(' ')}" fill="none" stroke="#06c"/>`,
    ].join('\n');
  });
  const height = GAP + panels.length * (HEIGHT + GAP);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -20 ${WIDTH} ${height + 20}" font-family="sans-serif" font-size="13">
<text x="0" y="0" font-weight="bold">${title}; 0 to ${most} loads</text>
${panels.join('\n')}
</svg>
`;
}
