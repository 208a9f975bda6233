import { forgetAddresses as forget } from '../src/db/repositories/erasure';
import type { ActivityDeps } from './deps';
import { DAY_MS } from '../src/domain/duration';

const BATCH = 500;
/** Stops a minute before the activity's timeout of five; the rest waits for tomorrow. */
const TIME_LIMIT_MS = 4 * 60 * 1000;

/** Replaces addresses of quotes that expired unordered more than `quoteRetentionDays` ago; 0 keeps them for ever. */
export async function forgetAddresses({ database, clock, quoteRetentionDays }: ActivityDeps): Promise<{ quotes: number }> {
  if (quoteRetentionDays === 0) return { quotes: 0 };
  const now = clock.now();
  const untilMs = performance.now() + TIME_LIMIT_MS;
  let quotes = 0;
  for (let some = BATCH; some === BATCH && performance.now() < untilMs; quotes += some) {
    some = await forget(database, new Date(now.getTime() - quoteRetentionDays * DAY_MS), now, BATCH);
  }
  return { quotes };
}
