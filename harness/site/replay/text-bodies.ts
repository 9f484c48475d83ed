import { createHash } from 'node:crypto';
import { headerOf, type RecordedResponse } from '../../model/recording.ts';
import { canDecode, codingsOf, decodeBody, encodeBody } from '../record/content-coding.ts';

const TEXT_TYPE =
  /^(text\/|application\/([\w.+-]*\+)?(json|xml)\b|application\/(x-)?(java|ecma)script\b|application\/(vnd\.apple\.mpegurl|x-mpegurl)\b|image\/svg\+xml\b)/i;
const TEXT_KINDS: ReadonlySet<string> = new Set(['Document', 'Stylesheet', 'Script', 'Manifest', 'XHR', 'Fetch']);

/** What is longer is no page, script or style that a visitor waits for. */
const MOST_TEXT_BYTES = 64_000_000;

/** Whether a response is one that may name origins in its body. */
export function hasText({ status, headers, body, kind }: RecordedResponse): boolean {
  // What comes before a part is unknown, and its headers hold its place in the whole.
  if (body === undefined || status === 206) return false;
  const type = headerOf(headers, 'content-type');
  return type === undefined ? TEXT_KINDS.has(kind) : TEXT_TYPE.test(type.trim());
}

/** Whether a response is a page, or a frame in one. */
export function isPage({ headers, kind }: RecordedResponse): boolean {
  const type = headerOf(headers, 'content-type');
  return type === undefined ? kind === 'Document' : /^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type);
}

/** What tells how a body is read: two responses may share one, and name it differently. */
export function textKey({ body, headers }: RecordedResponse): string {
  return `${body} ${codingsOf(headers).join()}`;
}

/** A body's text, each character a byte; undefined where it cannot be decoded, is too long, or is UTF-16. */
export function readBodyText({ headers }: RecordedResponse, body: Buffer): string | undefined {
  const codings = codingsOf(headers);
  if (!canDecode(codings)) return undefined;
  try {
    const content = decodeBody(body, codings, MOST_TEXT_BYTES);
    const isWide = /^(\xff\xfe|\xfe\xff)/.test(content.toString('latin1', 0, 2));
    return isWide || content.length > MOST_TEXT_BYTES ? undefined : content.toString('latin1');
  } catch {
    return undefined;
  }
}

/** A body that has another text now. */
export interface NewBody {
  readonly bytes: Buffer;
  /** What its response says of it. */
  readonly facts: Required<Pick<RecordedResponse, 'body' | 'bytes' | 'encoded' | 'content'>>;
}

/** Encodes a text as the body was that it takes the place of. */
export function writeText({ headers, bytes: before }: RecordedResponse, text: string): NewBody {
  const content = Buffer.from(text, 'latin1');
  const bytes = encodeBody(content, codingsOf(headers), before);
  return {
    bytes,
    facts: {
      body: sha256Of(bytes),
      bytes: bytes.length,
      encoded: 'again',
      content: { bytes: content.length, sha256: sha256Of(content) },
    },
  };
}

function sha256Of(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
