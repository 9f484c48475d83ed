import {
  type Features,
  isSplit,
  type Leaf,
  type NumericFeature,
  type Split,
  type Tree,
} from '../harness/model/tree.ts';
import { bytes, figure, percent, rate } from './wording.ts';

/** A question as a tree asks it, in words. */
export function splitAsQuestion(split: Split): string {
  if (split.feature === 'visit') return `Is it a ${split.is} visit?`;
  const [name, text] = FEATURES[split.feature];
  return `${name} below ${text(split.below)}?`;
}

const FEATURES: Readonly<Record<NumericFeature, readonly [name: string, text: (value: number) => string]>> = {
  rateKbps: ['Rate', rate],
  rttMs: ['RTT', (value) => `${figure(value, 1)} ms`],
  lossPercent: ['Loss', percent],
  objects: ['Objects', (value) => figure(value, 1)],
  bytesPerObject: ['Size of an object', bytes],
  totalBytes: ['Size of the page', bytes],
  queuePackets: ['Queue', (value) => `${figure(value, 1)} packets`],
};

/** A question that was answered on the way to a leaf. */
export interface Step {
  readonly split: Split;
  readonly yes: boolean;
}

/** How features get to their leaf. */
export function pathOf(tree: Tree<Leaf>, features: Features): { readonly steps: readonly Step[]; readonly leaf: Leaf } {
  const steps: Step[] = [];
  let node = tree;
  while (isSplit(node)) {
    const yes = node.feature === 'visit' ? features.visit === node.is : features[node.feature] < node.below;
    steps.push({ split: node, yes });
    node = yes ? node.yes : node.no;
  }
  return { steps, leaf: node as Leaf };
}

/** Whether a tree asks for a feature anywhere. */
export function asksFor(tree: Tree<Leaf> | undefined, feature: keyof Features): boolean {
  if (!tree || !isSplit(tree)) return false;
  return tree.feature === feature || asksFor(tree.yes, feature) || asksFor(tree.no, feature);
}

/** How far apart two questions are: what is twice as much is one step, in the link as in the page. */
export function distance(one: Features, other: Features): number {
  const doublings = (of: (features: Features) => number) => {
    const [a, b] = [of(one), of(other)];
    return a === b ? 0 : Math.abs(Math.log2(Math.min(a, 1e9) / Math.min(b, 1e9)));
  };
  return (
    doublings(({ rateKbps }) => rateKbps) +
    doublings(({ rttMs }) => rttMs + 5) +
    doublings(({ lossPercent }) => lossPercent + 0.25) +
    doublings(({ objects }) => objects) +
    doublings(({ totalBytes }) => totalBytes) +
    (one.visit === other.visit ? 0 : 100)
  );
}

/** The measured condition that is nearest to what is asked. */
export function nearestTo<Measured extends { readonly features: Features; readonly blocks: number }>(
  features: Features,
  conditions: readonly Measured[],
): Measured | undefined {
  const measured = conditions.filter(({ blocks }) => blocks > 0);
  const far = measured.map((each) => distance(features, each.features));
  return measured[far.indexOf(Math.min(...far))];
}

/** A queue of one bandwidth-delay product, which links have where it is not said otherwise. */
export function usualQueue({ rateKbps, rttMs }: Pick<Features, 'rateKbps' | 'rttMs'>): number {
  return Number.isFinite(rateKbps) ? Math.max(10, Math.ceil((rateKbps * rttMs) / 8 / 1514)) : 10;
}
