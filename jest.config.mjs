import { fileURLToPath } from 'node:url';

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

// Programs that tests start find what others of them have compiled: that is half of the time that they take to start.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('.lab/compile-cache', import.meta.url));

export default {
  // Beside the live tests, those of units get the processor time that nobody else wants.
  testTimeout: 300_000,
  // All cores: by itself jest leaves one alone.
  maxWorkers: '100%',
  testSequencer: '<rootDir>/test/longest-first.mjs',
  // Of those of a file's live tests that may run side by side.
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
