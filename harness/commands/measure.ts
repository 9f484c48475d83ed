import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { RECIPES } from '../../sites/recipes.ts';
import { UsageError } from '../model/errors.ts';
import { type Manifest, requiredObjects } from '../model/site.ts';
import type { Plan, Study } from '../model/study.ts';
import { describeFigures } from '../report/calibration-table.ts';
import { countLoads, renderSummary, type Summary, summarize } from '../report/summary.ts';
import type { KeptEvidence } from '../run/evidence.ts';
import { runLighthouseTrials } from '../run/lighthouse.ts';
import { beginFindings, type Findings, type Listener, runPlan } from '../run/loop.ts';
import { type LabState, openRig } from '../run/rig.ts';
import { findSite } from '../run/sites.ts';
import { median } from '../stats/order.ts';
import { type StudyFlags, studyFromFlags } from '../study/flags.ts';
import { planStudy, type SiteFacts } from '../study/plan.ts';
import { stopRequested } from '../system/stop.ts';
import { PROJECT, readTools } from '../system/tools.ts';
import { writeWhole } from '../system/write-whole.ts';
import { LINK_SOURCES } from './calibrate.ts';

/** What `measure` was asked for. */
export interface MeasureRequest {
  readonly study: Study;
  readonly out: string;
  readonly keeps: KeptEvidence;
}

type MeasureFlags = StudyFlags & { readonly out?: string; readonly pcap?: boolean; readonly netlog?: boolean };

/** Reads the options of `measure`; whatever is wrong with them is said before anything is built. */
export function parseMeasure({ out, pcap, netlog, ...flags }: MeasureFlags): MeasureRequest {
  const sources = { ...LINK_SOURCES, sites: Object.keys(RECIPES), drawSeed: () => randomInt(1, 1_000_000) };
  const study = studyFromFlags(flags, sources);
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const folder = resolve(out ?? `${PROJECT}reports/out/${study.name}-${time}`);
  // A lab lays memory of its own over these, which goes with it.
  if (/^\/(run|dev\/shm)(\/|$)/.test(folder))
    throw new UsageError(
      `--out: '${folder}' will not do (a lab's own memory hides it); allowed: not below /run or /dev/shm`,
    );
  return { study, out: folder, keeps: { pcap: pcap ?? false, netLog: netlog ?? false } };
}

/** The exit code of what was asked to stop, and has kept what it had. */
const STOPPED = 4;

/** `photofinish measure`: runs a study, prints what it found, and writes its folder. */
export async function measure({ study, out, keeps }: MeasureRequest, print: (line: string) => void): Promise<number> {
  const began = Date.now();
  const sites = new Map(study.sites.map((name) => [name, findSite(name)]));
  const plan = planStudy(study, (name) => sumUpSite(sites.get(name)!.manifest));
  mkdirSync(out, { recursive: true });
  print(
    `${counted(plan.conditions.length, 'condition')} × ${counted(plan.arms.length, 'arm')} × ${counted(plan.exactly, 'block')}, seed ${plan.seed}`,
  );
  await using rig = await openRig({ sites: [...sites.values()], keeps });
  const stop = stopRequested();
  const listener: Listener = {
    calibrated: (link, { figures }) => print(`${link.name}: ${describeFigures(figures)}`),
    measured: (block, measured) => {
      const plts = measured.map(
        (each) =>
          `${each.arm} ${each.status === 'ok' ? `${each.pltMs.toFixed(0)} ms` : `${each.status}: ${each.reason}: ${each.says}`}`,
      );
      print(`${block.condition}, block ${block.index + 1}: ${plts.join(', ')}`);
    },
  };
  const findings = beginFindings();
  try {
    await runPlan(plan, rig, findings, { folder: out, stop, listener });
    await runLighthouseTrials(plan, rig, findings, {
      ...{ folder: out, stop },
      judged: ({ condition, arm, score }) =>
        print(
          `${condition}, Lighthouse, ${arm}: ${score.status === 'ok' ? Math.round(100 * score.score) : score.says}`,
        ),
    });
  } finally {
    // Whatever ends it, what was measured is kept.
    if (findings.measurements.length > 0) conclude({ study, plan, out, findings, beganMs: began }, print);
  }
  return stop.aborted ? STOPPED : 0;
}

interface Concluded {
  readonly study: Study;
  readonly plan: Plan;
  readonly out: string;
  readonly findings: Findings;
  readonly beganMs: number;
}

/** Sums up what was measured, in the study's folder and on the terminal. */
function conclude({ study, plan, out, findings, beganMs }: Concluded, print: (line: string) => void): void {
  const { measurements, calibrations, labs, warmUps, scores } = findings;
  const overheads = measurements.flatMap((each) => (each.status === 'ok' ? each.overheadMs : []));
  const conditions = summarize(plan, { measurements, calibrations, scores });
  const summary: Summary = {
    schema: 1,
    study: study.name,
    seed: study.seed,
    version: versions([...labs.values()]),
    provenance: {
      host: { cpu: cpus()[0]?.model.trim(), cores: cpus().length, memoryBytes: totalmem() },
      packages: readTools().nginx.packages ?? [],
      labs: Object.fromEntries(labs),
    },
    conditions,
    loads: { ...countLoads(measurements), warmup: warmUps },
    ...(overheads.length > 0 && { overheadMsMedian: Math.round(median(overheads)) }),
    wallSeconds: Math.round((Date.now() - beganMs) / 1000),
  };
  writeWhole(join(out, 'summary.json'), `${JSON.stringify(summary, undefined, 2)}\n`);
  print(`\n${renderSummary(conditions)}\n\n${join(out, 'summary.json')}`);
}

function sumUpSite(manifest: Manifest): SiteFacts {
  return { bytes: requiredObjects(manifest).reduce((sum, { bytes }) => sum + bytes, 0) };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function versions(labs: readonly LabState[]): Readonly<Record<string, unknown>> {
  const { chromium, nginx } = readTools();
  const drivers = new Set(
    labs.map(({ driver, kernel }) => `netem of ${driver === 'uml' ? `a user-mode kernel (${kernel})` : 'this kernel'}`),
  );
  const { version } = JSON.parse(readFileSync(`${PROJECT}package.json`, 'utf8')) as { version: string };
  return {
    photofinish: version,
    chromium: chromium.version,
    servers: { nginx: nginx.version, openssl: nginx.openssl },
    kernel: readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim(),
    link: [...drivers].join(', '),
  };
}
