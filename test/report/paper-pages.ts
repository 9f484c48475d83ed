import { type Summary, summarizeStudy } from '../../harness/findings/summary.ts';
import type { FoundStudy } from '../../harness/model/found-study.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { PaperName } from '../../harness/model/paper.ts';
import { PAPERS } from '../../harness/replication/papers/papers.ts';
import type { PageData } from '../../harness/report/page-data.ts';
import { buildPage } from '../../harness/report/view-model.ts';
import { readLoad } from '../../harness/report/waterfall.ts';
import type { StoredTrial } from '../../harness/store/trials.ts';
import { MACHINE } from '../fakes/machine.ts';
import { readCapture } from '../fixtures/captures.ts';
import { placesOf, type SyntheticStudy, syntheticStudy } from '../replication/papers/synthetic.ts';
import { TRUTHS } from '../replication/papers/truths.ts';

/** Where a paper's claims are so, and where they are the other way round, in a study that has not measured everything. */
const MIXED: Readonly<Record<PaperName, Omit<SyntheticStudy, 'paper'>>> = {
  kramer2015: {
    blocks: 20,
    truth: (place, arm) =>
      (place.lossPercent === 2 || place.rttMs === 218 ? TRUTHS.kramer2015.so : TRUTHS.kramer2015.reversed)(place, arm),
    places: placesOf(PAPERS.kramer2015).filter(({ rateKbps, site }) => rateKbps !== 10_000 || site !== 'few-large'),
  },
  dncs2020: {
    truth: TRUTHS.dncs2020.reversed,
    places: [...placesOf(PAPERS.dncs2020), { site: 'global-master', rateKbps: 10_240, rttMs: 0, lossPercent: 0 }],
  },
  valle2023: {
    truth: TRUTHS.valle2023.so,
    places: placesOf(PAPERS.valle2023).filter(({ server }) => server === undefined || server === 'nginx'),
  },
  goncalves2015: {
    truth: (place, arm) => TRUTHS.goncalves2015[place.server === 'nginx' ? 'so' : 'reversed'](place, arm),
    places: placesOf(PAPERS.goncalves2015).filter(({ server }) => server !== 'iis'),
  },
  oliveira2020: {
    truth: (place, arm) => TRUTHS.oliveira2020[place.rateKbps === 5_000 ? 'reversed' : 'so'](place, arm),
    arms: ['tcp-cubic', 'quic-cubic', 'tcp-bbr', 'quic-bbr'],
    places: placesOf(PAPERS.oliveira2020).filter(({ site }) => site === 'single-2mb'),
  },
};

/** A study that repeats a paper. */
export function paperStudy(name: PaperName, change: Partial<SyntheticStudy> = {}): FoundStudy {
  const { plan, measurements } = syntheticStudy({ paper: PAPERS[name], ...MIXED[name], ...change });
  const scored = plan.conditions.find(({ link }) => link.name.includes('10240'));
  return {
    plan,
    measurements,
    links: [],
    warmUps: 2,
    disturbed: 0,
    films: 0,
    references: [],
    scores: scored
      ? [0.91, 0.93, 0.95].map((score, run) => ({
          condition: scored.id,
          arm: 'h3',
          run,
          score: { status: 'ok' as const, score, metrics: {} },
        }))
      : [],
    sessions: [
      {
        number: 1,
        beganMs: Date.UTC(2026, 10, 21, 12),
        lastMs: Date.UTC(2026, 10, 21, 13),
        machine: MACHINE,
        notes: [],
      },
    ],
  };
}

/** The page of such a study, with its summary. */
export function paperPage(name: PaperName, change: Partial<SyntheticStudy> = {}): { page: PageData; summary: Summary } {
  const found = paperStudy(name, change);
  const { plan, measurements } = found;
  const summary = summarizeStudy(found);
  const load = readLoad(readCapture('h2-cold'));
  const source = {
    found,
    trials: measurements.map((each, index) => storedAs(each, index, plan.arms.length)),
    loadOf: () => load,
    filmOf: () => undefined,
  };
  return {
    summary,
    page: buildPage(source, summary, { again: { command: `npm run measure -- --study ${name}` }, next: [] }),
  };
}

function storedAs(measurement: Measurement, index: number, arms: number): StoredTrial {
  const serial = 1 + Math.floor(index / arms);
  return { id: index, session: 1, serial, beganMs: serial, position: index % arms, measurement, evidence: [] };
}
