import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { RECIPES } from '../../sites/recipes.ts';
import type { ResolvedName } from '../browser/flags.ts';
import { type LoadedAgain, loadAgain } from '../browser/record/load-again.ts';
import { recordPage } from '../browser/record/record-page.ts';
import { DEVICE_NAMES, DEVICES, type DeviceName } from '../model/device.ts';
import { EnvironmentError, UsageError } from '../model/errors.ts';
import { EXIT } from '../model/exit-code.ts';
import type { Link } from '../model/link.ts';
import type { Values } from '../model/option.ts';
import { type LiveLoad, normalUrl, type RecordedSite, type SeenPage } from '../model/recording.ts';
import { isAddress, whyRefused } from '../model/remote.ts';
import { renderRecording } from '../report/recording-text.ts';
import { RECORDINGS, refuseManyOrigins } from '../run/sites.ts';
import { readHar } from '../site/record/har.ts';
import { keepPage } from '../site/record/keep-page.ts';
import { secretLikeKeys } from '../site/record/secrets.ts';
import { listRecordings, RECORDING_NAME, readRecording, writeRecording } from '../site/record/store.ts';
import { median } from '../stats/order.ts';
import { findName } from '../study/fields.ts';
import { parseLink } from '../study/link.ts';
import { shortened } from '../study/place.ts';
import { parseWholeNumber } from '../study/quantity.ts';
import { parseResolve } from '../study/resolve-name.ts';
import { addressMeant } from '../study/site-name.ts';
import { unknownName } from '../study/unknown-name.ts';
import { SCRATCH } from '../system/enclosure.ts';
import { stopRequested } from '../system/stop.ts';
import { readTools } from '../system/tools.ts';
import { takeTurn } from '../system/turn.ts';
import type { COMMANDS } from './command-table.ts';
import { LINK_SOURCES } from './sources.ts';
import { takeTurnFor } from './turn.ts';
import { VERIFYING_LOADS, verify } from './verify.ts';

/** What `record` was asked for. */
export interface RecordRequest {
  /** Absent: what was recorded before, to be verified. */
  readonly from?: { readonly url: string } | { readonly har: string };
  readonly name: string;
  readonly folder: string;
  readonly device: DeviceName;
  readonly waitMs: number;
  readonly script?: string | undefined;
  readonly keepSecrets: boolean;
  readonly insecure: boolean;
  readonly resolved: readonly ResolvedName[];
  /** Whether it is replayed in a lab, and compared. */
  readonly verify: boolean;
  /** Begins although something else is measured on this machine. */
  readonly beside: boolean;
  /** The link between the page and this machine, for users that know it. */
  readonly link?: Link | undefined;
}

type RecordFlags = Values<typeof COMMANDS.record.options>;

/** Whether a page is opened: only that needs a browser, and a place where it leaves nothing behind. */
export function opensPage([source]: readonly string[], { verify = false }: RecordFlags = {}): boolean {
  return source === undefined || isAddress(source) || verify;
}

/** Reads the operands and options of `record`. */
export function parseRecord(flags: RecordFlags, operands: readonly string[], folder = RECORDINGS): RecordRequest {
  const [source, name] = operands;
  const { verify = false, beside = false } = flags;
  const link = flags.link === undefined ? undefined : parseLink(flags.link, LINK_SOURCES);
  if (link && !verify) throw new UsageError('--link: can only be used with --verify');
  if (name === undefined) {
    const known = listRecordings(folder);
    if (!verify || !known.includes(source!)) {
      if (verify && !isAddress(source!) && !existsSync(source!))
        throw unknownName(source!, { where: 'record', what: 'recording', known, see: 'npx photofinish list sites' });
      throw new UsageError(
        `record: "${shortened(source!)}" needs a name. Example: npx photofinish record http://localhost:3000/ mine`,
      );
    }
    for (const flag of ['device', 'wait', 'insecure', 'resolve', 'keep-secrets', 'replace'] as const)
      if (flags[flag] !== undefined)
        throw new UsageError(`--${flag}: can only be used when a page is recorded, not with a recording`);
    return { ...EARLIER, name: source!, folder, verify, beside, link, script: parseScript(flags.script) };
  }
  const from = parseSource(source!);
  if ('har' in from)
    for (const flag of ['device', 'wait', 'script', 'insecure', 'resolve'] as const)
      if (flags[flag] !== undefined)
        throw new UsageError(`--${flag}: can only be used when a page is opened, not with a HAR`);
  const device = findName('device', flags.device ?? 'desktop', DEVICE_NAMES, '--device');
  return {
    from,
    name: parseName(name, folder, flags.replace === true),
    folder,
    device,
    verify,
    beside,
    link,
    script: parseScript(flags.script),
    waitMs: 1000 * parseWholeNumber('--wait', flags.wait ?? '0', 0, 600),
    keepSecrets: flags['keep-secrets'] ?? false,
    insecure: flags.insecure ?? false,
    resolved: (flags.resolve ?? []).map((text) => parseResolve(text)),
  };
}

/** The options that do not matter where nothing is recorded. */
const EARLIER = { device: 'desktop', waitMs: 0, keepSecrets: false, insecure: false, resolved: [] } as const;

function parseScript(file: string | undefined): string | undefined {
  const script = file === undefined ? undefined : resolve(file);
  if (script !== undefined && !existsSync(script)) throw new UsageError(`--script: no file "${file}"`);
  return script;
}

/** No program here can hold a longer text. */
const MOST_HAR_BYTES = 500_000_000;

function parseSource(source: string): NonNullable<RecordRequest['from']> {
  if (isAddress(source)) {
    const why = whyRefused(source);
    if (why !== undefined) throw new UsageError(`record: "${source}" cannot be asked for: ${why}`);
    const url = normalUrl(source);
    if (url === undefined) throw new UsageError(`record: "${source}" is no address that a lab can serve again`);
    return { url };
  }
  const stat = statSync(source, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size > MOST_HAR_BYTES)
    throw new UsageError(`record: "${source}" has ${stat.size} bytes. Expected: a HAR of up to ${MOST_HAR_BYTES}`);
  if (stat?.isFile()) return { har: source };
  const meant = addressMeant(source);
  throw new UsageError(
    [
      `record: "${shortened(source)}" is neither an address nor a file.`,
      ...(meant === undefined ? [] : [`Did you mean "${meant}"?`]),
      'Expected: an address such as https://shop.example/, or a HAR file',
    ].join(' '),
  );
}

function parseName(name: string, folder: string, replace: boolean): string {
  if (!RECORDING_NAME.test(name))
    throw new UsageError(
      `record: "${name}" is no name. Expected: a-z, 0-9, ., _ and -, up to 64, the first a letter or digit`,
    );
  if (Object.hasOwn(RECIPES, name))
    throw new UsageError(`record: a site that comes with Photofinish is called "${name}"`);
  if (existsSync(join(folder, name)) && !replace)
    throw new UsageError(`record: the recording "${name}" exists already; --replace overwrites it`);
  return name;
}

/** How many loads tell how long a page's servers think, where the recording is not verified. */
const LOADS_AGAIN = 3;

/** `photofinish record`: keeps a page with all that it loads as a site, says what it kept, and how good a replay is. */
export async function record(request: RecordRequest, print: (line: string) => void, take = takeTurn): Promise<number> {
  const { from, name, folder, script, link, beside, verify: verifies } = request;
  const signal = stopRequested();
  try {
    const own = { study: `record ${name}`, out: join(folder, name) };
    const opens = verifies || (from !== undefined && 'url' in from);
    await using _turn = opens ? await takeTurnFor(own, { beside, print }, take) : undefined;
    signal.throwIfAborted();
    const site = from ? await recordSite(request, from, { signal, print }) : readRecording(join(folder, name)).site;
    if (signal.aborted) return EXIT.stopped;
    if (!verifies) return EXIT.done;
    refuseManyOrigins(site);
    const act = script === undefined ? undefined : await importScript(script);
    return await verify(site, { act, link, signal }, print);
  } catch (error) {
    if (signal.aborted) return EXIT.stopped;
    throw error;
  }
}

async function recordSite(
  request: RecordRequest,
  from: NonNullable<RecordRequest['from']>,
  { signal, print }: { readonly signal: AbortSignal; readonly print: (line: string) => void },
): Promise<RecordedSite> {
  const { name, folder, keepSecrets } = request;
  const seed = randomInt(0x100000000);
  const seen =
    'har' in from
      ? readHar(readFileSync(from.har, 'utf8'), from.har)
      : await watchPage(from.url, request, seed, signal);
  signal.throwIfAborted();
  const kept = keepPage(seen, { site: name, keepSecrets, seed });
  const page = kept.manifest.responses.find(({ url }) => url === kept.manifest.url);
  if (!page)
    throw new UsageError(`record: the page itself did not load: ${whyNot(kept.manifest.leftOut, kept.manifest.url)}`);
  const site = writeRecording(kept, folder);
  const { manifest, root } = site;
  print(renderRecording(manifest, { root, secretKeys: secretLikeKeys(manifest) }));
  return site;
}

function whyNot(leftOut: readonly { readonly what: string; readonly why: string }[], url: string): string {
  return leftOut.find(({ what }) => what.endsWith(url))?.why ?? `nothing answered at ${url}`;
}

async function watchPage(url: string, request: RecordRequest, seed: number, signal: AbortSignal): Promise<SeenPage> {
  const { device, waitMs, script, insecure, resolved, verify: verifies } = request;
  const act = script === undefined ? undefined : await importScript(script);
  const how = {
    url,
    insecure,
    resolved,
    chromium: readTools().chromium.path,
    folder: `${SCRATCH}/recording`,
    device: DEVICES[device],
  };
  const seen = await recordPage({ ...how, seed, waitMs, act, signal });
  if (!seen.live) return seen;
  try {
    const loads = await loadAgain({ ...how, signal }, verifies ? VERIFYING_LOADS : LOADS_AGAIN);
    return { ...seen, live: liveLoad(loads), again: loads.map(({ waited }) => waited) };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof EnvironmentError)) throw error;
    return { ...seen, notes: [...seen.notes, `how long its servers think is known from one load: ${error.message}`] };
  }
}

function liveLoad(loads: readonly LoadedAgain[]): LiveLoad {
  const rates = loads.flatMap(({ downKbps }) => downKbps ?? []);
  return {
    pltMs: median(loads.map(({ pltMs }) => pltMs)),
    loads: loads.length,
    // Where most were too quick to tell of a link, there is none to tell of.
    downKbps: 2 * rates.length > loads.length ? median(rates) : undefined,
  };
}

/** A module whose default export is called with Puppeteer's page. */
async function importScript(path: string): Promise<(page: Page) => Promise<unknown>> {
  let imported: { readonly default?: unknown };
  try {
    imported = (await import(pathToFileURL(path).href)) as typeof imported;
  } catch (cause) {
    throw new UsageError(`--script: ${path} cannot be loaded: ${(cause as Error).message}`, { cause });
  }
  const act = imported.default;
  if (typeof act !== 'function')
    throw new UsageError(
      `--script: ${path} has no function as its default export; as in: export default async (page) => …`,
    );
  return async (page) => {
    try {
      await (act as (page: Page) => unknown)(page);
    } catch (cause) {
      throw new UsageError(`--script: ${path} failed: ${(cause as Error).message}`, { cause });
    }
  };
}
