import { spawn } from 'node:child_process';
import { projectRoot } from '../../dev/project';

export interface Finished {
  code: number | null;
  output: string;
}

/** Runs one of the project's npm scripts with these arguments, as a person would in a terminal. */
export function npmRun(script: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Finished> {
  const child = spawn('npm', ['run', script, '--', ...args], { cwd: projectRoot, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}
