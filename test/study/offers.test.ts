import { describe, expect, test } from '@jest/globals';
import { type StudyFlags, studyFromFlags, studyOverBegun } from '../../harness/study/flags.ts';
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

  test('makes its own visits, whoever asks for others', () => {
    const says = '--visit: cannot be combined with offers. Expected: one of them';
    expect(whatIsSaidOf(() => askFile(OFFERS, { visit: ['cold'] }))).toBe(says);
    expect(whatIsSaidOf(() => askFile(OFFERS, { offers: 'h2', visit: ['cold'] }))).toBe(says);
    const grids = 'grids: [{sites: [shop], links: [4g]}]\noffers: [h2]\n';
    expect(whatIsSaidOf(() => askFile(grids, { visit: ['repeat'] }))).toBe(says);
    expect(whatIsSaidOf(() => studyOverBegun(askFile(OFFERS).study, { visit: ['cold'] }, sourcesWith()))).toBe(says);
  });

  test('alone has shares of visits', () => {
    const arms = 'sites: [shop]\nlinks: [4g]\n';
    const says = 'can only be used with offers; the study has none';
    expect(whatIsSaidOf(() => askFile(arms, { 'first-visits': '60%' }))).toBe(`--first-visits: ${says}`);
    expect(whatIsSaidOf(() => askFile(OFFERS, { arms: 'h2', 'without-udp': '6%' }))).toBe(`--without-udp: ${says}`);
    expect(whatIsSaidOf(() => askFile(`${arms}withoutUdp: 6%\n`))).toBe(`my.yaml:3: withoutUdp: ${says}`);
  });

  test('that was begun is weighed anew by other shares, and keeps those of which nothing is said', () => {
    const begun = askFile(`${OFFERS}mix: {fibre: 3, 4g: 1}\nwithoutUdp: 10%\n`).study;
    const over = (flags: StudyFlags) => studyOverBegun(begun, flags, sourcesWith()).study;
    expect(over({})).toEqual(begun);
    expect(over({ 'first-visits': '60%' })).toEqual({ ...begun, offered: { firstVisits: 0.6, withoutUdp: 0.1 } });
    const fewer = over({ 'without-udp': '20%' });
    expect(fewer.offered).toEqual({ firstVisits: 0.5, withoutUdp: 0.2 });
    const percents = Object.entries(fewer.mix!).map(([link, share]) => [link, Math.round(100 * share)]);
    expect(Object.fromEntries(percents)).toEqual({ fibre: 60, '4g': 20, '4g,udp=drop': 20 });
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
