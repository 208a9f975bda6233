import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../scripts/start/ports';
import type { Database } from '../src/db/database';
import type { CpuMeter } from './cpu';

/** The processes are idle if together they use less than this share of a core in consecutive windows. */
const WINDOW_MS = 250;
const IDLE_CPU_SHARE = 0.3;
const IDLE_WINDOWS = 2;
const TIMEOUT_MS = 90_000;

/** Waits until orders have their workflows, artwork is inspected and webhooks are delivered. @throws Error after 90 s */
export async function waitForBackgroundWork(database: Database): Promise<void> {
  const isDone = async (): Promise<true | undefined> => {
    const pending = await database.row<{ some: boolean }>(`
      SELECT EXISTS (SELECT 1 FROM orders WHERE workflow_checked_at IS NULL)
          OR EXISTS (SELECT 1 FROM uploads WHERE inspect_at IS NOT NULL AND received_at IS NOT NULL)
          OR EXISTS (SELECT 1 FROM webhook_deliveries WHERE state = 'pending') AS some`);
    return pending?.some === false ? true : undefined;
  };
  await waitUntil('the background work did not end', isDone, { timeoutMs: TIMEOUT_MS, everyMs: 50 });
}

/** Waits until the workflows are started and the processes are idle. @throws Error after 90 s */
export async function waitUntilIdle(database: Database, cpu: CpuMeter): Promise<void> {
  await waitForBackgroundWork(database);
  let idleWindows = 0;
  for (const end = performance.now() + TIMEOUT_MS; idleWindows < IDLE_WINDOWS;) {
    if (performance.now() > end) throw new Error(`the processes were not idle within ${TIMEOUT_MS / 1000} s`);
    const [before, startedAt] = [cpu.read(), performance.now()];
    await delay(WINDOW_MS);
    idleWindows = cpu.read() - before < IDLE_CPU_SHARE * (performance.now() - startedAt) ? idleWindows + 1 : 0;
  }
}
