/** An element as a reader of XML finds it, in the order in which they begin. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** What stands in it directly. */
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** All that XML 1.0 has a character for. */
const CHARACTERS = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u;
const TOKEN = /<\?xml [^>]*\?>|<\/([\w-]+)>|<([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;

/** The elements of a document; throws where it is not well-formed, or uses what these tests need not know. */
export function elementsOf(xml: string): readonly XmlElement[] {
  if (!CHARACTERS.test(xml) || !xml.isWellFormed()) throw new Error('a character that XML has not');
  const elements: XmlElement[] = [];
  const open: XmlElement[] = [];
  let end = 0;
  for (const match of xml.matchAll(TOKEN)) {
    const [all, closing, opening, attributes = '', empty, text] = match;
    end = match.index + all.length;
    if (closing !== undefined && open.pop()?.name !== closing) throw new Error(`</${closing}> closes nothing`);
    if (text !== undefined && open.length > 0) open.at(-1)!.text += decode(text);
    if (opening === undefined) continue;
    const element = { name: opening, attributes: attributesOf(attributes), text: '' };
    elements.push(element);
    if (empty === '') open.push(element);
  }
  if (end !== xml.length || open.length > 0) throw new Error(`it ends after ${end} of ${xml.length} characters`);
  return elements;
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, decode(value!)] as const);
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length) throw new Error(`an attribute twice: ${text}`);
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  return text.replaceAll(/&([^;]*);?/g, (whole, name: string) => {
    if (/^#\d+$/.test(name)) return String.fromCodePoint(Number(name.slice(1)));
    if (!(name in ENTITIES)) throw new Error(`no entity ${whole}`);
    return ENTITIES[name]!;
  });
}
