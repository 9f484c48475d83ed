import { type Origin, originsAt } from '../../harness/model/arm.ts';
import type { ServerSettings } from '../../harness/server/adapter.ts';

const object = (path: string, thinkMs?: number) => ({
  path,
  bytes: 1,
  type: 'image/png',
  sha256: '',
  thinkMs,
});

const site = (name: string, thinkMs?: number) => ({
  root: `/cache/${name}-1-1`,
  manifest: { site: name, seed: 1, document: `/${name}/index.html`, objects: [object(`/${name}/a.png`, thinkMs)] },
});

/** What a configuration is rendered from in tests: two sites, one of which thinks, on every origin. */
export const SETTINGS: ServerSettings = {
  host: { namespace: 'lab1-server1', address: '10.77.0.21', device: 'eth0' },
  folder: '/run/photofinish/lab1-server1',
  certificate: { certificate: '/f/certificate.pem', key: '/f/key.pem', spki: '', bytes: 2_800 },
  sites: [site('quick'), site('thoughtful', 100)],
  origins: originsAt(0),
  behind: '127.0.0.1:4401',
  backend: '127.0.0.1:4400',
  holdFile: '/run/photofinish/lab1-server1/hold',
};

/** Those origins of every kind that speak some protocols. */
export function originsOf(protocols: readonly Origin['protocol'][]): readonly Origin[] {
  return originsAt(0).filter(({ protocol }) => protocols.includes(protocol));
}
