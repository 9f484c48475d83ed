import { randomInt } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIPv4 } from 'node:net';
import type { ResolvedName } from '../browser/flags.ts';
import { type RecordOptions, recordPage } from '../browser/record/record-page.ts';
import { portOf } from '../model/arm.ts';
import { EnvironmentError, UsageError } from '../model/errors.ts';
import type { SeenPage } from '../model/recording.ts';
import type { RemoteSite } from '../model/remote.ts';
import { readLeafKey } from '../server/leaf-key.ts';
import {
  findRemoteSite,
  landingOf,
  type NamedOrigin,
  originsAnswering,
  originsOf,
  originsTelling,
} from '../site/remote/remote-site.ts';

/** How a page that exists already is looked at before it is measured. */
export type ReconnaissanceOptions = Pick<
  RecordOptions,
  'url' | 'chromium' | 'folder' | 'device' | 'insecure' | 'resolved' | 'signal'
> & {
  /** Where origins were found before; they are not looked for again. */
  readonly addresses?: Readonly<Record<string, string>> | undefined;
};

/** What the reconnaissance needs of the world; tests have others. */
export interface Scouts {
  readonly look: (options: RecordOptions) => Promise<SeenPage>;
  /** The IPv4 address of a name. */
  readonly resolve: (host: string) => Promise<string>;
  readonly readKey: typeof readLeafKey;
}

const SCOUTS: Scouts = {
  look: recordPage,
  resolve: async (host) => (await lookup(host, { family: 4 })).address,
  readKey: readLeafKey,
};

/**
 * Opens a page from this machine, without the link: twice over TCP, which shows what it loads, from where, and what is
 * told of H3; then with QUIC forced on all servers that told of it, which shows whether they answer, and where some do not, on
 * those that do. From the first look on every name leads where it led then.
 */
export async function reconnoitre(options: ReconnaissanceOptions, scouts = SCOUTS): Promise<RemoteSite> {
  const { url, insecure, resolved } = options;
  const addresses = new Map(Object.entries(options.addresses ?? {}));
  const notes: string[] = [];
  const look = (more: Pick<RecordOptions, 'over' | 'spki'>) => {
    const pins = [...pinned(addresses), ...resolved];
    return scouts.look({ ...options, ...more, resolved: pins, seed: randomInt(0x100000000), waitMs: 0 });
  };
  const first = await look({ over: 'tcp' });
  assertCame(first);
  notes.push(...(await pin(addresses, [first], scouts)));
  const tcp = [first, await look({ over: 'tcp' })] as const;
  notes.push(...(await pin(addresses, tcp, scouts)));
  const trusted = insecure ? await readKeys(originsOf(tcp), addresses, scouts) : [];
  const telling = originsTelling(tcp);
  const own = originsOf(tcp)[0]!.origin;
  const overQuic = (origins: readonly NamedOrigin[]) =>
    lookOver(() => look({ over: { quic: origins }, spki: trusted.join(',') }));
  // Without the page's own there is no arm that would have QUIC.
  let quic = telling.some(({ origin }) => origin === own) ? await overQuic(telling) : undefined;
  const answering = quic ? originsAnswering(telling, quic) : [];
  // What the silent origins have did not come over QUIC, and will over TCP.
  if (answering.length < telling.length && answering.some(({ origin }) => origin === own))
    quic = await overQuic(answering);
  return findRemoteSite({ tcp, quic }, { asked: url, addresses, trusted, notes });
}

/** Opens a page with QUIC forced; undefined where its server tells of QUIC and does not answer over it. */
async function lookOver(look: () => Promise<SeenPage>): Promise<SeenPage | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function assertCame(seen: SeenPage): void {
  const { answer } = landingOf(seen);
  if (answer?.status === 200) return;
  const says = answer ? `it is answered with status ${answer.status}` : 'it did not answer';
  throw new UsageError(`${seen.url} cannot be measured: ${says}`);
}

/** Remembers the address that each origin answered from; says where another one had to be taken. */
async function pin(
  addresses: Map<string, string>,
  looks: readonly [SeenPage, ...SeenPage[]],
  { resolve }: Scouts,
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const { origin, host } of originsOf(looks)) {
    if (addresses.has(origin)) continue;
    const answered = looks
      .flatMap(({ exchanges }) => exchanges)
      .find(({ url, address }) => address !== undefined && url.startsWith(`${origin}/`))?.address;
    if (answered !== undefined && isIPv4(answered)) {
      addresses.set(origin, answered);
      continue;
    }
    try {
      const address = await resolve(host);
      notes.push(
        `${host} answered from ${answered ?? 'an address that was not seen'}; a lab speaks IPv4 alone: ${address}`,
      );
      addresses.set(origin, address);
    } catch (cause) {
      const says = `${host} has no IPv4 address, and a lab speaks no other: ${(cause as Error).message}`;
      if (origin === originsOf(looks)[0]!.origin) throw new EnvironmentError(says, { cause });
      notes.push(`${says}; nothing is loaded from there`);
    }
  }
  return notes;
}

function pinned(addresses: ReadonlyMap<string, string>): readonly ResolvedName[] {
  return [...addresses].map(([origin, address]) => ({ host: new URL(origin).hostname, port: portOf(origin), address }));
}

async function readKeys(
  origins: readonly NamedOrigin[],
  addresses: ReadonlyMap<string, string>,
  { readKey }: Scouts,
): Promise<readonly string[]> {
  const secure = origins.filter(({ origin }) => origin.startsWith('https:') && addresses.has(origin));
  const keys = await Promise.all(
    secure.map(({ origin, host, port }) => readKey(host, { address: addresses.get(origin)!, port })),
  );
  return [...new Set(keys)];
}
