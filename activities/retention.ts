import { eraseExpiredAddresses as forget } from '../src/db/repositories/erasure';
import type { ActivityDeps } from './deps';
import { DAY_MS } from '../src/domain/duration';

const BATCH_SIZE = 500;

/** Erases the addresses of quotes that expired unordered more than `quoteRetentionDays` ago; 0 keeps them for ever. */
export async function forgetAddresses(
  { database, clock, quoteRetentionDays }: ActivityDeps,
  stop: AbortSignal,
): Promise<{ quotes: number }> {
  if (quoteRetentionDays === 0) return { quotes: 0 };
  const now = clock.now();
  let quotes = 0;
  for (let count = BATCH_SIZE; count === BATCH_SIZE; quotes += count) {
    stop.throwIfAborted();
    count = await forget(database, new Date(now.getTime() - quoteRetentionDays * DAY_MS), now, BATCH_SIZE);
  }
  return { quotes };
}
