import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface Entry {
  readonly optionalDependencies?: Record<string, string>;
}

test('the lock names every platform’s packages: npm 11 refuses one that does not (mend it with .ci/complete-lock.mjs)', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> };
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${place}/node_modules/${name}`],
    ),
  );
  expect(missing).toEqual([]);
});
