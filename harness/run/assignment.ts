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
  readonly links: ReadonlyMap<number, ReadonlySet<string>>;
}

/** A link as labs know it: that of another topology is another one. */
export function linkNameOf({ link, topology = 'direct' }: { readonly link: Link; readonly topology?: TopologyName }) {
  return topology === 'direct' ? link.name : `${link.name}|${topology}`;
}

/**
 * Gives blocks to labs that are free, the most urgent first. A link stays in the lab in which it was measured; a new one
 * goes to the lab that has fewest. Only where a lab would have nothing to do is a link measured in a second one.
 */
export function assign(
  wanted: readonly Block[],
  linkOf: (block: Block) => string,
  { most, busy, conditions, links }: LabsAtWork,
): readonly Assigned[] {
  const free = new Set(Array.from({ length: most }, (_, number) => number).filter((number) => !busy.has(number)));
  const left = new Map(
    wanted.filter(({ condition }) => !conditions.has(condition)).map((block) => [block.condition, block]),
  );
  const known = (number: number) => links.get(number) ?? new Set<string>();
  const isNew = (link: string) => ![...links.values()].some((own) => own.has(link));
  const assigned: Assigned[] = [];
  const give = (block: Block, lab: number | undefined) => {
    if (lab === undefined) return;
    free.delete(lab);
    left.delete(block.condition);
    assigned.push({ block, lab });
  };
  const begun = new Set<string>();
  for (const block of left.values()) {
    const link = linkOf(block);
    if (begun.has(link)) continue; // Its other conditions follow in the lab that it is about to be measured in.
    if (!isNew(link))
      give(
        block,
        [...free].find((number) => known(number).has(link)),
      );
    else if (free.size > 0) {
      begun.add(link);
      give(block, [...free].toSorted((a, b) => known(a).size - known(b).size)[0]);
    }
  }
  for (const block of left.values()) if (!begun.has(linkOf(block))) give(block, [...free][0]);
  return assigned;
}
