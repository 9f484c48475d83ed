import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { EXIT } from '../model/exit-code.ts';
import { followStudy } from '../report/live/follow.ts';
import { openLiveServer } from '../report/live/server.ts';
import { bundlePage } from '../report/page-bundle.ts';
import { stopRequested } from '../system/stop.ts';
import { servedToken } from './served-token.ts';
import { openStudySource } from './study-source.ts';

/** `photofinish report DIR --serve`: shows a study in this machine's browsers, and what becomes of it, until Ctrl-C. */
export async function serveStudy(folder: string, port: number, print: (line: string) => void): Promise<number> {
  // A study may be running on this machine just now.
  setPriority(constants.priority.PRIORITY_LOW);
  const stop = stopRequested();
  using study = followStudy(openStudySource(folder), { complain: (why) => print(`(not read just now: ${why})`) });
  await using server = await openLiveServer({ study, bundle: bundlePage(), folder, port, token: servedToken(folder) });
  print(`${server.url}  (until Ctrl-C)`);
  if (!stop.aborted) await once(stop, 'abort');
  return EXIT.done;
}
