import { deleteAttempts } from '../src/db/repositories/attempt-retention';
import { eraseExpiredAddresses } from '../src/db/repositories/erasure';
import type { ActivityDeps } from './deps';
import { DAY_MS } from '../src/domain/duration';

const BATCH_SIZE = 500;

/** Erases the addresses of quotes that expired without an order more than `quoteRetentionDays` ago; 0 keeps all addresses. */
export async function eraseQuoteAddresses(
  { database, clock, quoteRetentionDays }: ActivityDeps,
  abortSignal: AbortSignal,
): Promise<{ quotes: number }> {
  if (quoteRetentionDays === 0) return { quotes: 0 };
  const now = clock.now();
  let quotes = 0;
  for (let count = BATCH_SIZE; count === BATCH_SIZE; quotes += count) {
    abortSignal.throwIfAborted();
    count = await eraseExpiredAddresses(database, new Date(now.getTime() - quoteRetentionDays * DAY_MS), now, BATCH_SIZE);
  }
  return { quotes };
}

/** Deletes webhook attempts that are older than `webhookAttemptRetentionDays`; 0 keeps them for ever. */
export async function deleteOldAttempts(
  { database, clock, webhookAttemptRetentionDays }: ActivityDeps,
  abortSignal: AbortSignal,
): Promise<{ attempts: number }> {
  if (webhookAttemptRetentionDays === 0) return { attempts: 0 };
  const before = new Date(clock.now().getTime() - webhookAttemptRetentionDays * DAY_MS);
  let attempts = 0;
  for (let afterId: number | null = 0; afterId !== null;) {
    abortSignal.throwIfAborted();
    const { deleted, lastId } = await deleteAttempts(database, { before, afterId, limit: BATCH_SIZE });
    attempts += deleted;
    afterId = lastId;
  }
  return { attempts };
}
