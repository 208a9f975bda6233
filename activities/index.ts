import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { markExpired } from '../src/db/repositories/quotes';
import { loadOrderState } from '../src/db/repositories/orders';
import type { Clock } from '../src/clock';
import type { Mailer } from '../src/mail';
import type { InFlightLimit } from '../src/domain/in-flight';
import type { TemporalDoor } from '../src/temporal';
import type { WebhookSender } from '../src/webhooks/send';
import { applyChange } from './apply-change';
import type { OrderActivities, QuoteActivities, SweepActivities } from './contract';
import { sendConfirmation } from './confirmation';
import { refusalsAsFailures } from './failures';
import { placeOrder } from './place-order';
import { recordRefusal } from './refusals';
import { forgetExpired, startMissing } from './sweep';
import type { WebhookActivities } from './webhook-contract';
import { attemptDelivery, mailTrouble, pingEndpoint, recoverBatch } from './webhooks';

export interface ActivityDeps {
  dataSource: DataSource;
  clock: Clock;
  mailer: Mailer;
  temporal: TemporalDoor;
  logger: Logger;
  webhookSender: WebhookSender;
  /** Waits between attempts, ms; as many as there are retries. */
  webhookRetryScheduleMs: readonly number[];
  attemptsInFlight: InFlightLimit;
  /** Where the studio reads that an endpoint keeps failing. */
  studioMail: string;
}

export type Activities = OrderActivities & QuoteActivities & SweepActivities;

/** All I/O of the workflows over one set of dependencies. */
export function createActivities(deps: ActivityDeps): Activities {
  return {
    placeOrder: (input) => refusalsAsFailures(() => placeOrder(deps, input)),
    loadOrder: ({ orderId }) => loadOrderState(deps.dataSource.manager, orderId),
    applyChange: (change) => refusalsAsFailures(() => applyChange(deps, change)),
    recordRefusal: (refusal) => recordRefusal(deps, refusal),
    sendConfirmation: ({ orderId }) => sendConfirmation(deps, orderId),
    expireQuote: ({ quoteId }) => markExpired(deps.dataSource.manager, quoteId, deps.clock.now()),
    startMissing: () => startMissing(deps),
    forgetExpired: () => forgetExpired(deps),
  };
}

/** The I/O of the webhook workflows, for the worker of their own task queue. */
export function createWebhookActivities(deps: ActivityDeps): WebhookActivities {
  return {
    attemptDelivery: (input) => attemptDelivery(deps, input),
    mailTrouble: (input) => mailTrouble(deps, input),
    pingEndpoint: (input) => pingEndpoint(deps, input),
    recoverBatch: (input) => recoverBatch(deps, input),
  };
}
