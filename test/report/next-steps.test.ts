import { expect, test } from '@jest/globals';
import type { Summary } from '../../harness/findings/summary.ts';
import { nextSteps, type StudyWords } from '../../harness/report/next-steps.ts';
import { smallPage } from './pages.ts';

const { summary: whole } = smallPage();
/** Its advice hangs on one link, which is asked for apart. */
const { without, ...advice } = whole.advice!;
const summary: Summary = { ...whole, advice };
const WORDS: StudyWords = { goOn: 'npm run measure -- --out here', folder: 'here', ownPages: '' };
/** What it offers is no matter. */
const OFFERS = {} as NonNullable<Summary['offers']>;
const OWN: StudyWords = { ...WORDS, ownPages: '--site ./dist' };

function after(more: Partial<Summary>, words: StudyWords): readonly string[] {
  return nextSteps({ ...summary, ...more }, words).map(({ step, command }) => `${step}: ${command}`);
}

function advised(more: Partial<NonNullable<Summary['advice']>>): Partial<Summary> {
  return { advice: { ...summary.advice!, ...more } };
}

/** A condition over a link with jitter, over which TCP of one arm stops growing early. */
const jittery = (arm: string) => {
  const [first] = summary.conditions;
  const features = { ...first!.features, rateKbps: 50_000, rttMs: 50 };
  const arms = { ...first!.arms, [arm]: { ...first!.arms[arm]!, slowStartPackets: 40 } };
  const link = { ...first!.link, name: 'satellite-leo', jitterMs: 5 };
  return [{ ...first!, site: 'shop', features, arms, link }];
};

test.each<[string, Partial<Summary>, StudyWords, readonly string[]]>([
  [
    'samples, sure: the own page first',
    advised({ sureness: 'sure' }),
    WORDS,
    [
      'own-page: npm run measure -- --site ./dist',
      'first-visits: npm run measure -- --study switch-on',
      'go-on: npm run measure -- --out here',
    ],
  ],
  [
    'samples, if the answer hangs on one link: the own page over the links of its visitors',
    advised({ sureness: 'sure', without: without! }),
    WORDS,
    [
      'own-page: npm run measure -- --site ./dist --mix 4g=70,cable=30',
      'first-visits: npm run measure -- --study switch-on',
      'go-on: npm run measure -- --out here',
    ],
  ],
  [
    'offers, if the answer hangs on one link: the own page over the links of the study',
    { ...advised({ sureness: 'sure', without: without! }), offers: OFFERS },
    WORDS,
    [
      'own-page: npm run measure -- --study switch-on --site ./dist',
      'first-visits: npm run measure -- --study switch-on',
      'go-on: npm run measure -- --out here',
    ],
  ],
  [
    'an own page, if the answer hangs on one link: its links are weighed by its visitors',
    advised({ sureness: 'sure', without: without! }),
    OWN,
    [
      'weigh: npm run measure -- --out here --mix 4g=70,cable=30',
      'first-visits: npm run measure -- --study switch-on --site ./dist',
      'go-on: npm run measure -- --out here',
    ],
  ],
  [
    'samples over a link whose jitter slows TCP down: another setting of TCP before first visits',
    { ...advised({ sureness: 'sure', serve: 'h3' }), conditions: jittery('h2') },
    WORDS,
    [
      'own-page: npm run measure -- --site ./dist',
      'tcp: npm run measure -- --site shop --link satellite-leo --arms h2,h2-bbr,h3',
      'first-visits: npm run measure -- --study switch-on',
      'go-on: npm run measure -- --out here',
    ],
  ],
  [
    'an own page over such a link: that page',
    { ...advised({ sureness: 'sure', serve: 'h3' }), conditions: jittery('h2') },
    OWN,
    [
      'tcp: npm run measure -- --site ./dist --link satellite-leo --arms h2,h2-bbr,h3',
      'first-visits: npm run measure -- --study switch-on --site ./dist',
      'go-on: npm run measure -- --out here',
    ],
  ],
  [
    'an emulated phone and another server: these too',
    {
      ...advised({ sureness: 'sure', serve: 'h3' }),
      conditions: jittery('h2').map((each) => ({ ...each, server: 'caddy' })),
    },
    { ...OWN, device: '--device mobile' },
    [
      'tcp: npm run measure -- --site ./dist --link satellite-leo --server caddy --device mobile --arms h2,h2-bbr,h3',
      'first-visits: npm run measure -- --study switch-on --site ./dist --device mobile',
      'go-on: npm run measure -- --out here',
    ],
  ],
  [
    'such a link where nothing is to change: no setting',
    { ...advised({ sureness: 'sure', serve: 'h2', assumesKnownH3: false }), conditions: jittery('h2') },
    WORDS,
    ['own-page: npm run measure -- --site ./dist', 'go-on: npm run measure -- --out here'],
  ],
  [
    'samples, not sure: more loads first',
    advised({ sureness: 'likely' }),
    WORDS,
    [
      'go-on: npm run measure -- --out here',
      'own-page: npm run measure -- --site ./dist',
      'first-visits: npm run measure -- --study switch-on',
    ],
  ],
  [
    'samples, if it depends on who visits: the own page over the links of its visitors',
    advised({
      sureness: 'likely',
      serve: 'h3',
      mix: { fibre: 1 / 3, '4g': 1 / 3, cable: 1 / 3 },
      gain: { over: 'h2', percent: 2, interval: [-5, 8] },
      byProfile: ['h1', 'h2', 'h3'].map((serve) => ({
        ...summary.advice!.byProfile[0]!,
        serve,
        asGood: [],
        sureness: 'sure',
      })),
    }),
    WORDS,
    [
      'own-page: npm run measure -- --site ./dist --mix 4g=70,cable=30',
      'first-visits: npm run measure -- --study switch-on',
      'go-on: npm run measure -- --out here',
    ],
  ],
  [
    'an own page, finished: first visits of that page, then a gate',
    { ...advised({ sureness: 'sure', regretPercent: 1 }), finished: true },
    OWN,
    [
      'first-visits: npm run measure -- --study switch-on --site ./dist',
      'gate: npx photofinish gate here --serve h3 --max-regret 5%',
    ],
  ],
  [
    'a gate that would fail at once is not offered',
    { ...advised({ assumesKnownH3: false, regretPercent: 6 }), finished: true },
    OWN,
    [],
  ],
  [
    'a server without HTTP/3',
    { ...advised({ serve: 'h2', assumesKnownH3: false, regretPercent: 0 }), finished: true },
    { ...OWN, ownPages: '--site https://shop.example/', withoutH3: 'https://shop.example/' },
    [
      'record: npx photofinish record https://shop.example/ mine',
      'gate: npx photofinish gate here --serve h2 --max-regret 5%',
    ],
  ],
])('%s', (_, more, words, steps) => {
  expect(after(more, words)).toEqual(steps);
});

test('says how many conditions more blocks may settle, where the study allows the others none', () => {
  const [first, ...others] = summary.conditions;
  const open = others.map((each) => ({ ...each, state: 'open' as const, answer: { ...each.answer!, settled: false } }));
  const full = { ...first!, state: 'full' as const, answer: { ...first!.answer!, settled: false } };
  const settled = { ...first!, answer: { ...first!.answer!, settled: true } };
  const stopping = { kind: 'early', until: 'settled', cap: 20 } as const;
  const says = (conditions: Summary['conditions']) =>
    nextSteps({ ...summary, conditions, stopping, finished: false, leftSeconds: 26 }, WORDS).find(
      ({ step }) => step === 'go-on',
    )?.says;
  expect(says([settled, full, ...open])).toBe(`Settle ${open.length} more conditions in 26 s`);
  expect(says([settled, ...open])).toBe(`Settle ${open.length} more conditions in 26 s`);
});
