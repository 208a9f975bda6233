'use strict';

const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

/**
 * Lists the failed tests after the summary, because a log of CI can be cut. Writes the run's counts to the file COUNTS_FILE, for the last line
 * of `npm test` (scripts/run/test.mjs).
 */
class CountReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, results) {
    for (const { testFilePath, testResults, testExecError } of results.testResults) {
      const failed = testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
      if (testExecError) failed.push('the file itself');
      for (const name of failed) process.stderr.write(`FAILED ${relative(this.rootDir, testFilePath)}: ${name}\n`);
    }
    const file = process.env.COUNTS_FILE;
    if (!file) return;
    // A test file that fails to load has no failed tests and counts as one failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    writeFileSync(file, JSON.stringify({ passed: results.numPassedTests, failed }));
  }
}

module.exports = CountReporter;
