import type { Link } from '../harness/model/link.ts';
import { parseLink } from '../harness/study/link.ts';

/** The link that a text names; a trace in it has these lines. */
export function linkOf(text: string, trace = ''): Link {
  return parseLink(text, { readText: () => trace });
}
