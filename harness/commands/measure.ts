import { addAbortListener } from 'node:events';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DEVICES } from '../model/device.ts';
import { UsageError } from '../model/errors.ts';
import type { StudyEnding, StudyEvent } from '../model/event.ts';
import { EXIT } from '../model/exit-code.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Values } from '../model/option.ts';
import { printable } from '../model/printable.ts';
import { type FoundSite, isAddress } from '../model/remote.ts';
import type { SiteFacts } from '../model/site.ts';
import type { Plan, Study } from '../model/study.ts';
import { renderFindings } from '../report/findings-text.ts';
import { type Output, showJson, showProgress } from '../report/terminal.ts';
import { describeBeyond } from '../run/capacity.ts';
import type { KeptEvidence } from '../run/evidence.ts';
import { countLaunches, openLab } from '../run/lab.ts';
import { openLabs, roomFor } from '../run/labs.ts';
import { awaitsLighthouse, runLighthouseTrials } from '../run/lighthouse.ts';
import { type LoopOptions, runPlan } from '../run/loop.ts';
import { findChanges, type PlanAndMachine, readMachine } from '../run/machine.ts';
import { reconnoitre } from '../run/reconnaissance.ts';
import { type FolderOptions, recordFolder } from '../run/record-folder.ts';
import { refuseMissing, setupsOf } from '../run/setups.ts';
import { factsOf, findAnySite, type Site } from '../run/sites.ts';
import { findFolder } from '../site/folder/find-folder.ts';
import { LOCK_FILE, lockFolder } from '../store/lock.ts';
import { openStore, STORE_FILE, type Store } from '../store/store.ts';
import { studyFromFlags, studyOverBegun } from '../study/flags.ts';
import { nextBlocks } from '../study/next-blocks.ts';
import { planStudy } from '../study/plan.ts';
import { parseResolve } from '../study/resolve-name.ts';
import { STUDY_OPTIONS, type StudyFlags } from '../study/study-options.ts';
import { timeNeeded } from '../study/time-needed.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { stopRequested } from '../system/stop.ts';
import { PROJECT, readTools } from '../system/tools.ts';
import { type TurnHolder, type TurnOptions, takeTurn } from '../system/turn.ts';
import { makeFolder, sweepAside } from '../system/write-whole.ts';
import { parseRedisAddress } from '../workers/address.ts';
import { runByWorkers } from '../workers/coordinator.ts';
import { commandToGoOn } from './command-again.ts';
import type { COMMANDS } from './command-table.ts';
import { openLive } from './live.ts';
import { openStudyIfBegun, orDamaged, refuseLinks } from './open-study.ts';
import { parsePort } from './port.ts';
import { summaryFile, writeReport } from './report.ts';
import { studySources } from './sources.ts';

/** What `measure` was asked for. */
export interface MeasureRequest {
  readonly study: Study;
  /** The time after which no block begins. */
  readonly budgetMs?: number | undefined;
  readonly out: string;
  readonly keeps: KeptEvidence;
  /** Goes on although something has changed. */
  readonly force: boolean;
  /** Events for programs in place of the display for people. */
  readonly json: boolean;
  /** How many labs may be open at once; absent: as many as have room in the memory. */
  readonly labs?: number | undefined;
  /** Begins although another study runs on this machine; both say so. */
  readonly beside?: boolean | undefined;
  /** The port at which the page is served meanwhile, 0 for a free one. */
  readonly live?: number | undefined;
  /** The address of the Redis whose workers load the pages; absent: labs of this machine do. */
  readonly workers?: string | undefined;
  /** Takes workers with other versions, too. */
  readonly mixed?: boolean;
}

/** Reads the options of `measure`; whatever is wrong with them is said before anything is built. */
export function parseMeasure(options: Values<typeof COMMANDS.measure.options>): MeasureRequest {
  const { out, pcap, netlog, force, json, beside, live, labs, workers, mixed, ...flags } = options;
  const asked = out === undefined ? undefined : parseOut(out);
  const { study, budgetMs } = findStudy(flags, asked);
  if (workers === undefined && mixed) throw new UsageError('--mixed: only with workers. Expected: --workers REDIS_URL');
  if (workers !== undefined && labs !== undefined)
    throw new UsageError('--labs: each worker has its own. Expected: npx photofinish worker --labs N');
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  return {
    study,
    budgetMs,
    out: asked ?? resolve(`${PROJECT}reports/out/${study.name}-${time}`),
    keeps: { pcap: pcap ?? false, netLog: netlog ?? false },
    force: force ?? false,
    json: json ?? false,
    beside: beside ?? false,
    live: live === undefined ? undefined : parsePort('--live', live),
    labs: labs === undefined ? undefined : parseLabs(labs),
    workers: workers === undefined ? undefined : parseRedisAddress(workers, '--workers'),
    mixed: mixed ?? false,
  };
}

/** How many labs may be open; undefined for as many as have room. */
export function parseLabs(text: string): number | undefined {
  if (text === 'auto') return undefined;
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new UsageError(`--labs: "${text}" is no number of labs. Expected: 1 to 99, or auto`);
}

function parseOut(out: string): string {
  const folder = resolve(out);
  // A lab lays memory of its own over these, which goes with it, and has processes of its own.
  if (/^\/(run|dev\/shm|proc)(\/|$)/.test(folder))
    throw new UsageError(
      `--out: "${folder}" cannot be used, as each lab has its own files there. Expected: a folder that is not below /run, /dev/shm or /proc`,
    );
  if (out === '') throw new UsageError('--out: "" names no folder. Expected: a folder');
  return folder;
}

/** The study that is asked for, or that the folder holds: a command that names only the folder continues its study. */
function findStudy({ budget, ...flags }: StudyFlags, out: string | undefined) {
  const stored = out === undefined ? undefined : readStored(out);
  const spent = budget === undefined ? {} : { budget };
  if (!stored) return studyFromFlags({ ...flags, ...spent }, studySources());
  if (Object.values(flags).every((flag) => flag === undefined)) {
    const budgetMs = budget === undefined ? undefined : STUDY_OPTIONS.budget.read(budget);
    return { study: stored, budgetMs };
  }
  if (flags.study === undefined && !flags.quick && !flags.site && !flags.link)
    return studyOverBegun(stored, { ...flags, ...spent }, studySources());
  return studyFromFlags({ seed: `${stored.seed}`, ...flags, ...spent }, studySources());
}

function readStored(folder: string): Study | undefined {
  return readBegun(folder)?.study;
}

function readBegun(folder: string) {
  using store = openStudyIfBegun(folder);
  return store?.readStudy();
}

/** All that measuring needs of this machine; tests have another. */
export interface World {
  readonly openLab: typeof openLab;
  readonly readMachine: typeof readMachine;
  /** Absent: nothing else is measured in this world. */
  readonly takeTurn?: typeof takeTurn;
}

const THIS_MACHINE: World = { openLab, readMachine, takeTurn };

/** `photofinish measure`: runs a study or goes on with one, tells what it finds, and writes its folder. */
export async function measure(request: MeasureRequest, output: Output, world = THIS_MACHINE): Promise<number> {
  const { study, out, json } = request;
  const [beganMs, startedMs] = [Date.now(), performance.now()];
  const known = readBegun(out)?.plan.sites ?? {};
  const display = json ? showJson(output) : showProgress(output);
  let waitedMs = 0;
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const askedMs = performance.now();
    const waits = (other: TurnHolder) => display({ event: 'waiting', ...other });
    await using _turn = await askForTurn(request, world, { waits, meets() {} });
    waitedMs += performance.now() - askedMs;
    stopRequested().throwIfAborted();
    return await work();
  };
  const sites = await findSites(study, { known, inTurn });
  if (!sites) return EXIT.stopped;
  const plan = planStudy(study, (name) => knownFacts(factsOf(sites.get(name)!), known[name]));
  if (request.workers === undefined) refuseMissing(plan);
  makeStudyFolder(out);
  using _alone = lockFolder(out);
  sweep(out);
  using store = openStore(join(out, STORE_FILE));
  const machine = world.readMachine(plan);
  const session = orDamaged(out, () => beginSession(store, { plan, machine }, { ...request, beganMs }));
  await using live = request.live === undefined ? undefined : await openLive(out, request.live);
  const tell = (event: StudyEvent) => {
    display(event);
    live?.tell(event);
  };
  const { conditions, arms, seed } = plan;
  const measurements = store.measurements();
  const names = arms.map(({ name }) => name);
  tell({
    event: 'began',
    study: study.name,
    seed,
    out,
    conditions: conditions.length,
    arms: names,
    loads: measurements.length,
    expectedMs: measurements.length === 0 ? timeNeeded(plan, roomFor(conditions, request.labs)) : undefined,
    budgetMs: request.budgetMs,
  });
  if (live) tell({ event: 'live', url: live.url });
  for (const says of await describeBeyond(conditions.map(({ link }) => link))) if (!json) output.write(`${says}\n`);
  let ending: StudyEnding = 'broken';
  // What was measured is told whatever ends it; where that fails too, what went wrong first is said first.
  let isTold = false;
  await using telling = new AsyncDisposableStack();
  telling.defer(() => {
    const elsewhere = request.workers === undefined ? '' : ' --workers REDIS_URL';
    if (!json && !isTold) output.write(`To continue: ${commandToGoOn(out)}${elsewhere}\n`);
  });
  telling.defer(async () => {
    tell({ event: 'ended', ending, summary: summaryFile(out) });
    const [summary, context] = orDamaged(out, () => writeReport(out, store));
    const trouble = await live?.finish();
    if (trouble && !json) output.write(`${printable(trouble)}\n`);
    if (json || summary.loads.counted === 0) return;
    output.write(`\n${printable(renderFindings(summary, context))}\n`);
    isTold = true;
  });
  ending = await runStudy(plan, sites, {
    ...request,
    world,
    store,
    session,
    measurements,
    startedMs: startedMs + waitedMs,
    tell,
  });
  return ending === 'stopped' ? EXIT.stopped : EXIT.done;
}

/** Takes this machine for a study, or to look at its pages; undefined where it was asked to stop meanwhile. */
async function askForTurn(
  { study, out, beside = false }: MeasureRequest,
  { takeTurn }: World,
  heard: Pick<TurnOptions, 'waits' | 'meets'>,
): Promise<AsyncDisposable | undefined> {
  return takeTurn?.({ own: { study: study.name, out }, beside, stop: stopRequested(), ...heard });
}

/** Makes a study's folder, unless it holds what the study would write over. */
function makeStudyFolder(folder: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new UsageError(
      `--out: "${folder}" cannot be used (${(cause as Error).message}). Expected: a folder to write in`,
      {
        cause,
      },
    );
  }
  refuseLinks(
    folder,
    [...OURS, STORE_FILE, ...['-wal', '-shm', '-journal'].map((end) => STORE_FILE + end), LOCK_FILE],
    '--out',
  );
  const others = existsSync(join(folder, STORE_FILE)) ? [] : readdirSync(folder).filter((name) => OURS.includes(name));
  if (others.length > 0)
    throw new UsageError(
      `--out: "${folder}" holds no study, but ${others.join(', ')}, which a study would overwrite. Expected: another folder`,
    );
}

const EVIDENCE: readonly string[] = ['har', 'pcap', 'netlog', 'lighthouse'];
const OURS: readonly string[] = ['summary.json', 'report.html', ...EVIDENCE];
/** A file that a `report` beside this study is still writing is never this old. */
const ABANDONED_MS = 600_000;

/** Deletes what a killed session left half written; evidence at once, as no other program writes it. */
function sweep(folder: string): void {
  sweepAside(folder, ABANDONED_MS);
  for (const each of EVIDENCE.map((name) => join(folder, name)).filter(existsSync)) sweepAside(each, 0);
}

/**
 * The sites of a study: what exists already is looked at first, and a folder's page is recorded where it was not. Undefined
 * where that was stopped.
 */
async function findSites(
  study: Study,
  { known, inTurn }: { readonly known: Plan['sites'] } & Pick<Required<FolderOptions>, 'inTurn'>,
): Promise<ReadonlyMap<string, Site> | undefined> {
  const { grids, places = {}, device, insecure, resolve: resolved } = study;
  const findOne = async (name: string): Promise<Site> => {
    const place = places[name];
    if (place !== undefined) return findBuilt(name, place, { device, inTurn });
    return isAddress(name) ? inTurn(() => findPage(name, study, known[name]?.addresses)) : findAnySite(name);
  };
  const names = grids.flatMap(({ sites }) => sites);
  if ((insecure || resolved) && !names.some(isAddress))
    throw new UsageError(
      `--${insecure ? 'insecure' : 'resolve'}: can only be used with --site https://…; the study has no such page`,
    );
  const found = new Map<string, Site>();
  try {
    for (const name of new Set(names)) found.set(name, await findOne(name));
  } catch (error) {
    if (stopRequested().aborted) return undefined;
    throw error;
  }
  return found;
}

async function findBuilt(name: string, place: string, how: Omit<FolderOptions, 'signal'>): Promise<Site> {
  const built = findFolder(place);
  if (!built) throw new UsageError(`--site: ${place} is no longer there`);
  const site = await recordFolder(built, { ...how, signal: stopRequested() });
  return { ...site, manifest: { ...site.manifest, site: name } };
}

async function findPage(url: string, study: Study, addresses: SiteFacts['addresses']): Promise<FoundSite> {
  const { device, insecure = false, resolve: resolved = [] } = study;
  const found = await reconnoitre({
    url,
    insecure,
    addresses,
    resolved: resolved.map((text) => parseResolve(text)),
    chromium: readTools().chromium.path,
    folder: `${SCRATCH}/looks`,
    device: DEVICES[device],
    signal: stopRequested(),
  });
  return { manifest: { ...found, site: url } };
}

/** A page that exists already may change in size while it is measured, and is still the same page. */
function knownFacts(now: SiteFacts, before: SiteFacts | undefined): SiteFacts {
  if (now.remote === undefined || before === undefined) return now;
  return { ...now, objects: before.objects, bytes: before.bytes };
}

/** Records that the study begins or goes on; without `force` it goes on only where nothing measured has changed. */
function beginSession(
  store: Store,
  now: PlanAndMachine,
  { study, out, force, beganMs, workers }: MeasureRequest & { readonly beganMs: number },
): number {
  const { plan, machine } = now;
  const stored = store.readStudy();
  const last = store.sessions().at(-1);
  // Workers are held against each other when they come; this machine loads nothing then.
  const measuring = workers === undefined ? machine : last?.machine;
  const changes =
    stored && last && measuring
      ? findChanges({ plan: stored.plan, machine: last.machine }, { plan, machine: measuring })
      : [];
  if (changes.length > 0 && !force)
    throw new UsageError(
      `--out: something changed since the study in ${out} began: ${changes.join('; ')}; another --out begins a new study, --force continues this one and notes the changes`,
    );
  store.writeStudy({ study, plan });
  return store.beginSession(machine, beganMs, changes);
}

interface Running extends MeasureRequest, Pick<LoopOptions, 'store' | 'session' | 'tell'> {
  readonly world: World;
  /** What earlier sessions measured. */
  readonly measurements: readonly Measurement[];
  /** When the command began, by the monotonic clock; what it has waited for since then is left out. */
  readonly startedMs: number;
}

/** Runs what is left of a plan in a lab of its own; where nothing is, there is no lab. */
async function runStudy(plan: Plan, sites: ReadonlyMap<string, Site>, running: Running): Promise<StudyEnding> {
  const { world, store, session, measurements, tell, out, keeps, budgetMs, startedMs } = running;
  if (nextBlocks(plan, measurements).length === 0 && !awaitsLighthouse(plan, store)) return 'finished';
  const stop = stopRequested();
  const heedStop = () => addAbortListener(stop, () => tell({ event: 'stopping' }));
  if (running.workers !== undefined) {
    using _ = heedStop();
    const untilMs = budgetMs === undefined ? undefined : startedMs + budgetMs;
    const options = { store, session, folder: out, stop, untilMs, tell };
    const { workers: address, mixed = false } = running;
    return await runByWorkers(plan, options, { address, sites, keeps, mixed });
  }
  const waitedFromMs = performance.now();
  await using turn = await askForTurn(running, world, {
    waits: (other) => tell({ event: 'waiting', ...other }),
    meets: ({ study, out: folder }) =>
      store.addNote(session, `something else ran on this machine at the same time: ${study}, in ${folder}`),
  });
  if (world.takeTurn && !turn) return 'stopped';
  using _ = heedStop();
  const waitedMs = performance.now() - waitedFromMs;
  const nextLaunch = countLaunches(store.launches());
  const openLabNetwork = () =>
    world.openLab({
      sites: [...sites.values()],
      setups: setupsOf(plan),
      keeps,
      nextLaunch,
      replay: { allOrigins: plan.allOrigins ?? false, thinks: plan.thinkTimes ?? true },
    });
  await using labs = openLabs(openLabNetwork, roomFor(plan.conditions, running.labs).labs);
  const untilMs = budgetMs === undefined ? undefined : startedMs + waitedMs + budgetMs;
  const options: LoopOptions = { store, session, folder: out, stop, untilMs, tell };
  const ending = await runPlan(plan, labs, options);
  return ending === 'finished' ? await runLighthouseTrials(plan, labs, options) : ending;
}
