import type { FoundStudy } from '../model/found-study.ts';
import type { StoreReader } from './reading.ts';

/** All that a study has come to, from its store alone; its measurements may have been read already. */
export function readFoundStudy(store: StoreReader, measurements = store.measurements()): FoundStudy {
  const { plan } = store.readStudy()!;
  return {
    plan,
    measurements,
    links: store.measuredLinks(),
    scores: store.lighthouseTrials(),
    sessions: store.sessions(),
    warmUps: store.warmUps(),
    disturbed: store.disturbedLoads(),
    films: store.films(),
    references: store.referenceLoads(),
  };
}
