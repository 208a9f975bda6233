import type { BodyOf } from '../../api/studio';
import type { OrderRow } from '../../shared/orders';

export type BatchType = Extract<BodyOf<'recordMilestoneBatch'>['type'], 'production_started' | 'printed' | 'held'>;

interface Batch {
  /** The result in words: "20 orders started". */
  done: string;
  /** The event that clients receive. */
  eventType: string | null;
  accepts: (order: OrderRow) => boolean;
  /** Shown if no selected order accepts it. */
  unavailable: string;
}

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
  held: {
    done: 'put on hold',
    eventType: 'order.on_hold',
    accepts: ({ baseStatus }) => baseStatus === 'received' || baseStatus === 'in_production',
    unavailable: 'Select received orders or orders in production',
  },
};
export const BATCH_TYPES = Object.keys(BATCHES) as BatchType[];

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
