'use strict';

// For `globalSetup`, which Jest's own process loads.
require('./test/support/runner/register-swc.cjs');

/** @type {import('jest').Config} */
module.exports = {
  runner: '<rootDir>/test/support/runner/runner.cjs',
  // The folders beside test/ are what `npm run test:related` follows imports through.
  roots: ['test', 'src', 'workflows', 'activities', 'migrations', 'scripts', 'packages'].map((folder) => `<rootDir>/${folder}`),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/\\.data/'],
  // For `npm run test:related`, which follows imports: the console's modules import each other as `./amount.js`.
  moduleNameMapper: { '^(.*/packages/console/src/.*)\\.js$': '$1' },
  transform: {},
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/count-reporter.cjs'],
  // On two cores a third process took as long and 80 more CPU seconds.
  maxWorkers: 2,
  testTimeout: 120_000,
};
