import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AttentionActivities, OrderActivities, QuoteActivities, RetentionActivities, SweepActivities } from '../activities/contract';
import { LOCAL_ACTIVITY_TIMEOUT_MS } from './messages';

/**
 * Retried without end, however long the database is away. A fourth retry waits for a timer, so an order gains six events every 30 seconds
 * of an outage.
 */
const LOCAL_OPTIONS = {
  startToCloseTimeout: LOCAL_ACTIVITY_TIMEOUT_MS,
  localRetryThreshold: '1s',
  retry: { initialInterval: '100ms', backoffCoefficient: 3, maximumInterval: '30s' },
} as const;

export const { applyChange, loadOrder, recordRefusal } = proxyLocalActivities<OrderActivities>(LOCAL_OPTIONS);

/** Every mail is bounded at 20 seconds. */
const HEARTBEAT_OPTIONS = { heartbeatTimeout: '30s' } as const;

export const { sendConfirmation } = proxyActivities<OrderActivities>({
  ...HEARTBEAT_OPTIONS,
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'confirmation to the customer',
});

/** Where the store is away it is asked again for as long as that takes. */
export const { completeArtwork } = proxyActivities<OrderActivities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'artwork that was not there at placing',
});

export const { endHold } = proxyLocalActivities<QuoteActivities>(LOCAL_OPTIONS);

/** The next run does what five attempts did not. */
const SCHEDULED_OPTIONS = { ...HEARTBEAT_OPTIONS, retry: { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 5 } } as const;

export const {
  handOverDeliveries,
  resumeLostOrders,
  mailFailingEndpoints,
  forgetExpired,
  assignEventPositions,
  compareArtwork,
  sweepArtwork,
} = proxyActivities<SweepActivities>({ ...SCHEDULED_OPTIONS, startToCloseTimeout: '5m' });

export const { forgetAddresses } = proxyActivities<RetentionActivities>({ ...SCHEDULED_OPTIONS, startToCloseTimeout: '1h' });

/** As patient as the mail server is slow; the next day's mail says what this one would have. */
export const { mailAttention } = proxyActivities<AttentionActivities>({
  ...HEARTBEAT_OPTIONS,
  startToCloseTimeout: '1m',
  scheduleToCloseTimeout: '12h',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
});
