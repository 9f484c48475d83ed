import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { summarizeStudy } from '../findings/summary.ts';
import { originFor } from '../model/arm.ts';
import type { Capture, DevToolsEvent } from '../model/capture.ts';
import type { Film } from '../model/film.ts';
import type { PageData } from '../report/page-data.ts';
import { buildPage, type PageSource, readPageSource } from '../report/view-model.ts';
import { readLoad } from '../report/waterfall.ts';
import { openStoreToRead, STORE_FILE } from '../store/store.ts';
import { writeGeneratedStudy } from './generated-study.ts';

/** The number of requests in each waterfall. */
export const REQUESTS = 255;

/** The page of the whole study, and as it was a round before its end. */
export interface GeneratedPages {
  readonly before: PageData;
  readonly whole: PageData;
}

/** Writes a generated study of `loads` loads into a folder, and makes pages with the largest waterfalls and films. */
export function makeGeneratedPages(folder: string, loads: number): GeneratedPages {
  writeGeneratedStudy(join(folder, STORE_FILE), loads);
  using store = openStoreToRead(join(folder, STORE_FILE));
  const loadOf = (trial: number) => readLoad(generatedCapture(trial));
  const whole = { ...readPageSource(store), loadOf, filmOf: generatedFilm };
  const rounds = Math.max(...whole.found.measurements.map(({ block }) => block));
  const before = {
    ...whole,
    trials: whole.trials.filter(({ measurement }) => measurement.block < rounds),
    found: { ...whole.found, measurements: whole.found.measurements.filter(({ block }) => block < rounds) },
  };
  const pageOf = (source: PageSource) =>
    buildPage(source, summarizeStudy(source.found), { again: { command: 'npm run bench -- report' }, next: [] });
  return { before: pageOf(before), whole: pageOf(whole) };
}

/** The generated study has no logs: this one is as long as those of its largest sites, each load's other than the last. */
function generatedCapture(trial: number): Capture {
  const own = originFor('h3', 'cold');
  const nth = (index: number): DevToolsEvent[] => {
    const at = 100 + ((index * 7919 + trial * 104_729) % 10_007) / 5000;
    const requestId = `${index}`;
    const url = `${own.url}/many-small/images/picture-${index}.png`;
    const timing = {
      requestTime: at,
      connectStart: index < 6 ? 1 : -1,
      connectEnd: 30,
      sendStart: 31,
      receiveHeadersStart: 60,
    };
    return [
      event('Network.requestWillBeSent', {
        requestId,
        timestamp: at,
        type: 'Image',
        request: { url, method: 'GET', initialPriority: 'Low' },
      }),
      event('Network.responseReceived', {
        requestId,
        timestamp: at + 0.06,
        response: { status: 200, protocol: 'h3', connectionId: 7, timing },
      }),
      event('Network.dataReceived', { requestId, timestamp: at + 0.07, dataLength: 4000 + index }),
      event('Network.loadingFinished', { requestId, timestamp: at + 0.08 }),
    ];
  };
  return {
    page: { url: `${own.url}/`, visit: 'cold', origins: [own], objects: [] },
    server: [],
    host: { cores: [] },
    launch: 1,
    wallMs: 0,
    browser: { events: Array.from({ length: REQUESTS }, (_, index) => nth(index)).flat(), digests: {} },
  };
}

/** A film of the most frames that one may have, each the size of a picture of a page, and no two alike. */
function generatedFilm(condition: string, arm: string): Film {
  const frames = Array.from({ length: 8 }, (_, index) => ({
    atMs: 100 * index,
    jpeg: createHash('sha512').update(`${condition} ${arm} ${index}`).digest('base64').replaceAll('=', '').repeat(60),
  }));
  return { pltMs: 800, frames };
}

function event(method: string, params: object): DevToolsEvent {
  return { method, params };
}
