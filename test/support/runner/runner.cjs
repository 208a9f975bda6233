'use strict';

// Jest's runner for this project. Jest's own runner loads modules again for every file, which costs each service file seconds. Here a
// process keeps them from file to file. (jest-light-runner 0.7 does too, but it has no timeouts, and its processes sometimes wait forever
// for their settings.)

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Worker } = require('jest-worker');

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
    // A broken unit fails in the first seconds.
    const isUnitTest = ({ path }) => path.includes(join('test', 'unit'));
    const queue = tests.toSorted((a, b) => isUnitTest(b) - isUnitTest(a));
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
