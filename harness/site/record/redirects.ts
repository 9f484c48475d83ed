import { headerOf, normalUrl, type RecordedResponse } from '../../model/recording.ts';

type Redirecting = Pick<RecordedResponse, 'method' | 'url' | 'status' | 'headers'>;

const MOST_REDIRECTS = 20;

/** Where a page was opened: browsers that know a name for one of TLS's (HSTS) do not ask there in the clear at all. */
export function openedUrl(asked: string, answers: readonly Redirecting[]): string {
  const url = normalUrl(asked) ?? asked;
  const secure = url.replace(/^http:/, 'https:');
  const came = (at: string) => answers.some((each) => each.url === at);
  return !came(url) && came(secure) ? secure : url;
}

/**
 * Where an address leads to, and what is answered there, by way of answers that came in this order: one that is reached
 * again has its next answer.
 */
export function followRedirects<T extends Redirecting>(
  url: string,
  answers: readonly T[],
): { readonly url: string; readonly answer?: T | undefined } {
  let at = url;
  const visits = new Map<string, number>();
  for (let hops = 0; ; hops += 1) {
    const own = answers.filter((each) => each.url === at && each.method === 'GET');
    const visit = visits.get(at) ?? 0;
    visits.set(at, visit + 1);
    const answer = own[Math.min(visit, own.length - 1)];
    const next = answer && targetOf(answer);
    if (next === undefined || hops === MOST_REDIRECTS || !answers.some((other) => other.url === next))
      return { url: at, answer };
    at = next;
  }
}

/** Where a redirect leads; undefined where it is none. */
export function targetOf({ url, status, headers }: Omit<Redirecting, 'method'>): string | undefined {
  const location = status >= 300 && status <= 399 ? headerOf(headers, 'location') : undefined;
  return location !== undefined && URL.canParse(location, url)
    ? new URL(location, url).href.replace(/#.*$/s, '')
    : undefined;
}
