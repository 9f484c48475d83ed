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
  /** Numbers of those that run a block, and conditions that are being measured and get no second block meanwhile. */
  readonly busy: ReadonlySet<number>;
  readonly conditions: ReadonlySet<string>;
  /** Links that have been measured in a lab, by its number; a lab that is not there has none. */
  readonly links: ReadonlyMap<number, { has(link: string): boolean }>;
  /** The lab in which a link is to be measured. */
  readonly homes: ReadonlyMap<string, number>;
  /** Whether the loads of a block leave the processor room for others: only then does a second lab for its link help. */
  readonly leavesRoom: (block: Block) => boolean;
  /** Whether a block runs at home only: it has browsers of its own, which each lab that runs it would have to warm up. */
  readonly staysHome: (block: Block) => boolean;
  /** Whether it pays that a second lab measures a link: there is time enough for that, and room for its loads. */
  readonly mayHelp: boolean;
}

/** The name of a link as labs know it: the same link in another topology is another one. */
export function linkNameOf({
  link,
  topology = 'direct',
}: {
  readonly link: Link;
  readonly topology?: TopologyName | undefined;
}) {
  return topology === 'direct' ? link.name : `${link.name}|${topology}`;
}

/**
 * Gives blocks to labs that are free, the most urgent first. A link is measured in the lab that is its home. Only where a
 * lab would have nothing to do does it take the work of another one, and measures that link as well.
 */
export function assign(
  wanted: readonly Block[],
  linkOf: (block: Block) => string,
  { most, busy, conditions, links, homes, leavesRoom, staysHome, mayHelp }: LabsAtWork,
): readonly Assigned[] {
  const free = new Set(Array.from({ length: most }, (_, number) => number).filter((number) => !busy.has(number)));
  const left = new Set(wanted.filter(({ condition }) => !conditions.has(condition)));
  const assigned: Assigned[] = [];
  const give = (block: Block, lab: number | undefined) => {
    if (lab === undefined || !free.has(lab)) return;
    free.delete(lab);
    left.delete(block);
    assigned.push({ block, lab });
  };
  const knows = (number: number, link: string) => links.get(number)?.has(link) ?? false;
  for (const block of left) {
    const link = linkOf(block);
    const home = homes.get(link)!;
    const others = staysHome(block) ? [] : [...free].filter((number) => knows(number, link));
    give(
      block,
      [home, ...others].find((number) => free.has(number)),
    );
  }
  // A link that has not been measured anywhere is measured at home first.
  const isKnown = (link: string) => [...links.values()].some((own) => own.has(link));
  for (const block of left) {
    if (free.size === 0 || !mayHelp) break;
    if (isKnown(linkOf(block)) && leavesRoom(block) && !staysHome(block)) give(block, [...free][0]);
  }
  return assigned;
}
