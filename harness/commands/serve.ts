import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { UsageError } from '../model/errors.ts';
import { followStudy } from '../report/live/follow.ts';
import { openLiveServer } from '../report/live/server.ts';
import { bundlePage } from '../report/page-bundle.ts';
import { stopRequested } from '../system/stop.ts';
import { openStudySource } from './study-source.ts';

/** Reads the port that an option may name: 0 for one that is free. */
export function parsePort(option: string, text: string): number {
  const port = text === '' ? 0 : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${option}: '${text}' will not do; allowed: a port from 1 to 65535, or none for a free one`);
}

/** `photofinish report DIR --serve`: shows a study in this machine's browsers, and what becomes of it, until Ctrl-C. */
export async function serveStudy(folder: string, port: number, print: (line: string) => void): Promise<number> {
  // Somebody may be measuring on this machine just now.
  setPriority(constants.priority.PRIORITY_LOW);
  const stop = stopRequested();
  using study = followStudy(openStudySource(folder));
  await using server = await openLiveServer({ study, bundle: bundlePage(), folder, port });
  print(`${server.url}  (until Ctrl-C)`);
  if (!stop.aborted) await once(stop, 'abort');
  return 0;
}
