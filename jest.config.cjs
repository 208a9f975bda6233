'use strict';

// Needed by `globalSetup`, which runs in Jest's own process.
require('./test/support/runner/register-swc.cjs');

/** @type {import('jest').Config} */
module.exports = {
  runner: '<rootDir>/test/support/runner/runner.cjs',
  // `npm run test:related` follows imports through the folders besides test/.
  roots: ['test', 'src', 'workflows', 'activities', 'migrations', 'scripts', 'packages'].map((folder) => `<rootDir>/${folder}`),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/packages/[^/]+/dist/', '<rootDir>/\\.data/'],
  // The console's modules import each other as `./amount.js`; `npm run test:related` follows these imports.
  moduleNameMapper: { '^(.*/packages/console/src/.*)\\.js$': '$1' },
  transform: {},
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/count-reporter.cjs'],
  // Made for two cores. Many tests wait for a timeout of the service; the third worker uses that time.
  maxWorkers: 3,
  // Ends only what hangs. A slow machine needs a fraction of it.
  testTimeout: 900_000,
};
