import type { BodyOf } from '../../api/studio';
import type { OrderRow } from '../../shared/orders';
import { isStage, type OptionalStage, reachedStage, type Stage, STAGES } from '../../shared/stages';

export type BatchType = Extract<BodyOf<'recordMilestoneBatch'>['type'], 'production_started' | Stage | 'held'>;

interface Batch {
  /** The result in words: "20 orders started". */
  done: string;
  /** The event that clients receive. */
  eventType: string | null;
  accepts: (order: OrderRow) => boolean;
  /** Shown if no selected order accepts it. */
  unavailable: string;
}

/** The API refuses to frame an order without a frame. */
const batchOf = (stage: OptionalStage): Batch => ({
  done: `marked ${stage}`,
  eventType: null,
  accepts: (order) => order.baseStatus === 'in_production' && reachedStage(order) < STAGES.indexOf(stage),
  unavailable: `Select orders in production that are not ${stage}`,
});

export const BATCHES: Readonly<Record<BatchType, Batch>> = {
  production_started: {
    done: 'started',
    eventType: 'order.in_production',
    accepts: ({ baseStatus }) => baseStatus === 'received',
    unavailable: 'Select received orders',
  },
  printed: {
    done: 'marked printed',
    eventType: null,
    accepts: ({ baseStatus, facts }) => !facts.printed && (baseStatus === 'received' || baseStatus === 'in_production'),
    unavailable: 'Select orders that are not printed',
  },
  framed: batchOf('framed'),
  checked: batchOf('checked'),
  ready: batchOf('ready'),
  held: {
    done: 'put on hold',
    eventType: 'order.on_hold',
    accepts: ({ baseStatus }) => baseStatus === 'received' || baseStatus === 'in_production',
    unavailable: 'Select received orders or orders in production',
  },
};
const BATCH_TYPES = Object.keys(BATCHES) as BatchType[];

/** @param stages the stages that the studio uses besides printing */
export const batchTypes = (stages: readonly OptionalStage[]): BatchType[] =>
  BATCH_TYPES.filter((type) => !isStage(type) || type === 'printed' || stages.includes(type));

/** The API takes this many orders at once. */
export const MAX_BATCH = 100;

/** Number of accounts that receive the event. A shipped order keeps its status, and clients do not see remakes, so neither sends one. */
export function countNotified(type: BatchType, orders: readonly OrderRow[]): number {
  const { eventType } = BATCHES[type];
  if (eventType === null) return 0;
  const notified = orders.filter(
    ({ remakeOf, status, webhookEndpoints }) =>
      remakeOf === null &&
      status !== 'shipped' &&
      webhookEndpoints.some(({ state, eventTypes }) => state === 'enabled' && (eventTypes === null || eventTypes.includes(eventType))),
  );
  return new Set(notified.map(({ accountId }) => accountId)).size;
}
