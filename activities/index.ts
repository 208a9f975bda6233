import { findMessage } from '../src/db/repositories/order-messages';
import { withNameReferences } from '../src/domain/order-messages/read';
import { markExpired } from '../src/db/repositories/quotes';
import { completeRun, findRun } from '../src/db/repositories/statement-runs';
import { loadOrderState } from '../src/db/repositories/orders';
import { applyChange } from './apply-change';
import { checkMissingArtwork } from './artwork';
import { sendAttentionMail } from './attention-mail';
import type {
  AttentionActivities,
  OrderActivities,
  QuoteActivities,
  RetentionActivities,
  SendActivities,
  SweepActivities,
} from './contract';
import { sendConfirmation } from './confirmation';
import type { ActivityDeps } from './deps';
import { nextSends, sendDocument } from './document-mails';
import { mailEndpointFailure } from './endpoint-failure-mails';
import { withTranslatedFailures } from './failures';
import { withHeartbeat } from './heartbeat';
import { recordRefusal } from './refusals';
import { createReminders } from './reminders';
import { deleteOldAttempts, eraseQuoteAddresses } from './retention';
import { createSweepActivities } from './sweep';
import { inspectUpload, type InspectionDeps } from '../src/artwork/inspections';
import type { ArtworkActivities } from './artwork-contract';
import type { WebhookActivities } from './webhook-contract';
import { attemptDelivery, pingEndpoint } from './webhooks';

export type Activities = OrderActivities & QuoteActivities & SweepActivities & RetentionActivities & AttentionActivities & SendActivities;

/** The activities of the workflows, with their dependencies. */
export function createActivities(deps: ActivityDeps): Activities {
  const loadOrder: Activities['loadOrder'] = async ({ orderId }) => {
    const state = await loadOrderState(deps.database, orderId);
    return state === null ? null : { state, settings: deps.temporal.orders.settings };
  };
  return {
    loadOrder,
    async loadMessage({ orderId, messageId }) {
      const sent = await findMessage(deps.database, orderId, messageId);
      return sent === null ? { stored: await loadOrder({ orderId }) } : { ...sent, message: withNameReferences(sent.message, messageId) };
    },
    applyChange: (change) => withTranslatedFailures(() => applyChange(deps, change)),
    recordRefusal: (refusal) => recordRefusal(deps, refusal),
    sendConfirmation: ({ orderId }) => withHeartbeat((abortSignal) => sendConfirmation(deps, orderId, abortSignal)),
    checkMissingArtwork: ({ orderId }) => checkMissingArtwork(deps, orderId),
    sendDocument: ({ sendId }) => withHeartbeat((abortSignal) => sendDocument(deps, sendId, abortSignal)),
    createReminders: () => withHeartbeat((abortSignal) => createReminders(deps, abortSignal)),
    nextSends: (input) => nextSends(deps, input),
    finishRun: async ({ runId }) => {
      await completeRun(deps.database, runId, deps.clock.now());
      return (await findRun(deps.database, runId))?.state === 'completed';
    },
    markExpired: async ({ quoteId }) => (await markExpired(deps.database, quoteId, deps.clock.now())) ?? 'gone',
    ...createSweepActivities(deps),
    eraseQuoteAddresses: () => withHeartbeat((abortSignal) => eraseQuoteAddresses(deps, abortSignal)),
    deleteOldAttempts: () => withHeartbeat((abortSignal) => deleteOldAttempts(deps, abortSignal)),
    sendAttentionMail: () => withHeartbeat((abortSignal) => sendAttentionMail(deps, abortSignal)),
  };
}

/** The activities of the webhook workflows, for the worker of their task queue. */
export function createWebhookActivities(deps: ActivityDeps): WebhookActivities {
  return {
    attemptDelivery: (input) => attemptDelivery(deps, input),
    mailEndpointFailure: (input) => withHeartbeat((abortSignal) => mailEndpointFailure(deps, input, abortSignal)),
    pingEndpoint: (input) => withHeartbeat((abortSignal) => pingEndpoint(deps, input, abortSignal)),
  };
}

/** The activities of the artwork inspection, for the worker of its task queue. */
export function createArtworkActivities(deps: InspectionDeps): ArtworkActivities {
  return { inspectArtwork: ({ uploadId }) => withHeartbeat((abortSignal) => inspectUpload(deps, uploadId, abortSignal)) };
}
