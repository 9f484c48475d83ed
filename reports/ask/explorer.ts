import type { Advice, Mix } from '../harness/model/advice.ts';
import type { Features, Leaf } from '../harness/model/tree.ts';
import { advise } from '../harness/verdict/advice.ts';
import { chips } from './answer.ts';
import { chip } from './arms.ts';
import { element, lead, named, section, styled } from './elements.ts';
import type { Deeds, Part } from './part.ts';
import { openPlace } from './place.ts';
import { asksFor, describeSplit, nearestTo, pathOf, type Step } from './question.ts';
import { adviceConditions, type Report, type ReportCondition } from './report.ts';
import { completed, type State } from './state.ts';
import { bytes, change, count, figure, percent, rate, time, unbroken } from './wording.ts';

interface Dial {
  readonly feature: 'rateKbps' | 'rttMs' | 'lossPercent' | 'objects' | 'totalBytes' | 'queuePackets';
  readonly title: string;
  readonly unit: string;
  /** Of the feature's own unit, in one of those that are shown. */
  readonly per: number;
  /** The slider's ends; it goes by doublings, from this little more than nothing. */
  readonly range: readonly [low: number, high: number];
  readonly softened: number;
}

const DIALS: readonly Dial[] = [
  { feature: 'rateKbps', title: 'Rate', unit: 'Mbit/s', per: 1000, range: [250, 1_000_000], softened: 0 },
  { feature: 'rttMs', title: 'Round-trip time', unit: 'ms', per: 1, range: [1, 1000], softened: 0 },
  { feature: 'lossPercent', title: 'Loss', unit: '%', per: 1, range: [0, 10], softened: 0.2 },
  { feature: 'objects', title: 'Objects on the page', unit: '', per: 1, range: [1, 1000], softened: 0 },
  { feature: 'totalBytes', title: 'Size of the page', unit: 'kB', per: 1000, range: [1000, 50_000_000], softened: 0 },
  { feature: 'queuePackets', title: 'Queue', unit: 'packets', per: 1, range: [1, 2000], softened: 0 },
];

/** Ask it: what the tree says of any page and visitor, and what each choice costs at the nearest that was measured. */
export function drawExplorer(first: Report, deeds: Deeds): Part | undefined {
  if (!first.data.summary.tree) return undefined;
  let report = first;
  let asked: Features | undefined;
  const change = (part: Partial<Features>) => {
    if (asked) deeds.change({ asked: completed({ ...asked, ...part }, 'queuePackets' in part) });
  };
  const dials = DIALS.map((dial) => ({ ...drawDial(dial, (value) => change({ [dial.feature]: value })), dial }));
  const choosers = [
    drawChooser(report, 'link', change),
    drawChooser(report, 'site', change),
    ...visitChooser(report, change),
  ];
  const result = openPlace({ class: 'result', 'aria-live': 'polite', id: 'explorer-result' });
  const mix = drawMix(report, deeds);
  const update = (next: Report) => {
    report = next;
    const { tree } = report.data.summary;
    for (const { node, dial } of dials) node.hidden = dial.feature === 'queuePackets' && !asksFor(tree, dial.feature);
    mix.update(report);
  };
  update(first);
  return {
    node: section(
      'ask',
      'Ask it',
      lead(
        'Describe a page and its visitors. The answer is the tree’s; the times are those of the nearest condition that was measured. The address keeps the question.',
      ),
      element(
        'div',
        { class: 'explorer' },
        element(
          'form',
          { class: 'dials', 'aria-label': 'Page and visitors', submit: (event: Event) => event.preventDefault() },
          element('div', { class: 'choosers' }, ...choosers.map((each) => each.node)),
          ...dials.map((each) => each.node),
        ),
        result.node,
      ),
      mix.node,
    ),
    title: 'Ask it',
    show(state) {
      mix.show(state);
      if (state.asked !== asked) for (const part of [...dials, ...choosers]) part.show(state.asked);
      asked = state.asked;
      const answer = answerTo(report, asked);
      result.fill(answer, () => drawResult(report, answer, deeds.open));
    },
    update,
  };
}

interface Control {
  readonly node: HTMLElement;
  show(asked: Features): void;
}

const STEPS = 400;

function drawDial({ feature, title, unit, per, range, softened }: Dial, change: (value: number) => void): Control {
  const [low, high] = range.map((end) => Math.log(end + softened)) as [number, number];
  const valueAt = (step: number) => Math.exp(low + ((high - low) * step) / STEPS) - softened;
  const stepAt = (value: number) =>
    Math.round((STEPS * (Math.log(Math.min(value, range[1]) + softened) - low)) / (high - low));
  const id = `ask-${feature}`;
  const said = (input: HTMLInputElement) => Number(input.value);
  const number = element('input', {
    ...{
      id,
      type: 'number',
      min: 0,
      step: 'any',
      inputmode: 'decimal',
      'aria-label': `${title}${unit && ` in ${unit}`}`,
    },
    change: (event: Event) => {
      const value = per * said(event.target as HTMLInputElement);
      if (value > 0 || (value === 0 && range[0] === 0)) change(value);
    },
  });
  const slider = element('input', {
    ...{ type: 'range', min: 0, max: STEPS, 'aria-label': title },
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

/** To two digits: nobody slides to more. */
function rounded(value: number): number {
  return Math.max(0, Number(value.toPrecision(2)));
}

/** A choice among what was measured: its links, or its pages. */
function drawChooser(
  { conditions }: Report,
  what: 'link' | 'site',
  change: (part: Partial<Features>) => void,
): Control {
  const titleOf = (condition: ReportCondition) => (what === 'site' ? condition.site : `${condition.link.name}`);
  const choices = [...new Map(conditions.map((each) => [titleOf(each), each.features]))];
  const keys = what === 'link' ? (['rateKbps', 'rttMs', 'lossPercent'] as const) : (['objects', 'totalBytes'] as const);
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
    node: element('label', {}, what === 'link' ? 'Access like ' : 'A page like ', select),
    show(asked) {
      select.value = `${choices.findIndex(([, features]) => keys.every((key) => features[key] === asked[key]))}`;
    },
  };
}

function visitChooser({ conditions }: Report, change: (part: Partial<Features>) => void): Control[] {
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

/** What is said to a question. */
interface Said {
  readonly steps: readonly Step[];
  readonly leaf: Leaf;
  /** The nearest that was measured, with what its arms took. */
  readonly nearest?: Pick<ReportCondition, 'id' | 'title' | 'features' | 'arms'>;
}

function answerTo({ data: { summary }, conditions }: Report, asked: Features): Said {
  const nearest = nearestTo(asked, conditions);
  if (!nearest) return pathOf(summary.tree!, asked);
  const { id, title, features, arms } = nearest;
  return { ...pathOf(summary.tree!, asked), nearest: { id, title, features, arms } };
}

function drawResult(report: Report, { steps, leaf, nearest }: Said, open: Deeds['open']): HTMLElement[] {
  const path = element(
    'ol',
    { class: 'path', 'aria-label': 'How the tree gets there' },
    ...steps.map(({ split, yes }) =>
      element('li', {}, `${describeSplit(split)} `, element('b', {}, yes ? 'yes' : 'no')),
    ),
  );
  return [
    element('h3', { class: 'leaf', 'data-leaf': leaf.leaf.join(' ') }, ...nameLeaf(report, leaf)),
    element('p', { class: 'quiet' }, describeLeaf(leaf, report.looks.length)),
    ...(steps.length > 0 ? [path] : []),
    ...(nearest ? [drawExpected(report, nearest, open)] : []),
  ];
}

/** What is not proven is no answer: its arms stand behind the word. */
function nameLeaf(report: Report, { leaf, undecided }: Leaf): HTMLElement[] {
  if (undecided.length < leaf.length) return [chips(report, leaf)];
  return [element('span', {}, 'Undecided'), element('span', { class: 'candidates' }, chips(report, leaf))];
}

/** What a leaf says beside its arms, and how sure it is. */
export function describeLeaf({ leaf, undecided, support, regretPercent, conditions }: Leaf, arms: number): string {
  const says =
    undecided.length === leaf.length
      ? 'Nothing is proven here.'
      : leaf.length === arms
        ? 'As good as each other.'
        : leaf.length > 1
          ? 'As good as each other, and better than the rest.'
          : 'Better than the rest.';
  return `${says} ${count(conditions.length, 'condition')} like this, support ${percent(100 * support)}, regret ${percent(regretPercent)}.`;
}

/** The times of each arm in a condition, and what choosing it costs there. */
function drawExpected(report: Report, condition: NonNullable<Said['nearest']>, open: Deeds['open']): HTMLElement {
  const medians = report.looks.map(({ name }) => condition.arms[name]?.medianMs);
  const known = medians.filter((each) => each !== undefined);
  const [best, most] = [Math.min(...known), Math.max(...known)];
  const { features } = condition;
  return element(
    'div',
    { class: 'expected' },
    element(
      'p',
      {},
      'Nearest measured: ',
      element('button', { type: 'button', class: 'link', click: () => open(condition.id) }, named(condition.title, 60)),
      element(
        'span',
        { class: 'quiet' },
        ` ${rate(features.rateKbps)}, ${figure(features.rttMs)} ms, ${percent(features.lossPercent)} loss; ${count(features.objects, 'object')}, ${bytes(features.totalBytes)}`,
      ),
    ),
    element(
      'dl',
      { class: 'bars' },
      ...report.looks.flatMap((look, index) => {
        const ms = medians[index];
        const says = ms === undefined ? 'no load finished' : time(ms);
        const regret =
          ms === undefined ? '' : ms === best ? 'fastest median' : `${change(100 * (ms / best - 1))} regret`;
        return [
          element('dt', {}, chip(look)),
          element(
            'dd',
            { 'data-arm': look.name },
            element(
              'span',
              { class: 'track' },
              styled(element('span', { class: `fill ${look.className}` }), {
                width: `${ms === undefined ? 0 : (100 * ms) / most}%`,
              }),
            ),
            element('b', {}, says),
            element('span', { class: 'quiet' }, regret),
          ),
        ];
      }),
    ),
  );
}

/** Sliders for the traffic: the advice is drawn anew from what was measured. */
function drawMix(first: Report, deeds: Deeds) {
  let report = first;
  let shares: Shares | undefined;
  let shown: readonly unknown[] = [];
  const sliders = openPlace();
  const says = openPlace({ class: 'mix-advice', 'aria-live': 'polite' });
  const node = element('div', { class: 'mix' }, sliders.node, says.node);
  return {
    node,
    update(next: Report) {
      report = next;
      const own = ownMix(report);
      node.hidden = Object.keys(own).length < 2;
      sliders.fill(own, () => {
        shares = drawShares(own, deeds);
        return shares.nodes;
      });
    },
    show({ mix }: State) {
      if (node.hidden || (shown[0] === report && shown[1] === mix)) return;
      shown = [report, mix];
      const own = ownMix(report);
      const total = shares?.show(mix ?? own) ?? 0;
      const advice = adviseOn(report, total > 0 ? (mix ?? own) : own);
      says.fill(advice, () => drawAdvice(report, advice));
    },
  };
}

/** The study's own traffic, in percent, by the links over which anything was measured. */
function ownMix({ data: { summary }, conditions }: Report): Mix {
  const profiles = new Set(conditions.filter(({ blocks }) => blocks > 0).map(({ link }) => `${link.name}`));
  return Object.fromEntries(
    [...profiles].map((profile) => [profile, Math.round(100 * (summary.advice?.mix[profile] ?? 0))]),
  );
}

interface Shares {
  readonly nodes: readonly HTMLElement[];
  /** Returns what all shares come to. */
  show(mix: Mix): number;
}

function drawShares(own: Mix, deeds: Deeds): Shares {
  const profiles = Object.keys(own);
  const sliders = profiles.map((profile) =>
    element('input', {
      ...{ type: 'range', min: 0, max: 100, 'aria-label': `Share of ${profile}`.slice(0, 100) },
      input: () => deeds.change({ mix: read() }),
    }),
  );
  const read = (): Mix =>
    Object.fromEntries(profiles.map((profile, index) => [profile, Number(sliders[index]!.value)]));
  const shares = profiles.map(() => element('output', {}));
  return {
    nodes: [
      element('h3', {}, 'Your traffic'),
      element(
        'p',
        { class: 'quiet' },
        'Who visits? Shift the shares, and the advice follows; nothing is measured again.',
      ),
      element(
        'ul',
        {},
        ...profiles.map((profile, index) => element('li', {}, named(profile, 40), sliders[index]!, shares[index]!)),
      ),
      element('button', { type: 'button', click: () => deeds.change({ mix: own }) }, 'As in the study'),
    ],
    show(mix) {
      const total = profiles.reduce((sum, profile) => sum + (mix[profile] ?? 0), 0);
      profiles.forEach((profile, index) => {
        sliders[index]!.value = `${mix[profile] ?? 0}`;
        shares[index]!.textContent = total > 0 ? percent((100 * (mix[profile] ?? 0)) / total) : '–';
      });
      return total;
    },
  };
}

function adviseOn(report: Report, mix: Mix): Advice | undefined {
  const { rule } = report.data.summary;
  return advise({ conditions: adviceConditions(report), arms: report.looks.map(({ name }) => name), rule, mix });
}

function drawAdvice(report: Report, advice: Advice | undefined): HTMLElement[] {
  if (!advice) return [element('p', {}, 'Nothing is measured yet.')];
  const isOpen = advice.against === undefined && !advice.text.startsWith('Serve');
  return [
    ...(isOpen ? [] : [element('h3', { class: 'leaf' }, chips(report, advice.serve))]),
    element('p', {}, unbroken(advice.text)),
  ];
}
