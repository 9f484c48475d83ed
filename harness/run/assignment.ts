import type { TopologyName } from '../model/lab.ts';
import type { Link } from '../model/link.ts';
import type { Block } from '../model/study.ts';

/** A block and the number of the lab that runs it. */
export interface Assigned {
  readonly block: Block;
  readonly lab: number;
}

/** Which labs there are, and what they do. */
export interface LabsAtWork {
  /** How many may be open. */
  readonly most: number;
  /** Numbers of those that run a block, and conditions that are being measured. */
  readonly busy: ReadonlySet<number>;
  readonly conditions: ReadonlySet<string>;
  /** Links that have been measured in a lab, by its number; a lab that is not there has none. */
  readonly links: ReadonlyMap<number, { has(link: string): boolean }>;
  /** The lab in which a link is to be measured. */
  readonly homes: ReadonlyMap<string, number>;
}

/** A link as labs know it: that of another topology is another one. */
export function linkNameOf({ link, topology = 'direct' }: { readonly link: Link; readonly topology?: TopologyName }) {
  return topology === 'direct' ? link.name : `${link.name}|${topology}`;
}

/**
 * Gives blocks to labs that are free, the most urgent first. A link is measured in the lab that is its home. Only where a
 * lab would have nothing to do does it take the work of another one, and measures that link as well.
 */
export function assign(
  wanted: readonly Block[],
  linkOf: (block: Block) => string,
  { most, busy, conditions, links, homes }: LabsAtWork,
): readonly Assigned[] {
  const free = new Set(Array.from({ length: most }, (_, number) => number).filter((number) => !busy.has(number)));
  const left = new Map(
    wanted.filter(({ condition }) => !conditions.has(condition)).map((block) => [block.condition, block]),
  );
  const assigned: Assigned[] = [];
  const give = (block: Block, lab: number | undefined) => {
    if (lab === undefined || !free.has(lab)) return;
    free.delete(lab);
    left.delete(block.condition);
    assigned.push({ block, lab });
  };
  const knows = (number: number, link: string) => links.get(number)?.has(link) ?? false;
  for (const block of left.values()) {
    const link = linkOf(block);
    give(
      block,
      [homes.get(link)!, ...free].find((number, place) => free.has(number) && (place === 0 || knows(number, link))),
    );
  }
  // A link that has not been measured anywhere is measured at home first.
  const isKnown = (link: string) => [...links.values()].some((own) => own.has(link));
  for (const block of left.values()) if (isKnown(linkOf(block))) give(block, [...free][0]);
  return assigned;
}
