import { expect, test } from '@jest/globals';
import { summarizeStudy } from '../../harness/findings/summary.ts';
import { describeWitnesses } from '../../harness/report/remote-text.ts';
import { buildPage } from '../../harness/report/view-model.ts';
import { smallPage, smallSource } from './pages.ts';

test('how a study was measured says so', () => {
  const source = smallSource();
  const { plan } = source.found;
  const conditions = plan.conditions.map((condition) => ({ ...condition, server: 'remote' }));
  const found = { ...source.found, plan: { ...plan, conditions } };
  const { method } = buildPage({ ...source, found }, summarizeStudy(found), { again: { command: '' }, next: [] });
  const [witnesses] = method.facts.filter(({ name }) => name === 'Witnesses');
  expect(witnesses!.value).toBe(describeWitnesses(found.plan));
  // The page shows no more of a fact.
  expect(witnesses!.value.length).toBeLessThan(600);
  expect(smallPage().page.method.facts.filter(({ name }) => name === 'Witnesses')).toEqual([]);
});

const ARMS = [{ name: 'h2', protocol: 'h2' }] as const;
const among = (...servers: readonly string[]) =>
  ({ arms: ARMS, conditions: servers.map((server) => ({ server })) }) as unknown as Parameters<
    typeof describeWitnesses
  >[0];

test.each<[string, Parameters<typeof describeWitnesses>[0], RegExp | undefined]>([
  ['the lab’s alone', among('nginx', 'caddy'), undefined],
  ['remote alone', among('remote'), /^The servers are outside the lab, and Photofinish does not have their logs\. /],
  ['one of several', among('nginx', 'remote'), /^The servers called remote are outside the lab/],
  [
    'of an arm',
    { ...among('nginx'), arms: [...ARMS, { ...ARMS[0], name: 'r', server: 'remote' }] },
    /^The servers called remote/,
  ],
  ['of all arms', { ...among('nginx'), arms: [{ ...ARMS[0], server: 'remote' }] }, /^The servers are outside the lab/],
])('%s', (_, plan, expected) => {
  const said = describeWitnesses(plan);
  if (!expected) return expect(said).toBeUndefined();
  expect(said).toMatch(expected);
  for (const weaker of [
    /The wire stands in/,
    /cannot check that they are what was sent/,
    /a first one/,
    /Beyond the link/,
  ])
    expect(said).toMatch(weaker);
});
