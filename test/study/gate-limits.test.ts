import { describe, expect, test } from '@jest/globals';
import { findArm, parseMaxPlt, parseMaxRegret, resolveMaxPlt } from '../../harness/study/gate-limits.ts';
import { whatIsSaidOf } from './asking.ts';
import { planOf } from './plans.ts';

test.each([
  ['5%', 0.05],
  ['0%', 0],
  [' 2.5 % ', 0.025],
])('regret of at most %s', (text, share) => {
  expect(parseMaxRegret('--max-regret', text)).toBe(share);
});

test.each(['5', '0.05', '-1%', '1001%', 'much', '5%%', ''])('no regret of %j', (text) => {
  expect(whatIsSaidOf(() => parseMaxRegret('--max-regret', text))).toMatch(
    /^--max-regret: ".*" is not valid \(no percentage in range\). Expected: 0% to 1000%, with the sign$/,
  );
});

test.each([
  ['h3=2500', { arm: 'h3', ms: 2500 }],
  ['h3:4g=2.5s', { arm: 'h3', link: '4g', ms: 2500 }],
  ['h3@shop=900ms', { arm: 'h3', site: 'shop', ms: 900 }],
  ['h3-bbr:burst@shop=900', { arm: 'h3-bbr', link: 'burst', site: 'shop', ms: 900 }],
  ['h3:rate=2mbit,burst=1%:3=900', { arm: 'h3', link: 'rate=2mbit,burst=1%:3', ms: 900 }],
] as const)('%s', (text, limit) => {
  expect(parseMaxPlt(text)).toEqual({ asked: text, ...limit });
});

test.each(['h3', '=5', 'h3=', 'h3=0', 'h3=-1', 'h3=2h', 'h3=3601s', 'h3:=5', 'h3@=5', '', 'x'.repeat(5000)])(
  'no load time of %j',
  (text) => {
    const said = whatIsSaidOf(() => parseMaxPlt(text));
    expect(said).toMatch(
      /^--max-plt: ".*" is not valid \(no .*\). Expected: ARM=MS, ARM:LINK=MS, and @SITE after either/,
    );
    expect(said.length).toBeLessThan(300);
  },
);

describe('in a study', () => {
  const plan = planOf({ sites: ['shop', 'blog'], links: ['4g', 'rate=2mbit,rtt=20ms'] });
  const resolve = (text: string) => resolveMaxPlt(parseMaxPlt(text), plan, { readText: () => '' });

  test.each([
    ['h3:4g=1', { link: '4g' }],
    ['h3:rate=9mbit,rtt=170ms=1', { link: '4g' }],
    ['h3:rtt=20ms,rate=2000kbit@blog=1', { link: 'rate=2mbit,rtt=20ms,loss=0%', site: 'blog' }],
  ])('%s', (text, limit) => {
    expect(resolve(text)).toMatchObject(limit);
  });

  test.each([
    ['h4:4g=1', '--max-plt: "h4" is not a known arm. Expected: h1, h2 or h3'],
    ['h3:3g=1', '--max-plt: no link "3g" in the study. Expected: 4g, rate=2mbit,rtt=20ms,loss=0%'],
    ['h3:6g=1', '--max-plt: no link "6g" in the study. Expected: 4g, rate=2mbit,rtt=20ms,loss=0%'],
    ['h3@home=1', '--max-plt: "home" is not a known site. Expected: shop or blog'],
  ])('%s', (text, message) => {
    expect(whatIsSaidOf(() => resolve(text))).toBe(message);
  });

  test('a site and a link that it has, but not together', () => {
    const conditions = plan.conditions.filter(({ site, link }) => site === 'shop' || link.name === '4g');
    expect(() =>
      resolveMaxPlt(parseMaxPlt('h3:rate=2mbit,rtt=20ms@blog=1'), { ...plan, conditions }, { readText: () => '' }),
    ).toThrow(
      /^--max-plt: the study has no condition with blog over rate=2mbit,rtt=20ms,loss=0%. Expected: shop over 4g/,
    );
  });

  test('the arm that is served', () => {
    expect(findArm('--serve', 'h2', plan.arms)).toBe('h2');
    expect(() => findArm('--serve', 'quic', plan.arms)).toThrow(
      '--serve: "quic" is not a known arm. Expected: h1, h2 or h3',
    );
  });
});
