import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project';
import { SetupError } from './setup-error';

/** Programs that are not npm packages. `scripts/set-up/prepare.mjs` finds or builds them. */
export type ToolName = 'temporal' | 'testServer' | 'versitygw' | 'schemathesis';

interface ToolRecord {
  path?: string;
  /** Why there is none: what was tried and how to get it. */
  problem?: string;
}

/** Written by `scripts/set-up/prepare.mjs`, the one place that knows where to look: here we only read what it found. */
const toolsFile = join(projectRoot, 'node_modules', '.cache', 'trade-print', 'tools.json');

/**
 * Path of a program that the set-up found.
 * @throws SetupError when the set-up has not run, could not get the program, or the program has gone since
 */
export function toolPath(name: ToolName): string {
  const tool = findTool(name);
  if (tool.path === undefined) throw new SetupError(tool.problem ?? `no ${name}; run: node scripts/set-up/prepare.mjs`);
  return tool.path;
}

/** As `toolPath`, but hands back the reason instead of throwing it. */
export function findTool(name: ToolName): { path: string } | { path?: undefined; problem: string } {
  const record = readTools()[name];
  if (record?.path !== undefined && existsSync(record.path)) return { path: record.path };
  return { problem: record?.problem ?? `${name} has not been set up; run: node scripts/set-up/prepare.mjs test` };
}

function readTools(): Partial<Record<ToolName, ToolRecord>> {
  if (!existsSync(toolsFile)) return {};
  return JSON.parse(readFileSync(toolsFile, 'utf8')) as Partial<Record<ToolName, ToolRecord>>;
}
