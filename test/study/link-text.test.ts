import { describe, expect, test } from '@jest/globals';
import type { Link } from '../../harness/model/link.ts';
import { type Random, seededRandom, shuffled } from '../../harness/stats/random.ts';
import { renderLink } from '../../harness/study/link-text.ts';
import { NAMED_LINKS } from '../../harness/study/named-links.ts';
import { linkOf } from '../links.ts';

const link = (text: string) => linkOf(text, '1\n20\n50\n100\n');
const directions = ({ down, up }: Link) => ({ down, up });

describe('however it is written, a link has one name:', () => {
  test.each([
    [
      'rate=2mbit,rtt=218ms,loss=0%',
      ['rtt=218ms,rate=2mbit', 'rate=2000kbit,delay=109ms', 'down=2mbit,up=2mbit,rtt=0.218s,queue=36,jitter=0'],
    ],
    ['rate=50mbit,rtt=18ms,loss=0%,queue=149', ['rate=50mbit,rtt=18ms,queue=2bdp', 'queue=149,rate=50mbps,rtt=18ms']],
    ['rate=1gbit,rtt=20ms,loss=1%,jitter=2ms', ['loss=1,rtt=20ms,jitter=2ms,rate=1gbit,distribution=normal']],
    ['rate=unlimited,rtt=20ms,loss=0%', ['rtt=20ms', 'rtt=20ms,queue=50', 'rtt=20ms,distribution=pareto,jitter=0']],
    ['down=1.6mbit,up=768kbit,rtt=300ms,loss=0%', ['up=768kbit,rate=1600kbit,rtt=300ms']],
    [
      'down=5mbit,up=1mbit,down.delay=10ms,up.delay=30ms,down.loss=1%,up.burst=2%:3,up.reorder=1%',
      ['rate=5mbit,up=1mbit,delay=10ms,up.delay=30ms,loss=1%,up.burst=2%:3,up.reorder=1%'],
    ],
    ['trace=t,rtt=40ms,loss=0%', ['rtt=40ms,down.trace=t,up.trace=t']],
    ['4g', ['4g', '4g,rate=9mbit', '4g,loss=0%', '4g,rtt=0.17s']],
    ['rate=9mbit,rtt=170ms,loss=1%', ['4g,loss=1%', 'rate=9mbit,rtt=170ms,loss=1%']],
  ])('%s', (name, texts) => {
    for (const text of texts) expect(link(text).name).toBe(name);
    expect(link(name).name).toBe(name);
  });
});

test.each(Object.keys(NAMED_LINKS))('%s keeps its name, and its specification is the same link', (name) => {
  expect(link(name).name).toBe(name);
  expect(directions(link(renderLink(link(name))))).toEqual(directions(link(name)));
});

test('what was changed of a named link says so', () => {
  expect(link('4g,loss=1%').source).toMatch(/^4g, changed; WebPageTest/);
});

test('links that differ have names that differ', () => {
  const texts = [
    'rate=1mbit',
    'rate=1.001mbit',
    'down=1mbit',
    'rtt=1ms',
    'loss=1%',
    'burst=1%:2',
    'queue=11,rate=1mbit',
  ];
  expect(new Set(texts.map((text) => link(text).name)).size).toBe(texts.length);
});

test('a rendered link is parsed to the same link, whatever the link', () => {
  const random = seededRandom(2, 'links');
  for (let index = 0; index < 3_000; index += 1) {
    const text = drawLink(random);
    const asked = link(text);
    expect({ text, ...directions(link(renderLink(asked))) }).toEqual({ text, ...directions(asked) });
    const again = link(shuffled(text.split(','), random).join(','));
    expect({ text, name: again.name }).toEqual({ text, name: asked.name });
  }
});

/** The text of some link: any keys, for both directions or one, of values with many decimals. */
function drawLink(random: Random): string {
  const number = (low: number, high: number) => (low + (high - low) * random() ** 3).toFixed(Math.floor(random() * 8));
  const whole = (low: number, high: number) => `${Math.floor(low + (high - low) * random())}`;
  const one = (...choices: readonly string[]) => choices[Math.floor(random() * choices.length)]!;
  const settings: Readonly<Record<string, () => string>> = {
    rate: () =>
      one(`rate=${number(1, 900)}mbit`, `rate=${number(100, 9_000)}kbit`, 'rate=unlimited', 'trace=some.trace'),
    jitter: () => one(`jitter=${number(0, 5)}ms`, `jitter=${whole(0, 5000)}us`),
    distribution: () => `distribution=${one('uniform', 'normal', 'pareto', 'paretonormal')}`,
    loss: () => one(`loss=${number(0, 100)}%`, `burst=${number(0, 40)}%:${number(1, 1000)}`),
    reorder: () => `reorder=${number(0, 100)}%`,
    duplicate: () => `duplicate=${number(0, 100)}%`,
    queue: () => one(`queue=${whole(1, 300)}`, `queue=${whole(1, 90)}.5bdp`),
  };
  // A delay that no jitter exceeds, and that packets can overtake in.
  const texts = [one(`rtt=${number(20, 900)}ms`, `delay=${number(20, 900)}ms`, 'down.delay=20ms,up.delay=31.2345ms')];
  for (const draw of Object.values(settings)) {
    const scope = one('', '', 'both', 'down.', 'up.');
    if (scope === 'both') texts.push(`down.${draw()}`, `up.${draw()}`);
    else if (random() < 0.5) texts.push(`${scope}${draw()}`);
  }
  return texts.join(',');
}
