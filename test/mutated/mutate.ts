/** What texts and values are changed into: what parsers, paths and terminals trip over. */
const STRANGE: readonly string[] = [
  '\u0000',
  '\u001b[2J',
  '&a [*a]',
  '!!js/function',
  '{{',
  '- ',
  '\t',
  '__proto__: {}',
  '1e999',
  '"',
  ': ',
  '../',
  '%',
  '\ud800',
];

const STRANGE_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  9e15,
  0.1,
  '',
  'x'.repeat(100_000),
  '../../../etc/passwd',
  '\u001b[2J\n',
  '\ud800',
  'https://[::1]:99999/',
  '2026-99-99T99:99:99Z',
  [],
  {},
  [[[[[]]]]],
  { toString: 7, __proto__: null, constructor: 'x', length: -1 },
];

type Random = () => number;

function anyOf<T>(things: readonly T[], random: Random): T {
  return things[Math.floor(random() * things.length)]!;
}

/** A text with a few pieces of it changed, left out, said twice, or in each other's place. */
export function mutateText(text: string, random: Random): string {
  const at = () => Math.floor(random() * text.length);
  let mutated = text;
  for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
    const [from, length] = [at(), Math.floor(random() * 40)];
    const piece = mutated.slice(from, from + length);
    const instead = [
      anyOf(STRANGE, random),
      '',
      piece + piece,
      mutated.slice(at(), at() + 20),
      `${Math.floor(random() * 1e9)}`,
    ];
    mutated = mutated.slice(0, from) + anyOf(instead, random) + mutated.slice(from + length);
  }
  return mutated;
}

/** JSON with a few of its values changed, left out, or put in each other's place; now and then with its text changed. */
export function mutateJson(json: string, random: Random): string {
  if (random() < 0.2) return mutateText(json, random);
  const root: Record<string, unknown> = { value: JSON.parse(json) };
  for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
    const [parent, key] = anyOf(placesIn(root), random);
    if (parent !== root && random() < 0.2) delete parent[key];
    else
      parent[key] =
        random() < 0.3 ? valueAt(anyOf(placesIn(root), random)) : structuredClone(anyOf(STRANGE_VALUES, random));
  }
  return JSON.stringify(root.value) ?? 'null';
}

type Place = readonly [parent: Record<string, unknown>, key: string];

function placesIn(parent: object): Place[] {
  return Object.entries(parent).flatMap(([key, value]) => [
    [parent as Record<string, unknown>, key] as const,
    ...(typeof value === 'object' && value !== null ? placesIn(value) : []),
  ]);
}

/** A copy, so that nothing ever holds itself. */
function valueAt([parent, key]: Place): unknown {
  return structuredClone(parent[key]);
}

/** Bytes with a few of them flipped, a range of them in another's place, or their end cut off. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const mutated = Buffer.from(bytes);
  const at = () => Math.floor(random() * mutated.length);
  for (let times = 1 + Math.floor(random() * 8); times > 0; times -= 1) {
    const kind = random();
    if (kind < 0.6) mutated[at()]! ^= 1 << Math.floor(random() * 8);
    else if (kind < 0.8) mutated.copy(mutated, at(), at(), Math.min(mutated.length, at()));
    else mutated.fill(Math.floor(random() * 256), at(), at());
  }
  return random() < 0.1 ? mutated.subarray(0, at()) : mutated;
}
