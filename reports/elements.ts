/** What may stand in an element; text is text, whatever it says. */
export type Child = Node | string | undefined | false;

/** Attributes and listeners by name; undefined and false leave one out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: never) => void)>>;

/** An element of HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children);
}

/** A part of the page under its title, which leads to it. */
export function section(id: string, title: string, ...children: readonly Child[]): HTMLElement {
  const own = `${id}-title`;
  return element('section', { id, 'aria-labelledby': own }, element('h2', { id: own }, title), ...children);
}

/** What a part of the page is for, below its title. */
export function lead(...children: readonly Child[]): HTMLElement {
  return element('p', { class: 'lead' }, ...children);
}

/** An element of SVG. */
export function drawn<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** Text that came from a site or a person: whatever direction it claims ends with it. */
export function named(text: string, length = 120): HTMLElement {
  const shown = clipped(text, length);
  return element('bdi', { class: 'name', title: shown !== text ? text.slice(0, 1000) : undefined }, shown);
}

/** A text that is not longer than this. */
export function clipped(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Takes over a part of the inline style by way of the object model, which the page's policy allows. */
export function styled<Styled extends HTMLElement | SVGElement>(
  node: Styled,
  styles: Readonly<Record<string, string>>,
): Styled {
  for (const [name, value] of Object.entries(styles)) node.style.setProperty(name, value);
  return node;
}

function filled<Filled extends Element>(node: Filled, attributes: Attributes, children: readonly Child[]): Filled {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name, value as (event: Event) => void);
    else node.setAttribute(name, value === true ? '' : `${value}`);
  }
  for (const child of children) if (child !== undefined && child !== false) node.append(child);
  return node;
}

/** A column of a table. */
export interface HtmlColumn<Row> {
  readonly title: string;
  /** Whether it has numbers, which are aligned right. */
  readonly numeric?: boolean;
  readonly cell: (row: Row) => Child;
}

/** A table whose first column names its rows, in a frame that scrolls sideways by itself. */
export function htmlTable<Row>(
  caption: string,
  columns: readonly HtmlColumn<Row>[],
  rows: readonly Row[],
): HTMLElement {
  const [first, ...others] = columns;
  const kind = ({ numeric }: HtmlColumn<Row>) => ({ class: numeric ? 'number' : undefined });
  return element(
    'div',
    { class: 'scrolls', role: 'region', tabindex: 0, 'aria-label': caption },
    element(
      'table',
      {},
      element('caption', { class: 'hidden' }, caption),
      element(
        'thead',
        {},
        element('tr', {}, ...columns.map((each) => element('th', { scope: 'col', ...kind(each) }, each.title))),
      ),
      element(
        'tbody',
        {},
        ...rows.map((row) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row', ...kind(first!) }, first!.cell(row)),
            ...others.map((each) => element('td', { 'data-title': each.title, ...kind(each) }, each.cell(row))),
          ),
        ),
      ),
    ),
  );
}

/** How much larger letters are here than those that drawings are made for: on large screens all grows alike. */
export function letterScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/** Something that is made when it is first opened; its key tells it from others where its title may change. */
export function unfolding(title: string, make: () => Child, attributes: Attributes = {}): HTMLDetailsElement {
  const details = element('details', { 'data-key': title, ...attributes }, element('summary', {}, title));
  let made = false;
  const fill = () => {
    if (made || !details.open) return;
    made = true;
    const content = make();
    if (content) details.append(content);
  };
  details.addEventListener('toggle', fill);
  return details;
}
