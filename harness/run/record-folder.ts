import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { recordPage } from '../browser/record/record-page.ts';
import { DEVICES, type DeviceName } from '../model/device.ts';
import { UsageError } from '../model/errors.ts';
import { RECORDING_SCHEMA, type RecordedManifest, type RecordedSite, type SeenPage } from '../model/recording.ts';
import { makeCertificate } from '../server/certificate.ts';
import type { BuiltSite } from '../site/folder/find-folder.ts';
import { type ReadFolder, readFolder } from '../site/folder/read-folder.ts';
import { serveFolder } from '../site/folder/serve-folder.ts';
import { findCached, forgetOld } from '../site/record/cache.ts';
import { keepPage } from '../site/record/keep-page.ts';
import { asLine } from '../site/record/manifest-schema.ts';
import { writeRecording } from '../site/record/store.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { PROJECT, readTools } from '../system/tools.ts';

/** Where the recordings of folders are, each below a digest of what it was made of. */
export const FOLDER_RECORDINGS = `${PROJECT}.lab/sites/folders`;

export interface FolderOptions {
  readonly device: DeviceName;
  /** Ends the recording at once. */
  readonly signal: AbortSignal;
  readonly cache?: string;
  /** Has a browser opened once it may take the processor; at once by default. */
  readonly inTurn?: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * How folders are served and recorded: another way makes other recordings. Among those of version 1 are some that were
 * stopped half-way.
 */
const VERSION = 2;
/** A page whose scripts draw random numbers draws the same ones each time. */
const SEED = 1;

/**
 * The recording of a built site: made by serving its folder on loopback and opening its page in Chromium, as any page is
 * recorded, or found where the same files were recorded before. Needs an enclosure, whose scratch it uses.
 */
export async function recordFolder(
  built: BuiltSite,
  { device, signal, cache = FOLDER_RECORDINGS, inTurn = (work) => work() }: FolderOptions,
): Promise<RecordedSite> {
  const folder = readFolder(built.root);
  const below = join(cache, keyOf(folder, built, device));
  const known = findCached(join(below, built.name));
  if (known) return known.site;
  forgetOld(cache);
  const seen = await inTurn(() => watch(folder, built, { device, signal }));
  if (readFolder(built.root).digest !== folder.digest)
    throw new UsageError(`--site: ${built.root} changed while it was recorded; try again once it is built`);
  const { manifest, bodies } = keepPage(seen, { site: built.name, keepSecrets: false, seed: SEED });
  const page = manifest.responses.find(({ url }) => url === manifest.url);
  if (page?.status !== 200) throw new Error(`${built.root}: its page ${built.page} did not come`);
  return writeRecording({ manifest: describe(manifest, folder, built), bodies }, below);
}

function keyOf({ digest }: ReadFolder, { page, host }: BuiltSite, device: DeviceName): string {
  const made = JSON.stringify([RECORDING_SCHEMA, VERSION, digest, page, host, device]);
  return createHash('sha256').update(made).digest('hex').slice(0, 32);
}

async function watch(
  folder: ReadFolder,
  { host, page }: BuiltSite,
  { device, signal }: Pick<FolderOptions, 'device' | 'signal'>,
): Promise<SeenPage> {
  const scratch = mkdtempSync(`${SCRATCH}/folder-`);
  try {
    const { certificate, key, spki } = await makeCertificate(scratch, [host]);
    const credentials = { cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
    await using served = await serveFolder(folder, credentials);
    return await recordPage({
      url: `https://${host}${page}`,
      seed: SEED,
      waitMs: 0,
      insecure: false,
      spki,
      signal,
      chromium: readTools().chromium.path,
      folder: `${scratch}/browser`,
      device: DEVICES[device],
      resolved: [{ host, port: 443, address: served.address }],
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The manifest of a folder's recording, with notes; how long this machine took for a file says nothing of the site. */
function describe(manifest: RecordedManifest, { root, files, leftOut }: ReadFolder, { host }: BuiltSite) {
  const own = `https://${host}`;
  const isOwn = (url: string) => new URL(url).origin === own;
  const missing = manifest.responses.filter(({ url, status }) => status === 404 && isOwn(url));
  const orders = ['_headers', '_redirects'].filter((name) => files.has(name));
  const notes = [
    `${root} as a host of static sites serves it: ${files.size} files, text by Brotli unless the build compressed it, answers at once`,
    ...(missing.length > 0
      ? [`not in the folder: ${missing.length} of what the page asks for, as ${missing[0]!.url.slice(own.length, 200)}`]
      : []),
    ...(leftOut.length > 0
      ? [`not served: ${leftOut.length} links that lead out of the folder, or to folders, as ${leftOut[0]}`]
      : []),
    ...(orders.length > 0 ? [`not obeyed: ${orders.join(', ')}, which only some hosts read`] : []),
  ];
  return {
    ...manifest,
    origins: manifest.origins.map(({ rttMs, ...origin }) => ({
      ...origin,
      rttMs: rttMs !== undefined && origin.origin !== own ? rttMs : undefined,
    })),
    responses: manifest.responses.map(({ thinkMs, ...response }) => ({
      ...response,
      thinkMs: thinkMs !== undefined && !isOwn(response.url) ? thinkMs : undefined,
    })),
    notes: [...manifest.notes, ...notes.map(asLine)],
  };
}
