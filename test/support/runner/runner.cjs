'use strict';

// Jest's runner for this project. Jest's own runner loads modules again for every file, which costs each service file seconds. Here a
// process keeps them from file to file. (jest-light-runner 0.7 does too, but it has no timeouts, and its processes sometimes wait forever
// for their settings.)

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Worker } = require('jest-worker');

/**
 * Files that take minutes. They start first, or they would run alone at the end. Jest orders by the size of a file, until it has measured
 * one.
 */
const LONG_FILES = [
  'proofs/contract/run.test.ts',
  'proofs/observability/faults.test.ts',
  'proofs/artwork/pictures.test.ts',
  'proofs/node-versions.test.ts',
  'proofs/console/scanners.test.ts',
  'proofs/attacks/attacks.test.ts',
];

module.exports = class Runner {
  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const { maxWorkers, testNamePattern } = this.globalConfig;
    const numWorkers = Math.min(maxWorkers, tests.length);
    const lateErrors = join(process.env.TEST_RUN_FOLDER, 'late-errors');
    const worker = new Worker(join(__dirname, 'run-file.cjs'), {
      exposedMethods: ['runFile'],
      numWorkers,
      // A file whose process died has failed. It is not run again.
      maxRetries: 0,
      forkOptions: { execArgv: ['--enable-source-maps', '--require', join(__dirname, 'process.cjs')], silent: false },
    });
    const rankOf = ({ path }) => {
      if (path.includes(join('test', 'unit'))) return 0; // a broken unit fails in the first seconds
      return LONG_FILES.some((name) => path.endsWith(join('test', name))) ? 1 : 2;
    };
    const queue = tests.toSorted((a, b) => rankOf(a) - rankOf(b));
    const runQueue = async () => {
      for (let test = queue.shift(); test !== undefined && !watcher.isInterrupted(); test = queue.shift()) {
        await onStart(test);
        const { testTimeout, rootDir } = test.context.config;
        const file = { path: test.path, testTimeout, rootDir, testNamePattern };
        await worker.runFile(file).then(
          (result) => onResult(test, result),
          (error) => onFailure(test, error),
        );
      }
    };
    try {
      await Promise.all(Array.from({ length: numWorkers }, runQueue));
    } finally {
      await worker.end();
    }
    if (existsSync(lateErrors)) throw new Error(`after the last test file of a process: ${readFileSync(lateErrors, 'utf8')}`);
  }
};
