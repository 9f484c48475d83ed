import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { measure, parseMeasure, type World } from '../../../harness/commands/measure.ts';
import { parseReport, report } from '../../../harness/commands/report.ts';
import { UsageError } from '../../../harness/model/errors.ts';
import type { StudyEvent } from '../../../harness/model/event.ts';
import { readMachine } from '../../../harness/run/machine.ts';
import { openStoreToRead } from '../../../harness/store/store.ts';
import { run } from '../../../harness/system/process.ts';
import { openFakeLab } from '../../fakes/lab.ts';
import { MACHINE } from '../../fakes/machine.ts';
import { type Fault, INTO_LOAD_MS, isOfMachine, LINK, must, refusal, SITE, scratch, sharedLab } from './world.ts';

const IN_FAKE_LAB: World = {
  readMachine: () => MACHINE,
  openLab: async () => openFakeLab({ timeOf: ({ protocol }) => (protocol === 'h1' ? 300 : 100) }).lab,
};
const IN_LAB: World = { readMachine, openLab: sharedLab };
const FAKE_BLOCKS = { site: [SITE], link: ['fibre'], seed: '7' };
const quiet = { write: () => {} };

function blocksIn(folder: string): number {
  using store = openStoreToRead(join(folder, 'study.sqlite'));
  return store.blocks().length;
}

/** A folder on a disk of its own, in memory. */
async function openDisk(name: string, size: string): Promise<AsyncDisposable & { readonly path: string }> {
  const path = join(scratch, name);
  mkdirSync(path);
  await run(['mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  return {
    path,
    async [Symbol.asyncDispose]() {
      await run(['umount', path]);
    },
  };
}

/** Leaves no room on a disk. */
function fill(folder: string): void {
  const file = openSync(join(folder, 'filler'), 'w');
  try {
    for (const bytes of [1 << 20, 4096, 1]) fillBy(file, Buffer.alloc(bytes));
  } finally {
    closeSync(file);
  }
}

function fillBy(file: number, piece: Buffer): void {
  try {
    for (;;) writeSync(file, piece);
  } catch {
    // There is no room for another.
  }
}

function makeRoom(folder: string): void {
  rmSync(join(folder, 'filler'));
}

interface Interruption {
  readonly out: string;
  readonly world: World;
  /** The study’s flags; what it keeps, it keeps in both sessions. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly keeps?: Readonly<Record<string, boolean>>;
  readonly happens: () => void;
  readonly mend: () => void;
  /** Blocks before it happens. */
  readonly after?: number;
  /** What the refusal says. */
  readonly says: RegExp;
}

/** Something ends a study in mid-load: with a line and code 3, nothing that was finished is lost, and it goes on later. */
async function interrupted(how: Interruption) {
  const { out, world, asked, keeps = {}, happens, mend, after = 1, says } = how;
  let [blocks, hasHappened] = [0, false];
  const write = (text: string) => {
    const event = JSON.parse(text) as StudyEvent;
    if (event.event === 'block') blocks += 1;
    if (hasHappened || event.event !== 'progress' || event.arm === undefined || blocks < after) return;
    hasHappened = true;
    if (world === IN_LAB) setTimeout(happens, INTO_LOAD_MS);
    else happens();
  };
  const request = { ...parseMeasure({ ...asked, ...keeps, out }), json: true };
  let error: Error;
  try {
    error = await refusal(() => measure(request, { write }, world));
  } finally {
    if (hasHappened) mend();
  }
  must(isOfMachine(error), `it is said as a bug: ${error.stack}`);
  must(says.test(error.message), `it says: ${error.message}`);
  const before = blocksIn(out);
  must((await measure({ ...parseMeasure({ ...keeps, out }), json: true }, quiet, world)) === 0, 'it does not go on');
  const partial = (readdirSync(out, { recursive: true }) as string[]).filter((name) => name.includes('partial'));
  must(partial.length === 0, `left: ${partial.join(', ')}`);
  const said = error.message.replaceAll(scratch, '').slice(0, 70);
  return { says: `exit code 3 after ${before} blocks (${said}…); it went on`, lost: blocks - before };
}

function fullWith(...kept: readonly ('pcap' | 'netlog')[]): Fault {
  return async () => {
    await using disk = await openDisk(kept.join('-'), '64m');
    const { path: out } = disk;
    return await interrupted({
      out,
      world: IN_LAB,
      keeps: Object.fromEntries(kept.map((each) => [each, true])),
      says: /ENOSPC/,
      asked: { site: [SITE], link: [LINK], arms: 'h1,h2', exactly: '2', seed: '7' },
      happens: () => fill(out),
      mend: () => makeRoom(out),
    });
  };
}

/** Has this process, and it alone, do without root's right to write anywhere. */
function withoutRights(is: boolean): void {
  if (process.getuid?.() === 0) process.seteuid!(is ? 65_534 : 0);
}

/** Opens what may be opened; the function returned lets go of it. */
function takeDescriptors(): () => void {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    return () => taken.forEach(closeSync);
  }
}

export const OF_DISKS: Readonly<Record<string, Fault>> = {
  'disk full in mid-run': async () => {
    await using disk = await openDisk('full', '64m');
    const { path: out } = disk;
    return await interrupted({
      out,
      world: IN_FAKE_LAB,
      asked: { ...FAKE_BLOCKS, exactly: '10' },
      after: 5,
      says: /no room|ENOSPC/,
      happens: () => fill(out),
      mend: () => makeRoom(out),
    });
  },
  'disk full with --pcap': fullWith('pcap'),
  'disk full with --netlog': fullWith('netlog'),
  'disk full during a report': async () => {
    await using disk = await openDisk('reported', '64m');
    const { path: out } = disk;
    const asked = { ...FAKE_BLOCKS, exactly: '3', out };
    must((await measure({ ...parseMeasure(asked), json: true }, quiet, IN_FAKE_LAB)) === 0, 'nothing to report');
    const files = () => readdirSync(out).filter((name) => name !== 'filler');
    const [names, page] = [files(), readFileSync(join(out, 'report.html'), 'utf8')];
    const before = blocksIn(out);
    fill(out);
    const error = await refusal(() => report(parseReport({}, [out]), () => {}));
    must(isOfMachine(error) && /ENOSPC/.test(error.message), `${error.stack}`);
    must(`${files()}` === `${names}`, `left: ${files()}`);
    must(readFileSync(join(out, 'report.html'), 'utf8') === page, 'the report of before is not there any more');
    makeRoom(out);
    await report(parseReport({}, [out]), () => {});
    return {
      says: 'exit code 3, the report of before is whole; then there is a new one',
      lost: before - blocksIn(out),
    };
  },
  'no more files may be open (EMFILE)': async () => {
    const ofThis = ['prlimit', `--pid=${process.pid}`] as const;
    const usual = (await run([...ofThis, '--nofile', '--output=SOFT', '--noheadings'])).trim();
    const limit = (most: number | string) => run([...ofThis, `--nofile=${most}:`]);
    let letGo = () => {};
    await limit(1_000);
    try {
      return await interrupted({
        out: join(scratch, 'descriptors'),
        world: IN_LAB,
        says: /EMFILE|unable to open/,
        asked: { site: [SITE], link: [LINK], arms: 'h1,h2', exactly: '2', seed: '7' },
        happens: () => {
          letGo = takeDescriptors();
        },
        mend: () => letGo(),
      });
    } finally {
      await limit(usual);
    }
  },
  'the folder read-only in mid-run': async () => {
    const out = join(scratch, 'readable');
    const modes = (mode: number) => {
      for (const name of ['', 'har']) chmodSync(join(out, name), mode);
    };
    return await interrupted({
      out,
      world: IN_FAKE_LAB,
      asked: { ...FAKE_BLOCKS, exactly: '10' },
      after: 5,
      says: /EACCES|read-?only/i,
      happens: () => {
        modes(0o555);
        withoutRights(true);
      },
      mend: () => {
        withoutRights(false);
        modes(0o755);
      },
    });
  },
  '`report` beside a running `measure`': async () => {
    const out = join(scratch, 'beside');
    let blocks = 0;
    const write = (text: string) => {
      if (text.includes('"event":"block"')) blocks += 1;
    };
    const asked = { ...FAKE_BLOCKS, exactly: '60', out };
    const measured = measure({ ...parseMeasure(asked), json: true }, { write }, IN_FAKE_LAB).then(() => true);
    let reports = 0;
    for (let over = false; !over; ) {
      over = await Promise.race([measured, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 150))]);
      try {
        await report(parseReport({}, [out]), () => {});
        reports += 1;
      } catch (error) {
        must(error instanceof UsageError, `${(error as Error).stack}`); // Nothing was written yet.
      }
    }
    JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'));
    const partial = (readdirSync(out, { recursive: true }) as string[]).filter((name) => name.includes('partial'));
    must(partial.length === 0, `left: ${partial.join(', ')}`);
    return { says: `${reports} reports meanwhile, each whole`, lost: blocks - blocksIn(out) };
  },
};
