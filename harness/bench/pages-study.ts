import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { LINK_SOURCES } from '../commands/sources.ts';
import { RULES } from '../comparison/rules.ts';
import type { Protocol } from '../model/arm.ts';
import type { Measurement } from '../model/measurement.ts';
import type { Plan, Study } from '../model/study.ts';
import type { Labs } from '../run/labs.ts';
import { runPlan } from '../run/loop.ts';
import { readMachine } from '../run/machine.ts';
import { factsOf, type Site } from '../run/sites.ts';
import { openStore } from '../store/store.ts';
import { parseLink } from '../study/link.ts';
import { planStudy } from '../study/plan.ts';
import { makeFolder } from '../system/write-whole.ts';

/** Pages over some links by some protocols, with as many blocks each. */
export interface PagesStudy {
  readonly name: string;
  readonly sites: readonly Site[];
  readonly links: readonly string[];
  readonly arms: readonly Protocol[];
  readonly blocks: number;
}

/** A study, and its plan. */
export interface Planned {
  readonly study: Study;
  readonly plan: Plan;
}

/** Plans a study of a bench as `measure` plans its own. */
export function planPagesStudy({ name, sites, links, arms, blocks }: PagesStudy): Planned {
  const names = sites.map(({ manifest }) => manifest.site);
  const study: Study = {
    name,
    grids: [
      { sites: names, links: links.map((link) => parseLink(link, LINK_SOURCES)), servers: ['nginx'], visits: ['cold'] },
    ],
    arms: arms.map((protocol) => ({ name: protocol, protocol })),
    device: 'desktop',
    rule: RULES.default,
    metric: 'plt',
    lighthouse: 0,
    seed: 1,
    stopping: { kind: 'exactly', blocks },
    served: 'h2',
  };
  return { study, plan: planStudy(study, (site) => factsOf(sites[names.indexOf(site)]!)) };
}

/** Runs a study as `measure` runs its own, into a store at a path; evidence goes beside it. One that is there goes on. */
export async function runPagesStudy(
  path: string,
  { study, plan }: Planned,
  labs: Labs,
): Promise<readonly Measurement[]> {
  const isNew = !existsSync(path);
  makeFolder(dirname(path));
  using store = openStore(path);
  if (isNew) store.writeStudy({ study, plan });
  const session = store.beginSession(readMachine(plan), Date.now(), []);
  const stop = new AbortController().signal;
  await runPlan(plan, labs, { store, session, folder: dirname(path), stop, tell: () => {} });
  return store.measurements();
}
