import type { Response } from 'express';
import type { FollowedStudy } from './follow.ts';

/** All clients that are told how a study goes on. */
export interface Streams extends Disposable {
  /** Begins to tell a client, with the whole state first; refuses where there are too many. */
  add(response: Response): void;
  /** Resolves when no client listens any more, or after `timeoutMs`. */
  drained(timeoutMs: number): Promise<void>;
}

const MOST = 32;
/** Several changes at once are told as one. */
const GATHER_MS = 200;
/** A client with this much unread no longer listens. */
const PILE_BYTES = 1_000_000;

/**
 * Tells by server-sent events: each is the whole state, so that a client which reconnects has missed nothing. Now and then
 * it says a word to all, and disconnects those that have not taken what they were told before.
 */
export function openStreams(study: FollowedStudy, breathMs: number): Streams {
  const responses = new Set<Response>();
  /** Those that had not taken all that they were told when they were looked at last. */
  let behind = new Set<Response>();
  let gathering: NodeJS.Timeout | undefined;
  let isDrained = () => {};
  const write = (response: Response, text: string) => {
    if (response.writableLength > PILE_BYTES) response.destroy();
    else response.write(text);
  };
  const say = () => {
    gathering = undefined;
    const text = messageOf(study);
    for (const response of responses) write(response, text);
  };
  const subscription = study.subscribe(() => {
    gathering ??= setTimeout(say, GATHER_MS);
  });
  const breath = setInterval(() => {
    const late = [...responses].filter((response) => response.writableLength > 0);
    for (const response of late.filter((each) => behind.has(each))) response.destroy();
    behind = new Set(late);
    for (const response of responses) write(response, ':\n\n');
  }, breathMs);
  return {
    add(response) {
      if (responses.size >= MOST) {
        response.status(503).type('text/plain').send(`${MOST} pages follow this study already\n`);
        return;
      }
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      response.write(`retry: 1000\n${messageOf(study)}`);
      responses.add(response);
      response.on('close', () => {
        responses.delete(response);
        if (responses.size === 0) isDrained();
      });
    },
    drained: (timeoutMs) =>
      new Promise((resolve) => {
        if (responses.size === 0) return resolve();
        const timer = setTimeout(resolve, timeoutMs);
        isDrained = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    [Symbol.dispose]() {
      subscription[Symbol.dispose]();
      clearInterval(breath);
      clearTimeout(gathering);
      for (const response of responses) response.end();
    },
  };
}

function messageOf(study: FollowedStudy): string {
  const state = study.state();
  return `id: ${state.version}\ndata: ${JSON.stringify(state)}\n\n`;
}
