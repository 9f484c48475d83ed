import { deedInWords } from '../../harness/findings/lead.ts';
import type { Advice, Mix } from '../../harness/model/advice.ts';
import { fullTitleOfLink } from '../../harness/model/link-title.ts';
import { markOf } from '../arms.ts';
import { element, named } from '../elements.ts';
import type { Deeds } from '../part.ts';
import { openPlace } from '../place.ts';
import type { Report } from '../report.ts';
import type { State } from '../state.ts';
import { sureWord } from '../sureness.ts';
import { percent, unbroken } from '../wording.ts';

/** The heading of the sliders, to which other parts lead. */
export const TRAFFIC = 'traffic';

/** Sliders for the traffic: the advice is drawn anew from what was measured. */
export function drawMix(first: Report, deeds: Deeds) {
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
      shares?.show(mix ?? own);
      const { advice } = report.concludeFor(mix);
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
  show(mix: Mix): void;
}

function drawShares(own: Mix, deeds: Deeds): Shares {
  const profiles = Object.keys(own);
  const sliders = profiles.map((profile) =>
    element('input', {
      type: 'range',
      min: 0,
      max: 100,
      'aria-label': `Share of ${fullTitleOfLink(profile)}`.slice(0, 100),
      input: () => deeds.change({ mix: read() }),
    }),
  );
  const read = (): Mix =>
    Object.fromEntries(profiles.map((profile, index) => [profile, Number(sliders[index]!.value)]));
  const shares = profiles.map(() => element('output', {}));
  return {
    nodes: [
      element('h3', { id: TRAFFIC }, 'Your traffic'),
      element(
        'p',
        { class: 'quiet' },
        'Who visits your page? Move the shares: the advice and the tree follow at once, from the loads that were measured.',
      ),
      element(
        'ul',
        {},
        ...profiles.map((profile, index) =>
          element('li', {}, named(fullTitleOfLink(profile), 60), sliders[index]!, shares[index]!),
        ),
      ),
      element('button', { type: 'button', click: () => deeds.change({ mix: undefined }) }, 'As in the study'),
    ],
    show(mix) {
      const total = profiles.reduce((sum, profile) => sum + (mix[profile] ?? 0), 0);
      profiles.forEach((profile, index) => {
        sliders[index]!.value = `${mix[profile] ?? 0}`;
        shares[index]!.textContent = total > 0 ? percent((100 * (mix[profile] ?? 0)) / total) : '–';
      });
    },
  };
}

function drawAdvice(report: Report, advice: Advice | undefined): HTMLElement[] {
  if (!advice) return [element('p', {}, 'Nothing is measured yet.')];
  const { serve, asGood, gain, sureness } = advice;
  const arms = serve === gain.over ? [serve] : [serve, ...asGood];
  return [
    element(
      'h3',
      { class: 'leaf' },
      element('span', { class: 'marks' }, ...arms.map((arm) => markOf(report.lookOf(arm)))),
      deedInWords(advice, report.titleOf),
    ),
    element('p', { class: 'quiet' }, 'Over this traffic. How sure: ', sureWord(report, sureness), '.'),
    element('p', { class: 'text' }, unbroken(advice.text)),
  ];
}
