'use strict';

const { join } = require('node:path');

// Tests run in plain Node processes, which keep their modules from file to file; `process.cjs` lets them read TypeScript.
const processSetup = join(__dirname, 'test', 'support', 'runner', 'process.cjs');
require(processSetup);
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --enable-source-maps --require "${processSetup}"`.trim();

/** @type {import('jest').Config} */
module.exports = {
  runner: 'jest-light-runner/child-process',
  // The folders beside test/ are what `npm run test:related` follows imports through.
  roots: ['test', 'src', 'workflows', 'activities', 'migrations', 'dev', 'demo', 'packages'].map((folder) => `<rootDir>/${folder}`),
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/\\.data/'],
  // Modules of browsers are named as they will be; here they are what they are written in.
  moduleNameMapper: { '^(.*/packages/console/src/.*)\\.js$': '$1' },
  transform: {},
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/runner/environment.ts'],
  reporters: ['default', '<rootDir>/test/support/count-reporter.cjs'],
  maxWorkers: 2,
};
