/**
 * `unit` runs anywhere; `pages` looks at reports in a browser; `live` and `beside` need the lab (namespaces, a browser,
 * nginx), and `live` the machine for itself.
 */
const shared = {
  testEnvironment: 'node',
  // A whole Debian may lie there while a bare machine is tried.
  modulePathIgnorePatterns: ['<rootDir>/\\.lab/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/strip-types.mjs' },
};

export default {
  // A machine that has more to do takes its time.
  testTimeout: 30_000,
  // All cores: by itself jest leaves one alone.
  maxWorkers: '100%',
  // Of those of the live tests that may run side by side.
  maxConcurrency: 2,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/test/live/', '/test/reports/'],
    },
    {
      ...shared,
      displayName: 'pages',
      testMatch: ['<rootDir>/test/reports/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'live',
      testMatch: ['<rootDir>/test/live/*.test.ts'],
      globalSetup: '<rootDir>/test/live/furnish.ts',
    },
    {
      ...shared,
      displayName: 'beside',
      testMatch: ['<rootDir>/test/live/beside/*.test.ts'],
      globalSetup: '<rootDir>/test/live/furnish.ts',
    },
  ],
};
