import type { Header } from '../../model/recording.ts';
import type { OriginNames } from './name-origins.ts';

/*
 * Where a text names an origin that has another name now: with its scheme, or without (`//localhost:3000`), as it is
 * written in pages, in scripts and JSON (`http:\/\/`, `http:\u002F\u002F`), and in queries (`http%3A%2F%2F`).
 *
 * Each character is looked at a bounded number of times, even in hostile texts.
 */

const COLON = String.raw`(?::|%(?:25){0,3}3a|&#58;|&#x3a;|\\{1,4}(?:u00|x)3a)`;
const PLAIN_SLASH = String.raw`\\{0,7}\/`;
const SLASH = String.raw`(?:${PLAIN_SLASH}|%(?:25){0,3}2f|&#47;|&#x2f;|\\{1,4}(?:u00|x)2f)`;
const HOST = String.raw`[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?(?![a-z0-9_@-]|\.[a-z0-9])`;
/** Namespaces look like addresses, but are never requested; a page with renamed ones would be read differently. */
const NAMESPACE = String.raw`www\.w3\.org${SLASH}(?:199\d|200\d|XML|TR)${SLASH}`;
/** Without a scheme, `//` may also be a comment, or part of a path. */
const BEGINNING = String.raw`(?<=^|["'\`(=,;|<>[{&\s])`;

const REFERENCE = new RegExp(
  String.raw`(?:(https?|wss?)(${COLON})(${SLASH}{2})|${BEGINNING}((?:${PLAIN_SLASH}){2}))(?!${NAMESPACE})(${HOST})(?:(${COLON})(\d{0,6}))?`,
  'gi',
);

/** A text in which every origin that has another name is called by it; each character stands for a byte. */
export function renameOrigins(text: string, { hosts, origins }: OriginNames): string {
  return text.replace(
    REFERENCE,
    (whole, scheme = '', colon = '', slashes = '', bare = '', written: string, portColon = '', port?: string) => {
      const host = written.toLowerCase();
      const plain = /^(http|ws)$/i.test(scheme);
      // Where a script appends the port, only the name is renamed.
      const known = origins.has(`http://${host}${port === undefined || port === '80' ? '' : `:${port}`}`);
      if (!hosts.has(host) && !(known && (plain || (scheme === '' && port === '80')))) return whole;
      const secure = plain ? `${scheme}${scheme === scheme.toUpperCase() ? 'S' : 's'}` : scheme;
      const otherPort = port === '80' && !/s$/i.test(scheme) ? '' : `${portColon}${port ?? ''}`;
      return `${secure}${colon}${slashes}${bare}${hosts.get(host) ?? written}${otherPort}`;
    },
  );
}

/** Renames origins in a page, which may hold a policy in place of its header's. */
export function renameInPage(html: string, names: OriginNames): string {
  return renameOrigins(html, names).replace(/<meta\b[^<>]{0,8000}>/gi, (tag) =>
    /\bcontent-security-policy\b/i.test(tag) ? renameSources(tag, names) : tag,
  );
}

/** A header that names origins by what they are called now; policies and cookies may name hosts alone. */
export function renameInHeader([name, value]: Header, names: OriginNames): Header {
  const renamed = renameOrigins(value, names);
  const lower = name.toLowerCase();
  if (lower.startsWith('content-security-policy')) return [name, renameSources(renamed, names)];
  return [name, lower === 'set-cookie' ? renameDomain(renamed, names) : renamed];
}

/** Sources of a policy without a scheme: `localhost:3000`, `*.localhost`, `127.0.0.1:*`. */
function renameSources(policy: string, { hosts }: OriginNames): string {
  return policy.replace(
    /(?<=^|[\s;,"'])(\*\.)?([a-z0-9][a-z0-9._-]{0,252})(?=(?::(?:\d{1,6}|\*))?(?:[\s;,/"']|$))/gi,
    (whole, star = '', host: string) => `${star}${hosts.get(host.toLowerCase()) ?? whole.slice(star.length)}`,
  );
}

function renameDomain(cookie: string, { hosts }: OriginNames): string {
  return cookie.replace(
    /(;\s{0,9}domain\s{0,9}=\s{0,9}\.?)([a-z0-9.-]{1,253})/gi,
    (whole, before: string, host: string) =>
      hosts.has(host.toLowerCase()) ? `${before}${hosts.get(host.toLowerCase())}` : whole,
  );
}
