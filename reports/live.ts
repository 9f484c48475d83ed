import { inWords } from '../harness/model/wording.ts';
import {
  type LastBlock,
  LIVE_PATHS,
  type LiveState,
  type NewAnswer,
  VERSION_HEADER,
} from '../harness/report/live-state.ts';
import type { PageData } from '../harness/report/page-data.ts';
import { fromPageJson } from '../harness/report/page-packing.ts';
import { describeTime, describeWorker } from '../harness/report/progress.ts';
import { besideInWords } from './answer-words.ts';
import { element, named } from './elements.ts';
import { count, trialInWords } from './wording.ts';

/** Data that a page shows, and of which version it is. */
export interface Shown {
  readonly data: PageData;
  readonly version: string;
}

/** A server that does not answer, or has too many clients, is asked again after this time. */
const AGAIN_MS = 3000;

/** Follows a study for as long as it goes on: a bar says how far it is, and the page shows what it has come to. */
export function followOnPage(first: Shown, show: (data: PageData) => void): void {
  const bar = openBar(first.data);
  const newest = openNewest(first, (data) => {
    show(data);
    bar.know(data);
  });
  const listen = () => {
    const source = new EventSource(LIVE_PATHS.events);
    source.addEventListener('message', ({ data }) => {
      const state = JSON.parse(data as string) as LiveState;
      bar.say(state);
      const isEnd = state.phase === 'ended';
      // The server ends once no page asks any more.
      void newest.want(state.version, isEnd).then(() => isEnd && source.close());
    });
    source.addEventListener('error', () => {
      bar.lose();
      // It tries again by itself, but for where it was turned away.
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN_MS);
    });
  };
  listen();
}

/** Asks for the newest data, one request at a time, and not while the page is hidden unless it is the last. */
function openNewest(first: Shown, show: (data: PageData) => void) {
  let { version } = first;
  let wanted = version;
  let asking: Promise<void> | undefined;
  const ask = async () => {
    for (let attempt = 0; version !== wanted && attempt < 5; attempt += 1) {
      const response = await fetch(LIVE_PATHS.data);
      const data = fromPageJson<PageData>(await response.text());
      await untilReaderRests();
      version = response.headers.get(VERSION_HEADER) ?? wanted;
      const start = performance.now();
      show(data);
      // What it costs can be looked up in the browser's own tools.
      performance.measure('update', { start });
    }
  };
  const begin = () => {
    asking ??= ask()
      // Gone in the middle: the stream of events breaks off too, and tells all anew when it is back.
      .catch(() => {})
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  document.addEventListener('visibilitychange', () => void (document.hidden || begin()));
  return {
    async want(now: string, isLast: boolean) {
      wanted = now;
      if (isLast || !document.hidden) await begin();
    },
  };
}

const REST_EVERY_MS = 250;
const RESTLESS_MS = 10_000;
let isPressed = false;
addEventListener('pointerdown', () => {
  isPressed = true;
});
for (const event of ['pointerup', 'pointercancel', 'blur'] as const)
  addEventListener(event, () => {
    isPressed = false;
  });

/** While the reader drags a slider or marks a text, the page stays as it is, for a while. */
async function untilReaderRests(): Promise<void> {
  const isBusy = () => isPressed || getSelection()?.isCollapsed === false;
  for (let waited = 0; isBusy() && waited < RESTLESS_MS; waited += REST_EVERY_MS)
    await new Promise((resolve) => setTimeout(resolve, REST_EVERY_MS));
}

/** The bar above the page. */
function openBar(first: PageData) {
  let data = first;
  let state: LiveState | undefined;
  let toldMs = 0;
  let isLost = false;
  const phase = element('b', { role: 'status' });
  const where = element('span', { class: 'where' });
  const left = element('span', { class: 'left' });
  const newest = element('p', { class: 'newest', hidden: true });
  const workers = element('ul', { class: 'workers', 'aria-label': 'Workers', hidden: true });
  const meter = element('progress', { max: 1, value: 0, 'aria-label': 'Of the study' });
  document.body.prepend(
    element(
      'aside',
      { id: 'live', 'aria-label': 'How far the study is' },
      element('div', {}, element('i', { class: 'lamp', 'aria-hidden': 'true' }), phase, where, left),
      newest,
      workers,
      meter,
    ),
  );
  const bar = document.getElementById('live')!;
  const draw = () => {
    if (!state) return;
    const sinceMs = performance.now() - toldMs;
    bar.dataset.phase = isLost ? 'lost' : state.phase;
    const [title, ...rest] = isLost ? LOST : sayPhase(state, data);
    if (phase.textContent !== title) phase.textContent = title;
    where.replaceChildren(...rest);
    newest.replaceChildren(...(isLost ? [] : sayAnswers(state, data)));
    newest.hidden = newest.childNodes.length === 0;
    workers.replaceChildren(...(isLost ? [] : sayWorkers(state)));
    workers.hidden = workers.childNodes.length === 0;
    left.textContent = isLost ? '' : sayProgress(state, sinceMs);
    const share = isLost ? undefined : shareOf(state, sinceMs);
    meter.hidden = share === undefined;
    meter.value = share ?? 0;
    markCurrent(data, isLost ? undefined : state);
  };
  setInterval(draw, 1000);
  return {
    say(next: LiveState) {
      [state, toldMs, isLost] = [next, performance.now(), false];
      draw();
    },
    lose() {
      if (state?.phase === 'ended') return;
      isLost = true;
      draw();
    },
    know(next: PageData) {
      data = next;
      draw();
    },
  };
}

const LOST: readonly [string, string] = ['Connection lost', 'trying again; what is shown stays'];

const ENDINGS = {
  finished: 'The study has ended',
  budget: 'The study has ended: its time budget is used up',
  stopped: 'The study was stopped',
  broken: 'The study broke off',
} as const;

function sayPhase(
  { phase, progress, last, judged, ending, page }: LiveState,
  data: PageData,
): [string, ...(Node | string)[]] {
  if (phase === 'ended') return [ENDINGS[ending ?? 'finished'], 'its report: ', element('code', {}, page ?? '')];
  if (phase === 'resting')
    return [data.summary.finished ? 'Finished' : 'Not being measured just now', 'this page follows if it goes on'];
  const { current, arm } = progress;
  if (judged !== undefined) return ['Lighthouse', `${count(judged, 'run')} so far; no answer rests on them`];
  return [
    'Measuring',
    ...(current === undefined ? [] : [named(titleOf(current, data), 60)]),
    ...(arm === undefined ? [] : [`, ${titleOfArm(arm, data)}`]),
    ...(current === undefined && last ? [sayLast(last, data)] : []),
  ];
}

function sayLast({ condition, trials }: LastBlock, data: PageData): string {
  return `${titleOf(condition, data)}: ${inWords(trials.map(trialInWords), 'and')}`;
}

/** The newest answers, in a line. */
function sayAnswers({ phase, answers = [] }: LiveState, data: PageData): (Node | string)[] {
  if (phase !== 'measured' || answers.length === 0) return [];
  return ['Newest: ', ...answers.map((answer) => element('span', {}, ...sayAnswer(answer, data)))];
}

/** What each worker does, where workers on other machines run the study. */
function sayWorkers({ phase, progress }: LiveState): Node[] {
  if (phase !== 'measured') return [];
  return (progress.workers ?? []).map((worker) => element('li', {}, describeWorker(worker)));
}

function sayAnswer({ condition, serve, asGood, sureness, gain }: NewAnswer, data: PageData): (Node | string)[] {
  const nameOf = (arm: string) => titleOfArm(arm, data);
  const arms = inWords([serve, ...asGood].map(nameOf), 'or');
  const beside = serve === gain.over ? '' : `, ${besideInWords(gain, nameOf)}`;
  return [named(titleOf(condition, data), 50), `: ${arms}${beside} (${sureness})`];
}

function sayProgress({ phase, progress, judged }: LiveState, sinceMs: number): string {
  const { loads, answered, settled, conditions, leftMs } = progress;
  return [
    count(loads, 'load'),
    `${answered} of ${count(conditions, 'condition')} answered, ${settled} settled`,
    ...(phase === 'measured' && judged === undefined && leftMs !== undefined
      ? [`about ${describeTime(Math.max(0, leftMs - sinceMs))} left`]
      : []),
  ].join(' · ');
}

/** The share of the study's time that has passed; undefined where it is not known. */
function shareOf({ phase, progress: { elapsedMs, leftMs } }: LiveState, sinceMs: number): number | undefined {
  if (phase !== 'measured' || elapsedMs === undefined || leftMs === undefined) return undefined;
  return Math.min(1, (elapsedMs + sinceMs) / Math.max(1, elapsedMs + leftMs));
}

function titleOf(condition: string, { summary, conditions }: PageData): string {
  return conditions[summary.conditions.findIndex(({ id }) => id === condition)]?.title ?? 'the self-test';
}

function titleOfArm(name: string, { arms }: PageData): string {
  return arms.find((arm) => arm.name === name)?.title ?? name;
}

/** Marks in the grid where the load is just now. */
function markCurrent({ summary }: PageData, state: LiveState | undefined): void {
  const index = summary.conditions.findIndex(({ id }) => id === state?.progress.current);
  for (const cell of document.querySelectorAll<HTMLElement>('.cell'))
    cell.toggleAttribute('data-now', state?.phase === 'measured' && cell.dataset.condition === `${index}`);
}
