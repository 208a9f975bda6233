import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findTool, type ToolName } from '../../dev/tools';
import { projectRoot } from '../../dev/project';

/**
 * What the whole test run shares. `global-setup.ts` starts a server when the first test asks for it; a file that asks for nothing costs
 * nothing.
 */

/** Admin connection string of the run's PostgreSQL. Its database `TEMPLATE_DATABASE` is migrated and seeded. */
export function pgAdminUrl(): Promise<string> {
  return process.env['TEST_PG_ADMIN_URL'] === undefined ? shared('postgres') : Promise.resolve(process.env['TEST_PG_ADMIN_URL']);
}

export const TEMPLATE_DATABASE = 'trade_print_template';

/** host:port of the run's Temporal dev server, namespace `default`. */
export function temporalAddress(): Promise<string> {
  const given = process.env['TEST_TEMPORAL_ADDRESS'];
  return given === undefined ? shared('temporal') : Promise.resolve(given);
}

/** Path of the bundled workflow code that the build left, for `workflowBundle: { codePath }` of a Worker. */
export function workflowBundlePath(): string {
  return built('workflow-bundle.js');
}

/** Path of the compiled program that opens pictures. */
export function decoderPath(): string {
  return built('src', 'inspection', 'decoder.js');
}

/** Path of the time-skipping server, for `createTimeSkipping({ server: { executable: { type: 'existing-path', path } } })`. */
export const timeSkippingServerPath = (): string => tool('testServer', 'TEST_TIME_SKIPPING_SERVER');

/** Path of versitygw, a small S3 server. */
export const versitygwPath = (): string => tool('versitygw', 'TEST_VERSITYGW');

function tool(name: ToolName, variable: string): string {
  const given = process.env[variable];
  if (given !== undefined) return given;
  const found = findTool(name);
  if (found.path === undefined) throw new Error(`${variable} is not set: ${found.problem}. Run the tests with: npm test`);
  return found.path;
}

/** @throws Error when the build has not run */
export function built(...names: string[]): string {
  const file = join(projectRoot, 'dist', ...names);
  if (!existsSync(file)) throw new Error(`dist/${names.join('/')} is missing. Run the tests with: npm test`);
  return file;
}

const answers = new Map<string, Promise<string>>();

/** Asks the run's main process, which starts the server at the first request. */
function shared(name: 'postgres' | 'temporal'): Promise<string> {
  const known = answers.get(name) ?? request(name);
  answers.set(name, known);
  return known;
}

async function request(name: string): Promise<string> {
  const url = process.env['TEST_RUN_URL'];
  if (url === undefined) throw new Error(`no ${name} without a test run. Run the tests with: npm test`);
  const response = await fetch(`${url}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`${name} did not start: ${text}`);
  return text;
}
