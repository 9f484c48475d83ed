import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROTOCOLS, type Protocol } from '../model/arm.ts';
import { UsageError } from '../model/errors.ts';
import type { Study } from '../model/study.ts';
import { renderSummary, type Summary, summarize } from '../report/summary.ts';
import { runPlan } from '../run/loop.ts';
import { openRig } from '../run/rig.ts';
import { planStudy } from '../study/plan.ts';
import { PROJECT, readTools } from '../system/tools.ts';
import { linkFromText } from './calibrate.ts';

export interface MeasureOptions {
  readonly site?: readonly string[];
  readonly link?: readonly string[];
  readonly arms?: string;
  readonly exactly?: string;
  readonly seed?: string;
  readonly out?: string;
}

/** `photofinish measure`: runs a study, prints what it found, and writes its folder. */
export async function measure(options: MeasureOptions, print: (line: string) => void): Promise<number> {
  const began = Date.now();
  const study = studyFrom(options);
  const plan = planStudy(study);
  const out =
    options.out ?? `${PROJECT}reports/out/${study.name}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`;
  mkdirSync(out, { recursive: true });
  print(`${plan.conditions.length} conditions × ${plan.arms.length} arms × ${plan.exactly} blocks, seed ${plan.seed}`);
  await using rig = await openRig();
  const { measurements, calibrations } = await runPlan(plan, rig, (block, measured) => {
    const plts = measured.map(
      (each) => `${each.arm} ${each.status === 'ok' ? `${each.pltMs.toFixed(0)} ms` : each.reason}`,
    );
    print(`${block.condition}, block ${block.index + 1}: ${plts.join(', ')}`);
  });
  const conditions = summarize(plan, measurements, calibrations);
  const summary: Summary = {
    schema: 1,
    study: study.name,
    seed: study.seed,
    version: versions(),
    conditions,
    wallSeconds: Math.round((Date.now() - began) / 1000),
  };
  writeWhole(join(out, 'summary.json'), `${JSON.stringify(summary, undefined, 2)}\n`);
  print(`\n${renderSummary(conditions)}\n\n${join(out, 'summary.json')}`);
  return 0;
}

function studyFrom(options: MeasureOptions): Study {
  const names = (options.arms ?? 'h1,h2,h3').split(',');
  const arms = names.map((name) => {
    if (!PROTOCOLS.includes(name as Protocol))
      throw new UsageError(`--arms: no protocol '${name}'; allowed: ${PROTOCOLS.join(', ')}`);
    return { name, protocol: name as Protocol };
  });
  if (new Set(names).size < names.length)
    throw new UsageError(`--arms: '${options.arms}' names an arm twice; allowed: each once`);
  return {
    name: 'first-light',
    sites: options.site ?? ['many-small'],
    links: (options.link ?? ['rate=10mbit,rtt=40ms']).map(linkFromText),
    arms,
    exactly: wholeNumber('--exactly', options.exactly ?? '5', 1, 100_000),
    seed: options.seed === undefined ? randomInt(1, 1_000_000) : wholeNumber('--seed', options.seed, 0, 0xffffffff),
    timeoutMs: 120_000,
  };
}

function wholeNumber(option: string, text: string, low: number, high: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= low && value <= high))
    throw new UsageError(`${option}: '${text}' will not do; allowed: ${low} to ${high}`);
  return value;
}

function versions(): Readonly<Record<string, unknown>> {
  const { chromium, nginx, netem, uml } = readTools();
  const { version } = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as { version: string };
  return {
    photofinish: version,
    chromium: chromium.version,
    servers: { nginx: nginx.version, openssl: nginx.openssl },
    packages: nginx.packages,
    kernel: readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim(),
    link: netem === 'kernel' ? 'netem' : `netem of a user-mode kernel (${uml?.modules.split('/').at(-1)})`,
  };
}

/** Written aside and moved, so that a reader never meets half a file. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.partial`, text);
  renameSync(`${path}.partial`, path);
}
