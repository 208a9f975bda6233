import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type {
  AttentionActivities,
  OrderActivities,
  QuoteActivities,
  RetentionActivities,
  SendActivities,
  SweepActivities,
} from '../activities/contract';
import { LOCAL_ACTIVITY_TIMEOUT_MS } from './messages';

/**
 * Retried without end during an outage of the database. From the fourth retry on, each wait is a Temporal timer. The order's history then
 * grows by six events every 30 seconds.
 */
const LOCAL_OPTIONS = {
  startToCloseTimeout: LOCAL_ACTIVITY_TIMEOUT_MS,
  localRetryThreshold: '1s',
  retry: { initialInterval: '100ms', backoffCoefficient: 3, maximumInterval: '30s' },
} as const;

export const { applyChange, loadMessage, loadOrder, recordRefusal } = proxyLocalActivities<OrderActivities>(LOCAL_OPTIONS);

const HEARTBEAT_OPTIONS = { heartbeatTimeout: '30s' } as const;

export const { sendConfirmation } = proxyActivities<OrderActivities>({
  ...HEARTBEAT_OPTIONS,
  startToCloseTimeout: '2m',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'confirmation to the customer',
});

/** The activity gives up after three days. */
export const { sendDocument } = proxyActivities<SendActivities>({
  ...HEARTBEAT_OPTIONS,
  startToCloseTimeout: '3m',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'mail with a document',
});

/** The run hands a mail that fails twice over to its own workflow. */
export const { sendDocument: sendDocumentOnce } = proxyActivities<SendActivities>({
  ...HEARTBEAT_OPTIONS,
  startToCloseTimeout: '3m',
  retry: { initialInterval: '1s', maximumAttempts: 2 },
  summary: 'mail with a statement',
});

export const { nextSends, finishRun } = proxyLocalActivities<SendActivities>(LOCAL_OPTIONS);

/** Retried without end while the artwork store does not answer. */
export const { checkMissingArtwork } = proxyActivities<OrderActivities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'check for missing artwork',
});

export const { markExpired } = proxyLocalActivities<QuoteActivities>(LOCAL_OPTIONS);

/** After five failed attempts the next scheduled run continues. */
const SCHEDULED_OPTIONS = { ...HEARTBEAT_OPTIONS, retry: { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 5 } } as const;

export const {
  handOverDeliveries,
  resumeLostOrders,
  mailAboutOrders,
  mailFailingEndpoints,
  forgetExpired,
  assignEventPositions,
  compareArtwork,
  sweepArtwork,
  resumeSends,
} = proxyActivities<SweepActivities>({ ...SCHEDULED_OPTIONS, startToCloseTimeout: '5m' });

export const { deleteOldAttempts, eraseQuoteAddresses } = proxyActivities<RetentionActivities>({
  ...SCHEDULED_OPTIONS,
  startToCloseTimeout: '1h',
});

/** After five failed attempts the next day continues. */
export const { createReminders } = proxyActivities<SendActivities>({ ...SCHEDULED_OPTIONS, startToCloseTimeout: '1h' });

/** Retried slowly, because mail servers may be slow. If all retries fail, the next day's mail contains the same information. */
export const { sendAttentionMail } = proxyActivities<AttentionActivities>({
  ...HEARTBEAT_OPTIONS,
  startToCloseTimeout: '2m',
  scheduleToCloseTimeout: '12h',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
});
