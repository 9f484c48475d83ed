import { expect, test } from '@jest/globals';
import { labsThatFit } from '../../harness/run/labs.ts';
import { linkOf } from '../links.ts';

const LINKS = Array.from({ length: 20 }, (_, index) => linkOf(`rate=${index + 1}mbit`));
const conditions = (links: number, pages: number) =>
  LINKS.slice(0, links).flatMap((link) => Array.from({ length: pages }, () => ({ link })));

test.each<[string, number, number, number, number, number]>([
  ['each of twelve links has one, on two cores', 12, 4, 2, 64e9, 12],
  ['of twenty links, twelve have one', 20, 1, 2, 64e9, 12],
  ['each of five links has one', 5, 4, 2, 64e9, 5],
  ['three links share six with each other', 3, 4, 2, 64e9, 6],
  ['there are no more than conditions', 1, 2, 2, 64e9, 2],
  ['there are no more than the memory holds', 12, 4, 2, 6e9, 5],
  ['there is one, whatever the machine', 12, 4, 2, 0, 1],
])('%s', (_, links, pages, cores, bytes, labs) => {
  expect(labsThatFit(conditions(links, pages), cores, bytes)).toBe(labs);
});
