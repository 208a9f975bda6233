import type { Environment } from './limits';
import { sumCents } from './money';

/** Statuses as clients read them (specification "Order status"). */
export const ORDER_STATUSES = ['received', 'in_production', 'on_hold', 'shipped', 'completed', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Neither shipped nor completed nor cancelled (ruling 65). */
const IS_TO_BE_SHIPPED: Readonly<Record<OrderStatus, boolean>> = {
  received: true,
  in_production: true,
  on_hold: true,
  shipped: false,
  completed: false,
  cancelled: false,
};
export const STATUSES_TO_BE_SHIPPED: readonly OrderStatus[] = ORDER_STATUSES.filter((status) => IS_TO_BE_SHIPPED[status]);

/** Whether an order is late: due, `YYYY-MM-DD`, earlier than today, where the studio is, and still to be shipped (ruling 65). */
export function isLate({ status, dueDate }: { status: OrderStatus; dueDate: string | null }, today: string): boolean {
  return STATUSES_TO_BE_SHIPPED.includes(status) && dueDate !== null && dueDate < today;
}

/** What is stored. `shipped` is not: voiding the last label must give back the status before, so it is read off the parcels (ruling 28). */
export type BaseStatus = Exclude<OrderStatus, 'shipped'>;

export const BASE_STATUSES = ORDER_STATUSES.filter((status): status is BaseStatus => status !== 'shipped');

/** The statuses that can be put on hold, and to which a release returns. */
export const HOLDABLE_STATUSES = ['received', 'in_production'] as const satisfies readonly BaseStatus[];

/** The facts that milestones change. The order's row stores them. */
export interface MilestoneFacts {
  baseStatus: BaseStatus;
  /** Where a release returns to; null unless on hold. */
  heldFrom: (typeof HOLDABLE_STATUSES)[number] | null;
  printed: boolean;
}

/** Everything the rules of one order rest on. Amounts in cents. */
export interface OrderFacts extends MilestoneFacts {
  /** Parcel ids by their state. A voided id stays known, so that it is never applied twice. */
  liveParcels: string[];
  voidedParcels: string[];
  /** Payments not reversed: id → cents. A reversed id stays known, like a voided parcel's. */
  payments: Record<string, number>;
  reversedPayments: string[];
  totalCents: number;
  /** Credit notes not reversed: the sender's id → cents. A reversed id stays known, like a payment's. */
  creditNotes: Record<string, number>;
  reversedCreditNotes: string[];
}

/** `version` counts stored changes. Number and version together confirm every answer: one differs after either side was restored. */
export interface OrderState {
  orderNumber: string;
  accountId: string;
  environment: Environment;
  version: number;
  facts: OrderFacts;
  /** RFC 3339: when an order was placed whose confirmation mail is still to be sent; null: none is. */
  confirmationOwedSince: string | null;
  /** RFC 3339: when to look for artwork that was not there at placing; null: nothing is awaited. */
  artworkDue: string | null;
}

/** The status a client reads: `shipped` while one parcel is live, whatever the base status (ruling 28). */
export function effectiveStatus(facts: OrderFacts): OrderStatus {
  return facts.liveParcels.length > 0 ? 'shipped' : facts.baseStatus;
}

/** Settled orders need no more work: their workflow may close after a quiet time. */
const IS_SETTLED: Readonly<Record<BaseStatus, boolean>> = {
  received: false,
  in_production: false,
  on_hold: false,
  completed: true,
  cancelled: true,
};
export const SETTLED_STATUSES = BASE_STATUSES.filter((status) => IS_SETTLED[status]);
export const isSettled = ({ baseStatus }: OrderFacts): boolean => IS_SETTLED[baseStatus];

/** Its production has started, also where it is on hold now. */
export const hasStarted = ({ baseStatus, heldFrom }: OrderFacts): boolean => (heldFrom ?? baseStatus) !== 'received';

export function paidCents(facts: OrderFacts): number {
  return sumCents(Object.values(facts.payments));
}

export function creditedCents(facts: OrderFacts): number {
  return sumCents(Object.values(facts.creditNotes));
}

/** The part of the invoice that is neither paid nor credited. */
export function openCents(facts: OrderFacts): number {
  return Math.max(0, facts.totalCents - paidCents(facts) - creditedCents(facts));
}
