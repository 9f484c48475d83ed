import { toPageJson } from '../harness/report/page-packing.ts';
import { clearCharts } from './charts.ts';
import { type Attributes, type Child, element } from './elements.ts';

/** A place in a part of the page. */
export interface PagePlace {
  readonly node: HTMLElement;
  /** Fills it anew where what it shows is other than before; with nothing in it, it is not seen. */
  fill(shows: unknown, make: () => readonly Child[]): void;
}

/** An empty place: what stays as it is keeps its charts, and all that a reader has open in it. */
export function openPlace(attributes: Attributes = {}): PagePlace {
  const node = element('div', attributes);
  let shown: string | undefined;
  return {
    node,
    fill(shows, make) {
      const now = toPageJson(shows ?? null);
      if (now === shown) return;
      shown = now;
      clearCharts(node);
      node.replaceChildren(...make().filter((child) => child !== undefined && child !== false));
      node.hidden = node.childNodes.length === 0;
    },
  };
}
