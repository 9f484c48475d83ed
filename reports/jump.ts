import { type Child, element } from './elements.ts';

/** A link to a part of this page. */
export function linkTo(id: string, ...title: readonly Child[]): HTMLElement {
  const click = (event: Event) => {
    event.preventDefault();
    jumpTo(id);
  };
  return element('a', { href: `#${id}`, click }, ...title);
}

/** Scrolls to a part of this page. The address states the reader's question, so the jump is not written there. */
export function jumpTo(id: string): void {
  const part = document.getElementById(id);
  if (!part) return;
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  part.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' });
}
