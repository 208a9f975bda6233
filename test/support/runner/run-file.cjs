'use strict';

// Runs test files in sequence in this process, which keeps its modules.

const { jestExpect } = require('@jest/expect');
const circus = require('jest-circus');
const { formatResultsErrors } = require('jest-message-util');
const { ModuleMocker } = require('jest-mock');
const { appendFileSync } = require('node:fs');
const { cpus, freemem, loadavg } = require('node:os');
const { join } = require('node:path');
const { setImmediate: nextTurn } = require('node:timers/promises');
const { failureNotes, serviceErrors } = require('../service-errors');

const { describe, it, test, beforeAll, beforeEach, afterEach, afterAll } = circus;
// The seed of a round of `npm run test:repeat`. Property tests print their own.
if (process.env.SEED !== undefined) require('fast-check').configureGlobal({ seed: Number(process.env.SEED) });

const mocker = new ModuleMocker(globalThis);
const jest = { fn: mocker.fn.bind(mocker), spyOn: mocker.spyOn.bind(mocker), restoreAllMocks: () => mocker.restoreAllMocks() };
Object.assign(globalThis, { describe, it, test, beforeAll, beforeEach, afterEach, afterAll, expect: jestExpect, jest });

// Jest sets it in a terminal. Programs that tests start would color their output.
delete process.env.FORCE_COLOR;

// Temporary files are deleted with the run's folder.
if (process.env.TEST_RUN_FOLDER !== undefined) process.env.TMPDIR = process.env.TEST_RUN_FOLDER;

/** What the failed tests of this file left, such as the pages of the browser. */
let notes = [];
circus.addEventHandler(async ({ name }) => {
  if (name !== 'test_fn_failure') return;
  for (const describeState of failureNotes) notes.push(...(await describeState()));
});

/** Errors that neither code nor a file has reported. Errors between two files fail the second. */
let uncaught = [];
process.on('uncaughtExceptionMonitor', (error) => uncaught.push(error));
process.on('uncaughtException', () => {}); // keeps the process; circus replaces these two while a file runs
process.on('unhandledRejection', (error) => uncaught.push(error));

/** Runs one test file. @returns a result for Jest's reporters */
exports.runFile = async ({ path, testTimeout, rootDir, testNamePattern }) => {
  const start = Date.now();
  circus.resetState();
  const state = circus.getState();
  state.testTimeout = testTimeout;
  state.testNamePattern = testNamePattern ? new RegExp(testNamePattern, 'i') : null;
  jestExpect.setState({ testPath: path });
  serviceErrors.length = 0;
  notes = [];
  const environment = { ...process.env };
  require(path);
  const { testResults, unhandledErrors } = await circus.run();
  mocker.restoreAllMocks();
  await nextTurn();
  const reported = [...unhandledErrors, ...testResults.flatMap(({ errors }) => errors)].join('\n');
  const unreported = uncaught.filter((error) => !error?.message || !reported.includes(error.message)).map(textOf);
  const errors = [...unhandledErrors, ...unreported, ...restoreEnvironment(environment)];
  uncaught = [];
  return resultOf({ path, rootDir, start, tests: testResults.map(assertionOf), unhandledErrors: errors });
};

const textOf = (error) => `${error?.stack ?? error}`;

/** sharp sets this variable when it is loaded. */
const SET_BY_PACKAGES = ['VIPSHOME'];

/** Restores the environment for the next file. @returns the variables that the file left changed, as errors */
function restoreEnvironment(environment) {
  const names = [...new Set([...Object.keys(environment), ...Object.keys(process.env)])];
  const changed = names.filter((name) => process.env[name] !== environment[name] && !SET_BY_PACKAGES.includes(name));
  for (const name of changed) {
    if (environment[name] === undefined) delete process.env[name];
    else process.env[name] = environment[name];
  }
  return changed.map((name) => `the file must restore process.env.${name}`);
}

/** Ends the process although servers and connections of several files are open. The runner reads errors after the last file. */
exports.teardown = async () => {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn(); // errors of the last file that are already queued
  for (const error of uncaught) appendFileSync(join(process.env.TEST_RUN_FOLDER, 'late-errors'), `${textOf(error)}\n`);
  process.exit();
};

function assertionOf({ testPath, status, errors, errorsDetailed: _, ...rest }) {
  const names = testPath.slice(1);
  const outcome = errors.length > 0 ? 'failed' : 'passed';
  return {
    ...rest,
    ancestorTitles: names.slice(0, -1),
    title: names.at(-1),
    fullName: names.join(' '),
    status: status === 'done' ? outcome : status === 'skip' ? 'pending' : status,
    failureMessages: errors,
    failureDetails: [],
  };
}

/** A test that fails only on a busy machine has a race. */
function loadOfMachine() {
  const [minute] = loadavg();
  return `load of the machine: ${minute.toFixed(1)} on ${cpus().length} cores, ${Math.round(freemem() / 2 ** 20)} MB free`;
}

function resultOf({ path, rootDir, start, tests, unhandledErrors }) {
  const count = (status) => tests.filter((one) => one.status === status).length;
  const end = Date.now();
  const failures = [formatResultsErrors(tests, { rootDir, testMatch: [] }, { noStackTrace: false }, path), ...unhandledErrors].filter(
    Boolean,
  );
  // Errors in the services' logs are often the reason.
  const messages = failures.length > 0 ? [...failures, ...serviceErrors, ...notes, loadOfMachine()] : [];
  return {
    testFilePath: path,
    testResults: tests,
    failureMessage: messages.join('\n') || null,
    numPassingTests: count('passed'),
    numFailingTests: count('failed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    testExecError: unhandledErrors.length === 0 ? undefined : { message: '', stack: unhandledErrors.join('\n') },
    perfStats: {
      start,
      end,
      runtime: end - start,
      slow: end - start > 5000,
      loadTestEnvironmentEnd: start,
      loadTestEnvironmentStart: start,
    },
    snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
    leaks: false,
    openHandles: [],
    skipped: false,
  };
}
