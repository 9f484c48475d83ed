import { join } from 'node:path';
import { summarizeStudy } from '../findings/summary.ts';
import type { StudyReading, StudySource } from '../report/live/follow.ts';
import { nextSteps } from '../report/next-steps.ts';
import { buildPage, readPageSource } from '../report/view-model.ts';
import type { WaterfallLoad } from '../report/waterfall.ts';
import { isAtWork } from '../store/lock.ts';
import type { StoreReader } from '../store/reading.ts';
import { openStoreToRead, STORE_FILE } from '../store/store.ts';
import { commandAgain, studyWords } from './command-again.ts';
import { withStudy } from './open-study.ts';

/** The study in a folder, to be read again and again while it goes on. */
export function openStudySource(folder: string): StudySource {
  // Captures are most of the work, and of a condition's hundreds of loads a page shows the median's.
  let known: ReadonlyMap<number, WaterfallLoad> = new Map();
  const readAnew = (store: StoreReader, isMeasured: boolean): StudyReading => {
    const shown = new Map<number, WaterfallLoad>();
    const source = readPageSource(store);
    const loadOf = (trial: number) => {
      const load = known.get(trial) ?? source.loadOf(trial);
      shown.set(trial, load);
      return load;
    };
    const { study } = store.readStudy()!;
    const summary = summarizeStudy(source.found);
    // What comes next is known when no block is measured any more.
    const next = isMeasured ? [] : nextSteps(summary, studyWords(folder, study));
    const data = buildPage({ ...source, loadOf }, summary, { again: commandAgain(study), next });
    known = shown;
    return { data };
  };
  return {
    stamp() {
      using store = openStoreToRead(join(folder, STORE_FILE));
      return stampOf(store);
    },
    read(isMeasured) {
      return withStudy(folder, (store) => readAnew(store, isMeasured));
    },
    isAtWork: () => isAtWork(folder),
  };
}

/** A text that changes with everything that is written to the store. */
function stampOf(store: StoreReader): string {
  const { number, lastMs } = store.sessions().at(-1) ?? {};
  const films = store.filmed().length;
  return [number, lastMs, store.nextSerial(), store.warmUps(), films, store.lighthouseTrials().length].join(' ');
}
