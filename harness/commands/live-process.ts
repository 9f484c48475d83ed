/*
 * `node live-process.ts FOLDER PORT`: serves a study's page while another process measures it, which says on standard
 * input, an event a line, what happens. It says its address, and ends with its input.
 */
import { createInterface } from 'node:readline';
import { UsageError } from '../model/errors.ts';
import type { StudyEvent } from '../model/event.ts';
import { EXIT } from '../model/exit-code.ts';
import { followStudy } from '../report/live/follow.ts';
import { openLiveServer } from '../report/live/server.ts';
import { bundlePage } from '../report/page-bundle.ts';
import { pageFile } from './report.ts';
import { servedToken } from './served-token.ts';
import { openStudySource } from './study-source.ts';

async function serve(folder: string, port: number): Promise<void> {
  using study = followStudy(openStudySource(folder));
  await using server = await openLiveServer({ study, bundle: bundlePage(), folder, port, token: servedToken(folder) });
  process.stdout.write(`${server.url}\n`);
  let hasEnded = false;
  for await (const line of createInterface({ input: process.stdin })) {
    const event = JSON.parse(line) as StudyEvent;
    study.tell(event);
    hasEnded ||= event.event === 'ended';
  }
  // A process that ended without a word was killed, and has written no report.
  if (!hasEnded) return;
  study.finish(pageFile(folder));
  await server.drained();
}

try {
  await serve(process.argv[2]!, Number(process.argv[3]));
} catch (error) {
  process.stderr.write(`${error instanceof UsageError ? error.message : (error as Error).stack}\n`);
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.bug;
}
