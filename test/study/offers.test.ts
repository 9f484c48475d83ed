import { describe, expect, test } from '@jest/globals';
import { studyFromFlags } from '../../harness/study/flags.ts';
import { mixOffered, OFFER_SHARES } from '../../harness/study/offers.ts';
import { linkOf } from '../links.ts';
import { askFile, gridsOf, sourcesWith, whatIsSaidOf } from './asking.ts';

const OFFERS = 'sites: [shop]\nlinks: [fibre, 4g, 3g]\noffers: [h2, h3-altsvc, h3-record]\n';

describe('a study of offers', () => {
  test('has each offer for an arm, first and returning visits, and one link without UDP, the one in the middle', () => {
    const asked = askFile(OFFERS);
    expect(asked.study.arms).toEqual([
      { name: 'h2', protocol: 'h2', offer: 'h2' },
      { name: 'h3-altsvc', protocol: 'h3', offer: 'h3-altsvc' },
      { name: 'h3-record', protocol: 'h3', offer: 'h3-record' },
    ]);
    expect(gridsOf(asked)).toMatchObject([
      { sites: ['shop'], links: ['fibre', '4g', '3g', '4g,udp=drop'], visits: ['first', 'returning'] },
    ]);
    expect(asked.study).toMatchObject({ served: 'h2' });
  });

  test('adds no link to those that say themselves where UDP is dropped', () => {
    const own = askFile("sites: [shop]\nlinks: [fibre, '3g,udp=drop']\noffers: [h2, h3-altsvc]\n");
    expect(gridsOf(own)[0]!.links).toEqual(['fibre', '3g,udp=drop']);
  });

  test('is weighed by defaults that have sources, or as a file or options say', () => {
    const { firstVisits, withoutUdp } = OFFER_SHARES;
    expect(askFile(OFFERS).study.offered).toEqual({ firstVisits: firstVisits.share, withoutUdp: withoutUdp.share });
    const written = askFile(`${OFFERS}firstVisits: 60%\nwithoutUdp: 10%\n`).study;
    expect(written.offered).toEqual({ firstVisits: 0.6, withoutUdp: 0.1 });
    expect(written.mix!['4g,udp=drop']).toBeCloseTo(0.1);
    expect(written.mix!.fibre).toBeCloseTo(0.3);
    const flags = { offers: 'h2,h3-altsvc', 'first-visits': '20%', 'without-udp': '0%', site: ['shop'], link: ['4g'] };
    const { study } = studyFromFlags(flags, sourcesWith());
    expect(study.offered).toEqual({ firstVisits: 0.2, withoutUdp: 0 });
    expect(study.mix).toEqual({ '4g': 1 });
  });

  test('takes the place of arms and visits, and does not stand beside them', () => {
    const { study } = askFile('sites: [shop]\nlinks: [4g]\narms: [h1]\n', { offers: 'h2,h3-record' });
    expect(study.arms.map(({ name }) => name)).toEqual(['h2', 'h3-record']);
    expect(whatIsSaidOf(() => askFile(`${OFFERS}arms: [h1]\n`))).toContain('cannot be combined with offers');
    expect(whatIsSaidOf(() => askFile(`${OFFERS}visits: [cold]\n`))).toContain('cannot be combined with offers');
    expect(whatIsSaidOf(() => askFile(OFFERS, { offers: 'h2', arms: 'h1' }))).toContain(
      '--offers: cannot be combined with',
    );
    expect(whatIsSaidOf(() => askFile(OFFERS, { offers: 'h4' }))).toContain('Expected: h2, h3-altsvc or h3-record');
    expect(whatIsSaidOf(() => askFile(OFFERS, { offers: 'h2', 'first-visits': '60' }))).toContain('0% to 100%');
  });

  test('is of servers that give out tickets and tell of H3', () => {
    expect(whatIsSaidOf(() => askFile(OFFERS, { server: ['other'] }))).toContain('other has no discovered visits');
  });
});

test('links without UDP have together the share of their visitors, the others what a mix says of them', () => {
  const links = ['4g', 'fibre', '4g,udp=drop'].map((text) => linkOf(text));
  const mix = mixOffered(links, { firstVisits: 0.5, withoutUdp: 0.1 }, { '4g': 2, fibre: 1 });
  expect(Object.keys(mix)).toEqual(['4g', 'fibre', '4g,udp=drop']);
  expect(Object.values(mix).map((share) => Math.round(1000 * share))).toEqual([600, 300, 100]);
});
