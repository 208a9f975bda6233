import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../../scripts/start/project';
import type { TestService } from '../../../support/service';
import { freeze } from './freeze';

export interface RelayProcess {
  /** Pauses it with SIGSTOP. The returned function resumes it with its clock advanced by the given seconds. */
  freeze(): (longerSeconds?: number) => Promise<void>;
  /** Sends SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>;
}

/** Starts a relay of this service's database as a separate process. Resolves when it is running. */
export async function startRelayProcess(service: TestService): Promise<RelayProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-relay-'));
  const ahead = join(folder, 'ahead');
  writeFileSync(ahead, '0');
  const child = fork(join(__dirname, 'relay-main.ts'), [], {
    execArgv: ['--require', join(projectRoot, 'test', 'support', 'runner', 'register-swc.cjs')],
    env: { ...process.env, ...service.env, LOG_LEVEL: 'silent', MONOTONIC_AHEAD_FILE: ahead },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const errors: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk));
  const ended = once(child, 'close');
  if (!(await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)])))
    throw new Error(`the relay ended early: ${Buffer.concat(errors).toString()}`);
  return {
    freeze() {
      const frozen = freeze(child.pid ?? 0);
      return (longerSeconds = 0) => {
        writeFileSync(ahead, String(longerSeconds));
        return frozen.thaw();
      };
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
