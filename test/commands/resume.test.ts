import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type MeasureRequest, measure, parseMeasure } from '../../harness/commands/measure.ts';
import type { Summary } from '../../harness/findings/summary.ts';
import type { StudyEvent } from '../../harness/model/event.ts';
import type { Machine } from '../../harness/model/session.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { openStore, openStoreToRead } from '../../harness/store/store.ts';
import { planStudy } from '../../harness/study/plan.ts';
import { type Argv, type RunningProcess, start } from '../../harness/system/process.ts';
import { openFakeLab } from '../fakes/lab.ts';
import { MACHINE } from '../fakes/machine.ts';

const PROGRAM = fileURLToPath(new URL('./fake-measure.ts', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'photofinish-resume-'));
/** What still runs where a test has run out of its time. */
const running = new Set<RunningProcess>();
let over = false;
afterAll(async () => {
  over = true;
  await Promise.all([...running].map((program) => program[Symbol.asyncDispose]()));
  rmSync(scratch, { recursive: true });
});

interface Death {
  /** How many blocks are finished before. */
  readonly blocks: number;
  readonly thenMs: number;
}

/** Runs the fake measurement until it ends, or kills it; returns what it said before. */
async function runFake(folder: string, death?: Death): Promise<{ events: StudyEvent[]; ended: unknown }> {
  const program = start([process.execPath, '--disable-warning=ExperimentalWarning', PROGRAM, folder, '7'] as Argv);
  running.add(program);
  const said = { out: '', error: '' };
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (!death || timer || said.out.split('"event":"block"').length <= death.blocks) return;
    timer = setTimeout(() => program.child.kill('SIGKILL'), death.thenMs);
  };
  program.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk.toString();
    look();
  });
  program.stderr.on('data', (chunk: Buffer) => {
    said.error += chunk.toString();
  });
  look();
  const ended = await program.ended;
  running.delete(program);
  clearTimeout(timer);
  expect(said.error).toBe('');
  const lines = said.out.split('\n').slice(0, -1); // The last one may be torn.
  return { events: lines.map((line) => JSON.parse(line) as StudyEvent), ended };
}

function trialsIn(folder: string): string[] {
  using store = openStoreToRead(join(folder, 'study.sqlite'));
  return store.measurements().map(({ condition, block, arm }) => `${condition} ${block} ${arm}`);
}

function serialsIn(folder: string): ReadonlySet<number> {
  using store = openStoreToRead(join(folder, 'study.sqlite'));
  return new Set([...store.blocks()].map(({ serial }) => serial));
}

test('killed at twenty random moments, a study loses nothing that was finished and counts nothing twice', async () => {
  const straight = join(scratch, 'straight');
  expect(await runFake(straight)).toMatchObject({ ended: 0 });
  const killed = join(scratch, 'killed');
  const random = seededRandom(11);
  const told = new Set<number>();
  let kills = 0;
  for (let attempt = 0; attempt < 60 && kills < 20 && !over; attempt += 1) {
    // While the program starts, or somewhere in one of its first blocks.
    const blocks = Math.floor(3 * random());
    const { events, ended } = await runFake(killed, { blocks, thenMs: random() * (blocks === 0 ? 700 : 20) });
    for (const event of events) if (event.event === 'block') told.add(event.serial);
    if (ended === 0) break;
    kills += 1;
  }
  expect(await runFake(killed)).toMatchObject({ ended: 0 });
  expect(kills).toBe(20);
  const trials = trialsIn(killed);
  expect(new Set(trials).size).toBe(trials.length);
  expect([...trials].sort()).toEqual(trialsIn(straight).sort());
  const serials = serialsIn(killed);
  expect([...told].filter((serial) => !serials.has(serial))).toEqual([]);
  const [one, other] = [straight, killed].map((folder) => readSummary(folder));
  expect(other!.conditions.map(({ answer, blocks }) => [answer?.serve, blocks])).toEqual(
    one!.conditions.map(({ answer, blocks }) => [answer?.serve, blocks]),
  );
  // Nothing half written lies about.
  const files = readdirSync(killed, { recursive: true }) as string[];
  expect(files.filter((name) => /partial|-wal|-shm|journal/.test(name))).toEqual([]);
});

function readSummary(folder: string): Summary {
  return JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
}

describe('what was begun', () => {
  const flags = { site: ['few-small'], link: ['fibre'], exactly: '3' };
  const times = { h1: 300, h2: 200, h3: 100, h1c: 300 };
  const said: string[] = [];
  const output = { write: (text: string) => said.push(text) };
  const on = (machine: Machine) => ({
    readMachine: () => machine,
    openLab: async () => openFakeLab({ timeOf: ({ protocol }) => times[protocol] }).lab,
  });
  const begin = async (name: string): Promise<string> => {
    const out = join(scratch, name);
    expect(await measure(parseMeasure({ ...flags, seed: '3', out }), output, on(MACHINE))).toBe(0);
    return out;
  };
  const again = (request: MeasureRequest, machine = MACHINE) => measure(request, output, on(machine));

  test('goes on by its folder alone; finished, it only tells again what it found', async () => {
    const out = await begin('finished');
    const before = trialsIn(out);
    said.length = 0;
    expect(await again(parseMeasure({ out }))).toBe(0);
    expect(trialsIn(out)).toEqual(before);
    expect(said.join('')).toMatch(/^9 loads by Chromium \d+ from nginx/m);
  });

  test('goes on by the same options, the seed being its own', async () => {
    const out = await begin('same');
    expect(parseMeasure({ ...flags, out }).study.seed).toBe(3);
    expect(await again(parseMeasure({ ...flags, out }))).toBe(0);
  });

  test('with other options alone is the same study but for what they say', async () => {
    const out = await begin('more');
    const { study } = parseMeasure({ out });
    expect(parseMeasure({ out, exactly: '5' }).study).toEqual({ ...study, stopping: { kind: 'exactly', blocks: 5 } });
    expect(parseMeasure({ out, blocks: '9' }).study).toEqual({
      ...study,
      stopping: { kind: 'early', until: 'settled', cap: 9 },
    });
    await expect(again(parseMeasure({ out, exactly: '5' }))).rejects.toThrow(
      /something changed since the study in .* began: plan.stopping.blocks was 3, is 5; another --out begins a new study/,
    );
  });

  test('in its short form goes on by the same options', () => {
    const short = { quick: true, exactly: '1', out: join(scratch, 'short') };
    const { study, out } = parseMeasure({ ...short, seed: '3' });
    mkdirSync(out);
    using store = openStore(join(out, 'study.sqlite'));
    store.writeStudy({ study, plan: planStudy(study, () => ({ objects: 1, bytes: 1_000, digest: '0' })) });
    expect(parseMeasure(short).study).toEqual(study);
  });

  test('goes on until something else, or with gains over something else, without being forced: no load would differ', async () => {
    const out = join(scratch, 'aims');
    const { exactly: _, ...early } = flags;
    expect(await again(parseMeasure({ ...early, blocks: '30', seed: '3', out }))).toBe(0);
    const settled = trialsIn(out);
    expect(readSummary(out)).toMatchObject({ served: 'h2', conditions: [{ state: 'settled' }] });
    expect(await again(parseMeasure({ out, served: 'h1' }))).toBe(0);
    expect(trialsIn(out)).toEqual(settled);
    expect(readSummary(out)).toMatchObject({ served: 'h1', conditions: [{ answer: { gain: { over: 'h1' } } }] });
    expect(await again(parseMeasure({ out, until: 'proven' }))).toBe(0);
    expect(trialsIn(out).length).toBeGreaterThan(settled.length);
    const { conditions, provenance } = readSummary(out);
    expect(conditions).toMatchObject([{ state: 'proven', answer: { sureness: 'proven', gain: { over: 'h1' } } }]);
    expect(provenance.sessions.flatMap(({ notes }) => notes)).toEqual([]);
    await expect(again(parseMeasure({ out, blocks: '31' }))).rejects.toThrow(/plan.stopping.cap was 30, is 31/);
  });

  test('is weighed anew by other visitors without a load, and keeps their shares', async () => {
    const out = join(scratch, 'weighed');
    expect(await again(parseMeasure({ ...flags, link: ['4g', 'cable'], seed: '3', out }))).toBe(0);
    const before = trialsIn(out);
    const evenly = readSummary(out).advice!;
    expect(evenly.mix).toEqual({ '4g': 0.5, cable: 0.5 });
    for (const mix of [{ mix: '4g=90,cable=10' }, {}]) {
      expect(await again(parseMeasure({ out, ...mix }))).toBe(0);
      expect(trialsIn(out)).toEqual(before);
      const { advice, provenance } = readSummary(out);
      expect(advice!.mix).toEqual({ '4g': 0.9, cable: 0.1 });
      expect(provenance.sessions.flatMap(({ notes }) => notes)).toEqual([]);
    }
  });

  test('does not go on as another study, or with another browser or server, unless it is forced, which is noted', async () => {
    const out = await begin('changed');
    await expect(again(parseMeasure({ ...flags, exactly: '4', out }))).rejects.toThrow(
      /--out: something changed since the study in .*changed began: plan.stopping.blocks was 3, is 4; .*--force continues/,
    );
    await expect(again(parseMeasure({ ...flags, seed: '4', out }))).rejects.toThrow(/plan.seed was 3, is 4/);
    const other = { ...MACHINE, chromium: '157.0', servers: { nginx: '1.31, OpenSSL 3.6.5' } };
    await expect(again(parseMeasure({ out }), other)).rejects.toThrow(
      /chromium was 156.0, is 157.0; servers.nginx was 1.30.6, OpenSSL 3.6.5, is 1.31/,
    );
    const blocks = trialsIn(out).length;
    expect(await again(parseMeasure({ ...flags, exactly: '4', out, force: true }), other)).toBe(0);
    expect(trialsIn(out)).toHaveLength(blocks + 3);
    const { sessions } = readSummary(out).provenance;
    expect(sessions.map(({ notes }) => notes.length)).toEqual([0, 3]);
    expect(sessions[1]!.notes[1]).toBe('chromium was 156.0, is 157.0');
  });

  test('begins where whoever was to begin it was killed before the first thing was written', async () => {
    const out = join(scratch, 'begun');
    mkdirSync(out);
    writeFileSync(join(out, 'study.sqlite'), '');
    expect(await again(parseMeasure({ ...flags, seed: '3', out }))).toBe(0);
    expect(trialsIn(out)).toHaveLength(9);
  });

  test('is not begun in a folder whose files it would write over', async () => {
    const out = join(scratch, 'taken');
    mkdirSync(join(out, 'har'), { recursive: true });
    writeFileSync(join(out, 'report.html'), 'of somebody else');
    await expect(again(parseMeasure({ ...flags, out }))).rejects.toThrow(
      /^--out: ".*taken" holds no study, but har, report.html, which a study would overwrite. Expected: another folder$/,
    );
    expect(readdirSync(out).sort()).toEqual(['har', 'report.html']);
  });

  test('what broke it is said first, and how to go on, although no report can be written either', async () => {
    const out = join(scratch, 'full');
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    said.length = 0;
    const broken = measure(parseMeasure({ ...flags, out }), output, {
      readMachine: () => MACHINE,
      openLab: async () =>
        openFakeLab({
          timeOf: () => {
            mkdirSync(join(out, 'report.html'), { recursive: true }); // Which takes the report's place.
            throw full;
          },
        }).lab,
    });
    await expect(broken).rejects.toMatchObject({ suppressed: full, error: { code: 'EISDIR' } });
    expect(said.join('')).toMatch(/\nTo continue: npm run measure -- --out \S*full\n$/);
  });

  test('is nobody else’s while somebody is at work on it', async () => {
    const out = await begin('locked');
    const { lockFolder } = await import('../../harness/store/lock.ts');
    {
      using _lock = lockFolder(out);
      await expect(again(parseMeasure({ out }))).rejects.toThrow(/--out: another process is measuring the study in/);
    }
    expect(await again(parseMeasure({ out }))).toBe(0);
  });
});
