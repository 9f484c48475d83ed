import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../harness/stats/random.ts';
import { BROWSER_FLAGS } from '../../harness/study/arms.ts';
import { studyFromFlags } from '../../harness/study/flags.ts';
import { askFile, gridsOf, sourcesWith, whatIsSaidOf } from './asking.ts';

const ONE = 'sites: [shop]\nlinks: [4g]\n';

describe('a study file', () => {
  test('needs sites and links; the rest has defaults, and all of them are seen', () => {
    const { study, ...rest } = askFile(ONE);
    expect(rest).toEqual({ describes: '' });
    expect(study).toMatchObject({
      name: 'my',
      grids: [{ sites: ['shop'], links: [{ name: '4g' }], servers: ['nginx'], visits: ['cold'] }],
      arms: ['h1', 'h2', 'h3'].map((name) => ({ name, protocol: name })),
      device: 'desktop',
      rule: { advantage: 0.03, share: 0.5 },
      metric: 'plt',
      stopping: { kind: 'early', until: 'settled', cap: 100 },
      served: 'h2',
      lighthouse: 0,
      seed: 4711,
    });
    for (const absent of ['timeoutMs', 'mix', 'budgetMs', 'describes'])
      expect(study).not.toMatchObject({ [absent]: expect.anything() });
  });

  const FULL = `
name: everything
describes: each key there is
sites: [shop, app]
links: [4g, 'rate=2mbit,rtt=218ms']
servers: [other]
visits: [resumed, repeat]
arms:
  - h1
  - {name: h2-bbr, protocol: h2, congestion: bbr}
  - {name: h3-again, protocol: h3, visit: cold}
  - {name: h3-v2, protocol: h3, browserFlags: [--quic-version=RFCv2]}
device: mobile
rule: {advantage: 5%, share: 70%}
metric: lcp
blocks: 30
until: proven
served: h2-bbr
lighthouse: 3
seed: 7
timeout: 90
budget: 2.5
mix: {4g: 60, 'rate=2mbit,rtt=218ms': 40%}
`;
  test('says all there is to say', () => {
    const asked = askFile(FULL);
    expect(gridsOf(asked)).toEqual([
      {
        sites: ['shop', 'app'],
        links: ['4g', 'rate=2mbit,rtt=218ms,loss=0%'],
        servers: ['other'],
        visits: ['resumed', 'repeat'],
      },
    ]);
    const { grids, ...study } = asked.study;
    expect({ ...asked, study }).toEqual({
      describes: 'each key there is',
      budgetMs: 150_000,
      study: {
        name: 'everything',
        arms: [
          { name: 'h1', protocol: 'h1' },
          { name: 'h2-bbr', protocol: 'h2', congestion: 'bbr' },
          { name: 'h3-again', protocol: 'h3', visit: 'cold' },
          { name: 'h3-v2', protocol: 'h3', browserFlags: ['--quic-version=RFCv2'] },
        ],
        device: 'mobile',
        rule: { advantage: 0.05, share: 0.7 },
        metric: 'lcp',
        stopping: { kind: 'early', until: 'proven', cap: 30 },
        served: 'h2-bbr',
        lighthouse: 3,
        seed: 7,
        timeoutMs: 90_000,
        mix: { '4g': 60, 'rate=2mbit,rtt=218ms,loss=0%': 40 },
      },
    });
  });

  test('a mapping of links is every combination of its values', () => {
    const links = '[fibre, {rate: [2mbit, 10mbit], rtt: [18ms, 0], up.loss: 2%, queue: 200}]';
    expect(gridsOf(askFile(`sites: [shop]\nlinks: ${links}\n`))[0]!.links).toEqual([
      'fibre',
      'rate=2mbit,rtt=18ms,down.loss=0%,up.loss=2%,queue=200',
      'rate=2mbit,rtt=0ms,down.loss=0%,up.loss=2%,queue=200',
      'rate=10mbit,rtt=18ms,down.loss=0%,up.loss=2%,queue=200',
      'rate=10mbit,rtt=0ms,down.loss=0%,up.loss=2%,queue=200',
    ]);
  });

  test('may be of several grids', () => {
    const asked = askFile('grids: [{sites: [shop], links: [4g]}, {sites: [app], links: [4g], visits: [repeat]}]');
    expect(gridsOf(asked)).toEqual([
      { sites: ['shop'], links: ['4g'], servers: ['nginx'], visits: ['cold'] },
      { sites: ['app'], links: ['4g'], servers: ['nginx'], visits: ['repeat'] },
    ]);
  });

  test('in JSON says what it says in YAML', () => {
    const json = {
      sites: ['shop'],
      links: ['4g', { rate: ['2mbit', '10mbit'], rtt: 0, loss: ['0%', 2] }],
      arms: ['h1', { name: 'x', protocol: 'h3', visit: 'resumed' }],
      rule: 'kramer2015',
      mix: { '4g': 1 },
    };
    const yaml = `
sites: [shop]
links: [4g, {rate: [2mbit, 10mbit], rtt: 0, loss: [0%, 2]}]
arms: [h1, {name: x, protocol: h3, visit: resumed}]
rule: kramer2015
mix: {4g: 1}
`;
    for (const indent of [0, 2, '\t']) expect(askFile(JSON.stringify(json, null, indent))).toEqual(askFile(yaml));
  });

  test('may use anchors and merge', () => {
    const asked = askFile(
      'grids:\n  - &shop {sites: [shop], links: &links [4g]}\n  - {<<: *shop, sites: [app]}\nquick: {links: *links}\n',
    );
    expect(gridsOf(asked).map(({ sites }) => sites)).toEqual([['shop'], ['app']]);
  });

  test('may want several at once: a crowd in tabs, or one transfer beside another', () => {
    const crowd = askFile(
      `${ONE}tabs: [1, 10]\narms:\n  - {name: a, protocol: h2, server: other}\n  - {name: b, protocol: h2}\n`,
    );
    expect(crowd.study.grids).toMatchObject([{ topology: 'crowd', tabs: [1, 10] }]);
    expect(crowd.study.arms).toMatchObject([{ server: 'other' }, {}]);
    const pairs = askFile(
      `${ONE}topology: dumbbell\nservers: [other]\narms:\n  - {name: h2+h2, protocol: h2, beside: {protocol: h2}}\n  - {name: bbr+h2, protocol: h2, congestion: bbr, beside: {protocol: h2}}\n  - {name: h2+bbr, protocol: h2, beside: {protocol: h2, congestion: bbr}}\n  - {name: h2+h3, protocol: h2, beside: {protocol: h3, congestion: bbr}}\n`,
    );
    expect(pairs.study.arms[3]).toMatchObject({ name: 'h2+h3', beside: { protocol: 'h3', congestion: 'bbr' } });
  });

  test('keeps the seed that is given, whatever it is', () => {
    const random = seededRandom(4, 'seeds');
    for (const seed of [0, 0xffffffff, ...Array.from({ length: 100 }, () => Math.floor(random() * 2 ** 32))]) {
      expect(askFile(`${ONE}seed: ${seed}\n`).study.seed).toBe(seed);
      expect(askFile(ONE, { seed: `${seed}` }).study.seed).toBe(seed);
    }
  });

  test.each([
    ['my.yaml', 'my'],
    ['./a/b/My study (2).yml', 'My-study-2-'],
    ['/x/.json', 'study'],
    ['../a.b.JSON', 'a.b'],
  ])('at %s is called %s where it does not say', (study, name) => {
    const { study: named } = studyFromFlags({ study }, { ...sourcesWith(), readText: () => ONE });
    expect(named.name).toBe(name);
  });
});

const QUICK_KEYS =
  'name, describes, grids, sites, links, servers, visits, topology, tabs, arms, offers, firstVisits, withoutUdp, device, rule, metric, blocks, exactly, until, served, lighthouse, seed, timeout, budget, mix, repeats, insecure, resolve, allOrigins, thinkTimes, har';
const KEYS = `${QUICK_KEYS}, quick`;
const LINK = '4g, rate=2mbit,rtt=218ms, or a mapping of their keys to values, as in {rate: [2mbit, 10mbit], rtt: 40ms}';
const RATE = '100kbit to 1gbit, or unlimited, as in rate=10mbit';
const LINK_KEYS =
  'rate, trace, delay, rtt, jitter, distribution, loss, burst, reorder, duplicate, queue, udp, down, up (the rates), and each but rtt for one direction, as in up.loss';
const MIX =
  'Expected: a mapping of links to shares, as in {4g: 60, cable: 30}, or one of global, europe-desktop, mobile, mobile-india';
const ARM =
  'h1, h2, h3, h1c, one of them with a congestion control (h2-bbr), or {name, protocol, server, visit, congestion, browserFlags, beside}';
const ARM_NAME = "a-z, 0-9, ., + and -, up to 40, without the control's endings -twin and -delayed";
const FLAG = BROWSER_FLAGS;
const NOTHING = 'Expected: another protocol, server, visit, congestion, browserFlags or beside';
const LONG = 'x'.repeat(1_001);

describe('what is wrong with a file is said in a line: ', () => {
  test.each([
    // No YAML.
    ['', `my.yaml: empty. Expected: a mapping with ${KEYS}`],
    ['# nothing\n', `my.yaml: empty. Expected: a mapping with ${KEYS}`],
    ['- shop\n', `my.yaml: a list does not fit. Expected: a mapping with ${KEYS}`],
    ['shop', `my.yaml: "shop" is not valid. Expected: a mapping with ${KEYS}`],
    [`${ONE}links: [3g]\n`, 'my.yaml:3: "links" is given twice. Expected: each key once'],
    ['{"sites": [],\n "sites": []}', 'my.yaml:2: "sites" is given twice. Expected: each key once'],
    [`${ONE}arms:\n\t- h1\n`, 'my.yaml:4: this is no YAML: Tabs are not allowed as indentation'],
    [`${ONE}---\nseed: 1\n`, 'my.yaml:3: a second document begins. Expected: one'],
    [`${ONE}seed: !number 1\n`, 'my.yaml:3: this is no YAML: Unresolved tag: !number'],
    [
      'sites: [shop\nlinks: [4g]\n',
      'my.yaml:2: this is no YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
    ['sites: [shop]\nlinks: *links\n', 'my.yaml:2: *links: no such anchor above'],
    [`${ONE}x: &x 1\ny: [${'*x,'.repeat(101)}]\n`, 'my.yaml:4: *x: allowed: up to 100 aliases'],
    [aliasBomb(), 'my.yaml: aliases within aliases stand for too much. Expected: up to 100 repetitions'],
    [`${ONE}<<: [1]\n`, 'my.yaml: this is no YAML: Merge sources must be maps or map aliases'],
    ['['.repeat(20_000), 'my.yaml:1: nested too deeply'],
    ['x'.repeat(1_000_001), 'my.yaml: 1000001 characters are too many. Expected: up to 1000000'],
    // Keys.
    [`${ONE}blcoks: 3\n`, `my.yaml:3: blcoks: unknown key. Did you mean "blocks"? Expected: ${KEYS}`],
    [
      'sites: [shop]\nlink: [4g]\n',
      `my.yaml:2: link: unknown key. Did you mean "links"? Expected: ${KEYS} (and 1 more)`,
    ],
    [`${ONE}colour: red\n`, `my.yaml:3: colour: unknown key. Expected: ${KEYS}`],
    [`${ONE}__proto__: {seed: 1}\n`, `my.yaml:3: __proto__: unknown key. Expected: ${KEYS}`],
    [`${ONE}constructor: 1\n`, `my.yaml:3: constructor: unknown key. Expected: ${KEYS}`],
    [`${ONE}"a\\nb": 1\n`, `my.yaml:3: ['a b']: unknown key. Expected: ${KEYS}`],
    [`${ONE}a: &a [*a]\n`, `my.yaml:3: a: unknown key. Expected: ${KEYS}`],
    [`${ONE}quick:\n  quick: {}\n`, `my.yaml:4: quick.quick: unknown key. Expected: ${QUICK_KEYS}`],
    [
      `${ONE}blocks: 0\nlighthouse: x\nseed: x\n`,
      'my.yaml:3: blocks: "0" is not valid. Expected: 1 to 100000 (and 2 more)',
    ],
    [`seed: x\n${ONE}colour: 1\n`, 'my.yaml:1: seed: "x" is not valid. Expected: 0 to 4294967295 (and 1 more)'],
    // Sites and grids.
    ['sites: [shop]\n', 'my.yaml:1: links: missing. Expected: a list of links (or grids)'],
    ['seed: 1\nlinks: [4g]\n', 'my.yaml:1: sites: missing. Expected: a list of sites (or grids)'],
    ['sites: []\nlinks: [4g]\n', 'my.yaml:1: sites: an empty list does not fit. Expected: a list of sites'],
    ['sites:\nlinks: [4g]\n', 'my.yaml:1: sites: empty. Expected: a list of sites'],
    ['sites: shop\nlinks: [4g]\n', 'my.yaml:1: sites: "shop" is not valid. Expected: a list of sites'],
    [
      'sites:\n- shop\n- shpo\nlinks: [4g]\n',
      'my.yaml:3: sites[1]: "shpo" is not a known site. Did you mean "shop"? Expected: a name, an address such as https://shop.example/, or a folder with an index.html. See: npx photofinish list sites',
    ],
    [
      'sites: [1]\nlinks: [4g]\n',
      'my.yaml:1: sites[0]: "1" is not valid. Expected: a name, an address such as https://shop.example/, or a folder with an index.html',
    ],
    ['sites: [app, app]\nlinks: [4g]\n', 'my.yaml:1: sites[1]: "app" is named twice. Expected: each once'],
    [
      `${ONE}servers: [apache]\n`,
      'my.yaml:3: servers[0]: "apache" is not a known server. See: npx photofinish list servers',
    ],
    [
      `${ONE}visits: [warm]\n`,
      'my.yaml:3: visits[0]: "warm" is not valid. Expected: cold, resumed, repeat, discovered',
    ],
    [
      `${ONE}visits: cold\n`,
      'my.yaml:3: visits: "cold" is not valid. Expected: a list of visits: cold, resumed, repeat, discovered',
    ],
    [`${ONE}visits: [cold, cold]\n`, 'my.yaml:3: visits[1]: "cold" is named twice. Expected: each once'],
    [
      'grids: []\n',
      'my.yaml:1: grids: an empty list does not fit. Expected: a list of grids, as in [{sites: [shop], links: [4g]}]',
    ],
    [
      'grids: [shop]\n',
      'my.yaml:1: grids[0]: "shop" is not valid. Expected: a mapping with sites, links, servers, visits, topology, tabs',
    ],
    ['grids:\n  - sites: [shop]\n', 'my.yaml:2: grids[0].links: missing. Expected: a list of links'],
    [
      'grids:\n  - {sites: [shop], links: [4g]}\n  - sites: [app]\n    links: [4g]\n    vists: [cold]\n',
      'my.yaml:5: grids[1].vists: unknown key. Did you mean "visits"? Expected: sites, links, servers, visits, topology, tabs',
    ],
    [
      'grids:\n  - sites: [shop]\n    links: [4g]\nvisits: [cold]\n',
      'my.yaml:4: visits: cannot be combined with grids. Expected: in each of them',
    ],
    [
      'grids:\n  - {sites: [shop], links: [4g]}\n  - {sites: [app, shop], links: [cable, "rate=9mbit,rtt=170ms"]}\n',
      'my.yaml:3: grids[1]: has (shop, rate=9mbit,rtt=170ms,loss=0%, nginx, cold), as grids[0] has. Expected: each condition once',
    ],
    [
      `sites: [shop, app, many-small]\nlinks: [${product(20, 50)}, ${product(20, 50, 100)}, ${product(20, 50, 200)}, ${product(20, 50, 300)}]\n`,
      'my.yaml:2: links: 12000 conditions are too many. Expected: up to 10000',
    ],
    // Links.
    [
      'sites: [shop]\nlinks:\n  - fibre\n  - 5gg\n',
      `my.yaml:4: links[1]: "5gg" is not a known link. Did you mean "5g"? See: npx photofinish list links`,
    ],
    [
      'sites: [shop]\nlinks: [rate=5]\n',
      `my.yaml:2: links[0]: rate: "5" is not valid (no unit, one of kbit, mbit, gbit, kbps, mbps, gbps is needed). Expected: ${RATE}`,
    ],
    [
      'sites: [shop]\nlinks:\n  - rtt: 40ms\n    rate: [2mbit, 5]\n',
      `my.yaml:4: links[0].rate: "5" is not valid (no unit, one of kbit, mbit, gbit, kbps, mbps, gbps is needed). Expected: ${RATE}`,
    ],
    [
      'sites: [shop]\nlinks:\n  - rtt: 40ms\n    speed: 2mbit\n',
      `my.yaml:4: links[0].speed: unknown key. Expected: ${LINK_KEYS}`,
    ],
    [
      'sites: [shop]\nlinks: [{rtt: 4ms, jitter: 3ms}]\n',
      'my.yaml:2: links[0]: jitter of 3 ms is above the delay of 2 ms. Expected: 0 up to the delay',
    ],
    ['sites: [shop]\nlinks: [{}]\n', `my.yaml:2: links[0]: an empty mapping does not fit. Expected: ${LINK}`],
    ['sites: [shop]\nlinks: [4]\n', `my.yaml:2: links[0]: "4" is not valid. Expected: ${LINK}`],
    ['sites: [shop]\nlinks: [[4g]]\n', `my.yaml:2: links[0]: a list does not fit. Expected: ${LINK}`],
    ['sites: [shop]\nlinks: 4g\n', 'my.yaml:2: links: "4g" is not valid. Expected: a list of links'],
    [
      'sites: [shop]\nlinks:\n  - rate: 2mbit\n    loss: 0%, 2%\n',
      'my.yaml:4: links[0].loss: "0%, 2%" is not valid. Expected: a value of that key, or a list of them',
    ],
    [
      'sites: [shop]\nlinks: [{rate: []}]\n',
      'my.yaml:2: links[0].rate: an empty list does not fit. Expected: a value of that key, or a list of them',
    ],
    [
      'sites: [shop]\nlinks: [{rate: {to: 1}}]\n',
      'my.yaml:2: links[0].rate: a mapping does not fit. Expected: a value of that key, or a list of them',
    ],
    [
      'sites: [shop]\nlinks:\n  - 4g\n  - rate=9mbit,rtt=170ms\n',
      'my.yaml:4: links[1]: "rate=9mbit,rtt=170ms,loss=0%" is named twice. Expected: each once',
    ],
    [
      'sites: [shop]\nlinks: [{rate: [2mbit, 2000kbit]}]\n',
      'my.yaml:2: links[0]: "rate=2mbit,rtt=0ms,loss=0%" is named twice. Expected: each once',
    ],
    [
      `sites: [shop]\nlinks: [${product(40, 26)}]\n`,
      'my.yaml:2: links[0]: 1040 links are too many. Expected: up to 1000',
    ],
    // Arms.
    [`${ONE}arms: []\n`, 'my.yaml:3: arms: an empty list does not fit. Expected: a list of arms'],
    [`${ONE}arms: [5]\n`, `my.yaml:3: arms[0]: "5" is not valid. Expected: ${ARM}`],
    [`${ONE}arms: [h1, h4]\n`, 'my.yaml:3: arms[1]: "h4" is not a known protocol. Expected: h1, h2, h3 or h1c'],
    [`${ONE}arms: [h1, h1]\n`, 'my.yaml:3: arms[1]: "h1" is named twice. Expected: each once'],
    [`${ONE}arms:\n- {protocol: h1}\n`, `my.yaml:4: arms[0].name: missing. Expected: ${ARM_NAME}`],
    [`${ONE}arms:\n- {name: a}\n`, 'my.yaml:4: arms[0].protocol: missing. Expected: h1, h2, h3, h1c'],
    [
      `${ONE}arms:\n- {name: a, protocol: h2, congestoin: bbr}\n`,
      'my.yaml:4: arms[0].congestoin: unknown key. Did you mean "congestion"? Expected: name, protocol, server, congestion, visit, browserFlags, beside',
    ],
    ...['h2-twin', 'h2-delayed', 'H2', '-a', 'a b', '', 'x'.repeat(41), 'a/b', 'a|b'].map((name) => [
      `${ONE}arms:\n- {name: "${name}", protocol: h2}\n`,
      `my.yaml:4: arms[0].name: "${name}" is not valid. Expected: ${ARM_NAME}`,
    ]),
    [
      `${ONE}arms:\n- {name: a, protocol: h3, congestion: bbr}\n`,
      'my.yaml:4: arms[0]: nginx has no congestion control "bbr" of QUIC. Expected: none',
    ],
    [
      `${ONE}arms:\n- {name: a, protocol: h3, congestion: newreno, server: other}\n`,
      'my.yaml:4: arms[0]: other has no congestion control "newreno" of QUIC. Expected: cubic, bbr',
    ],
    [`${ONE}servers: [other]\narms: [h1, h1c]\n`, 'my.yaml:4: arms[1]: other has no h1c. Expected: h1, h2, h3'],
    [
      `${ONE}servers: [other]\nvisits: [discovered]\narms: [h1]\n`,
      'my.yaml:5: arms[0]: other has no discovered visits. Expected: cold, resumed, repeat',
    ],
    [
      `${ONE}arms:\n- {name: a, protocol: h1, server: iis}\n`,
      'my.yaml:4: arms[0].server: "iis" is not a known server. See: npx photofinish list servers',
    ],
    [
      `${ONE}arms:\n- {name: a, protocol: h1, beside: {protocol: h2}}\n`,
      'my.yaml:4: arms[0].beside: cannot be used here. Expected: where topology is dumbbell',
    ],
    [
      `${ONE}topology: dumbbell\narms:\n- {name: a, protocol: h1, beside: {protocol: h1c, server: other}}\n`,
      'my.yaml:5: arms[0].beside: other has no h1c. Expected: h1, h2, h3',
    ],
    [
      `${ONE}topology: dumbbell\nvisits: [repeat]\narms:\n- {name: a, protocol: h1, beside: {protocol: h2}}\n`,
      'my.yaml:6: arms[0]: no repeat visits of several at once. Expected: cold',
    ],
    [
      `${ONE}tabs: [2]\nvisits: [resumed]\narms: [h1]\n`,
      'my.yaml:5: arms[0]: no resumed visits of several at once. Expected: cold',
    ],
    // What is between the hosts.
    [`${ONE}topology: ring\n`, 'my.yaml:3: topology: "ring" is not valid. Expected: direct, routed, dumbbell, crowd'],
    [`${ONE}topology: crowd\n`, 'my.yaml:1: tabs: missing. Expected: numbers of tabs, as in [10, 100]'],
    [
      `${ONE}topology: routed\ntabs: [10]\n`,
      'my.yaml:4: tabs: cannot be combined with topology routed. Expected: crowd',
    ],
    [`${ONE}tabs: [10, 10]\n`, 'my.yaml:3: tabs[1]: "10" is named twice. Expected: each once'],
    [`${ONE}tabs: [0]\n`, 'my.yaml:3: tabs[0]: "0" is not valid. Expected: 1 to 1000'],
    [
      `${ONE}arms:\n- {name: a, protocol: h2, congestion: BBR}\n`,
      'my.yaml:4: arms[0].congestion: "BBR" is not valid. Expected: the name of a congestion control, as in bbr',
    ],
    ...['--headless=old', '--disable-quic', '--user-data-dir=/tmp', '--ignore-certificate-errors'].map((flag) => [
      `${ONE}arms:\n- {name: a, protocol: h2, browserFlags: [${flag}]}\n`,
      `my.yaml:4: arms[0].browserFlags[0]: "${flag}" is not valid (not one that a study may give). Expected: ${FLAG}`,
    ]),
    [
      `${ONE}arms:\n- {name: a, protocol: h2, browserFlags: [--lang=a, http://b.c]}\n`,
      `my.yaml:4: arms[0].browserFlags[1]: "http://b.c" is not valid (no argument). Expected: ${FLAG}`,
    ],
    [
      `${ONE}arms:\n- {name: a, protocol: h2, browserFlags: --a}\n`,
      'my.yaml:4: arms[0].browserFlags: "--a" is not valid. Expected: a list of arguments of Chromium',
    ],
    [
      `${ONE}arms:\n- h2\n- {name: a, protocol: h2}\n`,
      `my.yaml:5: arms[1]: "a" differs in nothing from "h2". ${NOTHING}`,
    ],
    [
      `${ONE}visits: [cold, repeat]\narms:\n- h3\n- h2\n- {name: a, protocol: h3, visit: repeat}\n`,
      `my.yaml:7: arms[2]: "a" differs in nothing from "h3". ${NOTHING}`,
    ],
    [
      `${ONE}arms:\n- {name: a, protocol: h2, browserFlags: [--lang=a, --window-size=1]}\n- {name: b, protocol: h2, browserFlags: [--window-size=1, --lang=a]}\n`,
      `my.yaml:5: arms[1]: "b" differs in nothing from "a". ${NOTHING}`,
    ],
    // How it is judged, and when it ends.
    [`${ONE}device: tablet\n`, 'my.yaml:3: device: "tablet" is not valid. Expected: desktop, mobile'],
    [`${ONE}har: short\n`, 'my.yaml:3: har: "short" is not valid. Expected: full'],
    [`${ONE}metric: tti\n`, 'my.yaml:3: metric: "tti" is not valid. Expected: plt, lcp, fcp, upload'],
    [
      `${ONE}rule: strict\n`,
      'my.yaml:3: rule: "strict" is not valid. Expected: default, kramer2015, or {advantage, share}',
    ],
    [
      `${ONE}rule: []\n`,
      'my.yaml:3: rule: an empty list does not fit. Expected: default, kramer2015, or {advantage, share}',
    ],
    [`${ONE}rule: {advantage: 3%}\n`, 'my.yaml:3: rule.share: missing. Expected: 50% to 99%, with the sign'],
    [
      `${ONE}rule: {advantage: 0.03, share: 50%}\n`,
      'my.yaml:3: rule.advantage: "0.03" is not valid. Expected: 0.1% to 90%, with the sign',
    ],
    [
      `${ONE}rule: {advantage: 3%, share: 49%}\n`,
      'my.yaml:3: rule.share: "49%" is not valid. Expected: 50% to 99%, with the sign',
    ],
    [
      `${ONE}rule: {advantage: lots%, share: 50%}\n`,
      'my.yaml:3: rule.advantage: "lots%" is not valid (no number). Expected: 0.1% to 90%, with the sign',
    ],
    ...['0', '-1', '1.5', '100001', '"5"', '.nan', '1e400', 'many'].map((blocks) => [
      `${ONE}blocks: ${blocks}\n`,
      `my.yaml:3: blocks: "${{ '"5"': '5', '.nan': 'NaN', '1e400': 'Infinity' }[blocks] ?? blocks}" is not valid. Expected: 1 to 100000`,
    ]),
    [`${ONE}blocks: [5]\n`, 'my.yaml:3: blocks: a list does not fit. Expected: 1 to 100000'],
    [`${ONE}blocks:\n`, 'my.yaml:3: blocks: empty. Expected: 1 to 100000'],
    [`${ONE}exactly: 5\nblocks: 5\n`, 'my.yaml:4: blocks: cannot be combined with exactly. Expected: one of them'],
    [`${ONE}exactly: 5\nuntil: proven\n`, 'my.yaml:4: until: cannot be combined with exactly. Expected: one of them'],
    [`${ONE}until: sure\n`, 'my.yaml:3: until: "sure" is not valid. Expected: settled, proven'],
    [`${ONE}until: [proven]\n`, 'my.yaml:3: until: a list does not fit. Expected: settled, proven'],
    [`${ONE}giveUpBelow: 5%\n`, `my.yaml:3: giveUpBelow: unknown key. Expected: ${KEYS}`],
    [`${ONE}served: h4\n`, 'my.yaml:3: served: "h4" is not a known arm. Expected: h1, h2 or h3'],
    [`${ONE}arms: [h1, h3]\nserved: h2\n`, 'my.yaml:4: served: "h2" is not a known arm. Expected: h1 or h3'],
    [`${ONE}served: "a\\tb"\n`, 'my.yaml:3: served: "a b" is not valid. Expected: the name of an arm'],
    [`${ONE}lighthouse: 1001\n`, 'my.yaml:3: lighthouse: "1001" is not valid. Expected: 0 to 1000'],
    [`${ONE}seed: 4294967296\n`, 'my.yaml:3: seed: "4294967296" is not valid. Expected: 0 to 4294967295'],
    [`${ONE}timeout: 0\n`, 'my.yaml:3: timeout: "0" is not valid. Expected: 1 to 86400 (seconds)'],
    [`${ONE}budget: 0\n`, 'my.yaml:3: budget: "0" is not valid. Expected: 0.1 to 100000 (minutes)'],
    // Names.
    [`${ONE}name: ../x\n`, 'my.yaml:3: name: "../x" is not valid. Expected: letters, digits, ., _ and -, up to 64'],
    [`${ONE}name: 5\n`, 'my.yaml:3: name: "5" is not valid. Expected: letters, digits, ., _ and -, up to 64'],
    [`${ONE}describes: "a\\tb"\n`, 'my.yaml:3: describes: "a b" is not valid. Expected: one line'],
    [
      `${ONE}describes: ${LONG}\n`,
      `my.yaml:3: describes: "${LONG.slice(0, 80)}…" is not valid. Expected: one line (up to 1000 characters)`,
    ],
    // The mix.
    [`${ONE}mix: 4\n`, `my.yaml:3: mix: "4" is not valid. ${MIX}`],
    [
      `${ONE}mix: mobil\n`,
      `my.yaml:3: mix: "mobil" is not a known mix. Did you mean "mobile"? ${MIX}. See: npx photofinish list mixes`,
    ],
    [
      `${ONE}mix: mobile\n`,
      'my.yaml:3: mix: the mix "mobile" has links that the study lacks: 5g, 3g. Expected: with links of those names',
    ],
    [`${ONE}mix: {4g: 6, cable: 3}\n`, 'my.yaml:3: mix.cable: no link of the study. Expected: 4g'],
    [`${ONE}mix: {4h: 6}\n`, `my.yaml:3: mix.4h: "4h" is not a known link. See: npx photofinish list links`],
    ...['0', '-5', 'lots', '.inf', '""'].map((share) => [
      `${ONE}mix: {4g: ${share}}\n`,
      `my.yaml:3: mix.4g: "${{ '.inf': 'Infinity', '""': '' }[share] ?? share}" is not valid. Expected: a share above 0, as in 60 or 60%`,
    ]),
    [`${ONE}mix: {4g: [1]}\n`, 'my.yaml:3: mix.4g: a list does not fit. Expected: a share above 0, as in 60 or 60%'],
    [`${ONE}mix: {}\n`, `my.yaml:3: mix: empty. ${MIX}`],
    [`${ONE}mix: 4g\n`, `my.yaml:3: mix: "4g" is not a known mix. ${MIX}. See: npx photofinish list mixes`],
    [
      `${ONE}mix:\n  4g: 6\n  rate=9mbit,rtt=170ms: 3\n`,
      'my.yaml:5: mix[\'rate=9mbit,rtt=170ms\']: "rate=9mbit,rtt=170ms,loss=0%" is named twice. Expected: each once',
    ],
    // Where something stands that was not written there.
    [
      'sites: [shop]\nlinks: &l\n  - 4g\n  - 5gg\nquick:\n  links: *l\n',
      `my.yaml:4: links[1]: "5gg" is not a known link. Did you mean "5g"? See: npx photofinish list links (and 1 more)`,
    ],
    [
      'grids:\n  - &g\n    sites: [shop]\n    links: [4g]\n    visits: [warm]\n  - {<<: *g, links: [3g]}\n',
      'my.yaml:5: grids[0].visits[0]: "warm" is not valid. Expected: cold, resumed, repeat, discovered (and 1 more)',
    ],
  ] as [string, string][])('%j', (text, message) => {
    const flags = /^ *quick:/m.test(text) ? { quick: true } : {};
    expect(whatIsSaidOf(() => askFile(text, flags))).toBe(message);
  });
});

/** The mapping of a given number of rates and RTTs; queues make it differ from another. */
function product(rates: number, rtts: number, queue = 10): string {
  const each = (count: number, unit: string) => Array.from({ length: count }, (_, index) => `${index + 1}${unit}`);
  return `{rate: [${each(rates, 'mbit')}], rtt: [${each(rtts, 'ms')}], queue: ${queue}}`;
}

/** A list of ten, each of which is a list of ten, and so on: a billion in all. */
function aliasBomb(): string {
  const tens = (alias: string) => `[${new Array(10).fill(alias).join(', ')}]`;
  return Array.from(
    { length: 9 },
    (_, level) => `a${level}: &a${level} ${tens(level ? `*a${level - 1}` : 'x')}\n`,
  ).join('');
}

test('whatever a file says, it is a study, or its error is of one line and names the file', () => {
  const random = seededRandom(5, 'files');
  const one = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  const right: readonly (readonly [string, string])[] = [
    ['arms', '[h1, {name: a, protocol: h3, visit: repeat}]'],
    ['visits', '[cold, repeat]'],
    ['rule', '{advantage: 3%, share: 50%}'],
    ['mix', '{4g: 3}'],
    ['blocks', '5'],
    ['exactly', '5'],
    ['until', 'proven'],
    ['served', 'h3'],
    ['name', 'x'],
    ['quick', '{sites: [app], links: [{rate: [2mbit, 1mbit]}]}'],
    ['grids', '[{sites: [shop], links: [4g]}, {sites: [app], links: [4g]}]'],
  ];
  const pieces = [
    ...right.flat(),
    ...['[]', '{}', '"\\n"', '~', '-1', 'true', '0.5', '<<', '*a', '&a', '__proto__', '? x', '- x', '%', '!x', '"'],
  ];
  const value = (depth: number): string => {
    if (depth === 0 || random() < 0.5) return one(pieces);
    const parts = Array.from({ length: Math.floor(random() * 4) }, () => value(depth - 1));
    return random() < 0.5 ? `[${parts}]` : `{${parts.map((part) => `${one(pieces)}: ${part}`).join(', ')}}`;
  };
  const line = () =>
    random() < 0.7 ? one(right).join(': ') : `${random() < 0.5 ? one(right)[0] : one(pieces)}: ${value(3)}`;
  let studies = 0;
  for (let index = 0; index < 1_500; index += 1) {
    const text = `${random() < 0.8 ? ONE : ''}${Array.from({ length: 3 }, () => `${line()}\n`).join('')}`;
    const said = whatIsSaidOf(() => askFile(text, random() < 0.1 ? { quick: true } : {}));
    if (said.startsWith('{"study"')) studies += 1;
    else
      expect({ text, said }).toEqual({ text, said: expect.stringMatching(/^(?:my\.yaml(?::\d+)?|--quick): [^\n]+$/) });
  }
  expect(studies).toBeGreaterThan(100);
});
