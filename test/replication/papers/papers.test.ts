import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { studySources } from '../../../harness/commands/sources.ts';
import { meanLossPercent, meanRateKbps, rttMs } from '../../../harness/model/link.ts';
import { PAPER_NAMES, type Paper } from '../../../harness/model/paper.ts';
import type { Plan } from '../../../harness/model/study.ts';
import { PAPERS } from '../../../harness/replication/papers/papers.ts';
import { type StudyFlags, studyFromFlags } from '../../../harness/study/flags.ts';
import { planStudy } from '../../../harness/study/plan.ts';
import { judged, judgedAs, type SyntheticStudy } from './synthetic.ts';
import { TRUTHS } from './truths.ts';

const blocksFor = ({ rule }: Paper) => (rule ? 20 : 10);

/** Claims without an opposite: they can only hold or not. */
const WITHOUT_OPPOSITE: Readonly<Record<string, readonly string[]>> = {
  kramer2015: ['few-small-50', 'few-small-10', 'many-large-10', 'loss-h1', 'loss-h3'],
  goncalves2015: ['mixed-at-500'],
  oliveira2020: ['overhead-rate', 'overhead-delay', 'overhead-loss', 'little-difference'],
};

describe.each(PAPER_NAMES)('%s', (name) => {
  const paper = PAPERS[name];
  const { so, reversed } = TRUTHS[name];

  test('all of its claims hold where all of them are so', () => {
    const { claims } = judged({ paper, truth: so, blocks: blocksFor(paper) });
    expect(Object.fromEntries(claims.map(({ id, standing, measured }) => [id, `${standing}: ${measured}`]))).toEqual(
      Object.fromEntries(claims.map(({ id }) => [id, expect.stringMatching(/^holds: /)])),
    );
    expect(claims.flatMap(({ missing }) => missing)).toEqual([]);
  });

  test('all are reversed where all are the other way round', () => {
    const { claims } = judged({ paper, truth: reversed, blocks: blocksFor(paper) });
    const expected = (id: string) => (WITHOUT_OPPOSITE[name]?.includes(id) ? 'no longer' : 'reversed');
    expect(Object.fromEntries(claims.map(({ id, standing, measured }) => [id, `${standing}: ${measured}`]))).toEqual(
      Object.fromEntries(claims.map(({ id }) => [id, expect.stringContaining(`${expected(id)}: `)])),
    );
  });

  test('none can be compared before anything is measured, and each says what is missing', () => {
    const { claims } = judged({ paper, truth: so, blocks: 0 });
    for (const { standing, lacks } of claims) {
      expect(standing).toBe('not comparable');
      expect(lacks).toMatch(/^(not measured here: |too little measured to tell in )./);
    }
  });

  test('its claims have names of their own', () => {
    expect(new Set(paper.claims.map(({ id }) => id)).size).toBe(paper.claims.length);
    expect(paper.claims.length).toBeGreaterThan(1);
  });
});

describe('what was printed is what stands in the papers', () => {
  const printed = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../fixtures/studies/${name}.json`, import.meta.url), 'utf8'));

  test('goncalves2015', () => {
    const [table] = PAPERS.goncalves2015.tables;
    expect(
      table!.rows.map(({ labels: [server, , tabs], arm, figures: [connections, seconds, megabytes] }) => ({
        server,
        tabs: Number(tabs),
        connections,
        seconds,
        megabytes,
        protocol: arm,
      })),
    ).toEqual(
      printed('goncalves2015').results.map((row: { protocol: string }) => ({
        ...row,
        protocol: row.protocol === 'spdy' ? 'h2' : row.protocol,
      })),
    );
  });

  test('valle2023', () => {
    expect(
      PAPERS.valle2023.tables.flatMap(({ rows }, index) =>
        rows.map(({ place, arm, labels, figures: [seconds, packets, kilobytes, rttMs] }) => ({
          scenario: index + 1,
          server: place.server,
          protocol: arm,
          file: labels[2],
          rttMs,
          packets,
          seconds,
          kilobytes,
        })),
      ),
    ).toEqual(printed('valle2023').results);
  });

  test('dncs2020', () => {
    const { loadMs, lighthouseScore, sites } = printed('dncs2020');
    const rowsOf = (index: number) =>
      [...Map.groupBy(PAPERS.dncs2020.tables[index]!.rows, ({ place }) => place.site)].map(([site, rows]) => ({
        site,
        ...Object.fromEntries(rows.map(({ arm, figures }) => [arm, figures[0]])),
      }));
    expect(rowsOf(0)).toEqual(loadMs);
    expect(rowsOf(1)).toEqual(lighthouseScore);
    expect(PAPERS.dncs2020.sites).toEqual(
      Object.fromEntries(
        sites.map(({ name, megabytes, requests }: Record<string, number>) => [
          name,
          { objects: requests, bytes: megabytes! * 1e6 },
        ]),
      ),
    );
  });

  test('kramer2015 and oliveira2020 print charts: their factors are the presets’', () => {
    const sources = studySources();
    const plansOf = (...names: string[]) =>
      names.map((study) =>
        planStudy(studyFromFlags({ study, seed: '1' }, sources).study, () => ({ objects: 1, bytes: 1, digest: '' })),
      );
    const linksOf = ({ conditions }: Plan) => ({
      rateMbps: distinct(conditions.map(({ link }) => meanRateKbps(link.down.rate)! / 1000)),
      rtt: distinct(conditions.map(({ link }) => rttMs(link))),
      lossPercent: distinct(conditions.map(({ link }) => meanLossPercent(link.down.loss))),
    });
    const distinct = (values: readonly number[]) => [...new Set(values)].toSorted((a, b) => a - b);
    const kramer = printed('kramer2015');
    const [plan] = plansOf('kramer2015');
    const { rttMs: rtt, rateMbps, lossPercent } = kramer.factors;
    expect(linksOf(plan!)).toEqual({ rateMbps, rtt, lossPercent });
    expect([plan!.conditions.length, plan!.stopping]).toEqual([
      48,
      { kind: 'exactly', blocks: kramer.loadsPerConditionAndProtocol },
    ]);
    const { factors, repetitions, pairsInScenario2 } = printed('oliveira2020');
    const [single, pairs] = plansOf('oliveira2020', 'oliveira2020-pairs');
    for (const own of [single!, pairs!]) {
      expect(linksOf(own)).toEqual({
        rateMbps: factors.rateMbps,
        rtt: factors.delayMs,
        lossPercent: factors.lossPercent,
      });
      expect(own.stopping).toEqual({ kind: 'exactly', blocks: repetitions });
    }
    expect(distinct(single!.conditions.map(({ site }) => Number(/(\d+)mb/.exec(site)![1]) * 1e6))).toEqual(
      factors.fileBytes,
    );
    expect(new Set(single!.arms.map(({ congestion }) => congestion))).toEqual(new Set(factors.congestionControl));
    for (const [own, beside] of pairsInScenario2)
      for (const protocol of ['h2', 'h3'])
        expect(
          pairs!.arms.filter(
            (arm) =>
              [arm.protocol, arm.beside?.protocol].every((each) => each === protocol) &&
              [arm.congestion, arm.beside?.congestion].toSorted().join() === [own, beside].toSorted().join(),
          ),
        ).toHaveLength(1);
  });

  test('and where they cite themselves, and what they did, no number of which is not theirs', () => {
    const wordsOf = (text: string) => new Set(text.match(/[\p{L}\d/+-]+/gu));
    for (const name of PAPER_NAMES) {
      expect(wordsOf(PAPERS[name].citation)).toEqual(wordsOf(printed(name).citation));
      const all = JSON.stringify(printed(name));
      expect(PAPERS[name].task.match(/\d+(\.\d+)?/g)?.filter((number) => !all.includes(number)) ?? []).toEqual([]);
    }
    expect(PAPERS.kramer2015.rule).toMatchObject({ advantage: 0.1, share: 0.7 });
  });
});

describe('presets', () => {
  const sources = studySources();
  const claimsIn = (name: string, quick: boolean) => {
    const named = { study: name, seed: '1' };
    const { study } = studyFromFlags(quick ? { ...named, quick } : named, sources);
    const factsOf = (site: string) => ({
      objects: 10,
      bytes: 100_000,
      digest: '',
      uploadBytes: site.startsWith('upload') ? 1 : undefined,
    });
    return judgedAs(PAPERS[study.repeats!], planStudy(study, factsOf), []).claims;
  };
  const repeating = sources.presets.filter(
    (name) => studyFromFlags({ study: name, seed: '1' }, sources).study.repeats !== undefined,
  );

  test.each(PAPER_NAMES)(
    '%s: what its claims are about is what its presets have, but for a server that runs elsewhere',
    (paper) => {
      const presets = repeating.filter((name) => name.startsWith(paper));
      expect(presets).not.toEqual([]);
      const all = presets.map((name) => claimsIn(name, false));
      for (const { id } of PAPERS[paper].claims) {
        const missing = all.map((claims) => claims.find((claim) => claim.id === id)!.missing);
        expect([id, missing.filter((each) => each.every((place) => place.startsWith('iis')))]).not.toEqual([id, []]);
      }
    },
  );

  test.each(repeating)('the short form of %s has something of some claim', (name) => {
    expect(claimsIn(name, true).filter(({ cases }) => cases.length > 0)).not.toEqual([]);
  });

  test('options change a plan, and not what it repeats', () => {
    const asked = (flags: StudyFlags) => studyFromFlags({ seed: '1', ...flags }, sources).study.repeats;
    expect(asked({ study: 'kramer2015' })).toBe('kramer2015');
    expect(asked({ study: 'kramer2015', quick: true, link: ['4g'], arms: 'h2,h3' })).toBe('kramer2015');
    expect(asked({ site: ['many-small'] })).toBeUndefined();
    expect(asked({ study: 'today' })).toBeUndefined();
  });
});

test.each([
  [
    'goncalves2015',
    'fewer-bytes',
    false,
    2,
    /true in 4 of 6, false in nginx, 10 tabs a client: .* iis, 100 tabs a client/,
  ],
  ['goncalves2015', 'fewer-connections', true, 0, /true in 6 of 6/],
  ['goncalves2015', 'mixed-at-500', true, 0, /true in 0 of 3/],
  ['dncs2020', 'tcp-swiftest', true, 1, /false in eforlad-travel: h1 against h2 \+11 %/],
  ['dncs2020', 'follows-requests', true, 0, /\+0\.42/],
  ['valle2023', 'scenario-1', true, 0, /−6\.0 %/],
  ['valle2023', 'scenario-3', true, 0, /−51 %/],
  ['valle2023', 'slowest-jpg', true, 1, /true in 2 of 3, false in hostinger/],
] as const)('%s, %s: its own figures agree: %s', (name, id, agree, exceptions, says) => {
  const { claims } = judged({ paper: PAPERS[name], truth: TRUTHS[name].so, blocks: 0 });
  const own = claims.find((claim) => claim.id === id)!.ownFigures;
  expect(own).toEqual({ agree, exceptions, says: expect.stringMatching(says) });
});

describe('a study whose plan was changed', () => {
  const paper = PAPERS.kramer2015;
  const truth = TRUTHS.kramer2015.so;
  const standings = (asked: Partial<SyntheticStudy>) =>
    Object.fromEntries(judged({ paper, truth, blocks: 20, ...asked }).claims.map((claim) => [claim.id, claim]));

  test('has claims judged where it has the conditions', () => {
    const place = { site: 'many-small', rateKbps: 2_000, rttMs: 218, lossPercent: 0 };
    const claims = standings({ places: [place] });
    expect(claims['far-h3-h2']).toMatchObject({ standing: 'holds', missingCases: 1, missing: ['2 % loss'] });
    expect(claims['quic-improves']).toMatchObject({ standing: 'not comparable', missingCases: 47 });
    expect(claims['quic-improves']!.lacks).toMatch(
      /^47 of 48 not measured here \(few-small, 2 Mbit\/s, 18 ms, 0 % loss; /,
    );
    expect(claims['few-small-50']).toMatchObject({
      standing: 'not comparable',
      lacks: expect.stringMatching(/^not measured here: /),
    });
  });

  test('without an arm, no claim about that arm', () => {
    const claims = standings({ arms: ['h2', 'h3'] });
    expect(claims['far-h3-h2']!.standing).toBe('holds');
    expect(claims['far-h3-h1']).toMatchObject({ standing: 'not comparable', missing: ['HTTP/1.1'] });
  });

  test('by another rule, nothing of what the paper calls better', () => {
    const claims = standings({ change: { rule: { advantage: 0.03, share: 0.5 } } });
    expect(claims['high-rtt']).toMatchObject({
      standing: 'not comparable',
      lacks: expect.stringContaining('(10 % in more than 70 % of all blocks)'),
    });
    expect(claims['far-h3-h2']!.standing).toBe('holds');
  });
});
