import { openWaitingRoom } from '../browser/waiting-room.ts';
import type { Capture } from '../model/capture.ts';
import { UNLIMITED } from '../model/link.ts';
import { SMALL_SITE } from '../model/site.ts';
import { programsIn } from '../system/process.ts';
import { type EvidenceFiles, type KeptEvidence, keepEvidence } from './evidence.ts';
import { type LoadContext, prepareParties, prepareParty, reviveServers, type Wanted } from './load-request.ts';
import { settle } from './settle.ts';
import { isGenerated, isRemote } from './sites.ts';
import type { Testbed } from './testbed.ts';
import { type Party, runTrial, type Surroundings } from './trial.ts';
import { warmUp } from './warm-up.ts';

/** What every browser loads first, over a link without limits, so that its processes are warm. */
export const WARM_UP = { site: SMALL_SITE, device: 'desktop', timeoutMs: 20_000 } as const;

/** A load that warms a browser up, and the client that the browser is on. */
export type WarmUpLoad = Wanted & { readonly client: number };

/** What is kept of a load, and what is called when it needs the machine's cores no more. */
export interface LoadExtras {
  readonly files?: EvidenceFiles | undefined;
  readonly onCoresFree?: (() => void) | undefined;
}

/** How a lab's testbeds load pages: over the link that is set, or over one without limits. */
export interface LabLoads {
  /** Loads a page over the link that is set. */
  load(context: LoadContext, wanted: Wanted, extras?: LoadExtras): Promise<Capture>;
  /** Loads pages one after the other, over a link without limits. */
  loadUnlimited(context: LoadContext, wishes: readonly Wanted[]): Promise<readonly Capture[]>;
  /** Warms browsers up over a link without limits: all at once, each with its loads one after the other. */
  warm(context: LoadContext, wishes: readonly (readonly WarmUpLoad[])[]): Promise<readonly Capture[]>;
}

/** Loads of a lab whose evidence is kept as asked. */
export function openLabLoads(keeps: KeptEvidence): LabLoads {
  const room = openWaitingRoom();
  const around = ({ testbed, sites }: LoadContext): Surroundings => {
    const remotes = [...sites.values()].filter(isRemote).flatMap(({ manifest }) => manifest.origins);
    return {
      room,
      serverPids: () => testbed.servers.flatMap(({ host }) => programsIn(host.namespace)),
      link: testbed.link(),
      spareLoss: testbed.spareLoss,
      findDead: testbed.findDead,
      askLink: testbed.network.answers,
      ask: testbed.ask,
      beyondMs: Math.max(0, ...remotes.map(({ rttMs = 0 }) => rttMs)),
      counters: [...testbed.clients, ...testbed.servers].map(({ counters }) => counters),
    };
  };
  const load: LabLoads['load'] = async (context, wanted, { files, onCoresFree } = {}) => {
    const { testbed } = context;
    const parties = await prepareParties(context, wanted);
    const run = () => runTrial(parties, around(context), onCoresFree);
    const { launched } = parties[0];
    const client = testbed.clients[0]!.host;
    const capture = await (files ? keepEvidence(keeps, files, { client, launched }, run) : run());
    return { ...capture, launch: testbed.browsers.count() };
  };
  return {
    load,
    loadUnlimited: (context, wishes) =>
      overNoLink(context.testbed, async () => {
        const captures: Capture[] = [];
        for (const wish of wishes) captures.push(await load(context, wish));
        return captures;
      }),
    warm: (context, wishes) =>
      overNoLink(context.testbed, async () => {
        await reviveServers(context.testbed);
        const captures = await Promise.all(wishes.map((loads) => warmOne(context, loads)));
        await settle(around(context));
        return captures.flat().map((capture) => ({ ...capture, launch: context.testbed.browsers.count() }));
      }),
  };
}

/** Takes the limits off a link while something is done, and puts them back. */
async function overNoLink<T>(testbed: Testbed, act: () => Promise<T>): Promise<T> {
  const link = testbed.link();
  await testbed.setLink(UNLIMITED);
  const result = await act();
  await testbed.setLink(link);
  return result;
}

async function warmOne(context: LoadContext, loads: readonly WarmUpLoad[]) {
  const parties: Party[] = [];
  // One after the other: the first opens what the others share.
  for (const { client, ...each } of loads) {
    // A browser that is led to a site with servers of its own knows no other.
    const page = isGenerated(context.sites.get(each.site)!) ? WARM_UP : {};
    parties.push(await prepareParty(context, { ...each, ...page, tabs: undefined }, client));
  }
  return warmUp(
    parties[0]!.launched,
    parties.map(({ trial }) => trial),
  );
}
