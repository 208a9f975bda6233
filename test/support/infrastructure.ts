import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findTool, type ToolName } from '../../scripts/start/tools';
import { projectRoot } from '../../scripts/start/project';

/**
 * Servers that the whole test run shares. `global-setup.ts` starts a server when the first test requests it.
 */

/** Admin connection string of the run's PostgreSQL. Its database `TEMPLATE_DATABASE` is migrated and seeded. */
export function pgAdminUrl(): Promise<string> {
  return serverAddress('postgres');
}

export const TEMPLATE_DATABASE = 'trade_print_template';

/** host:port of the run's Temporal dev server, namespace `default`. */
export function temporalAddress(): Promise<string> {
  return serverAddress('temporal');
}

/** Path of the compiled program that opens pictures. */
export function decoderPath(): string {
  return builtFile('src', 'inspection', 'decoder.js');
}

/** Path of the time-skipping server, for `createTimeSkipping({ server: { executable: { type: 'existing-path', path } } })`. */
export const timeSkippingServerPath = (): string => requireToolPath('testServer');

/** Path of versitygw, a small S3 server. */
export const versitygwPath = (): string => requireToolPath('versitygw');

/** Path of PgBouncer; its libraries are below the same root. */
export const pgBouncerPath = (): string => requireToolPath('pgbouncer');

function requireToolPath(name: ToolName): string {
  const found = findTool(name);
  if (found.path === undefined) throw new Error(`${found.problem}. Run the tests with: npm test`);
  return found.path;
}

/** @throws Error when the build has not run */
export function builtFile(...names: string[]): string {
  const file = join(projectRoot, 'dist', ...names);
  if (!existsSync(file)) throw new Error(`dist/${names.join('/')} is missing. Run the tests with: npm test`);
  return file;
}

const addresses = new Map<string, Promise<string>>();

/** Asks the run's main process, which starts the server at the first request. */
function serverAddress(name: 'postgres' | 'temporal'): Promise<string> {
  const known = addresses.get(name) ?? requestAddress(name);
  addresses.set(name, known);
  return known;
}

async function requestAddress(name: string): Promise<string> {
  const url = process.env['TEST_RUN_URL'];
  if (url === undefined) throw new Error(`no ${name} without a test run. Run the tests with: npm test`);
  const response = await fetch(`${url}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`${name} did not start: ${text}`);
  return text;
}
