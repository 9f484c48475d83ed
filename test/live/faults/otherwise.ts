import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recordPage } from '../../../harness/browser/record/record-page.ts';
import { lighthouseScoreOf } from '../../../harness/measurement/lighthouse.ts';
import { DEVICES } from '../../../harness/model/device.ts';
import { EnvironmentError, LabError, UsageError } from '../../../harness/model/errors.ts';
import { reconnoitre } from '../../../harness/run/reconnaissance.ts';
import { SCRATCH } from '../../../harness/system/enclosure.ts';
import { readTools } from '../../../harness/system/tools.ts';
import { takeTurn } from '../../../harness/system/turn.ts';
import {
  type Fault,
  harmLoad,
  must,
  mustBeClean,
  type Outcome,
  RECORDED,
  refusal,
  SITE,
  sharedLab,
  signalAll,
} from './world.ts';

const HAPROXY = /haproxy/;
const REPLAY = /site\/replay\/serve\.ts/;
/** What looks names up for a visitor to whom an offer is made. */
const [DNSMASQ, HOLD_ANSWERS] = [/dnsmasq/, /hold-answers\.pl/];
const OFFERED = { offer: 'h2', visit: 'first' } as const;
const CHROMIUM = /chromium\/chromium\S* .*--remote-debugging-pipe/;

const LIMITS = { answerMs: 3_000, logBytes: 1e9 };

/** Records a page from a server on this machine, or looks at it. */
async function visit(
  listener: RequestListener,
  limits = LIMITS,
  does: typeof recordPage | typeof reconnoitre = recordPage,
) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    return await does({
      url: `http://127.0.0.1:${port}/`,
      chromium: readTools().chromium.path,
      folder: `${SCRATCH}/fault-record`,
      device: DEVICES.desktop,
      seed: 1,
      insecure: false,
      resolved: [],
      waitMs: 0,
      limits,
      signal: new AbortController().signal,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function neverAnswered(does: typeof recordPage | typeof reconnoitre): Fault {
  return async () => {
    const error = await refusal(() => visit(() => {}, LIMITS, does));
    must(error instanceof UsageError && /did not answer within 3 s/.test(error.message), `${error.stack}`);
    return { says: error.message.replace(/http\S+/, 'ADDRESS'), lost: 0 };
  };
}

/** A page whose script never stops coming. */
const endless: RequestListener = ({ url }, response) => {
  if (url !== '/endless')
    return void response.setHeader('content-type', 'text/html').end('<script src="/endless"></script>');
  const chunk = Buffer.alloc(65_536, 'x');
  response.setHeader('content-type', 'text/javascript');
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
};

async function dieWhileJudging(): Promise<Outcome> {
  const { judge, prepare } = await sharedLab();
  const load = { site: SITE, protocol: 'h2', visit: 'cold', device: 'desktop', timeoutMs: 20_000 } as const;
  await prepare(load); // Its browser is there, so that it is this one that dies.
  const judging = refusal(() => judge(load));
  setTimeout(() => signalAll(CHROMIUM, 'SIGKILL'), 2_500);
  const error = await judging;
  must(error instanceof LabError, `a study would not judge again: ${error.stack}`);
  const score = lighthouseScoreOf(await judge(load));
  must(score.status === 'ok', `the next time: ${JSON.stringify(score)}`);
  return { says: `it is judged again, which a study does by itself (${error.message.slice(0, 60)})`, lost: 0 };
}

export const OTHERWISE: Readonly<Record<string, Fault>> = {
  'HAProxy stopped (SIGSTOP)': () => harmLoad({ server: 'haproxy' }, () => signalAll(HAPROXY, 'SIGSTOP')),
  'the replay server stopped (SIGSTOP)': () => harmLoad({ site: RECORDED }, () => signalAll(REPLAY, 'SIGSTOP')),
  'the name server dead (SIGKILL)': () => harmLoad(OFFERED, () => signalAll(DNSMASQ, 'SIGKILL')),
  'what holds back the answers of the name server dead (SIGKILL)': () =>
    harmLoad(OFFERED, () => signalAll(HOLD_ANSWERS, 'SIGKILL')),
  'Chromium dead during Lighthouse (SIGKILL)': dieWhileJudging,
  'a server that accepts and never answers, while recording': neverAnswered(recordPage),
  'a server that accepts and never answers, while looking': neverAnswered(reconnoitre),
  'an endless response while recording': async () => {
    const seen = await visit(endless, { answerMs: 20_000, logBytes: 100_000_000 });
    const note = seen.notes.find((each) => /no end/.test(each));
    must(note !== undefined, `no note: ${seen.notes.join('; ')}`);
    return { says: note, lost: 0 };
  },
  'Chromium dead while recording (SIGKILL)': async () => {
    const kill = () => signalAll(CHROMIUM, 'SIGKILL'); // Once it asks for the page.
    const error = await refusal(() => visit(kill, { ...LIMITS, answerMs: 20_000 }));
    must(error instanceof EnvironmentError && /Chromium ended while it recorded/.test(error.message), `${error.stack}`);
    await mustBeClean();
    return { says: 'exit code 3: Chromium ended while it recorded', lost: 0 };
  },
  'two studies at once': async () => {
    const [met, waited]: [unknown[], unknown[]] = [[], []];
    const stop = new AbortController().signal;
    const options = (study: string, beside: boolean) => ({
      own: { study, out: '/out' },
      beside,
      stop,
      name: `photofinish-fault-${process.pid}`,
      waits: (other: unknown) => waited.push(other),
      meets: (other: unknown) => met.push(other),
    });
    const first = await takeTurn(options('first', false));
    const second = takeTurn(options('second', false));
    const third = await takeTurn(options('third', true));
    // They hear of each other once each process has had its turn.
    for (let looks = 0; (waited.length < 1 || met.length < 2) && looks < 100; looks += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    must(waited.length === 1, `it waited for ${JSON.stringify(waited)}`);
    const said = JSON.stringify(met);
    must(said.includes('third') && said.includes('first'), `both must know: ${said}`);
    await first?.[Symbol.asyncDispose]();
    await third?.[Symbol.asyncDispose](); // It has the machine after the first.
    await (await second)?.[Symbol.asyncDispose]();
    return { says: 'the second waited for both and then began; the one beside is known to both', lost: 0 };
  },
};
