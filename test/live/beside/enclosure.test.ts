import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect } from '@jest/globals';
import type { Summary } from '../../../harness/findings/summary.ts';
import { asEnclosed, type EnclosureKind } from '../../../harness/system/enclosure.ts';
import { type Argv, findProgram, run, start } from '../../../harness/system/process.ts';
import { takeTurn } from '../../../harness/system/turn.ts';
import { inPeace } from '../../in-peace.ts';
import { labTest, noLab } from '../lab.ts';
import { measureInTurn } from '../measure.ts';

const CLI = fileURLToPath(new URL('../../../harness/cli.ts', import.meta.url));
const OUTERMOST = fileURLToPath(new URL('./outermost.ts', import.meta.url));
const WORKER = fileURLToPath(new URL('../../system/worker.ts', import.meta.url));
const QUIET = '--disable-warning=ExperimentalWarning';
const { PHOTOFINISH_ENCLOSED: _, ...outside } = process.env;

// Not below /run, which is another one in the enclosure that the program makes for itself.
const folder = mkdtempSync('/var/tmp/photofinish-test-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

labTest(
  'a measurement ends with the table and the summary of three arms, in a fresh enclosure',
  async () => {
    const summaries: Summary[] = [];
    await inPeace(async () => {
      const out = mkdtempSync(join(folder, 'measured-'));
      const words = ['--study', 'first-light', '--exactly', '2', '--seed', '7', '--out', out];
      const program = start([process.execPath, CLI, 'measure', '--beside', ...words], { env: outside });
      let said = '';
      for (const output of [program.stdout, program.stderr])
        output.on('data', (chunk: Buffer) => {
          said += chunk.toString();
        });
      const code = await program.ended;
      if (code !== 0 || !said.includes('median ms')) throw new Error(`${code}: ${said}`);
      const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary;
      summaries.push(summary);
      // Where a connection is slow to come about Chromium opens another.
      const { h1, h2, h3 } = summary.conditions[0]!.arms;
      expect([h1, h2, h3].map((arm) => arm!.connections)).toEqual([6, 1, 1]);
    });
    for (const summary of summaries) {
      expect(summary).toMatchObject({
        schema: 1,
        seed: 7,
        conditions: [{ site: 'many-small', calibration: { ok: true } }],
      });
      const { h1, h2, h3 } = summary.conditions[0]!.arms;
      for (const arm of [h1, h2, h3]) {
        expect(arm).toMatchObject({ ok: 2, failed: 0, requests: 51 });
        // 215 KB at 10 Mbit/s need 172 ms, and there are three round trips at least.
        expect(arm!.medianMs).toBeGreaterThan(172 + 3 * 40);
      }
    }
  },
  120_000,
);

labTest(
  'one waits for the study that has this machine, in another enclosure',
  async () => {
    const own = { study: 'other', out: '/elsewhere' };
    const stop = new AbortController().signal;
    const heard = { waits() {}, meets() {} };
    // Beside whatever runs there already: that has the turn then, which is as good.
    await using _turn = await takeTurn({ own, beside: true, stop, ...heard });
    const words = ['--site', 'few-small', '--exactly', '1', '--out', join(folder, 'waits')];
    const { code, events } = await measureInTurn(words, ({ event }, pid) => {
      if (event === 'waiting') process.kill(pid, 'SIGINT');
    });
    expect([code, events.map(({ event }) => event)]).toEqual([4, ['began', 'waiting', 'ended']]);
  },
  60_000,
);

labTest(
  'killed at any moment, it leaves no process behind',
  async () => {
    for (const afterMs of [100, 300, 2_000, 6_000, 10_000]) {
      const mark = drawMark();
      const program = start(
        [
          process.execPath,
          CLI,
          'measure',
          '--study',
          'first-light',
          '--exactly',
          '50',
          '--out',
          join(folder, 'killed'),
        ],
        {
          env: { ...outside, ...mark },
        },
      );
      await passMs(afterMs);
      // By then it is inside; on a busy machine a moment later.
      const untilMs = performance.now() + (afterMs > 1_000 ? 10_000 : 0);
      let inside = processNamespacesBelow(program.pid);
      for (; inside.size === 0 && performance.now() < untilMs; inside = processNamespacesBelow(program.pid))
        await passMs(50);
      expect(marked(mark)).toContain(program.pid);
      program.child.kill('SIGKILL');
      await program.ended;
      expect(await leftOf(() => [...marked(mark), ...processesIn(inside)])).toEqual([]);
      // The enclosure's own, and those of sandboxes of browsers that it has launched by then.
      if (afterMs > 1_000) expect(inside.size).toBeGreaterThan(0);
    }
  },
  120_000,
);

const isRoot = process.geteuid?.() === 0;
const asNobody: readonly string[] = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
/** The kinds of enclosure, each with a user that may make it, and why it cannot be tried here. */
const kinds: readonly { kind: EnclosureKind; as: readonly string[]; refusal: string | undefined }[] = [
  { kind: 'root', as: [], refusal: noLab ?? (isRoot ? undefined : 'this user is not root') },
  { kind: 'user', as: asNobody, refusal: noLab ?? (await refusalOf('user', asNobody)) },
  { kind: 'sudo', as: [], refusal: noLab ?? (await refusalOf('sudo', [])) },
];

describe.each(kinds)('an enclosure made by way of $kind', ({ kind, as, refusal }) => {
  const argv = (pieceMs: number) =>
    [...as, process.execPath, QUIET, OUTERMOST, kind, process.execPath, QUIET, WORKER, `${pieceMs}`] as unknown as Argv;

  async function begin(pieceMs: number) {
    const mark = drawMark();
    const program = start(argv(pieceMs), { env: { ...outside, ...mark } });
    const output = { said: '' };
    for (const stream of [program.stdout, program.stderr])
      stream.on('data', (chunk: Buffer) => {
        output.said += chunk.toString();
      });
    await once(program.stdout, 'data');
    return { program, output, mark };
  }

  labTest(
    `${kind}: asked to stop in any way, once, it finishes the piece at hand and ends with 4`,
    async () => {
      const ways: readonly ((pid: number) => void)[] = [
        (pid) => process.kill(pid, 'SIGTERM'),
        (pid) => process.kill(pid, 'SIGHUP'),
        // A Ctrl-C goes to the terminal's whole process group, and npm repeats it to its child.
        (pid) => {
          process.kill(-pid, 'SIGINT');
          setTimeout(() => process.kill(pid, 'SIGINT'), 50);
        },
      ];
      // Where this process is held up for longer than a piece takes, it asks in the second one.
      for (const ask of ways)
        await inPeace(async () => {
          const { program, output } = await begin(600);
          ask(program.pid);
          expect([await program.ended, output.said]).toEqual([4, 'piece 1\nstopped, asked: true\n']);
        });
    },
    30_000,
    refusal,
  );

  labTest(
    `${kind}: asked twice it ends at once, with 4`,
    async () => {
      const { program, output, mark } = await begin(60_000);
      process.kill(program.pid, 'SIGTERM');
      await passMs(1_500);
      expect(program.child.exitCode).toBeNull();
      process.kill(program.pid, 'SIGTERM');
      expect([await program.ended, output.said]).toEqual([4, 'piece 1\n']);
      expect(await leftOf(() => marked(mark))).toEqual([]);
    },
    30_000,
    refusal,
  );

  labTest(
    `${kind}: its outermost process killed, nothing of it is left`,
    async () => {
      for (const afterMs of [0, 20, 40, 80, 160]) {
        const mark = drawMark();
        const program = start(argv(60_000), { env: { ...outside, ...mark } });
        await passMs(afterMs);
        process.kill(program.pid, 'SIGKILL');
        expect(await leftOf(() => marked(mark))).toEqual([]);
      }
      const { program, mark } = await begin(60_000);
      expect(marked(mark).length).toBeGreaterThan(3);
      process.kill(program.pid, 'SIGKILL');
      expect(await leftOf(() => marked(mark))).toEqual([]);
    },
    30_000,
    refusal,
  );
});

/** Why a kind of enclosure cannot be made by a user, or nothing where it can. */
async function refusalOf(kind: EnclosureKind, as: readonly string[]): Promise<string | undefined> {
  if (kind === 'sudo' && !findProgram('sudo')) return 'there is no sudo';
  const tried = [...as, ...asEnclosed(kind, [process.execPath, '--version'])] as unknown as Argv;
  return run(tried).then(
    () => undefined,
    (error: Error) => error.message.split(' ended with ').at(-1)!.split('\n', 1)[0],
  );
}

const passMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** More than a busy kernel takes to end all that it was told to end; what it was not told of stays for a minute. */
const ENDING_MS = 10_000;

/** What is left of something once it has had the time to end. */
async function leftOf<T>(find: () => readonly T[]): Promise<readonly T[]> {
  const until = performance.now() + ENDING_MS;
  while (find().length > 0 && performance.now() < until) await passMs(20);
  return find();
}

/** A setting that all processes below a program inherit, and no others have. */
function drawMark(): Readonly<Record<string, string>> {
  return { PHOTOFINISH_TEST: randomUUID() };
}

/** The living processes that have a mark in their environment. */
function marked(mark: Readonly<Record<string, string>>): number[] {
  const [[key, value]] = Object.entries(mark) as [[string, string]];
  return processes().filter((pid) => readProcess(pid, 'environ').includes(`${key}=${value}`));
}

function processes(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** A file about a process; empty where it is gone, or has ended and waits for its parent to hear of it. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** The process namespaces, other than ours, that descendants of a process are in. */
function processNamespacesBelow(pid: number): Set<string> {
  const found = new Set<string>();
  const visit = (each: number) => {
    const namespace = namespaceOf(each);
    if (namespace !== undefined && namespace !== namespaceOf(process.pid)) found.add(namespace);
    for (const child of readProcess(each, `task/${each}/children`).trim().split(' ').filter(Boolean))
      visit(Number(child));
  };
  visit(pid);
  return found;
}

function processesIn(namespaces: ReadonlySet<string>): number[] {
  return processes().filter((pid) => namespaces.has(namespaceOf(pid) ?? ''));
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}
