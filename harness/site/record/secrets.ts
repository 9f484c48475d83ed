import type { Header } from '../../model/recording.ts';

/** Request headers that say who somebody is. */
const IDENTIFYING: readonly string[] = ['cookie', 'authorization', 'proxy-authorization'];
/** Request headers that an answer may depend on, besides. */
const TELLING: readonly string[] = [
  ...['accept', 'accept-encoding', 'accept-language', 'content-type', 'origin', 'range', 'x-requested-with'],
  ...['access-control-request-method', 'access-control-request-headers'],
];

/** The request headers that a recording keeps, in lower case. */
export function keptRequestHeaders(headers: readonly Header[], keepSecrets: boolean): readonly Header[] {
  const kept = keepSecrets ? [...TELLING, ...IDENTIFYING] : TELLING;
  return headers.map(([name, value]): Header => [name.toLowerCase(), value]).filter(([name]) => kept.includes(name));
}

/**
 * A response's headers without what they give out: of each cookie the value is made unreadable, as long as it was, so
 * that what the page sends and receives later is as long, too.
 */
export function withoutSecrets(headers: readonly Header[]): readonly Header[] {
  return headers.map(([name, value]) => [name, name.toLowerCase() === 'set-cookie' ? unreadable(value) : value]);
}

function unreadable(cookie: string): string {
  const [, name, value, attributes] = /^([^=;]*=|)([^;]*)(.*)$/s.exec(cookie)!;
  return `${name}${'x'.repeat(value!.length)}${attributes}`;
}

const SECRET_LIKE =
  /(^|[._-])(token|auth|apikey|key|secret|passw(or)?d|pwd|session|sessionid|sid|sig|signature|jwt|credential)s?$/i;

/** The keys of addresses' queries that look as if their values were secrets: addresses are recorded as they are. */
export function secretLikeKeys(urls: readonly string[]): readonly string[] {
  const keys = urls.flatMap((url) => [...new URL(url).searchParams.keys()]);
  return [...new Set(keys)].filter((key) => SECRET_LIKE.test(key)).toSorted();
}
