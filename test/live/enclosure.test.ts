import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { start } from '../../harness/system/process.ts';
import { labTest } from './lab.ts';

const CLI = new URL('../../harness/cli.ts', import.meta.url).pathname;
const { PHOTOFINISH_ENCLOSED: _, ...outside } = process.env;

// Not below /run, which is another one in the enclosure that the program makes for itself.
const folder = mkdtempSync('/var/tmp/photofinish-test-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

labTest(
  'a measurement ends with the table and the summary of three arms, in a fresh enclosure',
  async () => {
    const out = join(folder, 'measured');
    const program = start([process.execPath, CLI, 'measure', '--exactly', '2', '--seed', '7', '--out', out], {
      env: outside,
    });
    let said = '';
    program.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    program.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    expect([await program.ended, said]).toEqual([0, expect.stringContaining('PLT median')]);
    const summary = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'));
    expect(summary).toMatchObject({
      schema: 1,
      seed: 7,
      conditions: [{ site: 'many-small', calibration: { ok: true } }],
    });
    const { h1, h2, h3 } = summary.conditions[0].arms;
    expect(h1).toMatchObject({ ok: 2, failed: 0, connections: 6, requests: 51 });
    expect(h2).toMatchObject({ ok: 2, failed: 0, connections: 1, requests: 51 });
    expect(h3).toMatchObject({ ok: 2, failed: 0, connections: 1, requests: 51 });
    // 215 KB at 10 Mbit/s need 172 ms, and there are three round trips at least.
    for (const arm of [h1, h2, h3]) expect(arm.medianMs).toBeGreaterThan(172 + 3 * 40);
  },
  120_000,
);

labTest(
  'killed at any moment, it leaves no process behind',
  async () => {
    for (const afterMs of [300, 2_000, 6_000, 10_000]) {
      const program = start([process.execPath, CLI, 'measure', '--exactly', '50', '--out', join(folder, 'killed')], {
        env: outside,
      });
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      const inside = processNamespacesBelow(program.pid);
      program.child.kill('SIGKILL');
      await program.ended;
      // The kernel takes the rest down by itself; a big process needs a moment to die.
      let left: string[] = [];
      for (let waited = 0; waited < 5_000; waited += 100) {
        left = processesIn(inside);
        if (left.length === 0) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(left).toEqual([]);
      if (afterMs > 1_000) expect(inside.size).toBe(1);
    }
  },
  120_000,
);

/** The process namespaces, other than ours, that descendants of a process are in. */
function processNamespacesBelow(pid: number): Set<string> {
  const found = new Set<string>();
  const visit = (each: number) => {
    const namespace = namespaceOf(each);
    if (namespace !== undefined && namespace !== namespaceOf(process.pid)) found.add(namespace);
    for (const child of childrenOf(each)) visit(child);
  };
  visit(pid);
  return found;
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function processesIn(namespaces: ReadonlySet<string>): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && namespaces.has(namespaceOf(Number(name)) ?? ''));
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}
