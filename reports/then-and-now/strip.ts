import type { ClaimFinding } from '../../harness/model/then-and-now.ts';
import { describeRatio } from '../../harness/replication/wording.ts';
import { element, named, styled } from '../elements.ts';

/** A number with the ends of its interval. */
interface Point {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly answer: string;
}

/** Up to this many points each have their name beside them. */
const LABELLED = 8;

/** Points further out than this are not drawn to scale: they stand at the edge. */
const FURTHEST = Math.log2(16);

/**
 * What was measured against what was claimed, on one axis: of ratios by their logarithm, so that half and twice are
 * equally far from equal. Nothing where the claim is not about numbers.
 */
export function drawStrip({ cases, claimed, measured }: ClaimFinding): HTMLElement | undefined {
  const isOne = new Set(cases.map(({ title }) => title)).size === 1;
  const numbers = cases.flatMap(({ title, numbers: own, answer }) =>
    own.map((number) => ({ number, answer, label: isOne ? number.says : `${title}: ${number.says}` })),
  );
  if (claimed === undefined || numbers.length === 0) return undefined;
  const isRatio = numbers[0]!.number.unit === 'ratio';
  const scale = (value: number) =>
    isRatio ? Math.max(-FURTHEST, Math.min(FURTHEST, Math.log2(value))) : Math.max(-2, Math.min(2, value));
  const points = numbers
    .flatMap(({ number, answer, label }): Point[] => {
      const { value, interval } = number;
      if (value === undefined || Number.isNaN(value)) return [];
      const [low, high] = interval ?? [value, value];
      return [{ label, answer, value: scale(value), low: scale(low), high: scale(high) }];
    })
    .sort((a, b) => a.value - b.value);
  if (points.length === 0) return undefined;
  const ends = axisOf(
    points,
    [claimed.above, claimed.below].flatMap((end) => (end === undefined ? [] : [scale(end)])),
  );
  const at = (value: number) => 100 * Math.max(0, Math.min(1, (value - ends.from) / (ends.to - ends.from)));
  const span = (low: number, high: number) => ({ left: `${at(low)}%`, width: `${Math.max(0, at(high) - at(low))}%` });
  const band = span(
    claimed.above === undefined ? ends.from : scale(claimed.above),
    claimed.below === undefined ? ends.to : scale(claimed.below),
  );
  const tell = (end: number) => (isRatio ? describeRatio(2 ** end) : end.toFixed(1));
  const none = isRatio ? 'no difference' : 'alike';
  return element(
    'div',
    { class: 'strip', role: 'img', 'aria-label': `Measured: ${measured}` },
    element(
      'div',
      { class: points.length > LABELLED ? 'field dense' : 'field' },
      styled(element('i', { class: 'claimed' }), band),
      styled(element('i', { class: 'equal' }), { left: `${at(0)}%` }),
      ...points.map(({ label, value, low, high, answer }) =>
        element(
          'span',
          { class: `row ${answer.replace(' ', '-')}` },
          styled(element('i', { class: 'whisker' }), span(low, high)),
          styled(element('i', { class: 'dot' }), { left: `${at(value)}%` }),
          points.length <= LABELLED &&
            styled(
              element('small', { class: at(high) > 55 ? 'label before' : 'label' }, named(label, 60)),
              at(high) > 55 ? { right: `${100 - at(low)}%` } : { left: `${at(high)}%` },
            ),
        ),
      ),
    ),
    element(
      'div',
      { class: 'axis', 'aria-hidden': 'true' },
      element('span', {}, tell(ends.from)),
      at(0) > 22 && at(0) < 78 ? styled(element('span', { class: 'middle' }, none), { left: `${at(0)}%` }) : undefined,
      element('span', {}, tell(ends.to)),
    ),
  );
}

/** An axis that reaches a little beyond every estimate, every claim and equality. */
function axisOf(points: readonly Point[], claimed: readonly number[]): { readonly from: number; readonly to: number } {
  const all = [0, ...claimed, ...points.map(({ value }) => value)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = Math.max(0.12, 0.15 * (high - low));
  return { from: low - room, to: high + room };
}
