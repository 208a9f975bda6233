'use strict';

const { writeFileSync } = require('node:fs');

/** Writes the run's counts to the file COUNTS_FILE, for the last line of `npm test` (scripts/run/test.mjs). */
class CountReporter {
  onRunComplete(_contexts, results) {
    const file = process.env.COUNTS_FILE;
    if (!file) return;
    // A test file that fails to load has no failed tests and counts as one failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    writeFileSync(file, JSON.stringify({ passed: results.numPassedTests, failed }));
  }
}

module.exports = CountReporter;
