import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeCertificate } from '../../harness/server/certificate.ts';
import { connect } from '../../harness/workers/redis.ts';
import { planOf } from '../study/plans.ts';
import { coordinate } from './coordinating.ts';
import { freePort, type RedisServer, startRedis } from './redis-server.ts';
import { serve } from './serving.ts';

/* Coordinator and worker meet at a Redis that speaks TLS and asks for a password. */

const PLAN = planOf({ sites: ['a'], links: ['fibre'], stopping: { kind: 'exactly', blocks: 4 } });
const TRUSTED = getCACertificates('default');

let redis: RedisServer;
let folder: string;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'photofinish-tls-'));
  const { certificate, key } = await makeCertificate(folder, ['localhost']);
  const port = await freePort();
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', `${folder}/root.pem`];
  const clients = ['--tls-auth-clients', 'no', '--requirepass', 'sesame'];
  redis = await startRedis('--tls-port', `${port}`, ...files, ...clients);
  url = `rediss://:sesame@localhost:${port}`;
});
afterAll(async () => {
  setDefaultCACertificates(TRUSTED);
  await redis[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test('a server with a certificate of an unknown authority is refused, and the message does not have the password', async () => {
  setDefaultCACertificates(TRUSTED);
  const refused = connect(url, 700);
  await expect(refused).rejects.toThrow(/^rediss:\/\/localhost:\d+ cannot be used: .*certificate/);
  await expect(refused).rejects.not.toThrow(/sesame/);
});

test('a study runs over TLS once its authority is trusted', async () => {
  setDefaultCACertificates([...TRUSTED, readFileSync(`${folder}/root.pem`, 'utf8')]);
  const stop = new AbortController();
  const serving = serve({ url, name: 'far', stop: stop.signal });
  try {
    const { ending, blocks } = await coordinate({ url, plan: PLAN, folder });
    expect(ending).toBe('finished');
    expect(blocks.filter(({ block }) => block.condition !== PLAN.control.id)).toHaveLength(4);
  } finally {
    stop.abort();
    await serving;
  }
});

test('a wrong password is refused', async () => {
  await expect(connect(url.replace('sesame', 'open'), 700)).rejects.toThrow(/cannot be used: .*(WRONGPASS|password)/);
});
