import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forkProcess, type ForkedProcess } from '../../../support/forked';
import type { TestService } from '../../../support/service';
import { freeze } from './freeze';

export interface RelayProcess extends Pick<ForkedProcess, 'kill'> {
  /** Pauses it with SIGSTOP. The returned function resumes it with its clock advanced by the given seconds. */
  freeze(): (longerSeconds?: number) => Promise<void>;
}

/** Starts a relay of this service's database as a separate process. Resolves when it is running. */
export async function startRelayProcess(service: TestService): Promise<RelayProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-relay-'));
  const ahead = join(folder, 'ahead');
  writeFileSync(ahead, '0');
  const relay = await forkProcess(join(__dirname, 'relay-main.ts'), service, { MONOTONIC_AHEAD_FILE: ahead });
  return {
    freeze() {
      const frozen = freeze(relay.pid);
      return (longerSeconds = 0) => {
        writeFileSync(ahead, String(longerSeconds));
        return frozen.thaw();
      };
    },
    async kill() {
      await relay.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
