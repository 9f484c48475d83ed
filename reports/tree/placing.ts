import { isSplit, type Leaf, type Tree } from '../../harness/model/tree.ts';

/** A node and where it stands. */
export interface Placed {
  readonly node: Tree<Leaf>;
  readonly depth: number;
  readonly x: number;
  readonly y: number;
  readonly answer?: 'yes' | 'no' | undefined;
  readonly above?: Placed;
}

/** How high a leaf stands, in what the drawing is measured in, and how wide. */
export const ROW = 76;
export const LEAF_WIDTH = 270;
/** How high a question stands, where questions stand in rows of their own. */
const QUESTION_ROW = 46;

/** Questions in columns, leaves in rows at the right. */
export function placeBeside(tree: Tree<Leaf>, width: number): Placed[] {
  const depth = depthOf(tree);
  const column = depth === 0 ? 0 : (width - LEAF_WIDTH) / depth;
  const placed: Placed[] = [];
  let rows = 0;
  const place = (node: Tree<Leaf>, at: number): number => {
    const index = placed.push({ node, depth: at, x: isSplit(node) ? at * column : depth * column, y: 0 }) - 1;
    const ys = isSplit(node) ? [place(node.yes, at + 1), place(node.no, at + 1)] : [ROW * (0.5 + rows++)];
    placed[index] = { ...placed[index]!, y: (ys[0]! + ys.at(-1)!) / 2 };
    return placed[index]!.y;
  };
  place(tree, 0);
  return withParents(placed);
}

/** Each node in a row, further in the deeper it stands. */
export function placeBelow(tree: Tree<Leaf>): Placed[] {
  const placed: Placed[] = [];
  let above = 0;
  const place = (node: Tree<Leaf>, depth: number): void => {
    const row = isSplit(node) ? QUESTION_ROW : ROW;
    placed.push({ node, depth, x: 26 * depth, y: above + row / 2 });
    above += row;
    if (isSplit(node)) for (const side of [node.yes, node.no]) place(side, depth + 1);
  };
  place(tree, 0);
  return withParents(placed);
}

function withParents(placed: readonly Placed[]): Placed[] {
  return placed.map((each) => {
    const above = placed.find(({ node }) => isSplit(node) && (node.yes === each.node || node.no === each.node));
    return above
      ? { ...each, above, answer: isSplit(above.node) && above.node.yes === each.node ? 'yes' : 'no' }
      : each;
  });
}

/** How many questions stand one after the other, at most. */
export function depthOf(tree: Tree<Leaf>): number {
  return isSplit(tree) ? 1 + Math.max(depthOf(tree.yes), depthOf(tree.no)) : 0;
}
