import { spawn } from 'node:child_process';
import { runCommandLine } from '../../src/cli/command-line';
import type { Terminal } from '../../src/cli/terminal';
import { builtFile } from './infrastructure';
import { TEST_SECRETS_KEY } from './secrets';

export interface CommandOutput {
  code: number | null;
  stdout: string;
  stderr: string;
}

const environment = (env: Record<string, string>) => ({ PATH: process.env.PATH, NODE_ENV: 'test', SECRETS_KEY: TEST_SECRETS_KEY, ...env });

/** Runs the built `trade-print …` with these settings and no others of the project. */
export function runTradePrint(args: readonly string[], env: Record<string, string>): Promise<CommandOutput> {
  const child = spawn(process.execPath, [builtFile('src', 'cli', 'index.js'), ...args], { env: environment(env) });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

/** Runs the same program in this process, without a person to ask. A process would cost two CPU seconds more. */
export async function runInProcess(
  args: readonly string[],
  env: Record<string, string>,
  rest: Partial<Terminal> = {},
): Promise<CommandOutput> {
  let [stdout, stderr] = ['', ''];
  const nobody = (): Promise<string> => Promise.reject(new Error('nobody is there to be asked'));
  const code = await runCommandLine(args, {
    env: environment(env),
    isInteractive: false,
    isOutputTty: false,
    ask: nobody,
    readSecret: nobody,
    readInput: nobody,
    out: (text) => void (stdout += Buffer.from(text).toString()),
    err: (text) => void (stderr += text),
    stopSignal: () => new AbortController().signal,
    ...rest,
  });
  return { code, stdout, stderr };
}
