import { KEPT_BYTES } from '../../model/capture.ts';
import type { Page, PageObject } from '../../model/page.ts';
import type { SeenRequest } from '../devtools-log.ts';
import { type Flaw, more, type Testimony } from './testimony.ts';

/** Proof 1 as well: every object that a load must bring came, whole. */
export function proveObjects(testimony: Testimony): Flaw | undefined {
  const { page, digests = {} } = testimony;
  const find = requestFinder(testimony);
  const wrong = page.objects.flatMap((object) => {
    const request = find(object);
    // What need not come is looked into where it came as a whole: a player asks for parts, and the answer to a worker's
    // script goes to another thread.
    if (!object.required && !wentWell(request)) return [];
    const fault = faultOf(object, request, request && digests[request.id]);
    return fault === undefined ? [] : [`${shortUrl(page, object)} ${fault}`];
  });
  if (wrong.length === 0) return undefined;
  return { status: 'failed', reason: 'object', says: `${wrong[0]}${more(wrong)}` };
}

/**
 * Proof 1 of a load that was watched: what the browser keeps was looked into. Where it did not hand it out, the harness
 * did not look, which no arm can cause. An unwatched load is held to lengths and count: what a server sends was
 * looked into in the reference load of the same site and arm, and TLS keeps it whole on its way.
 */
export function proveContents(testimony: Testimony): Flaw | undefined {
  if (!testimony.digests) return undefined;
  const unseen = undigestedObjects(testimony).filter(
    ({ bytes, unkept }) => !unkept && bytes !== undefined && 2 * bytes <= KEPT_BYTES,
  );
  if (unseen.length === 0) return undefined;
  return {
    status: 'void',
    reason: 'harness',
    says: `no digest was taken of ${shortUrl(testimony.page, unseen[0]!)}${more(unseen)}`,
  };
}

/** Required objects of a watched load of which only the length is known, or not even what that should be. */
export function undigestedObjects(testimony: Testimony): readonly PageObject[] {
  const find = requestFinder(testimony);
  return testimony.page.objects.filter((object) => {
    const request = object.required ? find(object) : undefined;
    const known = object.sha256 !== undefined && request !== undefined && testimony.digests?.[request.id] !== undefined;
    return isWhole(request) && !known;
  });
}

const WHOLE: readonly number[] = [200, 304];

function faultOf(object: PageObject, request: SeenRequest | undefined, digest: string | undefined): string | undefined {
  if (!request) return 'is missing';
  if (request.error !== undefined) return `did not arrive: ${request.error}`;
  if (request.finishedMs === undefined) return 'did not arrive in full';
  if (!WHOLE.includes(request.status!)) return `came with status ${request.status}`;
  if (digest !== undefined && object.sha256 !== undefined)
    return digest === object.sha256
      ? undefined
      : `was altered: ${request.bytes} bytes of ${object.bytes}, SHA-256 ${digest}`;
  // Content that the browser does not keep is known by its length; from a cache it says none.
  if (object.bytes === undefined) return undefined;
  if (!request.fromCache && request.status === 200 && request.bytes !== object.bytes)
    return `has ${request.bytes} bytes instead of ${object.bytes}`;
  return undefined;
}

/** Finds the request that brought an object: objects come by GET, whatever else is asked at their addresses. */
function requestFinder({ requests }: Testimony): (object: PageObject) => SeenRequest | undefined {
  const byUrl = new Map<string, SeenRequest>();
  // Where a thing was asked for more than once, what counts is the time that went well.
  for (const request of requests)
    if (request.method === 'GET' && !wentWell(byUrl.get(request.url))) byUrl.set(request.url, request);
  return ({ url }) => byUrl.get(url);
}

function wentWell(request: SeenRequest | undefined): boolean {
  return isWhole(request) && WHOLE.includes(request!.status!);
}

function isWhole(request: SeenRequest | undefined): boolean {
  return request?.finishedMs !== undefined && request.error === undefined;
}

/** What is of the page's own origin is known by its path. */
function shortUrl({ origins }: Page, { url }: PageObject): string {
  return url.startsWith(`${origins[0].url}/`) ? url.slice(origins[0].url.length) : url;
}
