/**
 * What `global-setup.ts` started for the whole test run, as the tests read it. It travels in environment variables,
 * because the tests run in other processes than the set-up.
 */

/** Admin connection string of the run's PostgreSQL; tests create databases of their own next to it. */
export function pgAdminUrl(): string {
  return read('TEST_PG_ADMIN_URL', 'no PostgreSQL was started for this run');
}

/** Name of the migrated and seeded template database, when the set-up made one: `CREATE DATABASE x TEMPLATE …`. */
export function pgTemplateDatabase(): string {
  return read('TEST_PG_TEMPLATE_DATABASE', 'no template database was made for this run');
}

/** host:port of the run's Temporal dev server, namespace `default`. */
export function temporalAddress(): string {
  return read('TEST_TEMPORAL_ADDRESS', 'no Temporal server was started for this run');
}

/** Path of the bundled workflow code, for `workflowBundle: { codePath }` of a Worker. */
export function workflowBundlePath(): string {
  return read('TEST_WORKFLOW_BUNDLE', 'there were no workflows/index.ts to bundle');
}

/** Path of the time-skipping server, for `createTimeSkipping({ server: { executable: { type: 'existing-path', path } } })`. */
export function timeSkippingServerPath(): string {
  return read('TEST_TIME_SKIPPING_SERVER', reasonFor('TEST_TIME_SKIPPING_SERVER'));
}

/** Path of versitygw, a small S3 server. */
export function versitygwPath(): string {
  return read('TEST_VERSITYGW', reasonFor('TEST_VERSITYGW'));
}

/** Where a tool is missing, the set-up leaves the reason in `<NAME>_PROBLEM`. */
function reasonFor(name: string): string {
  return process.env[`${name}_PROBLEM`] ?? 'it has not been set up';
}

function read(name: string, reason: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set: ${reason}. Run the tests with: npm test`);
  return value;
}
