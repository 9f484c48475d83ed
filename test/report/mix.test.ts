import { test } from '@jest/globals';
import type { Advice, Saving } from '../../harness/model/advice.ts';
import { renderMix } from '../../harness/report/mix-text.ts';
import { expectGolden } from '../golden/golden.ts';

const NEVER = Number.POSITIVE_INFINITY;

test('the mix as a table', () => {
  const profile = (name: string, share: number, serve: readonly string[], saving?: Saving) => ({
    ...{ profile: name, share, serve },
    ...(saving && { saving }),
  });
  const advice: Advice = {
    ...{ mix: {}, unmeasured: [], serve: ['h3'], against: 'h2', text: '' },
    saving: { percent: 8.12, interval: [6.04, 10.4] },
    byProfile: [
      profile('fibre', 0.6042, ['h3'], { percent: 12.3, interval: [9.98, 14.6] }),
      profile('4g', 0.145, ['h2', 'h1'], { percent: -3.3, interval: [-5, -0.02] }),
      profile('cable', 0.09, ['h2', 'h1', 'h3'], { percent: 0.4, interval: [-NEVER, 100] }),
      profile('dsl', 0.09, ['h3'], { percent: 100, interval: [22, 100] }),
      profile('3g', 0.025, ['h2'], { percent: Number.NaN, interval: [-NEVER, 40] }),
    ],
  };
  const { against: _, saving: __, ...undecided } = advice;
  const texts = [advice, undecided].map((each) => renderMix(each, ['h1', 'h2', 'h3']));
  expectGolden('mix.txt', `${texts.join('\n\n')}\n`);
});
