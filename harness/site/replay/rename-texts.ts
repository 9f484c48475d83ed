import type { RecordedResponse } from '../../model/recording.ts';
import type { ReadRecording } from '../record/store.ts';
import type { OriginNames } from './name-origins.ts';
import { renameInPage, renameOrigins } from './rename-origins.ts';
import { type NewHashes, renewHashes } from './renew-hashes.ts';
import { hasText, isPage, type NewBody, readBodyText, textKey, writeText } from './text-bodies.ts';

/** The bodies that change when origins are renamed. */
export interface RenamedTexts {
  /** By the `textKey` of their response. */
  readonly bodies: ReadonlyMap<string, NewBody>;
  readonly hashes: NewHashes;
  /** What was done, and what could not be. */
  readonly notes: readonly string[];
}

/** Renames origins in every text of a recording, and renews the hashes that its texts are named by. */
export function renameTexts({ site, bodies }: ReadRecording, names: OriginNames): RenamedTexts {
  const { responses } = site.manifest;
  const first = new Map<string, RecordedResponse>();
  for (const response of responses)
    if (hasText(response) && !first.has(textKey(response))) first.set(textKey(response), response);
  const read = [...first].map(([key, response]) => ({
    key,
    response,
    text: readBodyText(response, bodies.get(response.body!)!),
  }));
  const found = read.flatMap((each) => (each.text === undefined ? [] : [{ ...each, text: each.text }]));
  const { texts, hashes } = renewHashes(
    found.map(({ text, response }) => ({
      before: text,
      after: isPage(response) ? renameInPage(text, names) : renameOrigins(text, names),
    })),
    responses.flatMap(({ headers }) => headers.map(([, value]) => value)),
  );
  const changed = found.flatMap(({ key, response }, at) => {
    const { before, after } = texts[at]!;
    return before === after ? [] : [[key, writeText(response, after)] as const];
  });
  const unread = read.length - found.length;
  return {
    bodies: new Map(changed),
    hashes,
    notes: [
      `${changed.length} of ${read.length} texts named such an origin, or what had, and were written anew; addresses that scripts put together are upgraded (Content-Security-Policy: upgrade-insecure-requests)`,
      ...(hashes.size > 0
        ? [`${hashes.size} hashes that pages name such texts by (integrity, policies) were made anew`]
        : []),
      ...(unread > 0
        ? [`${unread === 1 ? 'a text' : `${unread} texts`} could not be read, and may name origins as they were`]
        : []),
    ],
  };
}
