import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect } from '@jest/globals';
import type { StudyEvent } from '../../../harness/model/event.ts';
import type { Measurement } from '../../../harness/model/measurement.ts';
import { seededRandom } from '../../../harness/stats/random.ts';
import { openStoreToRead } from '../../../harness/store/store.ts';
import { undisturbed } from '../figures.ts';
import { labTest } from '../lab.ts';
import { measure } from '../measure.ts';
import { findProcesses } from '../processes.ts';

// Not below /run, which is another one in the enclosure that the program makes for itself.
const folder = mkdtempSync('/var/tmp/photofinish-killed-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function measurementsIn(out: string): readonly Measurement[] {
  using store = openStoreToRead(join(out, 'study.sqlite'));
  return store.measurements();
}

/** Twenty are asked for, by hand: `PHOTOFINISH_KILLS=20 node test/live/run.ts killed`. Here a few must do. */
const KILLS = Number(process.env.PHOTOFINISH_KILLS ?? 2);
const LABS = 4;
const BLOCKS = Math.max(4, Math.ceil(KILLS / 2));
const ARMS = ['h1', 'h2', 'h3'];
/** Labs are opened, links measured and references loaded before there is a block: one kill in four is in that time. */
const OPENING_MS = 15_000;
/** A block takes no longer. */
const BLOCK_MS = 3_000;

/** What labs leave in the machine while they live. */
function leftovers(): readonly string[] {
  const namespaces = readdirSync('/run/netns', { withFileTypes: true }).map(({ name }) => `namespace ${name}`);
  return [
    ...namespaces,
    ...findProcesses(/linux\.uml|photofinish-browser|--remote-debugging-pipe/).map((pid) => `process ${pid}`),
  ];
}

/** What is there that was not there before; a kernel takes a moment to end all that it was told to end. */
async function leftAfter(before: ReadonlySet<string>): Promise<readonly string[]> {
  for (let waits = 0; ; waits += 1) {
    const left = leftovers().filter((each) => !before.has(each));
    if (left.length === 0 || waits === 50) return left;
    await setTimeout(100);
  }
}

labTest(
  'killed at any moment with four labs at work and stopped once, a study is the study that it would have been',
  async () => {
    mkdirSync('/run/netns', { recursive: true });
    const before = new Set(leftovers());
    const random = seededRandom(7, 'kills');
    const out = join(folder, 'study');
    const links = Array.from({ length: LABS }, (_, lab) => ['--link', `rate=20mbit,rtt=${20 + 10 * lab}ms`]).flat();
    const words = ['--site', 'few-small', ...links, '--labs', `${LABS}`, '--seed', '5', '--exactly', `${BLOCKS}`];
    const told = new Set<number>();
    const hear = (event: StudyEvent) => {
      if (event.event === 'block') told.add(event.serial);
    };
    /** Sends a signal once, a while after the first event of a kind. */
    const after = (kind: StudyEvent['event'], withinMs: number, signal: NodeJS.Signals) => {
      const waitMs = withinMs * random();
      let isSet = false;
      return (event: StudyEvent, pid: number) => {
        hear(event);
        if (event.event !== kind || isSet) return;
        isSet = true;
        void setTimeout(waitMs).then(() => process.kill(pid, signal));
      };
    };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const heed = kill % 4 === 1 ? after('began', OPENING_MS, 'SIGKILL') : after('block', BLOCK_MS, 'SIGKILL');
      const { code, complaint } = await measure(kill === 0 ? [...words, '--out', out] : ['--out', out], heed);
      expect([code, complaint]).toEqual(['SIGKILL', '']);
      expect(await leftAfter(before)).toEqual([]);
    }
    const stopped = await measure(['--out', out, '--labs', `${LABS}`], after('block', BLOCK_MS, 'SIGINT'));
    expect([stopped.code, stopped.events.at(-1)]).toEqual([4, expect.objectContaining({ ending: 'stopped' })]);
    expect(stopped.events.filter(({ event }) => event === 'stopping')).toHaveLength(1);
    const whole = await measure(['--out', out, '--labs', `${LABS}`], hear);
    expect([whole.code, whole.complaint]).toEqual([0, '']);
    const measurements = measurementsIn(out);
    const trials = undisturbed(measurements).map(({ condition, block, arm }) => `${condition} ${block} ${arm}`);
    expect(new Set(trials).size).toBe(trials.length);
    expect(trials).toHaveLength(LABS * BLOCKS * ARMS.length);
    // What was told of is in the store, and the other way round but for what a kill kept from being told.
    expect(told.size).toBeLessThanOrEqual(measurements.length / ARMS.length);
    expect(told.size).toBeGreaterThanOrEqual(measurements.length / ARMS.length - KILLS * LABS);
  },
  120_000 + 60_000 * KILLS,
);
