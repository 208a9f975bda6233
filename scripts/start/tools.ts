import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project';
import { SetupError } from './setup-error';

/** Programs that are not npm packages. `scripts/set-up/tools.mjs` finds or makes them. */
export type ToolName = 'temporal' | 'testServer' | 'versitygw' | 'schemathesis' | 'pythonClient';

/** `problem`: why there is none. */
type Tool = { path: string } | { path?: undefined; problem: string };

/** @throws SetupError when the set-up has not run, could not get the program, or the program has gone since */
export function toolPath(name: ToolName): string {
  const tool = findTool(name);
  if (tool.path === undefined) throw new SetupError(tool.problem);
  return tool.path;
}

/** As `toolPath`, but hands back the reason instead of throwing it. */
export function findTool(name: ToolName): Tool {
  const tools = readJson<Partial<Record<ToolName, Tool>>>(join(projectRoot, 'node_modules', '.cache', 'trade-print', 'tools.json'));
  const tool = tools?.[name];
  if (tool !== undefined && (tool.path === undefined || existsSync(tool.path))) return tool;
  return { problem: `${name} has not been set up; run: node scripts/set-up/prepare.mjs test` };
}

/** Undefined when the file is missing or was cut short by a crash. */
export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
