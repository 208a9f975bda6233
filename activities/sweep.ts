import { compareOverdue, sweepArtwork } from '../src/artwork/sweep';
import { releaseOverdueHandovers } from '../src/db/repositories/relay';
import { assignUnreadPositions } from '../src/orders/event-feed';
import { DAY_MS, HOUR_MS } from '../src/domain/duration';
import { LIMITS } from '../src/domain/limits';
import { deleteLostChanges } from '../src/db/repositories/order-changes';
import { deleteLostMessages } from '../src/db/repositories/order-messages';
import { deleteMailsBefore } from '../src/db/repositories/mails-sent';
import { findPendingSends } from '../src/db/repositories/sends';
import { findRunningRuns } from '../src/db/repositories/statement-runs';
import { deleteExpiredSessions } from '../src/db/repositories/sessions';
import { mailFailingEndpoints } from './endpoint-failure-mails';
import { mailAboutOrders } from './order-mails';
import type { ActivityDeps } from './deps';
import type { SweepActivities } from './contract';
import { withHeartbeat } from './heartbeat';
import { resumeLostOrders } from './lost-orders';

/** Deliveries are handed over again when their next attempt is this late, ms. Before that it may be running. */
const DELIVERY_OVERDUE_MS = 120_000;
const BATCH_SIZE = 500;
/** Reading a feed numbers its events. The sweep numbers the events of feeds that were not read for this time, ms. */
const FEED_UNREAD_MS = HOUR_MS;
const POSITIONING_LIMIT_MS = 30_000;
/** The API usually starts the workflows of younger mails, ms. */
const SEND_MIN_AGE_MS = 60_000;
const MAX_SENDS = 5_000;
/** Mails to the studio are not repeated after this time. */
const MAIL_RETENTION_MS = 30 * DAY_MS;

/** The activities of the scheduled sweep. */
export function createSweepActivities(deps: ActivityDeps): SweepActivities {
  const { database, clock } = deps;
  const ago = (ms: number): Date => new Date(clock.now().getTime() - ms);
  return {
    handOverDeliveries: () =>
      withHeartbeat(async () => ({ deliveries: await releaseOverdueHandovers(database, ago(DELIVERY_OVERDUE_MS), BATCH_SIZE) })),
    resumeLostOrders: () => withHeartbeat((abortSignal) => resumeLostOrders(deps, abortSignal)),
    mailFailingEndpoints: () => withHeartbeat((abortSignal) => mailFailingEndpoints(deps, abortSignal)),
    mailAboutOrders: () => withHeartbeat((abortSignal) => mailAboutOrders(deps, abortSignal)),
    forgetExpired: () => withHeartbeat(() => forgetExpired(deps)),
    assignEventPositions: () =>
      withHeartbeat(async (abortSignal) => ({
        events: await assignUnreadPositions(database, ago(FEED_UNREAD_MS), POSITIONING_LIMIT_MS, abortSignal),
      })),
    compareArtwork: () => withHeartbeat(async (abortSignal) => ({ compared: await compareOverdue(deps, abortSignal) })),
    sweepArtwork: () => withHeartbeat((abortSignal) => sweepArtwork(deps, abortSignal)),
    resumeSends: () => withHeartbeat((abortSignal) => resumeSends(deps, ago(SEND_MIN_AGE_MS), abortSignal)),
  };
}

/** The workflow of a running mail is not started again. A running statement run only reads its state again. */
async function resumeSends({ database, temporal }: ActivityDeps, before: Date, abortSignal: AbortSignal): Promise<{ sends: number }> {
  for (const runId of await findRunningRuns(database, before)) await temporal.sends.startRun(runId);
  let sends = 0;
  for (const sendId of await findPendingSends(database, before, MAX_SENDS)) {
    abortSignal.throwIfAborted();
    if (await temporal.sends.start(sendId)) sends += 1;
  }
  return { sends };
}

/** Deletes expired idempotency records and sessions, rate windows without a request for two minutes, and other outdated rows. */
async function forgetExpired({ database, clock }: ActivityDeps): Promise<{ idempotencyRecords: number; rateWindows: number }> {
  const now = clock.now();
  const records = await database.rows(
    `DELETE FROM idempotency_records WHERE id IN (SELECT id FROM idempotency_records WHERE expires_at < $1 LIMIT 20000) RETURNING id`,
    [now],
  );
  const windows = await database.rows(
    `DELETE FROM rate_windows WHERE hits[cardinality(hits)] IS NULL OR hits[cardinality(hits)] < (extract(epoch FROM now()) * 1000)::bigint - 120000 RETURNING subject`,
  );
  await database.run(`DELETE FROM processes WHERE seen_at < clock_timestamp() - interval '1 hour'`); // killed processes
  const requestsLostBefore = new Date(now.getTime() - LIMITS.idempotencyLifetimeMs);
  await deleteLostChanges(database, requestsLostBefore);
  await deleteLostMessages(database, requestsLostBefore);
  await deleteExpiredSessions(database);
  await deleteMailsBefore(database, new Date(now.getTime() - MAIL_RETENTION_MS));
  return { idempotencyRecords: records.length, rateWindows: windows.length };
}
