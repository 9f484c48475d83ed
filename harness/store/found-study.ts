import { join } from 'node:path';
import { UsageError } from '../model/errors.ts';
import type { FoundStudy } from '../model/found-study.ts';
import type { StoreReader } from './reading.ts';
import { openStoreToRead, STORE_FILE } from './store.ts';

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
    films: store.films(),
    references: store.referenceLoads(),
  };
}

/** Opens the store in a study's folder to read it; a study may be running there. */
export function openStudy(folder: string) {
  const store = openStoreToRead(join(folder, STORE_FILE));
  if (store.readStudy()) return store;
  store[Symbol.dispose]();
  throw new UsageError(`no study in ${folder}: nothing was written yet`);
}
