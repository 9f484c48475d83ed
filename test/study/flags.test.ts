import { describe, expect, test } from '@jest/globals';
import { RULES } from '../../harness/comparison/rules.ts';
import { type StudyFlags, studyFromFlags, studyOverBegun } from '../../harness/study/flags.ts';
import type { StudySources } from '../../harness/study/sources.ts';
import { askFile, gridsOf, sourcesWith, whatIsSaidOf } from './asking.ts';

const FILES = {
  'traffic.yaml': '4g: 60%\ncable: 30%\n3g: 10%\n',
  'wrong.yaml': '4g: 60\ncabel: 30\n',
  'empty.yaml': '',
};
const ask = (flags: StudyFlags) => studyFromFlags(flags, sourcesWith(FILES));

describe('what is measured', () => {
  test('a built site is called as its folder, and where it is stays known when the study goes on', () => {
    const { study } = ask({ site: ['./dist', 'app'] });
    expect(study).toMatchObject({ places: { dist: '/home/dist' }, grids: [{ sites: ['dist', 'app'] }] });
    const gone: StudySources = { ...sourcesWith(), findFolder: () => undefined };
    expect(studyOverBegun(study, { blocks: '7' }, gone).study).toMatchObject({
      places: { dist: '/home/dist' },
      grids: [{ sites: ['dist', 'app'] }],
    });
    const alike: StudySources = { ...sourcesWith(), findFolder: (path) => ({ name: 'dist', path }) };
    expect(() => studyFromFlags({ site: ['./a/dist', './b/dist'] }, alike)).toThrow(
      '"./a/dist" and "./b/dist" are both called dist. Expected: one of them',
    );
    const shop: StudySources = { ...sourcesWith(), findFolder: (path) => ({ name: 'shop', path }) };
    expect(studyFromFlags({ site: ['./shop'] }, shop).study.places).toEqual({ 'shop-folder': './shop' });
  });

  test('without options it is what there is today', () => {
    const asked = ask({});
    expect(asked).toMatchObject({
      describes: 'what there is today',
      budgetMs: 300_000,
      study: {
        name: 'today',
        stopping: { kind: 'early', until: 'settled', cap: 40 },
        served: 'h2',
        seed: 4711,
      },
    });
    expect(gridsOf(asked)).toMatchObject([{ sites: ['shop', 'app'], links: ['4g', 'cable'] }]);
  });

  const CUSTOM = {
    name: 'custom',
    arms: ['h1', 'h2', 'h3'].map((name) => ({ name, protocol: name })),
    device: 'desktop',
    rule: RULES.default,
    metric: 'plt',
    lighthouse: 0,
    stopping: { kind: 'early', until: 'settled', cap: 100 },
    served: 'h2',
    seed: 4711,
  };
  test.each([
    [{ link: ['dsl', 'rate=2mbit'] }, ['many-small'], ['dsl', 'rate=2mbit,rtt=0ms,loss=0%']],
    [{ site: ['app'], link: ['4g'] }, ['app'], ['4g']],
  ])('%j alone has nothing of what there is today', (flags, sites, links) => {
    const asked = ask(flags);
    const { grids: _, ...study } = asked.study;
    expect({ ...asked, study }).toEqual({ study: CUSTOM, describes: '' });
    expect(gridsOf(asked)).toEqual([{ sites, links, servers: ['nginx'], visits: ['cold'] }]);
  });

  test('a page alone is measured over the links of today, within its budget', () => {
    const links = ['4g', 'cable'];
    const asked = ask({ site: ['app'] });
    expect(asked).toMatchObject({ budgetMs: 300_000, study: { name: 'custom', stopping: { cap: 40 } } });
    expect(gridsOf(asked)).toEqual([{ sites: ['app'], links, servers: ['nginx'], visits: ['cold'] }]);
    const fixed = ask({ site: ['app'], exactly: '30' });
    expect(fixed.budgetMs).toBeUndefined();
    expect(fixed.study.stopping).toEqual({ kind: 'exactly', blocks: 30 });
    expect(gridsOf(fixed)).toMatchObject([{ links }]);
  });

  test.each([
    ['3g=20,dsl=80', ['3g', 'dsl'], { '3g': 20, dsl: 80 }],
    ['mobile', ['5g', '4g', '3g'], { '5g': 18, '4g': 70, '3g': 12 }],
  ])('a page with visitors of the mix %s is measured over their links', (mix, links, shares) => {
    const asked = ask({ site: ['app'], mix });
    expect(gridsOf(asked)).toMatchObject([{ sites: ['app'], links }]);
    expect(asked).toMatchObject({ budgetMs: 300_000, study: { mix: shares } });
    expect(gridsOf(ask({ site: ['app'], mix: '3g=20,dsl=80', link: ['dsl'] }))).toMatchObject([{ links: ['dsl'] }]);
  });

  test.each([
    [{ seed: '9' }, { seed: 9 }],
    [{ arms: 'h3,h2' }, { arms: ['h3', 'h2'].map((name) => ({ name, protocol: name })) }],
    // The first of arms without h2 is taken to be served today.
    [
      { arms: 'h2,h2-bbr' },
      {
        arms: [
          { name: 'h2', protocol: 'h2' },
          { name: 'h2-bbr', protocol: 'h2', congestion: 'bbr' },
        ],
      },
    ],
    [{ arms: 'h3, h1c' }, { arms: ['h3', 'h1c'].map((name) => ({ name, protocol: name })), served: 'h3' }],
    [{ served: 'h1' }, { served: 'h1' }],
    [{ until: 'proven' }, { stopping: { kind: 'early', until: 'proven', cap: 40 } }],
    [{ until: 'settled', blocks: '9' }, { stopping: { kind: 'early', until: 'settled', cap: 9 } }],
    [{ device: 'mobile' }, { device: 'mobile' }],
    [{ rule: 'kramer2015' }, { rule: { advantage: 0.1, share: 0.7 } }],
    [{ metric: 'lcp' }, { metric: 'lcp' }],
    [{ blocks: '7' }, { stopping: { kind: 'early', until: 'settled', cap: 7 } }],
    [{ lighthouse: '2' }, { lighthouse: 2 }],
    [{ 'all-origins': true }, { allOrigins: true }],
    [{ 'no-think-times': true }, { thinkTimes: false }],
    [{ har: 'full' }, { har: 'full' }],
    [{ timeout: '90' }, { timeoutMs: 90_000 }],
    [{ mix: '4g=60,cable=30' }, { mix: { '4g': 60, cable: 30 } }],
    [{ mix: '4g=60%, cable = 40%' }, { mix: { '4g': 60, cable: 40 } }],
    [{ mix: 'traffic.yaml' }, { mix: { '4g': 60, cable: 30, '3g': 10 } }],
  ])('%j is laid over it, and the rest is as it was', (flags, changed) => {
    const today = ask({});
    expect(ask(flags)).toEqual({ ...today, study: { ...today.study, ...changed } });
  });

  test('a fixed number of blocks has no budget but one of its own: each of them is measured', () => {
    const { budgetMs: _, study, ...asked } = ask({});
    const fixed = { ...asked, study: { ...study, stopping: { kind: 'exactly', blocks: 7 } } };
    expect(ask({ exactly: '7' })).toEqual(fixed);
    expect(ask({ exactly: '7', budget: '5' })).toEqual({ ...fixed, budgetMs: 300_000 });
  });

  test('a budget is no part of the study', () => {
    expect(ask({ budget: '0.5' })).toEqual({ ...ask({}), budgetMs: 30_000 });
  });

  test.each([
    [{ site: ['many-small'] }, [[['many-small'], ['4g', 'cable'], ['nginx'], ['cold']]]],
    [{ link: ['dsl'] }, [[['shop', 'app'], ['dsl'], ['nginx'], ['cold']]]],
    [{ server: ['other', 'nginx'] }, [[['shop', 'app'], ['4g', 'cable'], ['other', 'nginx'], ['cold']]]],
    [{ visit: ['repeat'] }, [[['shop', 'app'], ['4g', 'cable'], ['nginx'], ['repeat']]]],
    [{ quick: true }, [[['app'], ['4g', 'cable'], ['nginx'], ['cold']]]],
    [{ quick: true, site: ['shop'] }, [[['shop'], ['4g', 'cable'], ['nginx'], ['cold']]]],
  ] as [StudyFlags, unknown][])('--study today with %j has these conditions', (flags, expected) => {
    const grids = gridsOf(ask({ study: 'today', ...flags }));
    expect(grids.map(({ sites, links, servers, visits }) => [sites, links, servers, visits])).toEqual(expected);
  });

  const GRIDS = 'grids: [{sites: [shop], links: [4g]}, {sites: [app], links: [cable, 4g], visits: [repeat, cold]}]\n';
  test.each([
    [{ visit: ['cold'] }, ['shop|4g|cold', 'app|cable|cold', 'app|4g|cold']],
    [{ site: ['app'] }, ['app|4g|cold', 'app|cable|repeat', 'app|cable|cold', 'app|4g|repeat']],
    [{ site: ['app'], link: ['dsl'], visit: ['cold'] }, ['app|dsl|cold']],
  ])('%j holds for every grid, and makes no condition come twice', (flags, conditions) => {
    const names = gridsOf(askFile(GRIDS, flags)).flatMap(({ sites, links, visits }) =>
      sites.flatMap((site) => links.flatMap((link) => visits.map((visit) => [site, link, visit].join('|')))),
    );
    expect(names).toEqual(conditions);
  });
});

describe('the short form', () => {
  const FILE = `
sites: [shop, app]
links: [4g, cable]
exactly: 50
seed: 3
mix: {4g: 1, cable: 2}
quick: {name: short, links: [cable], blocks: 9, until: proven, served: h1}
`;
  test('replaces what it has, and keeps the rest', () => {
    const asked = askFile(FILE, { quick: true });
    expect(asked.study).toMatchObject({
      name: 'short',
      seed: 3,
      mix: { '4g': 1, cable: 2 },
      stopping: { kind: 'early', until: 'proven', cap: 9 },
      served: 'h1',
    });
    expect(gridsOf(asked)).toMatchObject([{ sites: ['shop', 'app'], links: ['cable'] }]);
  });

  test('may have grids in place of lists, and the other way round', () => {
    const lists = 'sites: [shop]\nlinks: [4g]\n';
    const grids = 'grids: [{sites: [app], links: [cable]}]';
    expect(gridsOf(askFile(`${lists}quick: {${grids}}\n`, { quick: true }))).toMatchObject([{ sites: ['app'] }]);
    expect(gridsOf(askFile(`${grids}\nquick: {sites: [shop]}\n`, { quick: true }))).toMatchObject([
      { sites: ['shop'], links: ['cable'] },
    ]);
  });

  test('is not looked at unless it is asked for', () => {
    expect(askFile(FILE).study).toMatchObject({ name: 'my', stopping: { kind: 'exactly', blocks: 50 }, served: 'h2' });
  });
});

test('a fixed number of blocks takes the place of an early stop, and the other way round', () => {
  const one = 'sites: [shop]\nlinks: [4g]\n';
  const stoppingOf = (text: string, flags: StudyFlags) => askFile(one + text, flags).study.stopping;
  expect(stoppingOf('blocks: 9\nuntil: proven\n', { exactly: '3' })).toEqual({ kind: 'exactly', blocks: 3 });
  expect(() => stoppingOf('', { until: 'proven', blocks: '7' })).toThrow(
    '--blocks: 7 blocks cannot prove anything. Expected: 8 or more, or until settled',
  );
  expect(stoppingOf('exactly: 9\n', { blocks: '3' })).toEqual({ kind: 'early', until: 'settled', cap: 3 });
  expect(stoppingOf('exactly: 9\n', { until: 'proven' })).toEqual({ kind: 'early', until: 'proven', cap: 100 });
  expect(stoppingOf('blocks: 9\nuntil: proven\n', { blocks: '8' })).toEqual({ kind: 'early', until: 'proven', cap: 8 });
  expect(stoppingOf('until: proven\n', { until: 'settled' })).toEqual({ kind: 'early', until: 'settled', cap: 100 });
});

describe('a study that was begun', () => {
  const begun = askFile(
    'sites: [shop]\nlinks: [4g]\nblocks: 9\nuntil: proven\nserved: h3\nmix: {4g: 1}\nname: mine\nseed: 5\n',
  ).study;
  const over = (flags: StudyFlags) => studyOverBegun(begun, flags, sourcesWith()).study;

  test('is what it was where the options say nothing', () => {
    expect(over({})).toEqual(begun);
  });

  test.each<[StudyFlags, object]>([
    [{ blocks: '30' }, { stopping: { kind: 'early', until: 'proven', cap: 30 } }],
    [{ until: 'settled' }, { stopping: { kind: 'early', until: 'settled', cap: 9 } }],
    [{ exactly: '30' }, { stopping: { kind: 'exactly', blocks: 30 } }],
    [{ served: 'h1' }, { served: 'h1' }],
    [{ arms: 'h1,h3' }, { arms: ['h1', 'h3'].map((name) => ({ name, protocol: name })) }],
    // What was served is none of these: what is common is taken to be.
    [{ arms: 'h1,h2' }, { arms: ['h1', 'h2'].map((name) => ({ name, protocol: name })), served: 'h2' }],
  ])('%j is laid over it', (flags, changed) => {
    expect(over(flags)).toEqual({ ...begun, ...changed });
  });

  test('of so many blocks stays so', () => {
    const exact = askFile('sites: [shop]\nlinks: [4g]\nexactly: 9\n').study;
    expect(studyOverBegun(exact, { served: 'h1' }, sourcesWith()).study).toEqual({ ...exact, served: 'h1' });
    expect(studyOverBegun(exact, { until: 'proven' }, sourcesWith()).study.stopping).toEqual({
      kind: 'early',
      until: 'proven',
      cap: 100,
    });
  });
});

describe('what is served today', () => {
  const one = 'sites: [shop]\nlinks: [4g]\n';
  test.each<[string, string]>([
    ['', 'h2'],
    ['arms: [h3, h2]\n', 'h2'],
    ['arms: [h3, h1]\n', 'h3'],
    ['arms: [h3, {name: h2-bbr, protocol: h2, browserFlags: [--lang=x]}]\n', 'h3'],
    ['served: h1\n', 'h1'],
    ['arms: [h3, {name: old, protocol: h2, browserFlags: [--lang=x]}]\nserved: old\n', 'old'],
  ])('%j: %s', (text, served) => {
    expect(askFile(one + text).study.served).toBe(served);
  });
});

test('--arms takes arms of the study by name, and protocols', () => {
  const file = 'sites: [shop]\nlinks: [4g]\narms: [h1, {name: h2-bbr, protocol: h2, congestion: bbr}]\n';
  expect(askFile(file, { arms: 'h2-bbr,h3' }).study.arms).toEqual([
    { name: 'h2-bbr', protocol: 'h2', congestion: 'bbr' },
    { name: 'h3', protocol: 'h3' },
  ]);
});

test.each([['--mix'], ['the file']])(
  'a mix that has a name is that of the study that has its links, in %s',
  (where) => {
    const file = 'sites: [shop]\nlinks: [5g, "rate=9mbit,rtt=170ms", cable]\n';
    const asked = where === '--mix' ? askFile(file, { mix: 'mobile-india' }) : askFile(`${file}mix: mobile-india\n`);
    expect(asked.study.mix).toEqual({ '5g': 30, 'rate=9mbit,rtt=170ms,loss=0%': 70 });
  },
);

test('what is said to measure all of a mix does', () => {
  const said = whatIsSaidOf(() => ask({ mix: 'mobile' })).replace(/^.*: --study/, '--study');
  const [study, ...link] = said.split(/ ?--(?:study|link) /).slice(1);
  expect(ask({ study: study!, link, mix: 'mobile' }).study).toMatchObject({
    name: 'today',
    mix: { '5g': 18, '4g': 70, '3g': 12 },
  });
});

test('a mix goes by what the study calls its links', () => {
  const file = 'sites: [shop]\nlinks: [4g, "loss=1%,rate=2mbit"]\n';
  const mix = 'mix: {"rate=9mbit,rtt=170ms": 2, "rate=2000kbit,rtt=0,loss=1%": 1}\n';
  expect(askFile(file + mix).study.mix).toEqual({ '4g': 2, 'rate=2mbit,rtt=0ms,loss=1%': 1 });
});

const MIXES =
  'Expected: a name, a file such as ./mix.yaml, or shares of links such as 4g=60,cable=30. See: npx photofinish list mixes';

describe('what is wrong with an option is said in a line:', () => {
  test.each([
    [
      { study: 'tody' },
      '--study: "tody" is not a known study. Did you mean "today"? Expected: a file such as ./my.yaml, or a name. See: npx photofinish list studies',
    ],
    [
      { study: 'kramer' },
      '--study: "kramer" is not a known study. Expected: a file such as ./my.yaml, or a name. See: npx photofinish list studies',
    ],
    [
      { study: '' },
      '--study: "" is not a known study. Expected: a file such as ./my.yaml, or a name. See: npx photofinish list studies',
    ],
    [
      { study: './no.yaml' },
      '--study: "./no.yaml" cannot be read: ENOENT: no such file or directory, open \'./no.yaml\'',
    ],
    [{ site: ['app'], quick: true }, '--quick: study "custom" has no quick form. Leave --quick out'],
    [
      { site: ['nowhere'] },
      '--site: "nowhere" is not a known site. Expected: a name, an address such as https://shop.example/, or a folder with an index.html. See: npx photofinish list sites',
    ],
    [{ site: ['app', 'app'] }, '--site: "app" is named twice. Expected: each once'],
    [{ link: ['4gg'] }, `--link: "4gg" is not a known link. Did you mean "4g"? See: npx photofinish list links`],
    [
      { link: ['4g', 'rtt=170ms,rate=9mbit'] },
      '--link: "rate=9mbit,rtt=170ms,loss=0%" is named twice. Expected: each once',
    ],
    [{ server: ['apache'] }, '--server: "apache" is not a known server. See: npx photofinish list servers'],
    [
      { visit: ['warm'] },
      '--visit: "warm" is not a known kind of visit. Expected: cold, resumed, repeat or discovered',
    ],
    [{ visit: ['cold', 'cold'] }, '--visit: "cold" is named twice. Expected: each once'],
    [{ arms: 'h2,h2-fast' }, '--arms: "h2-fast" is not a known protocol. Expected: h1, h2, h3 or h1c'],
    [{ arms: 'h2,h4' }, '--arms: "h4" is not a known protocol. Expected: h1, h2, h3 or h1c'],
    [{ arms: 'h2, h2' }, '--arms: "h2" is named twice. Expected: each once'],
    [{ arms: '' }, '--arms: "" is not a known protocol. Expected: h1, h2, h3 or h1c'],
    [{ har: 'short' }, '--har: "short" is not a known kind of archive. Expected: full'],
    [{ device: 'tablet' }, '--device: "tablet" is not a known device. Expected: desktop or mobile'],
    [{ rule: 'strict' }, '--rule: "strict" is not a known rule. Expected: default or kramer2015'],
    [{ metric: 'tti' }, '--metric: "tti" is not a known metric. Expected: plt, lcp, fcp or upload'],
    [{ blocks: '0' }, '--blocks: "0" is not valid (no whole number in range). Expected: 1 to 100000'],
    [{ exactly: '1.5' }, '--exactly: "1.5" is not valid (no whole number in range). Expected: 1 to 100000'],
    [{ blocks: '5', exactly: '5' }, '--exactly: cannot be combined with --blocks. Expected: one of them'],
    [{ until: 'sure' }, '--until: "sure" is not a known way to stop. Expected: settled or proven'],
    [{ until: 'proven', exactly: '5' }, '--exactly: cannot be combined with --until. Expected: one of them'],
    [{ served: 'h4' }, '--served: "h4" is not a known arm. Expected: h1, h2 or h3'],
    [{ served: '' }, '--served: "" is not a known arm. Expected: h1, h2 or h3'],
    [{ arms: 'h1,h3', served: 'h2' }, '--served: "h2" is not a known arm. Expected: h1 or h3'],
    [{ lighthouse: '-1' }, '--lighthouse: "-1" is not valid (no whole number in range). Expected: 0 to 1000'],
    [{ seed: '4294967296' }, '--seed: "4294967296" is not valid (no whole number in range). Expected: 0 to 4294967295'],
    [{ timeout: 'long' }, '--timeout: "long" is not valid (no whole number in range). Expected: 1 to 86400'],
    [{ budget: '0' }, '--budget: "0" is not valid (no number in range). Expected: 0.1 to 100000 minutes'],
    [{ budget: '5min' }, '--budget: "5min" is not valid (no number in range). Expected: 0.1 to 100000 minutes'],
    [
      { mix: '4g=1,cable' },
      '--mix: "cable" is not valid. Expected: links with their shares, as in 4g=60,cable=30, or a file of them',
    ],
    [{ mix: 'mobil' }, `--mix: "mobil" is not a known mix. Did you mean "mobile"? ${MIXES}`],
    [{ mix: '4g' }, `--mix: "4g" is not a known mix. ${MIXES}`],
    [{ mix: '' }, `--mix: "" is not a known mix. ${MIXES}`],
    [{ mix: 'toString' }, `--mix: "toString" is not a known mix. ${MIXES}`],
    [
      { mix: 'mobile' },
      '--mix: the mix "mobile" has links that the study lacks: 5g, 3g; what measures all of it: --study today --link 5g --link 4g --link 3g',
    ],
    [
      { site: ['app'], link: ['5g'], mix: 'mobile-india' },
      '--mix: the mix "mobile-india" has a link that the study lacks: 4g; what measures all of it: --link 5g --link 4g',
    ],
    [{ mix: '4g=much' }, '--mix: "much" is not valid. Expected: a share above 0, as in 60 or 60%'],
    [{ mix: '4g=1,4g=2' }, '--mix: "4g" is named twice. Expected: each once'],
    [{ mix: '4h=1' }, `--mix: "4h" is not a known link. See: npx photofinish list links`],
    [{ mix: '3g=1' }, '--mix: none of its links is in the study. Expected: 4g, cable'],
    [{ mix: 'no.yaml' }, '--mix: "no.yaml" cannot be read: ENOENT: no such file or directory, open \'no.yaml\''],
    [
      { mix: 'wrong.yaml' },
      `wrong.yaml:2: cabel: "cabel" is not a known link. Did you mean "cable"? See: npx photofinish list links`,
    ],
    [{ mix: 'empty.yaml' }, 'empty.yaml: empty. Expected: a mapping of links to shares, as in {4g: 60, cable: 30}'],
  ] as [StudyFlags, string][])('%j', (flags, message) => {
    expect(whatIsSaidOf(() => ask(flags))).toBe(message);
  });
});
