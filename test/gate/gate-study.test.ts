import { expect, test } from '@jest/globals';
import { timesOf } from '../../harness/comparison/outcome.ts';
import { gateStudyOf } from '../../harness/gate/gate-study.ts';
import type { FoundStudy } from '../../harness/model/found-study.ts';
import { type MadeUp, measureMadeUp } from '../report/made-up.ts';

/** What a made-up study found, as a gate sees it. */
function gateStudyOfMadeUp(wish: MadeUp) {
  const rest = { links: [], scores: [], sessions: [], warmUps: 0, disturbed: 0, films: 0, references: [] };
  return gateStudyOf({ ...measureMadeUp(wish), ...rest } satisfies FoundStudy);
}

test('first visits and returning ones have the parts of the traffic that the study says', () => {
  const flags = { study: 'switch-on', site: ['article'], link: ['4g'], 'first-visits': '90%', 'without-udp': '0%' };
  const { conditions } = gateStudyOfMadeUp({ flags, truth: () => 1000, blocks: 1 });
  const weights = conditions.filter(({ weight }) => weight > 0).map(({ title, weight }) => [title, weight]);
  expect(weights).toEqual([
    ['article over 4g (first)', expect.closeTo(0.9)],
    ['article over 4g (returning)', expect.closeTo(0.1)],
  ]);
});

test('an arm whose loads are those of another one came to what that one did', () => {
  const flags = { study: 'switch-on', site: ['article'], link: ['4g'] };
  const { conditions } = gateStudyOfMadeUp({ flags, truth: () => 1000, blocks: 20 });
  const returning = conditions.find(({ title }) => title === 'article over 4g (returning)')!;
  for (const blocks of [returning.blocks, returning.plts]) {
    const [told, published] = ['h3-altsvc', 'h3-record'].map((arm) => timesOf(blocks, arm));
    expect(told!.length).toBeGreaterThan(0);
    expect(published).toEqual(told);
  }
});
