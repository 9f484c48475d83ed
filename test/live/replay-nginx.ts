import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { RecordedManifest } from '../../harness/model/recording.ts';
import { makeCertificate } from '../../harness/server/certificate.ts';
import { type ReplayListener, renderReplayServers } from '../../harness/server/replay-nginx.ts';
import { certificateNames } from '../../harness/site/replay/addresses.ts';
import { killGroup, start } from '../../harness/system/process.ts';
import { readTools } from '../../harness/system/tools.ts';

const TEMPLATE = readFileSync(new URL('../../nginx/nginx.conf', import.meta.url), 'utf8');

export interface ReplayNginxOptions {
  readonly folder: string;
  readonly manifest: RecordedManifest;
  readonly listeners: readonly ReplayListener[];
  readonly backend: string;
}

/** nginx as a lab has it, with a recording's origins in place of a lab's own. */
export async function openReplayNginx({ folder, manifest, listeners, backend }: ReplayNginxOptions) {
  await using undo = new AsyncDisposableStack();
  const { certificate, key, spki } = await makeCertificate(folder, certificateNames(manifest));
  const words: Readonly<Record<string, string>> = {
    ...{ folder, certificate, key, accessLog: 'access.log', thinking: '', backend: '127.0.0.1:4400' },
    ...{ ticketKey: `${folder}/tickets.key`, tokenKey: `${folder}/tokens.key` },
    origins: renderReplayServers({ listeners, backend, tls: ['ssl_session_tickets off;'] }),
  };
  writeFileSync(words.ticketKey!, Buffer.alloc(80, 1));
  writeFileSync(words.tokenKey!, Buffer.alloc(32, 1));
  const configuration = TEMPLATE.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => words[word]!);
  writeFileSync(`${folder}/nginx.conf`, configuration);
  const [log, pid] = [`${folder}/error.log`, `${folder}/nginx.pid`];
  const nginx = start([...readTools().nginx.argv, '-p', folder, '-e', log, '-c', `${folder}/nginx.conf`]);
  undo.defer(() => killGroup(nginx.pid));
  const untilMs = performance.now() + 10_000;
  while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') {
    if (nginx.child.exitCode !== null || performance.now() > untilMs)
      throw new Error(`nginx did not start: ${readFileSync(log, 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const kept = undo.move();
  return { configuration, spki, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
