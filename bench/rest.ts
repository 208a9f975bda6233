import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../scripts/start/ports';
import type { Database } from '../src/db/database';
import type { CpuMeter } from './cpu';

/** The processes rest while they take less than this share of a core together, in so many windows in a row. */
const WINDOW_MS = 250;
const RESTING_SHARE = 0.3;
const WINDOWS = 2;
const PATIENCE_MS = 90_000;

/** Waits until orders and open quotes have their workflows, artwork is inspected and webhooks are delivered. @throws Error after 90 s */
export async function waitForBackgroundWork(database: Database): Promise<void> {
  const isStarted = async (): Promise<true | undefined> => {
    const left = await database.row<{ some: boolean }>(`
      SELECT EXISTS (SELECT 1 FROM orders WHERE workflow_seen_at IS NULL)
          OR EXISTS (SELECT 1 FROM quotes WHERE hold_started_at IS NULL AND consumed_at IS NULL AND expired_at IS NULL)
          OR EXISTS (SELECT 1 FROM uploads WHERE inspect_at IS NOT NULL AND received_at IS NOT NULL)
          OR EXISTS (SELECT 1 FROM webhook_deliveries WHERE state = 'pending') AS some`);
    return left?.some === false ? true : undefined;
  };
  await until('work behind the answers did not end', isStarted, { timeoutMs: PATIENCE_MS, everyMs: 50 });
}

/** Waits until the workflows are started and the processes rest. @throws Error after 90 s */
export async function waitForRest(database: Database, cpu: CpuMeter): Promise<void> {
  await waitForBackgroundWork(database);
  let resting = 0;
  for (const end = performance.now() + PATIENCE_MS; resting < WINDOWS;) {
    if (performance.now() > end) throw new Error(`the processes did not rest within ${PATIENCE_MS / 1000} s`);
    const [before, startedAt] = [cpu.read(), performance.now()];
    await delay(WINDOW_MS);
    resting = cpu.read() - before < RESTING_SHARE * (performance.now() - startedAt) ? resting + 1 : 0;
  }
}
