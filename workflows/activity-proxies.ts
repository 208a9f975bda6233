import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AttentionActivities, OrderActivities, QuoteActivities, RetentionActivities, SweepActivities } from '../activities/contract';

/** What happened on the floor must be stored however long the database is away: retried without end. */
export const { applyChange, loadOrder, recordRefusal } = proxyLocalActivities<OrderActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '100ms', maximumInterval: '10s' },
});

export const { sendConfirmation } = proxyActivities<OrderActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'confirmation to the customer',
});

/** Where the store is away it is asked again for as long as that takes. */
export const { completeArtwork } = proxyActivities<OrderActivities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'artwork that was not there at placing',
});

export const { endHold } = proxyLocalActivities<QuoteActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '100ms', maximumInterval: '1m' },
});

export const { sweepLost, forgetExpired } = proxyActivities<SweepActivities>({
  startToCloseTimeout: '5m',
  retry: { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 5 },
});

export const { forgetAddresses } = proxyActivities<RetentionActivities>({
  startToCloseTimeout: '5m',
  retry: { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 5 },
});

/** As patient as the mail server is slow; the next day's mail says what this one would have. */
export const { mailAttention } = proxyActivities<AttentionActivities>({
  startToCloseTimeout: '1m',
  scheduleToCloseTimeout: '12h',
  retry: { initialInterval: '1s', maximumInterval: '10m' },
});
