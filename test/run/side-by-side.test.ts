import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { StudyEvent } from '../../harness/model/event.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { Plan } from '../../harness/model/study.ts';
import type { Lab } from '../../harness/run/lab.ts';
import type { Labs } from '../../harness/run/labs.ts';
import { runPlan } from '../../harness/run/loop.ts';
import { seededRandom } from '../../harness/stats/random.ts';
import { openStore } from '../../harness/store/store.ts';
import { type FakeLabOptions, openFakeLab } from '../fakes/lab.ts';
import { MACHINE } from '../fakes/machine.ts';
import { planOf, studyOf } from '../study/plans.ts';

/* Several labs load side by side; none of them has anything behind it. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-side-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Slow enough that their loads hardly need the processor. */
const LINKS = ['rate=1mbit,rtt=200ms', 'rate=2mbit,rtt=200ms', 'rate=3mbit,rtt=200ms'];
const planFor = (stopping: Plan['stopping']) => planOf({ sites: ['a'], links: LINKS, stopping });
const TIMES: Readonly<Record<string, number>> = { h1: 300, h2: 200, h3: 100 };

/** Labs that write down which links they had, and how many of their loads were under way at once. */
function openFakeLabs(
  most: number,
  {
    loadsUntil = Number.POSITIVE_INFINITY,
    onLimit = () => {},
    takesMs = () => 2,
    onFilm = () => {},
    timeOf = ({ protocol, holdMs = 0 }) => TIMES[protocol]! + (holdMs ?? 0),
    spoil = (capture) => capture,
  }: Partial<Pick<FakeLabOptions, 'timeOf' | 'spoil'>> & {
    readonly loadsUntil?: number;
    readonly onLimit?: () => void;
    /** How long a load really takes over a link. */
    readonly takesMs?: (link: string) => number;
    /** Hears of each film that is about to be taken. */
    readonly onFilm?: (number: number) => void;
  } = {},
) {
  const mostOver = new Map<string, number>();
  const atOnceOver = new Map<string, number>();
  const links = Array.from({ length: most }, () => [] as string[]);
  let launches = 0;
  let [atOnce, mostAtOnce, begun] = [0, 0, 0];
  let [filmed, filming, mostFilming] = [0, 0, 0];
  const nextLaunch = () => {
    launches += 1;
    return launches;
  };
  const openOne = (number: number): Lab => {
    const { lab } = openFakeLab({ nextLaunch, timeOf, spoil });
    let over = '';
    return {
      ...lab,
      async openLink(link, ...how) {
        const opened = await lab.openLink(link, ...how);
        over = link.name;
        if (opened.fresh) links[number]!.push(link.name);
        return opened;
      },
      async load(...wanted) {
        begun += 1;
        if (begun === loadsUntil) onLimit();
        atOnce += 1;
        mostAtOnce = Math.max(mostAtOnce, atOnce);
        atOnceOver.set(over, (atOnceOver.get(over) ?? 0) + 1);
        mostOver.set(over, Math.max(mostOver.get(over) ?? 0, atOnceOver.get(over)!));
        await setTimeout(takesMs(over));
        atOnceOver.set(over, atOnceOver.get(over)! - 1);
        atOnce -= 1;
        return lab.load(...wanted);
      },
      async film(wanted) {
        filmed += 1;
        onFilm(filmed);
        filming += 1;
        mostFilming = Math.max(mostFilming, filming);
        await setTimeout(takesMs(over));
        filming -= 1;
        return lab.film(wanted);
      },
    };
  };
  const opened = new Map<number, Lab>();
  const labs: Labs = {
    most,
    async find(number) {
      const lab = opened.get(number) ?? openOne(number);
      opened.set(number, lab);
      return lab;
    },
    async [Symbol.asyncDispose]() {},
  };
  return { labs, links, mostAtOnce: () => mostAtOnce, mostOver, mostFilming: () => mostFilming, filmed: () => filmed };
}

interface Running {
  readonly stop?: AbortSignal;
  /** Where the study is; absent: in the test's folder. */
  readonly path?: string;
  /** The time that there is; absent: as much as it takes. */
  readonly forMs?: number;
  readonly givesWay?: boolean;
}

async function run(
  plan: Plan,
  labs: Labs,
  {
    stop = new AbortController().signal,
    path = folder,
    forMs = Number.POSITIVE_INFINITY,
    givesWay = true,
  }: Running = {},
) {
  using store = openStore(join(path, 'study.sqlite'));
  store.writeStudy({ study: studyOf(), plan });
  const session = store.beginSession(MACHINE, Date.now(), []);
  const untilMs = performance.now() + forMs;
  const told: StudyEvent[] = [];
  const ending = await runPlan(plan, labs, {
    store,
    session,
    folder: path,
    stop,
    untilMs,
    tell: (event) => told.push(event),
    givesWay,
  });
  const measurements = store.measurements();
  return {
    ending,
    told,
    measurements,
    names: measurements.map(({ condition, block, arm }) => `${condition} ${block} ${arm}`),
  };
}

test('three labs load three links at once, each link in one lab', async () => {
  const { labs, links, mostAtOnce } = openFakeLabs(3);
  const { ending } = await run(planFor({ kind: 'exactly', blocks: 3 }), labs);
  expect([ending, mostAtOnce()]).toEqual(['finished', 3]);
  const plan = planFor({ kind: 'exactly', blocks: 3 });
  const names = new Set(plan.conditions.map(({ link }) => link.name));
  for (const own of links) expect(own.filter((name) => names.has(name)).length).toBeGreaterThanOrEqual(1);
});

test.each([
  ['labs that all begin at once', 3],
  ['with labs that come later, as soon as one link is known', 6],
])('no link is measured while labs are being opened: %s', async (_, most) => {
  const { labs } = openFakeLabs(most, { takesMs: () => 20 });
  const underWay = { open: 0, measure: 0 };
  const done = { open: 0, measure: 0 };
  let atOnce = 0;
  const taking = async <T>(what: 'open' | 'measure', ms: number, work: () => Promise<T>) => {
    underWay[what] += 1;
    if (underWay.open > 0 && underWay.measure > 0) atOnce += 1;
    await setTimeout(ms);
    underWay[what] -= 1;
    done[what] += 1;
    return work();
  };
  const slow: Labs = {
    ...labs,
    async find(number) {
      const lab = await labs.find(number);
      return {
        ...lab,
        // Later labs take longer, so that what does not wait for them comes before they are done.
        open: (topology) => taking('open', 10 * number, () => lab.open(topology)),
        openLink: (link, topology, inTurn) =>
          lab.openLink(link, topology, (work) => inTurn!(() => taking('measure', 100 * number, work))),
      };
    },
  };
  await run(planFor({ kind: 'exactly', blocks: 3 }), slow);
  expect(done.open).toBe(most);
  expect(done.measure).toBeGreaterThanOrEqual(most);
  expect(atOnce).toBe(0);
});

test('what is measured does not depend on how many labs there are: the same blocks, each with its arms in the same order', async () => {
  const plan = planFor({ kind: 'exactly', blocks: 3 });
  const [one, three] = [mkdtempSync(join(folder, 'one')), mkdtempSync(join(folder, 'three'))];
  const alone = await run(plan, openFakeLabs(1).labs, { path: one });
  const beside = await run(plan, openFakeLabs(3).labs, { path: three });
  const ofPlan = (names: readonly string[]) => names.filter((name) => !name.startsWith(plan.control.id)).sort();
  expect(ofPlan(beside.names)).toEqual(ofPlan(alone.names));
  const orderOf = ({ measurements }: typeof alone, condition: string, block: number) =>
    measurements.filter((each) => each.condition === condition && each.block === block).map(({ arm }) => arm);
  for (const { id } of plan.conditions)
    for (const block of [0, 1, 2]) expect(orderOf(beside, id, block)).toEqual(orderOf(alone, id, block));
});

test('a slow page of a fixed number of blocks keeps no lab waiting: three rounds are under way at once, and no more', async () => {
  const plan = planFor({ kind: 'exactly', blocks: 8 });
  const slow = plan.conditions[0]!.link.name;
  const { labs, mostOver } = openFakeLabs(3, { takesMs: (link) => (link === slow ? 60 : 2) });
  const { ending, measurements, names } = await run(plan, labs);
  expect(ending).toBe('finished');
  expect(mostOver.get(slow)).toBeGreaterThanOrEqual(2);
  const own = measurements.filter(({ condition }) => condition !== plan.control.id);
  expect(own).toHaveLength(8 * 3 * plan.conditions.length);
  expect(new Set(names).size).toBe(names.length);
  /** When a block was done no condition lacked one of more than two rounds before. */
  const done = new Map(plan.conditions.map(({ id }) => [id, new Set<number>()]));
  for (const { condition, block } of own) {
    done.get(condition)!.add(block);
    for (const blocks of done.values())
      for (let earlier = 0; earlier <= block - 3; earlier += 1) expect(blocks).toContain(earlier);
  }
});

test('labs take work over a link as soon as one has measured it, though none of its pages is known yet', async () => {
  const plan = planOf({
    sites: ['a', 'b', 'c'],
    links: [LINKS[0]!],
    stopping: { kind: 'exactly', blocks: 1 },
  });
  const beside = openFakeLabs(3, { takesMs: () => 300 });
  await run(plan, beside.labs, { path: mkdtempSync(join(folder, 'beside')) });
  expect(beside.mostAtOnce()).toBe(3);
  // Measuring the link there would take most of the time that is left.
  const hurried = openFakeLabs(3, { takesMs: () => 300 });
  await run(plan, hurried.labs, { path: mkdtempSync(join(folder, 'hurried')), forMs: 25_000 });
  expect(hurried.mostAtOnce()).toBe(1);
});

test('labs that know a link film its pages side by side when all blocks are done, each once', async () => {
  const plan = planOf({ sites: ['a', 'b', 'c'], links: LINKS.slice(0, 1), stopping: { kind: 'exactly', blocks: 3 } });
  const { labs, mostFilming } = openFakeLabs(3, { takesMs: () => 20 });
  const { ending, told } = await run(plan, labs);
  expect([ending, mostFilming()]).toEqual(['finished', 3]);
  expect(told.filter(({ event }) => event === 'films')).toEqual([{ event: 'films', conditions: 3 }]);
  using store = openStore(join(folder, 'study.sqlite'));
  expect(store.films()).toBe(plan.conditions.length * plan.arms.length);
});

test('a lab that fails while it films ends the study, after the films that others have at hand', async () => {
  const plan = planOf({
    sites: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
    links: LINKS.slice(0, 1),
    stopping: { kind: 'exactly', blocks: 3 },
  });
  const inAll = plan.conditions.length * plan.arms.length;
  let failed = 0;
  const { labs, filmed } = openFakeLabs(3, {
    takesMs: () => 5,
    onFilm(number) {
      // Once, at the end, when all labs film.
      if (failed > 0 || number < inAll - 15) return;
      failed = number;
      throw new Error('no picture');
    },
  });
  await expect(run(plan, labs)).rejects.toThrow('no picture');
  await setTimeout(50);
  // Each of the two others ends with the condition that it films.
  expect(filmed() - failed).toBeLessThanOrEqual(2 * plan.arms.length);
});

test('an answer that may end a condition early is waited for: no condition is measured twice at once', async () => {
  const plan = planFor({ kind: 'early', until: 'settled', cap: 6 });
  const slow = plan.conditions[0]!.link.name;
  const { labs, mostOver } = openFakeLabs(3, { takesMs: (link) => (link === slow ? 60 : 2) });
  await run(plan, labs);
  for (const { link } of plan.conditions) expect(mostOver.get(link.name)).toBe(1);
});

test('what three blocks do not settle gets several blocks at once where labs have nothing else to do', async () => {
  const plan = planOf({
    sites: ['a'],
    links: LINKS.slice(0, 1),
    stopping: { kind: 'early', until: 'settled', cap: 12 },
  });
  const random = seededRandom(1, 'noise');
  const { labs, mostAtOnce } = openFakeLabs(3, { takesMs: () => 20, timeOf: () => 300 * Math.exp(random()) });
  const { ending, measurements, names } = await run(plan, labs);
  expect([ending, mostAtOnce()]).toEqual(['finished', 3]);
  expect(new Set(names).size).toBe(names.length);
  const own = measurements.filter(({ condition }) => condition === plan.conditions[0]!.id);
  expect([...new Set(own.map(({ block }) => block))].sort((a, b) => a - b)).toEqual([...Array(12).keys()]);
  // The first three were run one after the other: each may have settled it.
  expect(own.slice(0, 9).map(({ block }) => block)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
});

test.each([4, 11, 20])('stopped at load %i and continued, no block is lost and none is there twice', async (limit) => {
  const plan = planFor({ kind: 'exactly', blocks: 3 });
  const stop = new AbortController();
  const first = await run(plan, openFakeLabs(3, { loadsUntil: limit, onLimit: () => stop.abort() }).labs, {
    stop: stop.signal,
  });
  expect(first.ending).toBe('stopped');
  const second = await run(plan, openFakeLabs(3).labs);
  expect(second.ending).toBe('finished');
  expect(second.names.slice(0, first.names.length)).toEqual(first.names);
  expect(new Set(second.names).size).toBe(second.names.length);
  for (const { id } of plan.conditions)
    expect(second.names.filter((name) => name.startsWith(`${id} `))).toHaveLength(9);
});

test('a lab that breaks down ends the study, and the blocks that others had at hand are kept', async () => {
  const plan = planFor({ kind: 'exactly', blocks: 3 });
  const broken = openFakeLabs(3, {
    loadsUntil: 10,
    onLimit: () => {
      throw new Error('broken');
    },
  });
  await expect(run(plan, broken.labs)).rejects.toThrow('broken');
  using store = openStore(join(folder, 'study.sqlite'));
  const blocks = Map.groupBy(store.measurements(), ({ condition, block }) => `${condition} ${block}`);
  expect(blocks.size).toBeGreaterThan(0);
  for (const trials of blocks.values()) expect(trials).toHaveLength(3);
});

test('a load that waited long for a core is made again, kept, and no trial', async () => {
  let loads = 0;
  const spoil: FakeLabOptions['spoil'] = (capture, { protocol }) => {
    if (protocol === 'h2') loads += 1;
    const isLate = protocol === 'h2' && loads === 12;
    return { ...capture, host: { ...capture.host, coreWaitMs: isLate ? 900 : 10 } };
  };
  const plan = planFor({ kind: 'exactly', blocks: 6 });
  const { names } = await run(plan, openFakeLabs(1, { spoil }).labs);
  const own = names.filter((name) => !name.startsWith(plan.control.id));
  expect(own).toHaveLength(6 * 3 * plan.conditions.length);
  expect(new Set(own).size).toBe(own.length);
  using store = openStore(join(folder, 'study.sqlite'));
  expect(store.disturbedLoads()).toBe(1);
});

test.each([
  ['waits for the first blocks of others, where its loads stop these', false, [1, 4]],
  ['goes on meanwhile, where others load beside it', true, [5, 60]],
] as const)('a quick link %s', async (_, givesWay, [least, most]) => {
  const plan = planOf({
    sites: ['a'],
    links: ['fibre', 'rate=1mbit,rtt=200ms'],
    stopping: { kind: 'early', until: 'settled', cap: 60 },
  });
  const counts = new Map<string, number>();
  /** Over both links it is hard to tell what to serve, so that both go on. */
  const timeOf: FakeLabOptions['timeOf'] = ({ protocol }, link) => {
    const place = ['h1', 'h2', 'h3'].indexOf(protocol);
    const key = `${protocol} ${link.name}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const swing = [0, 1, 2, 1][(count + place) % 4]!;
    return link.name === 'fibre' ? 100 * (1 + 0.06 * swing) : 800 * (1 + 2 * swing);
  };
  const stop = new AbortController();
  const { measurements } = await run(
    plan,
    openFakeLabs(2, { timeOf, loadsUntil: 90, onLimit: () => stop.abort() }).labs,
    { stop: stop.signal, givesWay },
  );
  const isOver = (link: string) => (each: Measurement) => each.condition.includes(`|${link}`);
  const third = measurements.findIndex((each) => isOver('rate=1mbit')(each) && each.block === 2);
  expect(third).toBeGreaterThan(0);
  const quick = new Set(
    measurements
      .slice(0, third)
      .filter(isOver('fibre'))
      .map(({ block }) => block),
  );
  expect(quick.size).toBeGreaterThanOrEqual(least);
  expect(quick.size).toBeLessThanOrEqual(most);
});
