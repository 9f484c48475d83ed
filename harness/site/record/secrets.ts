import { type Header, headerOf, type RecordedManifest } from '../../model/recording.ts';

/** Request headers that say who the user is. */
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

/** What a key's last word is where its value is a secret. */
const SECRET_WORD = /^(auth|key|pwd|session|sid|sig|jwt)s?$/i;
/** Longer ones need not be words by themselves: `accesstoken`, `PHPSESSID`. */
const SECRET_ENDING = /(token|apikey|secret|passw(or)?d|sess(ion)?id|signature|credential)s?$/i;

/**
 * The keys of queries that look as if their values were secrets, in whatever a recording names by its address: addresses
 * are recorded as they are.
 */
export function secretLikeKeys({
  responses,
  leftOut,
}: Pick<RecordedManifest, 'responses' | 'leftOut'>): readonly string[] {
  const texts = [
    ...responses.flatMap(({ url, headers }) => [url, headerOf(headers, 'location') ?? []].flat()),
    ...leftOut.map(({ what }) => what),
  ];
  const queries = texts.flatMap((text) => /\?([^#\s]*)/.exec(text)?.[1] ?? []);
  const keys = queries.flatMap((query) => [...new URLSearchParams(query).keys()]);
  return [...new Set(keys)].filter(isSecretLike).toSorted();
}

function isSecretLike(key: string): boolean {
  const [word = ''] = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .slice(-1);
  return SECRET_WORD.test(word) || SECRET_ENDING.test(key);
}
