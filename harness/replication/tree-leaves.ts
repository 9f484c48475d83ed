import type { Paper, PublishedTree } from '../model/paper.ts';
import type { Plan } from '../model/study.ts';
import type { TreeFinding } from '../model/then-and-now.ts';
import type { Leaf, Tree } from '../model/tree.ts';
import { featuresOf } from '../tree/features.ts';
import { follow } from '../tree/tree-search.ts';
import type { OwnSpot } from './measured.ts';
import { expandPlaces, liesIn } from './places.ts';

/** What a printed tree's leaves say, beside what ours says where we measured in the same places. */
export function compareLeaves(
  { where, says, leaves }: PublishedTree,
  paper: Paper,
  { plan, spots, tree }: { readonly plan: Plan; readonly spots: readonly OwnSpot[]; readonly tree: Tree<Leaf> },
): TreeFinding {
  return {
    where,
    says,
    leaves: leaves.map(({ says: place, where: places, leaf }) => {
      const asked = expandPlaces(places);
      const there = spots.filter((spot) => asked.some((each) => liesIn(spot, each)));
      const own = there.map(({ condition }) => leafFor(condition, plan, tree));
      return {
        says: place,
        published: leaf.map((arm) => paper.arms[arm]!.called),
        measured: [...new Map(own.map((each) => [each.join(' '), each])).values()],
        conditions: there.map(({ condition }) => condition),
      };
    }),
  };
}

function leafFor(id: string, { conditions, sites }: Plan, tree: Tree<Leaf>): readonly string[] {
  const condition = conditions.find((each) => each.id === id)!;
  const { serve, asGood } = follow(tree, featuresOf(condition, sites[condition.site]!));
  return [serve, ...asGood];
}
