import type { Environment } from './limits';
import { sumCents } from './money';

/** Statuses as clients read them (specification "Order status"). */
export const ORDER_STATUSES = ['received', 'in_production', 'on_hold', 'shipped', 'completed', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Neither shipped, completed nor cancelled. */
const IS_TO_BE_SHIPPED: Readonly<Record<OrderStatus, boolean>> = {
  received: true,
  in_production: true,
  on_hold: true,
  shipped: false,
  completed: false,
  cancelled: false,
};
export const STATUSES_TO_BE_SHIPPED: readonly OrderStatus[] = ORDER_STATUSES.filter((status) => IS_TO_BE_SHIPPED[status]);

/** True if an order is late: unshipped, and due before today in the studio's time zone. Days are `YYYY-MM-DD`. */
export function isLate({ status, dueDate }: { status: OrderStatus; dueDate: string | null }, today: string): boolean {
  return STATUSES_TO_BE_SHIPPED.includes(status) && dueDate !== null && dueDate < today;
}

/** The stored status. `shipped` is derived from the parcels, because voiding the last label must restore the earlier status. */
export type BaseStatus = Exclude<OrderStatus, 'shipped'>;

export const BASE_STATUSES = ORDER_STATUSES.filter((status): status is BaseStatus => status !== 'shipped');

/** Statuses that can be put on hold. A release restores them. */
export const HOLDABLE_STATUSES = ['received', 'in_production'] as const satisfies readonly BaseStatus[];

/** The facts that milestones change. The order's row stores them. */
export interface MilestoneFacts {
  baseStatus: BaseStatus;
  /** The status that a release restores; null unless on hold. */
  heldFrom: (typeof HOLDABLE_STATUSES)[number] | null;
  /** True once all lines are printed. */
  printed: boolean;
  /** The printed lines, from 0, in rising order. */
  printedLines: number[];
}

/** Everything that the rules of one order depend on. Amounts in cents. */
export interface OrderFacts extends MilestoneFacts {
  /** Parcel ids by state. A voided id is kept, so that it cannot be applied again. */
  liveParcels: string[];
  voidedParcels: string[];
  /** Amounts of unreversed payments by id, in cents. Reversed ids are kept too, so that they cannot be applied again. */
  payments: Record<string, number>;
  reversedPayments: string[];
  /** The number of lines, which never changes. */
  lineCount: number;
  totalCents: number;
  /** Amounts of unreversed credit notes by the sender's id, in cents. Reversed ids are kept too. */
  creditNotes: Record<string, number>;
  reversedCreditNotes: string[];
}

/**
 * The state of an order in its workflow. `version` counts stored changes. The database compares number and version before every change,
 * because after a restored backup one of them differs.
 */
export interface OrderState {
  orderNumber: string;
  accountId: string;
  environment: Environment;
  version: number;
  facts: OrderFacts;
  /** RFC 3339: when the order was placed if its confirmation mail is still due, else null. */
  confirmationOwedSince: string | null;
  /** When the next check for missing artwork is due, RFC 3339; null if no artwork is missing. */
  artworkDue: string | null;
}

/** The status that clients see: `shipped` while a parcel is live, with any base status. */
export function effectiveStatus(facts: OrderFacts): OrderStatus {
  return facts.liveParcels.length > 0 ? 'shipped' : facts.baseStatus;
}

/** Settled orders need no more work. Their workflow may close after a quiet time. */
const IS_SETTLED: Readonly<Record<BaseStatus, boolean>> = {
  received: false,
  in_production: false,
  on_hold: false,
  completed: true,
  cancelled: true,
};
export const isSettled = ({ baseStatus }: OrderFacts): boolean => IS_SETTLED[baseStatus];

/** Whether production has started, including orders on hold. */
export const hasStarted = ({ baseStatus, heldFrom }: OrderFacts): boolean => (heldFrom ?? baseStatus) !== 'received';

export function paidCents(facts: OrderFacts): number {
  return sumCents(Object.values(facts.payments));
}

export function creditedCents(facts: OrderFacts): number {
  return sumCents(Object.values(facts.creditNotes));
}

/** The unpaid and uncredited part of the invoice. */
export function openCents(facts: OrderFacts): number {
  return Math.max(0, facts.totalCents - paidCents(facts) - creditedCents(facts));
}
