import { spawn } from 'node:child_process';
import { builtFile } from './infrastructure';
import { TEST_SECRETS_KEY } from './secrets';

export interface CommandOutput {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built `trade-print …` with these settings and no others of the project. */
export function runTradePrint(args: readonly string[], env: Record<string, string>): Promise<CommandOutput> {
  const child = spawn(process.execPath, [builtFile('src', 'cli', 'index.js'), ...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', SECRETS_KEY: TEST_SECRETS_KEY, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}
