import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { MeasuredLink } from '../../harness/model/session.ts';
import type { StoredStudy } from '../../harness/store/reading.ts';
import { openStore, openStoreToRead } from '../../harness/store/store.ts';
import { blockOf, captureFor, FIGURES, MACHINE, okLoad, PLAN, STUDY, temporaryFolder } from './studies.ts';

const CONDITION = PLAN.conditions[0]!.id;

/** A new store with a session in it. */
function openFixture() {
  using undo = new DisposableStack();
  const path = join(undo.use(temporaryFolder()).path, 'study.sqlite');
  const store = undo.use(openStore(path));
  const session = store.beginSession(MACHINE, 1000, ['forced']);
  const end = undo.move();
  return { path, store, session, [Symbol.dispose]: () => end.dispose() };
}

describe('what is written is what is read', () => {
  test('a study with every named link', () => {
    using fixture = openFixture();
    expect(fixture.store.readStudy()).toBeUndefined();
    fixture.store.writeStudy({ study: STUDY, plan: PLAN });
    expect(fixture.store.readStudy()).toEqual({ study: STUDY, plan: PLAN });
    fixture.store.writeStudy({ study: STUDY, plan: { ...PLAN, seed: 8 }, text: 'name: everything\n' });
    using reader = openStoreToRead(fixture.path);
    expect(reader.readStudy()).toEqual({ study: STUDY, plan: { ...PLAN, seed: 8 }, text: 'name: everything\n' });
  });

  describe('a study of before 0.2', () => {
    // It did not say until when a condition is measured, nor what is served; and conditions could be given up.
    const olden = (more: object) => {
      const { served: _, ...study } = STUDY;
      const { served: __, ...plan } = PLAN;
      return { study: { ...study, ...more }, plan: { ...plan, ...more } } as unknown as StoredStudy;
    };
    const readAgain = (stored: StoredStudy) => {
      using fixture = openFixture();
      fixture.store.writeStudy(stored);
      return fixture.store.readStudy()!;
    };
    const arms = (...names: readonly string[]) => names.map((name) => ({ name, protocol: 'h2' as const }));

    test('goes on until its answers are settled, and is read as it would be asked for now', () => {
      const read = readAgain(olden({ stopping: { kind: 'early', cap: 30, giveUpBelow: 0.25 } }));
      const now = { stopping: { kind: 'early', until: 'settled', cap: 30 }, served: 'h2' };
      expect(read).toEqual({ study: { ...STUDY, ...now }, plan: { ...PLAN, ...now } });
    });

    test.each([
      [{ stopping: { kind: 'exactly', blocks: 9 } }, { stopping: { kind: 'exactly', blocks: 9 }, served: 'h2' }],
      [{ stopping: { kind: 'early', cap: 9 }, arms: arms('bbr', 'cubic') }, { served: 'bbr' }],
      [{ stopping: { kind: 'early', cap: 9 }, arms: arms('h3', 'h1') }, { served: 'h3' }],
    ])('%j is read with %j', (more, expected) => {
      const { study, plan } = readAgain(olden(more));
      expect(study).toMatchObject(expected);
      expect(plan).toMatchObject(expected);
    });

    test('one of now says for itself', () => {
      const now = { stopping: { kind: 'early', until: 'proven', cap: 9 }, served: 'h1' } as const;
      const { study, plan } = readAgain({ study: { ...STUDY, ...now }, plan: { ...PLAN, ...now } });
      expect([study, plan]).toEqual([
        { ...STUDY, ...now },
        { ...PLAN, ...now },
      ]);
    });
  });

  test('sessions, with the time of the last thing written', () => {
    using fixture = openFixture();
    expect(fixture.store.beginSession({ ...MACHINE, chromium: '151' }, 2000, [])).toBe(2);
    const before = Date.now();
    fixture.store.addWarmUps(fixture.session, []);
    const [first, second] = fixture.store.sessions();
    expect(first).toEqual({
      number: 1,
      beganMs: 1000,
      machine: MACHINE,
      notes: ['forced'],
      lastMs: expect.any(Number),
    });
    expect(first!.lastMs).toBeGreaterThanOrEqual(before);
    expect(second).toMatchObject({ number: 2, beganMs: 2000, lastMs: 2000, machine: { chromium: '151' }, notes: [] });
  });

  const { fcpMs: _1, lcpMs: _2, doneMs: _3, retransmittedSegments: _4, ...required } = FIGURES;
  const key = { condition: CONDITION, block: 0 };
  const measurements = [
    okLoad(CONDITION, 0, 'h1', { cpuBound: true, coreBusyShare: 1, pltMs: Number.POSITIVE_INFINITY }),
    { ...key, arm: 'h2', status: 'ok', ...required },
    { ...key, arm: 'h3-bbr', status: 'failed', reason: 'fallback', says: 'turned to "TCP"\n', launch: 3 },
  ] as const;
  const again = [
    { ...key, arm: 'h2', status: 'void', reason: 'server', says: '', launch: 4 },
    okLoad(CONDITION, 0, 'h1'),
  ] as const;

  test('measurements, in the order in which they were made', () => {
    using fixture = openFixture();
    fixture.store.addBlock(fixture.session, blockOf(1, measurements));
    fixture.store.addBlock(fixture.session, blockOf(3, [okLoad('other', 5, 'h1')]));
    fixture.store.addBlock(fixture.session, blockOf(2, again));
    expect(fixture.store.measurements()).toEqual([...measurements, okLoad('other', 5, 'h1'), ...again]);
    expect(Object.keys(fixture.store.measurements()[1]!)).not.toContain('fcpMs');
  });

  test('blocks, trials, evidence and captures', () => {
    using fixture = openFixture();
    const blocks = [blockOf(1, measurements), blockOf(2, again)];
    for (const block of blocks) fixture.store.addBlock(fixture.session, block);
    const counts = [
      { ok: 2, failed: 1, void: 0 },
      { ok: 1, failed: 0, void: 1 },
    ];
    expect(fixture.store.blocks()).toEqual(
      blocks.map(({ serial, block, beganMs }) => ({ serial, session: 1, block, beganMs, ...counts[serial - 1] })),
    );
    const trials = fixture.store.trialsOf(CONDITION, 0);
    expect([...fixture.store.trials()]).toEqual(trials);
    expect(fixture.store.trialsOf(CONDITION, 1)).toEqual([]);
    expect(trials[2]).toEqual({
      id: 3,
      session: 1,
      serial: 1,
      beganMs: blocks[0]!.beganMs,
      position: 2,
      measurement: measurements[2],
      evidence: ['har/00001-h3-bbr.har.gz'],
    });
    expect(trials.map(({ id }) => fixture.store.captureOf(id))).toEqual(
      ['h1', 'h2', 'h3-bbr', 'h2', 'h1'].map((arm) => captureFor(arm)),
    );
  });

  test('the next block and launch are known', () => {
    using fixture = openFixture();
    const { store, session } = fixture;
    expect([store.nextSerial(), store.launches(), store.warmUps()]).toEqual([1, 0, 0]);
    store.addBlock(session, blockOf(7, measurements));
    expect([store.nextSerial(), store.launches(), store.warmUps()]).toEqual([8, 3, 0]);
    store.addWarmUps(session, [captureFor('h1', { launch: 3 }), captureFor('h3', { launch: 5 })]);
    expect([store.nextSerial(), store.launches(), store.warmUps()]).toEqual([8, 5, 2]);
    expect(store.measurements()).toHaveLength(3);
    expect(store.countLoads('elsewhere')).toEqual({ counted: 3, uncounted: 2 });
    expect(store.countLoads(CONDITION)).toEqual({ counted: 0, uncounted: 5 });
  });

  test('loads that were disturbed are kept with their block, and are no trials of it', () => {
    using fixture = openFixture();
    const { store, session } = fixture;
    const disturbed = [{ arm: 'h2', capture: captureFor('h2') }];
    store.addBlock(session, { ...blockOf(7, measurements), disturbed });
    expect([store.measurements().length, store.disturbedLoads()]).toEqual([3, 1]);
    expect(store.countLoads('elsewhere')).toEqual({ counted: 3, uncounted: 1 });
    expect(() => store.addBlock(session, { ...blockOf(7, measurements), disturbed })).toThrow(/UNIQUE/);
    expect(store.disturbedLoads()).toBe(1);
  });

  test('links as they were found, and Lighthouse', () => {
    using fixture = openFixture();
    const direction = { lossPercent: 0, lossProbes: 100, lost: 0, reorderedPercent: 0, duplicatedPercent: 0 };
    const link: MeasuredLink = {
      link: 'train',
      calibration: {
        figures: {
          rttMs: 70,
          rttMeanMs: 71,
          rttP99Ms: 80,
          rttProbes: 10,
          longestFrameBytes: 1514,
          directions: { down: { ...direction, udpKbps: 2000 }, up: direction },
        },
        checks: [
          { figure: 'rtt', unit: 'ms', asked: 70, measured: 71, within: [69, Number.POSITIVE_INFINITY], ok: true },
          { figure: 'down udp', unit: 'kbit/s', asked: Number.NaN, measured: Number.NaN, within: [1, 2], ok: false },
        ],
        ok: false,
        attempts: 2,
      },
      lab: {
        driver: 'uml',
        kernel: '6.1',
        realtime: true,
        hosts: [],
        link: { down: 'netem', up: 'netem' },
        serverConfigurations: { nginx: 'http {}' },
        topology: 'direct',
        flags: { tcp: ['--x'] },
        browsers: { tcp: 'Chrome/156' },
      },
    };
    const judged = {
      condition: CONDITION,
      arm: 'h1',
      run: 0,
      score: { status: 'ok', score: 0.97, metrics: { cls: 0 } },
    } as const;
    const failed = { ...judged, run: 1, score: { status: 'failed', says: 'no score' } } as const;
    fixture.store.addMeasuredLink(fixture.session, link);
    fixture.store.addLighthouse(fixture.session, judged);
    fixture.store.addLighthouse(fixture.session, failed);
    expect(fixture.store.measuredLinks()).toEqual([{ ...link, session: 1 }]);
    expect(fixture.store.lighthouseTrials()).toEqual([judged, failed]);
    expect(() => fixture.store.addLighthouse(fixture.session, judged)).toThrow(/UNIQUE/);
  });
});

describe('a block is there or not', () => {
  const good = blockOf(1, [okLoad(CONDITION, 0, 'h1'), okLoad(CONDITION, 0, 'h2')]);
  test.each([
    ['the same arm twice', [okLoad(CONDITION, 0, 'h1'), okLoad(CONDITION, 0, 'h1')], /UNIQUE/],
    ['a figure that is none', [okLoad(CONDITION, 0, 'h1'), okLoad(CONDITION, 0, 'h2', { pltMs: Number.NaN })], /CHECK/],
    ['half a packet', [okLoad(CONDITION, 0, 'h1'), okLoad(CONDITION, 0, 'h2', { packetsUp: 1.5 })], /INTEGER/],
  ] as const)('%s leaves nothing', (_, measurements, message) => {
    using fixture = openFixture();
    expect(() => fixture.store.addBlock(fixture.session, blockOf(1, measurements))).toThrow(message);
    expect(fixture.store.blocks()).toEqual([]);
    expect(fixture.store.measurements()).toEqual([]);
    fixture.store.addBlock(fixture.session, good);
    expect(fixture.store.measurements()).toHaveLength(2);
  });

  test('and there once', () => {
    using fixture = openFixture();
    fixture.store.addBlock(fixture.session, good);
    expect(() => fixture.store.addBlock(fixture.session, good)).toThrow(/UNIQUE/);
    expect(fixture.store.measurements()).toHaveLength(2);
  });

  test('of a session that there is', () => {
    using fixture = openFixture();
    expect(() => fixture.store.addBlock(9, good)).toThrow(/FOREIGN KEY/);
    expect(() => fixture.store.addWarmUps(9, [captureFor('h1')])).toThrow(/FOREIGN KEY/);
    expect([fixture.store.nextSerial(), fixture.store.warmUps()]).toEqual([1, 0]);
  });
});

describe('reading while somebody writes', () => {
  test('sees what was there when it was opened', () => {
    using fixture = openFixture();
    fixture.store.addBlock(fixture.session, blockOf(1, [okLoad(CONDITION, 0, 'h1')]));
    using reader = openStoreToRead(fixture.path);
    for (const _ of reader.trials()) fixture.store.addBlock(fixture.session, blockOf(2, [okLoad(CONDITION, 1, 'h1')]));
    expect(reader.measurements()).toHaveLength(1);
    expect(reader.nextSerial()).toBe(2);
    using later = openStoreToRead(fixture.path);
    expect(later.measurements()).toHaveLength(2);
  });

  test('leaves nothing beside a store that nobody else has open', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'study.sqlite');
    openStore(path)[Symbol.dispose]();
    openStoreToRead(path)[Symbol.dispose]();
    expect(readdirSync(folder.path)).toEqual(['study.sqlite']);
  });

  test('two may go through the trials at once', () => {
    using fixture = openFixture();
    for (const serial of [1, 2])
      fixture.store.addBlock(fixture.session, blockOf(serial, [okLoad(CONDITION, serial, 'h1')]));
    const pairs = [];
    for (const a of fixture.store.trials()) for (const b of fixture.store.trials()) pairs.push([a.serial, b.serial]);
    expect(pairs).toHaveLength(4);
  });
});

describe('what is no study', () => {
  test.each([
    [
      'nothing',
      undefined,
      /^no study in .*: there is no .*study\.sqlite\. Expected: a folder that "npx photofinish measure" made$/,
    ],
    ['an empty file', '', /^no study in .*: nothing was written yet$/],
    ['a text', 'hello\n'.repeat(1000), /study\.sqlite is no study's store$/],
  ])('%s', (_, content, message) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'study.sqlite');
    if (content !== undefined) writeFileSync(path, content);
    expect(() => openStoreToRead(path)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(message) }),
    );
  });

  test('a text is not written over', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'study.sqlite');
    writeFileSync(path, 'hello\n'.repeat(1000));
    expect(() => openStore(path)).toThrow(/study\.sqlite is no study's store$/);
  });
});

test('what comes up during a session is added to its notes', () => {
  using folder = temporaryFolder();
  using store = openStore(join(folder.path, 'study.sqlite'));
  store.writeStudy({ study: STUDY, plan: PLAN });
  const session = store.beginSession(MACHINE, 1000, ['first']);
  store.addNote(session, 'another study ran, "x"');
  expect(store.sessions()[0]!.notes).toEqual(['first', 'another study ran, "x"']);
});
