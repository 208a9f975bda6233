import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { projectRoot } from '../../../../scripts/start/project';
import type { TestService } from '../../../support/service';

export interface WorkerProcess {
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
}

/** A worker of this service in a separate process. Resolves when it polls. */
export async function startWorkerProcess(service: TestService, env: Record<string, string> = {}): Promise<WorkerProcess> {
  const child = fork(path.join(__dirname, 'worker-main.ts'), [], {
    execArgv: ['--require', path.join(projectRoot, 'test', 'support', 'runner', 'register-swc.cjs')],
    env: {
      ...process.env,
      ...service.env,
      LOG_LEVEL: 'silent',
      TEST_TASK_QUEUE: service.taskQueue,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const errors: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  const ended = once(child, 'close');
  const working = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)]);
  if (!working) throw new Error(`the worker process ended early: ${Buffer.concat(errors).toString()}`);
  return {
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
