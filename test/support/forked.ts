import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/start/project';
import type { TestService } from './service';

export interface ForkedProcess {
  pid: number;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
}

/** Runs a TypeScript file with the settings of a service in a separate process. Resolves when it sends a message. */
export async function forkProcess(file: string, service: TestService, env: Record<string, string>): Promise<ForkedProcess> {
  const child = fork(file, [], {
    execArgv: ['--require', join(projectRoot, 'test', 'support', 'runner', 'register-swc.cjs')],
    env: { ...process.env, ...service.env, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const errors: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  const ended = once(child, 'close');
  const isRunning = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)]);
  if (!isRunning) throw new Error(`${file} ended early: ${Buffer.concat(errors).toString()}`);
  return {
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
