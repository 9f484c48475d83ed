import { expect, test } from '@jest/globals';
import { bestByLinks, writeAdvice, writeGiven } from '../../harness/advice/advice-text.ts';
import { RULES } from '../../harness/comparison/rules.ts';
import { type Advice, dependsOnVisitors, type ProfileAdvice } from '../../harness/model/advice.ts';

const GAIN = { over: 'h2', percent: 2.5, interval: [-6, 8.5] } as const;

function link(profile: string, serve: string, asGood: readonly string[] = []): ProfileAdvice {
  return { profile, serve, asGood, share: 0.25, sureness: 'sure', regretPercent: 0, gain: GAIN };
}

const ADVICE: Omit<Advice, 'text'> = {
  serve: 'h3',
  asGood: [],
  sureness: 'likely',
  regretPercent: 9,
  mix: { fibre: 0.25, cable: 0.25, '4g': 0.25, 'wifi-lossy': 0.25 },
  unmeasured: [],
  gain: GAIN,
  best: { condition: 'shop|4g', percent: 27.4 },
  worst: { condition: 'shop|cable', percent: 29, than: 'h2', slowerIn: 3 },
  open: { conditions: 0, unmeasured: 0, of: 8, worthPercent: 0 },
  assumesKnownH3: true,
  byProfile: [link('fibre', 'h2'), link('cable', 'h2', ['h1']), link('4g', 'h3'), link('wifi-lossy', 'h1')],
};

const NAMES = {
  conditions: [
    { id: 'shop|4g', title: 'shop over 4g' },
    { id: 'shop|cable', title: 'shop over cable' },
  ],
  arms: [
    { name: 'h1', title: 'HTTP/1.1' },
    { name: 'h2', title: 'HTTP/2' },
    { name: 'h3', title: 'HTTP/3' },
  ],
  rule: RULES.default,
  metric: 'plt',
} as const;

test('where nothing is clear of all visitors, and each link has another answer, it depends on them', () => {
  expect(dependsOnVisitors(ADVICE)).toBe(true);
  expect(writeAdvice(ADVICE, NAMES).split('\n').slice(0, 9)).toEqual([
    'It depends on your visitors. Best for all pages together, if nearly all have',
    '  fibre: HTTP/2 (sure)',
    '  cable: HTTP/1.1 or HTTP/2 (sure)',
    '  4g (mobile): HTTP/3 (sure)',
    '  wifi-lossy (crowded Wi-Fi): HTTP/1.1 (sure)',
    'If you do not know your visitors, keep HTTP/2. With equal shares HTTP/3 takes',
    '  on average: 2.5 % less page load time than HTTP/2 (95 % interval −6 to 8.5 %)',
    '  at best: 27 % less, shop over 4g',
    '  at worst: 29 % more, shop over cable; slower in 3 of 8 conditions',
  ]);
  expect(writeGiven(ADVICE)).toBeUndefined();
  // With one protocol for everything loads take 9 % longer than at best, with what is served today 11.8 %.
  const byTree = { byTreePercent: 1, byTreeAsks: ['link'], byPagePercent: 5 } as const;
  expect(writeAdvice({ ...ADVICE, ...byTree }, NAMES)).toContain(
    'Better still: choosing by link would gain 9.7 % over HTTP/2 (only a CDN can).\nChoosing by page would gain 6.1 % (',
  );
});

test('links with the same answer are told of together, as sure as the one about which least is known', () => {
  const byProfile = [link('fibre', 'h2'), { ...link('cable', 'h2'), sureness: 'likely' as const }, link('4g', 'h3')];
  expect(bestByLinks({ byProfile }, NAMES)).toEqual([
    { arms: ['h2'], best: 'HTTP/2', links: ['fibre', 'cable'], sureness: 'likely' },
    { arms: ['h3'], best: 'HTTP/3', links: ['4g'], sureness: 'sure' },
  ]);
});

test.each<[string, Partial<Advice>]>([
  ['the choice is sure', { sureness: 'sure' }],
  ['there surely is a gain', { gain: { ...GAIN, interval: [0.5, 8.5] } }],
  ['nothing is to change', { serve: 'h2' }],
  ['visitors are known', { mix: { fibre: 0.7, cable: 0.1, '4g': 0.1, 'wifi-lossy': 0.1 } }],
  ['there are two links', { byProfile: ADVICE.byProfile.slice(1, 3) }],
  ['an arm is good for each link', { byProfile: ADVICE.byProfile.map((own) => ({ ...own, asGood: ['h3'] })) }],
  [
    'the others have no answer',
    { byProfile: ADVICE.byProfile.map((own) => (own.serve === 'h2' ? own : { ...own, sureness: 'open' })) },
  ],
  ['the tree is the advice', { byTreePercent: -5, byTreeAsks: ['page', 'link'] }],
])('not where %s', (_, more) => {
  const advice = { ...ADVICE, ...more };
  expect(dependsOnVisitors(advice)).toBe(false);
  expect(writeAdvice(advice, NAMES)).not.toContain('depends on your visitors');
});
