import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { UsageError } from '../model/errors.ts';
import { oneLine, type Path, type PlacedData, renderPath, shortened } from './place.ts';

/** No study is longer: a longer text is another kind of file. */
const MAX_CHARACTERS = 1_000_000;
/** The most aliases, and repetitions by aliases within aliases: more are there to exhaust the memory. */
const MAX_ALIASES = 100;

/** Reads a file in YAML, of which JSON is a part; `file` is what messages call it. */
export function readYaml(text: string, file: string): PlacedData {
  if (text.length > MAX_CHARACTERS)
    throw new UsageError(`${file}: ${text.length} characters are too many. Expected: up to ${MAX_CHARACTERS}`);
  const lines = new LineCounter();
  const options = {
    lineCounter: lines,
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  } as const;
  const document = parseDocument(text, options);
  const slip = findSlip(document);
  if (slip) throw new UsageError(`${file}:${lines.linePos(slip.offset).line}: ${slip.says}`);
  const lineOf = (path: Path) => lines.linePos(offsetOf(document, path)).line;
  const place = (path: Path) => (path.length === 0 ? file : `${file}:${lineOf(path)}: ${renderPath(path)}`);
  return { data: toData(document, file), lineOf, place };
}

interface Slip {
  readonly offset: number;
  readonly says: string;
}

/** The first thing that is no YAML, or none that people write. */
function findSlip(document: Document): Slip | undefined {
  const [first] = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
  return first ? { offset: first.pos[0], says: describe(first) } : findNodeSlip(document);
}

function describe({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins. Expected: one';
  return code === 'RESOURCE_EXHAUSTION' ? 'nested too deeply' : `this is no YAML: ${oneLine(message)}`;
}

/** The first key that is given twice, alias of nothing, or alias too many. */
function findNodeSlip(document: Document): Slip | undefined {
  const anchors = new Set<string>();
  let aliases = 0;
  let slip: Slip | undefined;
  visit(document, {
    Node: (_, node) => {
      if (isMap(node)) slip ??= findTwice(node);
      if (isAlias(node)) {
        aliases += 1;
        slip ??= slipOf(node, anchors, aliases);
      } else if ('anchor' in node && node.anchor) anchors.add(node.anchor);
      return slip && visit.BREAK;
    },
  });
  return slip;
}

function slipOf({ source, range }: Alias, anchors: ReadonlySet<string>, aliases: number): Slip | undefined {
  if (aliases <= MAX_ALIASES && anchors.has(source)) return undefined;
  const says = aliases > MAX_ALIASES ? `allowed: up to ${MAX_ALIASES} aliases` : 'no such anchor above';
  return { offset: range?.[0] ?? 0, says: `*${shortened(source)}: ${says}` };
}

/** The package itself compares each key with every other, which takes minutes where there are thousands. */
function findTwice({ items }: YAMLMap): Slip | undefined {
  const seen = new Set<string>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (seen.has(name))
      return { offset: key.range?.[0] ?? 0, says: `"${shortened(name)}" is given twice. Expected: each key once` };
    seen.add(name);
  }
  return undefined;
}

function toData(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    // The package refuses what an alias stands for, or what is merged: the error is not one of ours.
    const { message } = cause as Error;
    const says = /^Excessive alias/.test(message)
      ? `aliases within aliases stand for too much. Expected: up to ${MAX_ALIASES} repetitions`
      : `this is no YAML: ${oneLine(message)}`;
    throw new UsageError(`${file}: ${says}`, { cause });
  }
}

/** Where a part begins: the key of an entry, an item of a list; for a missing part, what it would be part of. */
function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = (document.contents as Node | null)?.range?.[0] ?? 0;
  for (const step of path) {
    const whole = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(whole) ? pairOf(whole, step, document) : undefined;
    const part = isSeq(whole) ? whole.items[Number(step)] : pair?.key;
    if (part === undefined) break;
    offset = (part as Node).range?.[0] ?? offset;
    node = pair ? pair.value : part;
  }
  return offset;
}

/** A mapping's entry by its key: its own, or one that it merges with `<<`. */
function pairOf(map: YAMLMap, key: PropertyKey, document: Document): Pair | undefined {
  const own = map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key));
  if (own) return own;
  const merged = map.items.filter((pair) => isScalar(pair.key) && pair.key.source === '<<').map(({ value }) => value);
  const sources = merged.flatMap((value) => (isSeq(value) ? value.items : [value]));
  for (const source of sources) {
    const whole = isAlias(source) ? source.resolve(document) : source;
    const pair = isMap(whole) ? pairOf(whole, key, document) : undefined;
    if (pair) return pair;
  }
  return undefined;
}
