import { join } from 'node:path';
import type { StudyEvent } from '../../harness/model/event.ts';
import type { Measurement } from '../../harness/model/measurement.ts';
import type { Plan } from '../../harness/model/study.ts';
import { measurementsOf } from '../../harness/run/block.ts';
import { conduct } from '../../harness/run/loop.ts';
import { openStore, type Store } from '../../harness/store/store.ts';
import { type CoordinatorOptions, openCoordinator } from '../../harness/workers/coordinator.ts';
import { connect } from '../../harness/workers/redis.ts';
import { MACHINE } from '../fakes/machine.ts';
import { studyOf } from '../study/plans.ts';

export interface Coordinating extends Partial<Pick<CoordinatorOptions, 'mixed' | 'sites' | 'keeps' | 'missEveryMs'>> {
  readonly url: string;
  readonly plan: Plan;
  /** The study's folder. */
  readonly folder: string;
  readonly stop?: AbortSignal;
  readonly tell?: (event: StudyEvent) => void;
}

/** Coordinates a study as `measure --workers` does, without anything that is about this machine. */
export async function coordinate({ url, plan, folder, ...more }: Coordinating) {
  const events: StudyEvent[] = [];
  const tell = (event: StudyEvent) => {
    events.push(event);
    more.tell?.(event);
  };
  using store = openStore(join(folder, 'study.sqlite'));
  store.writeStudy({ study: studyOf(), plan });
  const session = store.beginSession(MACHINE, Date.now(), []);
  const stop = more.stop ?? new AbortController().signal;
  await using connection = await connect(url);
  await using coordinator = await openCoordinator(plan, {
    connection,
    store,
    folder,
    tell,
    stop,
    sites: more.sites ?? new Map(),
    mixed: more.mixed ?? false,
    lookEveryMs: 20,
    keeps: more.keeps ?? { pcap: false, netLog: false },
    missEveryMs: more.missEveryMs ?? 500,
  });
  const measured: Measurement[] = [];
  const watched: Store = {
    ...store,
    addBlock(own, block) {
      measured.push(...measurementsOf(block));
      store.addBlock(own, block);
    },
  };
  const options = { store: watched, session, folder, tell, stop };
  const ending = await conduct(plan, options, (news) => {
    coordinator.follow(news);
    return coordinator;
  });
  const names = store.measurements().map(({ condition, block, arm }) => `${condition} ${block} ${arm}`);
  return {
    ending,
    events,
    /** What was judged while it went on, and not read again. */
    measured,
    blocks: store.blocks(),
    sessions: store.sessions(),
    said: events.flatMap((event) => (event.event === 'worker' ? `${event.worker}: ${event.says}` : [])),
    /** Loads that are there more than once, of which none is void. */
    twice: names.length - new Set(names).size,
  };
}
