import { compareAgain, sweepArtwork } from '../src/artwork/sweep';
import { handOverAgain } from '../src/db/repositories/relay';
import { lineUpUnread } from '../src/orders/event-feed';
import { DAY_MS, HOUR_MS } from '../src/domain/duration';
import { LIMITS } from '../src/domain/limits';
import { deleteLostChanges } from '../src/db/repositories/order-changes';
import { forgetMails } from '../src/db/repositories/mails-sent';
import { forgetSessions } from '../src/db/repositories/sessions';
import { tellOfFailing } from './endpoint-trouble';
import type { ActivityDeps } from './deps';
import type { SweepActivities } from './contract';
import { resumeLostOrders } from './lost-orders';

/** Younger deliveries are skipped: their first attempt is probably under way, ms. */
const OVERDUE_MS = 120_000;
const BATCH = 500;
/** Accounts that read their events do so sooner. */
const UNREAD_MS = HOUR_MS;
const LINE_UP_MS = 30_000;
/** The studio's mails are not sent again after this time. */
const MAILS_KEPT_MS = 30 * DAY_MS;

/**
 * Resumes runs that Temporal has lost and reports failing endpoints. Starting a running workflow changes nothing. The API finds runs that
 * never started.
 */
export async function sweepLost(deps: ActivityDeps): ReturnType<SweepActivities['sweepLost']> {
  const now = deps.clock.now().getTime();
  const deliveries = await handOverAgain(deps.database, new Date(now - OVERDUE_MS), BATCH);
  const { resumed, looked, unseenSince } = await resumeLostOrders(deps);
  await watchEndpoints(deps); // last, because the mail server may be slow
  return { orders: resumed, deliveries, looked, unseenSince };
}

/** What fails here the next run does. */
async function watchEndpoints(deps: ActivityDeps): Promise<void> {
  try {
    await tellOfFailing(deps);
  } catch (error) {
    deps.logger.warn({ err: error }, 'failing endpoints were not looked for; the next run does it');
  }
}

/** Events of feeds that nobody reads; where it does not come to an end the next run goes on. */
async function lineUpOlder({ database, clock, logger }: ActivityDeps): Promise<void> {
  try {
    await lineUpUnread(database, new Date(clock.now().getTime() - UNREAD_MS), LINE_UP_MS);
  } catch (error) {
    logger.warn({ err: error }, 'events were not lined up; the next run does it');
  }
}

/** Removes unused artwork and makes comparisons that are still due. Where the store is away, the next run does it. */
async function sweepStore(deps: ActivityDeps): Promise<void> {
  try {
    const compared = await compareAgain(deps);
    const swept = await sweepArtwork(deps);
    if (compared + swept.retired + swept.removed + swept.orphans > 0) deps.logger.info({ compared, ...swept }, 'artwork swept');
  } catch (error) {
    deps.logger.warn({ err: error }, 'artwork was not swept; the next run does it');
  }
}

/**
 * Idempotency records and sessions past their lifetime, rate windows unused for two minutes; what older events lack to be read; and, last
 * because the store may be slow, unused artwork.
 */
export async function forgetExpired(deps: ActivityDeps): Promise<{ idempotencyRecords: number; rateWindows: number }> {
  const now = deps.clock.now();
  const records = await deps.database.rows(
    `DELETE FROM idempotency_records WHERE id IN (SELECT id FROM idempotency_records WHERE expires_at < $1 LIMIT 20000) RETURNING id`,
    [now],
  );
  const windows = await deps.database.rows(
    `DELETE FROM rate_windows WHERE hits[cardinality(hits)] IS NULL OR hits[cardinality(hits)] < (extract(epoch FROM now()) * 1000)::bigint - 120000 RETURNING subject`,
  );
  await deps.database.run(`DELETE FROM processes WHERE seen_at < clock_timestamp() - interval '1 hour'`); // of those that were killed
  await deleteLostChanges(deps.database, new Date(now.getTime() - LIMITS.idempotencyLifetimeMs));
  await forgetSessions(deps.database);
  await forgetMails(deps.database, new Date(now.getTime() - MAILS_KEPT_MS));
  await lineUpOlder(deps);
  await sweepStore(deps);
  return { idempotencyRecords: records.length, rateWindows: windows.length };
}
