import { describe, expect, test } from '@jest/globals';
import { RULES } from '../../harness/comparison/rules.ts';
import type { SiteFacts } from '../../harness/model/site.ts';
import type { Arm, Plan, Study } from '../../harness/model/study.ts';
import { parseLink } from '../../harness/study/link.ts';
import { likelyLoadMs } from '../../harness/study/load-forecast.ts';
import { planStudy } from '../../harness/study/plan.ts';
import { timeNeeded } from '../../harness/study/time-needed.ts';
import { RECIPES } from '../../sites/recipes.ts';
import { toldSize } from '../../sites/told-size.ts';

const LINKS = { readText: () => '' };
const ARMS: readonly Arm[] = (['h1', 'h2', 'h3'] as const).map((protocol) => ({ name: protocol, protocol }));

interface Asked extends Partial<Omit<Study, 'grids'>> {
  readonly sites?: readonly string[];
  readonly links?: readonly string[];
  readonly grid?: Partial<Study['grids'][number]>;
  readonly facts?: Partial<SiteFacts>;
}

function planOf({ sites = ['few-small'], links = ['fibre'], grid, facts, ...more }: Asked = {}): Plan {
  const study: Study = {
    grids: [
      { sites, links: links.map((link) => parseLink(link, LINKS)), servers: ['nginx'], visits: ['cold'], ...grid },
    ],
    name: 'x',
    arms: ARMS,
    device: 'desktop',
    rule: RULES.default,
    metric: 'plt',
    lighthouse: 0,
    seed: 1,
    stopping: { kind: 'early', until: 'proven', cap: 100 },
    served: 'h2',
    ...more,
  };
  return planStudy(study, (site) => ({ ...toldSize(RECIPES[site]!), digest: '', ...facts }));
}

const exactly = (blocks: number) => ({ stopping: { kind: 'exactly', blocks } }) as const;
const arms = (...names: readonly string[]) => ({ arms: ARMS.filter(({ name }) => names.includes(name)) });
const secondsOf = (asked: Asked) => timeNeeded(planOf(asked)).most / 1000;
const expectWithinTwice = (told: number, took: number) => {
  expect(told).toBeGreaterThan(took / 2);
  expect(told).toBeLessThan(took * 2);
};

describe('what studies took on two cores it says within a factor of two', () => {
  test.each<[string, number, Asked]>([
    ['first-light', 28, { sites: ['many-small'], links: ['rate=10mbit,rtt=40ms'], ...exactly(5) }],
    ['a small page', 17, exactly(3)],
    ['many flags', 32, { sites: ['flags-254'], links: ['rate=5mbit,rtt=30ms'], ...exactly(3) }],
    [
      'four pages of today over five links',
      387,
      {
        sites: ['article', 'shop', 'app', 'gallery'],
        links: ['fibre', 'cable', '4g', 'wifi-lossy', 'satellite-leo'],
        ...exactly(2),
      },
    ],
    [
      'two websites behind a router',
      72,
      {
        sites: ['global-master'],
        links: ['rate=unlimited', 'rate=10240kbit'],
        grid: { topology: 'routed' },
        ...exactly(6),
      },
    ],
  ])('%s: %d s', (_, seconds, asked) => {
    expectWithinTwice(secondsOf(asked), seconds);
  });

  test.each<[string, number, Asked]>([
    ['an article over fibre, decided after ten blocks', 65, { sites: ['article'] }],
    ['the same over cable, two arms', 56, { sites: ['article'], links: ['cable'], ...arms('h2', 'h3') }],
    ['a small page, two arms', 43, { links: ['rate=20mbit,rtt=20ms'], ...arms('h1', 'h3') }],
  ])('%s: %d s is not far from the least', (_, seconds, asked) => {
    const { least, most } = timeNeeded(planOf(asked));
    expect(least).toBeGreaterThan(500 * seconds);
    expect(least).toBeLessThan(2000 * seconds);
    expect(most).toBeGreaterThan(1000 * seconds);
  });
});

describe('what studies took in labs side by side it says within a factor of two', () => {
  const cartesian = (rates: readonly string[], rtts: readonly number[], losses: readonly number[]) =>
    rates.flatMap((rate) => rtts.flatMap((rtt) => losses.map((loss) => `rate=${rate},rtt=${rtt}ms,loss=${loss}%`)));
  test.each<[string, number, number, Asked]>([
    [
      'four pages of today over five links',
      38,
      5,
      {
        sites: ['article', 'shop', 'app', 'gallery'],
        links: ['fibre', 'cable', '4g', 'wifi-lossy', 'satellite-leo'],
        ...exactly(30),
      },
    ],
    [
      'the pages of 2015 over twelve links',
      38,
      12,
      {
        sites: ['many-small', 'few-small', 'few-large', 'many-large'],
        links: cartesian(['50mbit', '10mbit', '2mbit'], [18, 218], [0, 2]),
        ...exactly(7),
      },
    ],
  ])('%s: %d min in %d labs', (_, minutes, labs, asked) => {
    const side = timeNeeded(planOf(asked), { labs, cores: 2 }).most / 60_000;
    expectWithinTwice(side, minutes);
    expect(secondsOf(asked) / 60).toBeGreaterThan(1.3 * side);
  });

  test('no sooner than the lab that takes longest, and never later than in one', () => {
    const slow: Asked = { sites: ['many-large'], links: ['rate=2mbit,rtt=218ms,loss=2%'], ...exactly(10) };
    const room = { labs: 2, cores: 64 };
    const both = timeNeeded(planOf({ ...slow, links: [...slow.links!, 'fibre'] }), room).most;
    expect(both / 1000).toBeGreaterThan(0.95 * secondsOf(slow));
    expect(timeNeeded(planOf(slow), { labs: 12, cores: 1 }).most / 1000).toBe(secondsOf(slow));
  });
});

describe('what loads took on two cores it says within a factor of two', () => {
  test.each<[string, string, readonly number[]]>([
    ['few-small', 'fibre', [107, 97, 92]],
    ['many-small', 'rate=10mbit,rtt=40ms', [664, 518, 503]],
    ['article', 'fibre', [580, 382, 462]],
    ['article', 'cable', [1237, 737, 786]],
    ['article', '4g', [3295, 2591, 2449]],
    ['shop', '4g', [4143, 3169, 2951]],
    ['shop', 'wifi-lossy', [1456, 2313, 2196]],
    ['app', '4g', [4003, 2205, 1913]],
    ['few-large', 'rate=50mbit,rtt=218ms,loss=2%', [4477, 8379, 10902]],
    ['gallery', 'cable', [1662, 1036, 1317]],
    ['flags-254', 'rate=5mbit,rtt=30ms', [1887, 1118, 999]],
  ])('%s over %s: %p ms', (site, link, times) => {
    const plan = planOf({ sites: [site], links: [link] });
    for (const [index, ms] of times.entries()) {
      const likely = likelyLoadMs(plan.conditions[0]!, plan.arms[index]!, plan.sites[site]!);
      expectWithinTwice(likely, ms);
    }
  });
});

describe('what takes longer is said to', () => {
  const one: Asked = { sites: ['few-large'], links: ['rate=2mbit,rtt=218ms'], ...exactly(30) };
  test.each<[string, Asked, number]>([
    ['twice the blocks', { ...one, ...exactly(60) }, 1.6],
    ['one arm less', { ...one, ...arms('h1', 'h2') }, 0.6],
    ['ten times the bytes', { ...one, sites: ['many-large'] }, 5],
    ['packets that are lost', { ...one, links: ['rate=2mbit,rtt=218ms,loss=10%'] }, 2],
    ['another link as well', { ...one, links: ['rate=2mbit,rtt=218ms', 'rate=2mbit,rtt=219ms'] }, 1.8],
    ['Lighthouse', { ...one, lighthouse: 20 }, 1.8],
    ['who was there before', { ...one, grid: { visits: ['repeat'] } }, 1.05],
    ['servers that think', { ...one, facts: { thinkMs: 5_000 } }, 1.5],
    ['a page that was recorded', { ...one, facts: { recorded: 'https' } }, 1.02],
  ])('%s', (_, other, factor) => {
    const ratio = secondsOf(other) / secondsOf(one);
    if (factor < 1) expect(ratio).toBeLessThan(1);
    else expect(ratio).toBeGreaterThan(factor);
  });

  test('but not thoughts that are left out', () => {
    expect(secondsOf({ ...one, facts: { thinkMs: 5_000, recorded: 'https' }, thinkTimes: false })).toBe(
      secondsOf({ ...one, facts: { recorded: 'https' } }),
    );
  });

  test('five clients share a link, and what is sent takes its way up', () => {
    const seconds = (420_000 * 8 * 5) / 4_950_000;
    const crowd = { sites: ['flags-254'], links: ['rate=4950kbit,rtt=30ms'], ...exactly(10) };
    const alone = secondsOf(crowd);
    const together = secondsOf({ ...crowd, grid: { tabs: [10], topology: 'crowd' } });
    expect(together).toBeGreaterThan(30 * seconds);
    expect(together).toBeGreaterThan(2 * alone);
    const upload = { sites: ['upload-txt-3mb'], links: ['rate=500kbit'], metric: 'upload', ...exactly(10) } as const;
    expect(secondsOf(upload)).toBeGreaterThan((30 * 3_031_970 * 8) / 500_000);
  });

  test('fifty tabs of a crowd take twenty seconds', () => {
    const plan = planOf({
      sites: ['flags-254'],
      links: ['rate=4950kbit,rtt=30ms,loss=0.148%'],
      ...arms('h1', 'h2'),
      grid: { tabs: [10], topology: 'crowd' },
    });
    for (const arm of plan.arms) {
      const likely = likelyLoadMs(plan.conditions[0]!, arm, plan.sites['flags-254']!);
      expect(likely).toBeGreaterThan(11_000);
      expect(likely).toBeLessThan(40_000);
    }
  });

  test('no load takes longer than it may', () => {
    const plan = planOf({ sites: ['many-large'], links: ['rate=2mbit,rtt=218ms,loss=40%'], timeoutMs: 7_000 });
    expect(likelyLoadMs(plan.conditions[0]!, plan.arms[1]!, plan.sites['many-large']!)).toBe(7_000);
  });
});

test('so many blocks are one figure; what stops early has a range', () => {
  const fixed = timeNeeded(planOf(exactly(30)));
  expect(fixed.least).toBe(fixed.most);
  const early = timeNeeded(planOf());
  expect(early.least).toBeLessThan(early.most / 3);
  const short = timeNeeded(planOf({ stopping: { kind: 'early', until: 'proven', cap: 5 } }));
  expect(short.least).toBeLessThan(early.least);
  expect(short.most).toBeLessThan(early.most);
});

describe('if all is as clear as can be', () => {
  const leastOf = (asked: Asked) => timeNeeded(planOf(asked)).least;
  const early = (until: 'settled' | 'proven', cap = 100) => ({ stopping: { kind: 'early', until, cap } }) as const;
  const links = ['fibre', 'cable', '4g'];
  // As many blocks take as long, but for the control, of which fewer are needed where it is done with early.
  const isAbout = (asked: Asked, blocks: number) => {
    const least = leastOf({ links, ...asked });
    expect(least).toBeGreaterThan(leastOf({ links, ...asked, ...exactly(blocks - 1) }) - 10_000);
    expect(least).toBeLessThan(leastOf({ links, ...asked, ...exactly(blocks + 1) }) + 10_000);
  };

  test('a study that goes on until it is settled takes three blocks of each condition', () => {
    isAbout({ sites: ['many-large'], ...early('settled') }, 3);
    expect(leastOf(early('settled'))).toBeLessThan(leastOf(early('proven')));
    expect(timeNeeded(planOf(early('settled'))).most).toBe(timeNeeded(planOf(early('proven'))).most);
  });

  test('one that goes on until it is proven takes eight', () => {
    isAbout({ sites: ['many-large'], ...early('proven') }, 8);
    // By the rule of 2015 four would do, but they come from two launches.
    isAbout({ sites: ['many-large'], rule: RULES.kramer2015, ...early('proven') }, 7);
  });
});
