/*
 * `npm run test:faults`: does to a study whatever a night may bring, and prints a line for each fault: what was injected,
 * what came of it, how many finished blocks were lost, and what was left behind. Both must be 0. With words, only the
 * faults that have one of them in their names. Most of it waits, so that there are two lanes, each in an enclosure of its own.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { furnishEnclosure, isEnclosed, runEnclosed } from '../../harness/system/enclosure.ts';
import type { Argv } from '../../harness/system/process.ts';
import { IN_PAGES } from './faults/in-pages.ts';
import { IN_STUDY, runInStudy } from './faults/in-study.ts';
import { OF_DISKS } from './faults/of-disks.ts';
import { OTHERWISE } from './faults/otherwise.ts';
import { closeLab, type Fault, type Outcome, processesLeft, scratch, whyNotHere } from './faults/world.ts';

const LIMIT_MS = 360_000;

/** The faults that are injected each by itself; the others are done to one study. */
const FAULTS: Readonly<Record<string, Fault>> = { ...IN_PAGES, ...OTHERWISE, ...OF_DISKS };
const LANES: Readonly<Record<string, readonly string[]>> = { study: Object.keys(IN_STUDY), alone: Object.keys(FAULTS) };

let failures = 0;

/** The faults of a lane that have one of some words in their names; without words all. */
function wantedOf(lane: string, words: readonly string[]): readonly string[] {
  return LANES[lane]!.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
}

/** Those faults that can be injected here; of the others it says why not. */
async function possibleOf(names: readonly string[]): Promise<readonly string[]> {
  const reasons = await Promise.all(names.map(whyNotHere));
  for (const [index, reason] of reasons.entries())
    if (reason !== undefined) print(`NOT TRIED: ${names[index]}: ${reason}`);
  return names.filter((_, index) => reasons[index] === undefined);
}

/** Runs one lane, inside its enclosure. */
async function runLane(lane: string, words: readonly string[]): Promise<number> {
  try {
    const names = await possibleOf(wantedOf(lane, words));
    if (lane === 'study') await doInStudy(names);
    else for (const name of names) await doAlone(name, FAULTS[name]!);
  } finally {
    await endLab();
  }
  const left = leftovers();
  print(`the lane "${lane}" closed its lab: ${leftBehind(left)}; ${failures} failed`);
  return failures + left.length > 0 ? 1 : 0;
}

async function runLanes(words: readonly string[]): Promise<number> {
  process.env.TMPDIR = scratch; // Each lane has a folder of its own in there, which goes also where the lane is stopped.
  const beganMs = performance.now();
  const lanes = Object.keys(LANES).filter((lane) => wantedOf(lane, words).length > 0);
  const own = [process.execPath, ...process.execArgv, process.argv[1]!];
  const codes = await Promise.all(lanes.map((lane) => runEnclosed([...own, lane, ...words] as unknown as Argv)));
  rmSync(scratch, { recursive: true });
  const tookMs = performance.now() - beganMs;
  for (const [index, code] of codes.entries()) {
    if (code !== 0) print(`FAIL the lane "${lanes[index]}" ended with exit code ${code}`);
  }
  print(`${Math.round(tookMs / 1000)} s of ${LIMIT_MS / 1000}`);
  return lanes.length > 0 && codes.every((code) => code === 0) && tookMs <= LIMIT_MS ? 0 : 1;
}

async function doInStudy(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const beganMs = performance.now();
  try {
    for (const [name, result] of await runInStudy(names)) tell(name, result);
  } catch (error) {
    tell(`a study with ${names.length} faults`, error as Error);
    await endLab();
  }
  print(`     (in one study, ${secondsSince(beganMs)})`);
}

async function doAlone(name: string, fault: Fault): Promise<void> {
  const beganMs = performance.now();
  try {
    const outcome = await fault();
    // What a browser started ends a moment after it; what stays for five seconds is left behind.
    for (let looks = 0; looks < 50 && processesLeft('strays').length > 0; looks += 1) await sleep(100);
    tell(name, { ...outcome, left: processesLeft('strays') }, secondsSince(beganMs));
  } catch (error) {
    tell(name, error as Error, secondsSince(beganMs));
    await endLab(); // The next fault is not to suffer from this one.
  }
}

function tell(name: string, result: Outcome | Error, took?: string): void {
  const { lost = 0, left = [] } = result instanceof Error ? {} : result;
  const isRight = !(result instanceof Error) && lost === 0 && left.length === 0;
  if (!isRight) failures += 1;
  const outcome =
    result instanceof Error ? describe(result) : `${result.says}; ${lost} blocks lost, ${leftBehind(left)}`;
  print(`${isRight ? 'ok  ' : 'FAIL'} ${name}: ${outcome}${took === undefined ? '' : ` (${took})`}`);
}

function leftBehind(left: readonly string[]): string {
  return `${left.length} left behind${left.length > 0 ? `: ${left.join(', ')}` : ''}`;
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.stack}\ncaused by ${describe(error.cause)}` : `${error.stack}`;
}

function secondsSince(beganMs: number): string {
  return `${Math.round((performance.now() - beganMs) / 1000)} s`;
}

/** Processes and network namespaces that are there once all labs are closed. */
function leftovers(): readonly string[] {
  return [...processesLeft('all'), ...readdirSync('/run/netns').map((name) => `namespace ${name}`)];
}

async function endLab(): Promise<void> {
  try {
    await closeLab();
  } catch (error) {
    tell("the lab's end", error as Error);
  }
}

function print(line: string): void {
  writeFileSync(1, `${line}\n`);
}

const words = process.argv.slice(2);
if (isEnclosed()) {
  await furnishEnclosure();
  process.exit(await runLane(words[0]!, words.slice(1)));
}
process.exitCode = await runLanes(words);
