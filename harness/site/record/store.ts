import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../model/errors.ts';
import { bodyFile, type LeftOut, type RecordedResponse, type RecordedSite } from '../../model/recording.ts';
import { giveToSudoer, makeFolder, nameAside } from '../../system/write-whole.ts';
import type { KeptPage } from './keep-page.ts';
import { asLine, MANIFEST_SCHEMA } from './manifest-schema.ts';

const MANIFEST = 'manifest.json';
const MOST_MANIFEST_BYTES = 500_000_000;

/** What a recording may be called: it is the name of its folder. */
export const RECORDING_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The recordings below a folder, by name. */
export function listRecordings(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isDirectory() && RECORDING_NAME.test(each.name))
    .map(({ name }) => name);
  return names.filter((name) => existsSync(join(folder, name, MANIFEST))).toSorted();
}

/** Writes a recording aside and moves it to its folder, so that what is there is whole; what was there before is gone. */
export function writeRecording({ manifest, bodies }: KeptPage, folder: string): RecordedSite {
  const root = join(folder, manifest.site);
  const partial = nameAside(join(folder, `.${manifest.site}`));
  const old = nameAside(join(folder, `.${manifest.site}`));
  // What is written is what can be read again.
  const checked = MANIFEST_SCHEMA.parse(manifest);
  try {
    makeFolder(partial);
    for (const folder of new Set([...bodies.keys()].map((sha256) => dirname(join(partial, bodyFile(sha256))))))
      mkdirSync(folder, { recursive: true });
    for (const [sha256, body] of bodies) writeFileSync(join(partial, bodyFile(sha256)), body);
    writeFileSync(join(partial, MANIFEST), JSON.stringify(checked, undefined, 1));
    giveToSudoer(partial);
    if (existsSync(root)) renameSync(root, old);
    renameSync(partial, root);
  } finally {
    rmSync(partial, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
  return { manifest: checked, root };
}

/** A recording as it was read, and what of it cannot be served. */
export interface ReadRecording {
  readonly site: RecordedSite;
  /** By their SHA-256; each is what its name says. */
  readonly bodies: ReadonlyMap<string, Buffer>;
  readonly leftOut: readonly LeftOut[];
}

/** Reads a recording from any source: what is not what it says it is is left out, each with a line. */
export function readRecording(root: string): ReadRecording {
  const manifest = readManifest(root);
  const leftOut: LeftOut[] = [];
  const bodies = new Map<string, Buffer>();
  const faults = new Map<string, string>();
  const isThere = ({ body, bytes, method, url }: RecordedResponse): boolean => {
    if (body === undefined) return true;
    if (!bodies.has(body) && !faults.has(body)) {
      const read = readBody(join(root, bodyFile(body)), body, bytes);
      if (typeof read === 'string') faults.set(body, read);
      else bodies.set(body, read);
    }
    const fault = faults.get(body);
    if (fault !== undefined) leftOut.push({ what: asLine(`${method} ${url}`), why: fault });
    return fault === undefined;
  };
  const responses = manifest.responses.filter(isThere);
  // A folder that was renamed is another site.
  return { site: { root, manifest: { ...manifest, site: basename(root), responses } }, bodies, leftOut };
}

function readManifest(root: string) {
  const path = join(root, MANIFEST);
  let text: string;
  try {
    text = readPlainFile(path, MOST_MANIFEST_BYTES).toString('utf8');
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${path} is no JSON: ${asLine((cause as Error).message)}`, { cause });
  }
  const { success, data, error } = MANIFEST_SCHEMA.safeParse(written);
  if (success) return data;
  const [issue] = error.issues;
  throw new UsageError(`${path} is no recording: ${issue!.path.join('.') || 'it'}: ${asLine(issue!.message)}`);
}

/** A body, or why it is not what it should be. */
function readBody(path: string, sha256: string, bytes: number): Buffer | string {
  let body: Buffer;
  try {
    body = readPlainFile(path, bytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'its body is missing' : `its body cannot be read: ${message.replace(path, 'the file')}`;
  }
  if (body.length !== bytes) return `its body is cut short: ${body.length} of ${bytes} bytes`;
  return createHash('sha256').update(body).digest('hex') === sha256 ? body : 'its body is another than was recorded';
}

/** The content of a plain file, and no link to one elsewhere, of at most `mostBytes`. */
function readPlainFile(path: string, mostBytes: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error('it is no file');
    if (stat.size > mostBytes) throw new Error(`it has ${stat.size} bytes, of ${mostBytes}`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
