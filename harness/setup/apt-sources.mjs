import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from './files.mjs';

/** Names that a Debian machine's own sources may give its suite besides the codename. */
const suiteNames = ['oldoldstable', 'oldstable', 'stable', 'testing', 'unstable', 'sid'];

/** Transports that reach a whole mirror; cdrom:, file: and copy: hold only what was once put there. */
const mirrorTransport = /^(https?|tor\+https?|mirror(\+[a-z]+)?):/;

/**
 * @typedef {object} AptSource one place that apt takes binary packages from
 * @property {string} uri
 * @property {string} suite
 * @property {readonly string[]} components
 */

/**
 * The sources in a one-line style file (`*.list`), as sources.list(5) has it.
 *
 * @param {string} text
 * @returns {AptSource[]}
 */
export function parseListFile(text) {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*deb\s+(?:\[[^\]]*\]\s*)?([^\s#]+)\s+([^\s#]+)([^#]*)/.exec(line);
    if (match === null) return [];
    const [, uri, suite, components] = match;
    return [{ uri: String(uri), suite: String(suite), components: words(components) }];
  });
}

/**
 * The enabled sources in a deb822 style file (`*.sources`), one for each pair of address and suite.
 *
 * @param {string} text
 * @returns {AptSource[]}
 */
export function parseSourcesFile(text) {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .split(/\n\s*\n/)
    .flatMap((stanza) => {
      const fields = parseStanza(stanza);
      const disabled = /^(no|false|without|off|disable|0)$/i.test(fields.enabled ?? '');
      if (disabled || !words(fields.types).includes('deb')) return [];
      return words(fields.uris).flatMap((uri) =>
        words(fields.suites).map((suite) => ({ uri, suite, components: words(fields.components) })),
      );
    });
}

/**
 * All sources of the machine, in apt's order.
 *
 * @param {string} [folder]
 * @returns {AptSource[]}
 */
export function readAptSources(folder = '/etc/apt') {
  const parts = join(folder, 'sources.list.d');
  return [
    ...parseListFile(readText(join(folder, 'sources.list')) ?? ''),
    ...listFolder(parts).flatMap((name) => {
      const text = readText(join(parts, name)) ?? '';
      if (name.endsWith('.list')) return parseListFile(text);
      return name.endsWith('.sources') ? parseSourcesFile(text) : [];
    }),
  ];
}

/**
 * The address of the Debian mirror that the machine itself uses, or null where it uses none.
 *
 * Only a source of the distribution's own suite counts: third parties have a component called main too.
 *
 * @param {readonly AptSource[]} sources
 * @param {{ id: string, codename: string | null }} distribution
 * @returns {string | null}
 */
export function pickMirror(sources, { id, codename }) {
  if (id !== 'debian') return null;
  const suites = new Set([...suiteNames, ...(codename === null ? [] : [codename])]);
  const fit = sources.find(
    ({ uri, suite, components }) =>
      suites.has(suite.replace(/-(updates|backports|proposed-updates)$/, '')) &&
      components.includes('main') &&
      mirrorTransport.test(uri) &&
      !/security/.test(uri),
  );
  return fit?.uri ?? null;
}

/**
 * The fields of a stanza by their names in lower case; a line that begins with a blank continues the one before.
 *
 * @param {string} stanza
 * @returns {Record<string, string>}
 */
function parseStanza(stanza) {
  const lines = stanza.replace(/\n[ \t]+/g, ' ').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const match = /^([\w-]+):\s*(.*)$/.exec(line);
      return match === null ? [] : [[String(match[1]).toLowerCase(), String(match[2])]];
    }),
  );
}

/** @param {string | undefined} text */
function words(text) {
  return (text ?? '').split(/\s+/).filter((word) => word !== '');
}

/** @param {string} folder */
function listFolder(folder) {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
