import type { CDPSession } from 'puppeteer-core';
import type { BrowserCapture } from '../model/capture.ts';
import type { Film, FilmFrame } from '../model/film.ts';

/** The width at which a film strip shows a frame. */
const WIDTH = 200;
const HEIGHT = 150;
const QUALITY = 40;
/** A strip has no room for more. */
const FRAMES_MAX = 8;

/** Has a page tell what it looks like whenever that changes. */
export async function startFilm(session: CDPSession): Promise<void> {
  session.on('Page.screencastFrame', ({ sessionId }) => {
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => {}); // The page has gone.
  });
  await session.send('Page.startScreencast', {
    format: 'jpeg',
    quality: QUALITY,
    maxWidth: WIDTH,
    maxHeight: HEIGHT,
    everyNthFrame: 1,
  });
}

/** The film of a filmed load; undefined where it did not come to its end. */
export function developFilm({ events, timings }: BrowserCapture): Film | undefined {
  if (timings?.originMs === undefined) return undefined;
  const { originMs } = timings;
  const frames = events.flatMap(({ method, params }): FilmFrame[] => {
    if (method !== 'Page.screencastFrame') return [];
    const { data, metadata } = params as { data: string; metadata: { timestamp: number } };
    return [{ atMs: Math.round(1000 * metadata.timestamp - originMs), jpeg: data }];
  });
  return { pltMs: timings.loadEventEndMs, frames: thinned(changes(frames)) };
}

/** The first of each run of frames that look the same, leaving out those from before navigation began. */
function changes(frames: readonly FilmFrame[]): readonly FilmFrame[] {
  const own = frames.filter(({ atMs }) => atMs >= 0);
  return own.filter(({ jpeg }, index) => jpeg !== own[index - 1]?.jpeg);
}

/** The frames that there is room for, evenly spread, with the first and the last. */
function thinned(frames: readonly FilmFrame[]): readonly FilmFrame[] {
  if (frames.length <= FRAMES_MAX) return frames;
  return Array.from(
    { length: FRAMES_MAX },
    (_, index) => frames[Math.round((index * (frames.length - 1)) / (FRAMES_MAX - 1))]!,
  );
}
