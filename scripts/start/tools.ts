import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project';
import { SetupError } from './setup-error';

/** Programs that are not npm packages. `scripts/set-up/tools.mjs` finds or installs them. */
export type ToolName = 'temporal' | 'testServer' | 'versitygw' | 'schemathesis' | 'pictures' | 'pythonClient' | 'pgbouncer' | 'generators';

/** The path of a program, or the reason why it is missing. */
type Tool = { path: string } | { path?: undefined; problem: string };

/** @throws SetupError if the set-up has not run or could not install the program, or the program was deleted */
export function toolPath(name: ToolName): string {
  const tool = findTool(name);
  if (tool.path === undefined) throw new SetupError(tool.problem);
  return tool.path;
}

/** Returns the path, or the reason why the program is missing. */
export function findTool(name: ToolName): Tool {
  const tools = readJson<Partial<Record<ToolName, Tool>>>(join(projectRoot, 'node_modules', '.cache', 'trade-print', 'tools.json'));
  const tool = tools?.[name];
  if (tool !== undefined && (tool.path === undefined || existsSync(tool.path))) return tool;
  return { problem: `${name} has not been set up; run: node scripts/set-up/prepare.mjs test` };
}

/** The content of a JSON file; undefined if the file is missing, or incomplete because of a crash. */
export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
