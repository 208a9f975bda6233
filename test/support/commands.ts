import { spawn } from 'node:child_process';
import { projectRoot } from '../../scripts/start/project';

export interface CommandResult {
  code: number | null;
  /** Text of both streams in the order of arrival. */
  output: string;
}

interface CommandOptions {
  /** The folder; the default is that of the project. */
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Time limit after which the command and its children are ended, ms. Default: fourteen minutes, because a test has fifteen. */
  timeoutMs?: number;
}

/** Runs a command like in a terminal. @param options `env` replaces the environment */
export async function runCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { cwd = projectRoot, env = process.env, timeoutMs = 840_000 } = options;
  const child = spawn(command, args, { cwd, env, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), timeoutMs);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, output };
}

/** Throws the end of the output if the command fails. @returns the complete output */
export async function expectCommandSucceeds(command: string, args: readonly string[], options?: CommandOptions): Promise<string> {
  const { code, output } = await runCommand(command, args, options);
  expect({ code, output: code === 0 ? '' : output.slice(-8000) }).toEqual({ code: 0, output: '' });
  return output;
}
