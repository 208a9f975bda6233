'use strict';

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Build output and running data hold copies of our files.
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/\\.data/'],
  // Modules of browsers are named as they will be; here they are what they are written in.
  moduleNameMapper: { '^(.*/packages/console/src/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' }, keepClassNames: true },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/count-reporter.cjs'],
  maxWorkers: 2,
  // A worker grows with every file and collects its garbage ever longer: the last files took twice as long as by themselves.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 60_000,
  forceExit: false,
};
