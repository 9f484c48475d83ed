import { headerOf, type RecordedResponse } from '../../model/recording.ts';

type Redirecting = Pick<RecordedResponse, 'method' | 'url' | 'status' | 'headers'>;

const MOST_REDIRECTS = 20;

/** The address that one leads to, by way of answers that came. */
export function followRedirects(url: string, responses: readonly Redirecting[]): string {
  let at = url;
  for (let hops = 0; hops < MOST_REDIRECTS; hops += 1) {
    const response = responses.find((each) => each.url === at && each.method === 'GET');
    const location = response && headerOf(response.headers, 'location');
    if (!response || response.status < 300 || response.status > 399 || location === undefined) return at;
    if (!URL.canParse(location, at)) return at;
    const next = new URL(location, at).href.replace(/#.*$/s, '');
    if (!responses.some(({ url: other }) => other === next)) return at;
    at = next;
  }
  return at;
}
