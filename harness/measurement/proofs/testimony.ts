import { type Origin, type Protocol, tells } from '../../model/arm.ts';
import type { ServerRecord, WireCapture } from '../../model/capture.ts';
import type { FailureReason, VoidReason } from '../../model/measurement.ts';
import { originOf, type Page } from '../../model/page.ts';
import type { SeenRequest } from '../devtools-log.ts';

/** What was found wrong, and whose fault it is. */
export type Flaw =
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly says: string }
  | { readonly status: 'void'; readonly reason: VoidReason; readonly says: string };

/** What a trial claims, and what its witnesses say. */
export interface Testimony {
  readonly page: Page;
  readonly requests: readonly SeenRequest[];
  /** Digests of contents, by the log's request number; absent where the load was not watched. */
  readonly digests?: Readonly<Record<string, string>> | undefined;
  readonly wire: WireCapture;
  readonly server: readonly ServerRecord[];
  /** What a name server was asked for; absent where no names are looked up. */
  readonly lookedUp?: readonly string[] | undefined;
}

/** Requests that the page's origins were to answer, over the network. */
export function networkRequests(testimony: Pick<Testimony, 'requests' | 'page'>): readonly SeenRequest[] {
  return withOrigins(testimony).map(([request]) => request);
}

/** The requests, each with the origin that was to answer it. */
export function withOrigins({
  requests,
  page,
}: Pick<Testimony, 'requests' | 'page'>): readonly [SeenRequest, Origin][] {
  return requests.flatMap((request): [SeenRequest, Origin][] => {
    const origin = request.fromCache ? undefined : originOf(page, request.url);
    return origin ? [[request, origin]] : [];
  });
}

/** Whether an origin tells of H3: a browser that is told may take it up or not, and uses H2 until then. */
export function discovers(origin: Origin): boolean {
  return tells(origin);
}

/** Whether anything of a page comes by QUIC, of which a kernel sees only datagrams. */
export function usesQuic({ origins }: Pick<Page, 'origins'>): boolean {
  return origins.some(({ protocol }) => protocol === 'h3');
}

/** The reason that is given where another protocol was spoken than was asked for. */
export function strayReason(asked: Protocol): 'fallback' | 'protocol' {
  return asked === 'h3' ? 'fallback' : 'protocol';
}

/** Says how many more there are than the one that is told of. */
export function more(all: readonly unknown[]): string {
  return all.length > 1 ? ` (and ${all.length - 1} more)` : '';
}
