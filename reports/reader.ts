import { drawWhatIsSeen } from './charts.ts';

/**
 * Changes a page under its reader's eyes: what has the focus, what is unfolded, how far a table is scrolled, and what is
 * on the screen are afterwards as they were, though all of it may have been drawn again.
 */
export function keepReaderWhile(root: HTMLElement, change: () => void): void {
  const back = [keepUnfolded(root), keepScrolled(root), keepFocus(root), keepSight(root)];
  change();
  for (const bring of back) bring();
  drawWhatIsSeen();
}

type Bring = () => void;

function keepUnfolded(root: HTMLElement): Bring {
  const before = [...root.querySelectorAll('details')]
    .filter(({ open }) => open)
    .map((node) => ({ node, name: nameOf(node) }));
  return () => {
    for (const { node, name } of before) {
      const again = node.isConnected ? undefined : find(root, node, name);
      if (!(again instanceof HTMLDetailsElement) || again.open) continue;
      again.open = true;
      // What unfolds is made when it is told so, which would be after the next picture.
      again.dispatchEvent(new Event('toggle'));
    }
  };
}

function keepScrolled(root: HTMLElement): Bring {
  const before = [...root.querySelectorAll('.scrolls')]
    .filter(({ scrollLeft, scrollTop }) => scrollLeft > 0 || scrollTop > 0)
    .map((node) => ({ node, name: nameOf(node), left: node.scrollLeft, top: node.scrollTop }));
  return () => {
    for (const { node, name, left, top } of before)
      if (!node.isConnected) find(root, node, name)?.scrollTo({ left, top, behavior: 'instant' });
  };
}

function keepFocus(root: HTMLElement): Bring {
  const node = document.activeElement;
  if (!(node instanceof HTMLElement) || !root.contains(node)) return () => {};
  const name = nameOf(node);
  return () => {
    if (document.activeElement === node) return;
    const again = node.isConnected ? node : find(root, node, name);
    (again as HTMLElement | undefined)?.focus({ preventScroll: true });
  };
}

/** Holds one thing where it is on the screen: what has the focus, if it is to be seen, or what stands near the top. */
function keepSight(root: HTMLElement): Bring {
  if (scrollY === 0) return () => {};
  const node = focusInSight(root) ?? nearTheTop(root);
  if (!node) return () => {};
  const name = nameOf(node);
  const { top } = node.getBoundingClientRect();
  return () => {
    const again = node.isConnected ? node : find(root, node, name);
    if (again) scrollBy({ top: again.getBoundingClientRect().top - top, behavior: 'instant' });
  };
}

function focusInSight(root: HTMLElement): Element | undefined {
  const node = document.activeElement;
  if (!node || !root.contains(node)) return undefined;
  const { top, bottom } = node.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight ? node : undefined;
}

const LOOK_PX = [100, 200, 300, 400];

function nearTheTop(root: HTMLElement): Element | undefined {
  const seen = LOOK_PX.flatMap((y) => document.elementsFromPoint(innerWidth / 2, y));
  return seen.find((node) => root.contains(node) && node !== root && labelOf(node) !== '');
}

/** What tells an element from others of its kind, whatever its place among them. */
function labelOf(node: Element): string {
  const { key, chart, arm, link, condition, rule } = (node as HTMLElement).dataset ?? {};
  const own = node.id || (key ?? chart ?? arm ?? link ?? condition ?? rule ?? node.getAttribute('aria-label'));
  if (own) return own;
  const says = node.matches('summary, button, a, h2, h3') ? node.textContent : node.getAttribute('value');
  return says ?? '';
}

/** An element's label after those of all that it stands in, up to what has an identifier. */
function nameOf(node: Element): string {
  const labels: string[] = [];
  for (let at: Element | null = node; at; at = at.parentElement) {
    const label = labelOf(at);
    if (label !== '') labels.push(`${at.tagName} ${label}`);
    if (at.id !== '') break;
  }
  return labels.join(' in ');
}

function find(root: HTMLElement, like: Element, name: string): Element | undefined {
  return [...root.querySelectorAll(like.tagName)].find((node) => nameOf(node) === name);
}
