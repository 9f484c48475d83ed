import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { followStudy, type StudySource } from '../../harness/report/live/follow.ts';
import { smallPage } from './pages.ts';

const { page: data } = smallPage({ blocks: 2 });
let clockMs = 0;
beforeEach(() => {
  clockMs = 0;
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function pass(ms: number): void {
  for (let at = 0; at < ms; at += 100) {
    clockMs += 100;
    jest.advanceTimersByTime(100);
  }
}

/** A study with something new at each look, each reading of which takes `readMs`. */
function openBusyStudy(readMs: number, isAtWork = true) {
  const counts = { looks: 0, readings: 0 };
  const source: StudySource = {
    stamp() {
      counts.looks += 1;
      return `${counts.looks}`;
    },
    read() {
      counts.readings += 1;
      clockMs += readMs;
      return { data: { ...data, summary: { ...data.summary, leftSeconds: 60 } } };
    },
    isAtWork: () => isAtWork,
  };
  return { counts, study: followStudy(source, { now: () => clockMs, busyMs: () => clockMs }) };
}

test.each([
  // What a reading takes, and how often it then comes in two minutes, the first included: every second is too often.
  [1, 61],
  [100, 61],
  [500, 13],
  [3000, 3],
])('a reading that takes %i ms takes no more than a twentieth of the time', (readMs, most) => {
  const { counts, study } = openBusyStudy(readMs);
  pass(120_000);
  expect(counts.readings).toBeLessThanOrEqual(most);
  expect(counts.readings).toBeGreaterThan(0.6 * most);
  expect((counts.readings - 1) * readMs).toBeLessThanOrEqual(0.05 * 120_000);
  study[Symbol.dispose]();
});

test('what a reading waits for a core, on a machine that others keep busy, is no cost of its own', () => {
  let readings = 0;
  const read = () => {
    readings += 1;
    clockMs += 3000;
    return { data };
  };
  using _ = followStudy(
    { stamp: () => `${readings}`, read, isAtWork: () => true },
    { now: () => clockMs, busyMs: () => 50 * readings },
  );
  pass(6000);
  expect(readings).toBeGreaterThan(2);
});

describe('what is told', () => {
  const progress = {
    closed: 1,
    conditions: 6,
    answered: 2,
    settled: 1,
    decided: 3,
    comparisons: 18,
    loads: 9,
    elapsedMs: 4000,
    serves: [],
    labs: [],
  };

  test('the time left runs on from when it was said', () => {
    const { study } = openBusyStudy(0);
    study.tell({ event: 'progress', ...progress, leftMs: 9000, current: 'a', arm: 'h2' });
    pass(5000);
    expect(study.state()).toMatchObject({ phase: 'measured', progress: { leftMs: 4000, current: 'a', arm: 'h2' } });
    pass(6000);
    expect(study.state().progress.leftMs).toBe(0);
    study[Symbol.dispose]();
  });

  test('its store tells of a study that somebody else measures, or nobody', () => {
    const { study } = openBusyStudy(1);
    expect(study.state()).toMatchObject({
      phase: 'measured',
      progress: { conditions: 6, answered: 6, settled: 0, loads: 36, leftMs: 60_000 },
    });
    study[Symbol.dispose]();
    const resting = openBusyStudy(1, false).study;
    expect(resting.state().phase).toBe('resting');
    expect(resting.state().progress.leftMs).toBeUndefined();
    resting[Symbol.dispose]();
  });

  test('the end is read once more, whenever it was read last, and told with its page', () => {
    const { counts, study } = openBusyStudy(3000);
    const before = study.page().version;
    study.tell({ event: 'ended', ending: 'budget', summary: '' });
    study.finish('/somewhere/report.html');
    expect(counts.readings).toBe(2);
    expect(study.state()).toMatchObject({ phase: 'ended', ending: 'budget', page: '/somewhere/report.html' });
    expect(study.page().version).not.toBe(before);
    pass(60_000);
    expect(counts.readings).toBe(2);
  });

  test('a study that is measured no more is read once more at once, for what to do next', () => {
    const asked: boolean[] = [];
    let isAtWork = true;
    const source: StudySource = {
      stamp: () => 'the same',
      read(isMeasured) {
        asked.push(isMeasured);
        return { data };
      },
      isAtWork: () => isAtWork,
    };
    using study = followStudy(source, { now: () => clockMs, busyMs: () => clockMs });
    pass(10_000);
    isAtWork = false;
    pass(10_000);
    expect(asked).toEqual([true, false]);
    isAtWork = true;
    pass(1_000);
    // The process that measures holds the folder until it has said that it ended.
    study.finish('/somewhere/report.html');
    expect(asked).toEqual([true, false, true, false]);
  });

  test('the newest answers, each condition once', () => {
    const { study } = openBusyStudy(1);
    study.tell({ event: 'progress', ...progress });
    expect(study.state().answers).toBeUndefined();
    const gain = { over: 'h2', percent: 3, interval: [1, 5] } as const;
    const answer = { serve: 'h3', asGood: [], sureness: 'likely', gain } as const;
    for (const condition of ['a', 'b', 'c', 'd', 'c'])
      study.tell({
        event: 'answer',
        condition,
        title: condition,
        ...answer,
        sureness: condition === 'c' ? 'sure' : 'likely',
        blocks: 3,
      });
    expect(study.state().answers).toEqual([
      { condition: 'c', ...answer, sureness: 'sure' },
      { condition: 'd', ...answer },
      { condition: 'b', ...answer },
    ]);
    study[Symbol.dispose]();
  });

  test('whoever listens hears of each change, until he does not', () => {
    const { study } = openBusyStudy(1);
    let heard = 0;
    const listening = study.subscribe(() => {
      heard += 1;
    });
    study.tell({ event: 'progress', ...progress });
    study.tell({ event: 'block', serial: 1, condition: 'a', title: 'a', index: 0, trials: [] });
    expect(heard).toBe(2);
    listening[Symbol.dispose]();
    study.tell({ event: 'progress', ...progress });
    expect(heard).toBe(2);
    study[Symbol.dispose]();
  });
});

test('what cannot be read just now is told once and tried again; the study goes on being shown', () => {
  jest.useFakeTimers();
  try {
    const complaints: string[] = [];
    let [clockMs, reads, isThere] = [0, 0, true];
    const source: StudySource = {
      stamp() {
        if (!isThere) throw new Error('the folder is gone');
        return `${reads}`;
      },
      read() {
        reads += 1;
        return { data };
      },
      isAtWork: () => true,
    };
    using study = followStudy(source, {
      now: () => clockMs,
      busyMs: () => clockMs,
      complain: (why) => complaints.push(why),
    });
    const pass = (ms: number) => {
      for (let passed = 0; passed < ms; passed += 1000) {
        clockMs += 1000;
        jest.advanceTimersByTime(1000);
      }
    };
    isThere = false;
    pass(10_000);
    expect(complaints).toEqual(['the folder is gone']);
    expect(study.page().json).not.toBe('');
    const before = reads;
    isThere = true;
    reads += 1; // Something new.
    pass(5_000);
    expect(reads).toBeGreaterThan(before + 1);
  } finally {
    jest.useRealTimers();
  }
});
