import type { PageArm } from '../harness/report/page-data.ts';
import { drawn, element } from './elements.ts';

/** How an arm is told from others without its colour: the shape of its points, the dashes of its line. */
const SHAPES = ['circle', 'rect', 'triangle', 'rectRot', 'star'] as const;
const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 8]];

const PROTOCOLS: readonly string[] = ['h1', 'h2', 'h3', 'h1c'];

const PATHS: Readonly<Record<(typeof SHAPES)[number], string>> = {
  circle: 'M6 1a5 5 0 1 0 .01 0z',
  rect: 'M1.5 1.5h9v9h-9z',
  triangle: 'M6 .8 11.5 11H.5z',
  rectRot: 'M6 0l6 6-6 6-6-6z',
  star: 'M4.5 0h3v4.5H12v3H7.500V12h-3V7.500H0v-3h4.500z',
};

/** An arm as it is drawn. */
export interface ArmLook extends PageArm {
  readonly shape: (typeof SHAPES)[number];
  readonly dash: readonly number[];
  /** Sets `--arm`, its protocol's colour. */
  readonly className: string;
  /** The protocol's colour by itself. */
  readonly colour: string;
}

/** The looks of a study's arms, all different. */
export function looksOf(arms: readonly PageArm[]): readonly ArmLook[] {
  return arms.map((arm, index) => ({
    ...arm,
    shape: shapeOf(arms, index),
    dash: DASHES[index % DASHES.length]!,
    className: `protocol-${arm.protocol}`,
    colour: `var(--${arm.protocol})`,
  }));
}

/** A protocol's own shape, where no arm before has it. */
function shapeOf(arms: readonly PageArm[], index: number): (typeof SHAPES)[number] {
  const own = (arm: PageArm) => SHAPES[PROTOCOLS.indexOf(arm.protocol)];
  const first = arms.findIndex(({ protocol }) => protocol === arms[index]!.protocol);
  if (first === index && own(arms[index]!)) return own(arms[index]!)!;
  const free = SHAPES.filter((shape) => !arms.some((arm) => own(arm) === shape));
  return free[(index - 1) % free.length] ?? 'star';
}

/** How wide a stripe of a colour is: wide enough to be read on. */
const STRIPE_PX = 16;

/** Stripes in the colours of some arms; a sheet says how strong they are. Where two have one colour, lines part them. */
export function stripesOf(looks: readonly ArmLook[]): string {
  const linePx = new Set(looks.map(({ colour }) => colour)).size < looks.length ? 1 : 0;
  const stripes = looks.map(({ colour }, index) => {
    const [from, to] = [STRIPE_PX * index, STRIPE_PX * (index + 1)];
    const own = `color-mix(in srgb, ${colour} var(--tint), var(--surface)) ${from}px ${to - linePx}px`;
    return `${own}, var(--surface) ${to - linePx}px ${to}px`;
  });
  return `repeating-linear-gradient(120deg, ${stripes.join(', ')})`;
}

/** The arm's own sign. */
export function markOf({ shape, className }: ArmLook): SVGElement {
  return drawn(
    'svg',
    { class: `mark ${className}`, viewBox: '0 0 12 12', 'aria-hidden': 'true' },
    drawn('path', { d: PATHS[shape] }),
  );
}

/** An arm's mark within a drawing, around a point. */
export function markAt(look: ArmLook, x: number, y: number): SVGElement {
  return drawn('path', {
    class: `mark ${look.className}`,
    d: PATHS[look.shape],
    transform: `translate(${x - 6} ${y - 6})`,
  });
}

/** An arm by sign and name. */
export function chip(look: ArmLook, text = look.title): HTMLElement {
  return element('span', { class: 'chip' }, markOf(look), element('bdi', {}, text));
}

/** Several arms by their signs. */
export function chips({ lookOf }: { readonly lookOf: (arm: string) => ArmLook }, arms: readonly string[]): HTMLElement {
  return element('span', { class: 'chips' }, ...arms.map((arm) => chip(lookOf(arm))));
}

/** Arms of which any will do, by their signs. */
export function choice(
  { lookOf }: { readonly lookOf: (arm: string) => ArmLook },
  arms: readonly string[],
): HTMLElement {
  return element(
    'span',
    { class: 'chips' },
    ...arms.flatMap((arm, index) => [index > 0 && element('span', { class: 'or' }, 'or'), chip(lookOf(arm))]),
  );
}

/** An arm's line as a chart has it, for the legend. */
export function lineSample({ className, dash }: ArmLook): SVGElement {
  return drawn(
    'svg',
    { class: `line-sample ${className}`, viewBox: '0 0 30 12', 'aria-hidden': 'true' },
    drawn('path', { d: 'M0 6h30', 'stroke-dasharray': dash.join(' ') }),
  );
}
