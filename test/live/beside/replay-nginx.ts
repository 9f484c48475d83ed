import type { Origin } from '../../../harness/model/arm.ts';
import type { RecordedManifest } from '../../../harness/model/recording.ts';
import { requireServer } from '../../../harness/server/adapters.ts';
import { makeCertificate } from '../../../harness/server/certificate.ts';
import { replayNginx } from '../../../harness/server/replay-nginx.ts';
import { openServer } from '../../../harness/server/server.ts';
import { certificateNames } from '../../../harness/site/replay/addresses.ts';

export interface ReplayNginxOptions {
  readonly folder: string;
  readonly manifest: RecordedManifest;
  readonly origins: readonly Origin[];
  readonly backend: string;
}

/** nginx as a lab has it in front of a recording, on loopback. */
export async function openReplayNginx({ folder, manifest, origins, backend }: ReplayNginxOptions) {
  const certificate = await makeCertificate(folder, certificateNames(manifest));
  const server = await openServer(replayNginx, {
    folder,
    certificate,
    origins,
    backend,
    argv: requireServer('nginx').argv,
    sites: [],
    behind: '',
    holdFile: '',
    host: { namespace: undefined as never, address: '127.0.0.1', device: 'lo' },
  });
  const { configuration } = server;
  return { configuration, spki: certificate.spki, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
