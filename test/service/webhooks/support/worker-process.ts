import path from 'node:path';
import { forkProcess, type ForkedProcess } from '../../../support/forked';
import type { TestService } from '../../../support/service';

/** A worker of this service in a separate process. Resolves when it polls. */
export const startWorkerProcess = (service: TestService, env: Record<string, string> = {}): Promise<ForkedProcess> =>
  forkProcess(path.join(__dirname, 'worker-main.ts'), service, { TEST_TASK_QUEUE: service.taskQueue, ...env });
