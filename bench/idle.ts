import { setTimeout as delay } from 'node:timers/promises';
import type { Stage } from './stage';

/** Nobody is at work while all processes but this one take less than so much of a core, so often in a row. */
const WINDOW_MS = 300;
const IDLE_SHARE = 0.3;
const WINDOWS = 2;
const PATIENCE_MS = 90_000;

/** Waits until every order has its workflow and every open quote its hold. @throws Error when that takes too long */
export async function untilStarted({ database }: Stage): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; ; await delay(25)) {
    const [left] = await database.rows<{
      orders: boolean;
      holds: boolean;
    }>(`
      SELECT EXISTS (SELECT 1 FROM orders WHERE workflow_seen_at IS NULL) AS orders,
             EXISTS (SELECT 1 FROM quotes WHERE hold_started_at IS NULL AND consumed_at IS NULL AND expired_at IS NULL) AS holds`);
    if (left?.orders === false && !left.holds) return;
    if (performance.now() > until) throw new Error('workflows were not all started');
  }
}

/**
 * Waits until all that is behind the answers has ended: workflows started, deliveries sent, and the processes at rest.
 * @returns false when the processes did not come to rest
 */
export async function untilIdle(stage: Stage): Promise<boolean> {
  await untilStarted(stage);
  let idle = 0;
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
    const [before, begun] = [stage.cpu.read(), performance.now()];
    await delay(WINDOW_MS);
    const spent = Object.entries(stage.cpu.since(before)).reduce((sum, [name, ms]) => sum + (name === 'load generator' ? 0 : ms), 0);
    idle = spent < IDLE_SHARE * (performance.now() - begun) ? idle + 1 : 0;
    if (idle >= WINDOWS) return true;
  }
  return false;
}
