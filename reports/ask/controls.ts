import { fullTitleOfLink } from '../../harness/model/link-title.ts';
import type { Features } from '../../harness/model/tree.ts';
import { element } from '../elements.ts';
import type { Report, ReportCondition } from '../report.ts';
import { figure } from '../wording.ts';

/** What a question is put with: it tells of a change, and shows what is asked. */
export interface QuestionControl {
  readonly node: HTMLElement;
  show(asked: Features): void;
}

/** A slider for one feature of a link or a page. */
export interface Dial {
  readonly feature: 'rateKbps' | 'rttMs' | 'lossPercent' | 'objects' | 'totalBytes' | 'queuePackets';
  readonly title: string;
  readonly unit: string;
  /** How many of the feature's own unit are in one of the shown unit. */
  readonly per: number;
  /** The slider's ends. It is logarithmic in the value plus `softened`, so that it can begin at 0. */
  readonly range: readonly [low: number, high: number];
  readonly softened: number;
}

/** All that can be asked for by a number. */
export const DIALS: readonly Dial[] = [
  { feature: 'rateKbps', title: 'Rate', unit: 'Mbit/s', per: 1000, range: [250, 1_000_000], softened: 0 },
  { feature: 'rttMs', title: 'Round-trip time', unit: 'ms', per: 1, range: [0, 1000], softened: 5 },
  { feature: 'lossPercent', title: 'Loss', unit: '%', per: 1, range: [0, 10], softened: 0.2 },
  { feature: 'objects', title: 'Objects on the page', unit: '', per: 1, range: [1, 1000], softened: 0 },
  { feature: 'totalBytes', title: 'Size of the page', unit: 'kB', per: 1000, range: [1000, 50_000_000], softened: 0 },
  { feature: 'queuePackets', title: 'Queue', unit: 'packets', per: 1, range: [1, 2000], softened: 0 },
];

const STEPS = 400;

/** A slider with its figure; it tells of a change, and is set to what is asked. */
export function drawDial(
  { feature, title, unit, per, range, softened }: Dial,
  change: (value: number) => void,
): QuestionControl {
  const [low, high] = range.map((end) => Math.log(end + softened)) as [number, number];
  const valueAt = (step: number) => Math.exp(low + ((high - low) * step) / STEPS) - softened;
  const stepAt = (value: number) =>
    Math.round((STEPS * (Math.log(Math.min(value, range[1]) + softened) - low)) / (high - low));
  const id = `ask-${feature}`;
  const said = (input: HTMLInputElement) => Number(input.value);
  const number = element('input', {
    id,
    type: 'number',
    min: 0,
    step: 'any',
    inputmode: 'decimal',
    'aria-label': `${title}${unit && ` in ${unit}`}`,
    change: (event: Event) => {
      const value = per * said(event.target as HTMLInputElement);
      if (value > 0 || (value === 0 && range[0] === 0)) change(value);
    },
  });
  const slider = element('input', {
    type: 'range',
    min: 0,
    max: STEPS,
    'aria-label': title,
    input: (event: Event) => change(rounded(valueAt(said(event.target as HTMLInputElement)))),
  });
  return {
    node: element(
      'div',
      { class: 'dial' },
      element('label', { for: id }, title),
      element('span', { class: 'typed' }, number, ` ${unit}`),
      slider,
    ),
    show(asked) {
      const value = asked[feature];
      number.value = Number.isFinite(value) ? `${Number((value / per).toPrecision(5))}` : '';
      slider.value = `${stepAt(value)}`;
      slider.setAttribute('aria-valuetext', `${Number.isFinite(value) ? figure(value / per, 2) : 'unlimited'} ${unit}`);
    },
  };
}

/** A value to two digits, which is as fine as a reader slides. */
function rounded(value: number): number {
  return Math.max(0, Number(value.toPrecision(2)));
}

/** The features of a link, and of a page. */
const KEYS = {
  link: ['rateKbps', 'rttMs', 'lossPercent', 'queuePackets'],
  site: ['objects', 'totalBytes'],
} as const;

/** A choice among what was measured: its links, or its pages. */
export function drawChooser(
  { conditions }: Report,
  what: 'link' | 'site',
  change: (part: Partial<Features>) => void,
): QuestionControl {
  const titleOf = ({ site, link }: ReportCondition) => (what === 'site' ? site : fullTitleOfLink(`${link.name}`));
  const choices = [...new Map(conditions.map((each) => [titleOf(each), each.features]))];
  const keys = KEYS[what];
  const select = element(
    'select',
    {
      id: `ask-${what}`,
      change: (event: Event) => {
        const choice = choices[Number((event.target as HTMLSelectElement).value)];
        if (choice) change(Object.fromEntries(keys.map((key) => [key, choice[1][key]])));
      },
    },
    element('option', { value: -1 }, 'as below'),
    ...choices.map(([title], index) => element('option', { value: index }, title.slice(0, 80))),
  );
  return {
    node: element('label', {}, what === 'link' ? 'Link like ' : 'A page like ', select),
    show(asked) {
      select.value = `${choices.findIndex(([, features]) => keys.every((key) => features[key] === asked[key]))}`;
    },
  };
}

/** A choice among the visits that were measured, where there are several. */
export function visitChooser({ conditions }: Report, change: (part: Partial<Features>) => void): QuestionControl[] {
  const visits = [...new Set(conditions.map(({ visit }) => visit))];
  if (visits.length < 2) return [];
  const select = element(
    'select',
    { change: (event: Event) => change({ visit: (event.target as HTMLSelectElement).value }) },
    ...visits.map((visit) => element('option', { value: visit }, visit)),
  );
  return [
    {
      node: element('label', {}, 'Visit ', select),
      show: ({ visit }) => {
        select.value = visit;
      },
    },
  ];
}
