import { test } from '@jest/globals';
import type { Advice, ProfileAdvice } from '../../harness/model/advice.ts';
import { renderMix } from '../../harness/report/mix-text.ts';
import { expectGolden } from '../golden/golden.ts';

test('the mix as a table', () => {
  const profile = (name: string, share: number, gain: readonly [number, number, number], more = {}): ProfileAdvice => ({
    profile: name,
    share,
    serve: 'h3',
    asGood: [],
    sureness: 'sure',
    regretPercent: 0.5,
    gain: { over: 'h2', percent: gain[1], interval: [gain[0], gain[2]] },
    ...more,
  });
  const advice: Advice = {
    mix: {},
    unmeasured: [],
    serve: 'h3',
    asGood: ['h2'],
    sureness: 'sure',
    regretPercent: 0.5,
    text: '',
    gain: { over: 'h2', percent: 8.12, interval: [6.04, 10.4] },
    assumesKnownH3: true,
    open: { conditions: 0, unmeasured: 0, of: 4, worthPercent: 0 },
    byProfile: [
      profile('fibre', 0.6042, [9.98, 12.3, 14.6], { sureness: 'proven' }),
      profile('4g', 0.145, [-5, -3.3, -0.02], { serve: 'h2', asGood: ['h1'] }),
      profile('cable', 0.09, [-0.6, 0.4, 1], { asGood: ['h1', 'h2'], sureness: 'likely' }),
      profile('3g', 0.025, [-300, -120, 4], { serve: 'h1', sureness: 'open' }),
    ],
  };
  const kept = { ...advice, serve: 'h2', asGood: [], gain: { over: 'h2', percent: 0, interval: [0, 0] } } as const;
  const texts = [advice, kept].map((each) => renderMix(each, ['h1', 'h2', 'h3']));
  expectGolden('mix.txt', `${texts.join('\n\n')}\n`);
});
