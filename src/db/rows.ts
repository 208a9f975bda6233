import type { PaymentSource } from '../domain/account-payment';
import type { AttentionCode } from '../domain/attention';
import type { InspectionState } from '../domain/inspection';
import type { Environment, RushTier, AccountStatus } from '../domain/limits';
import type { Metadata } from '../domain/metadata';
import type { BaseStatus, OrderStatus, OrderFacts } from '../domain/order-status';
import type { LinePieces } from '../domain/line-pieces';
import type { StoredIssue } from '../domain/order-issues';
import type { ShippingAddress } from '../domain/basket/quote-request';
import type { OrderChange } from '../domain/pricing/order-change';
import type { PricedJob, PricedLine } from '../domain/pricing/priced-quote';
import { bool, columns, integer, orNull, text, time, typed, type RowOf } from './columns';

// Rows as PostgreSQL gives them: snake case, Dates for timestamps, numbers for cents.

export const ACCOUNT_COLUMNS = columns('accounts', {
  id: text,
  name: text,
  email: text,
  trade_discount_bps: integer,
  credit_limit_cents: orNull(integer),
  payment_terms_days: integer,
  status: typed<AccountStatus>(),
  api_access: bool,
  created_at: time,
});
export type AccountRow = RowOf<typeof ACCOUNT_COLUMNS>;

const OF_ACCOUNT = { id: text, account_id: text, environment: typed<Environment>() };

/** What a quote comes to, and its order with it. */
const FIGURES = {
  currency: text,
  lines: typed<PricedLine[]>(),
  subtotal_cents: integer,
  discount_cents: integer,
  shipping_cents: integer,
  shipping_method: orNull(text),
  rush_fee_cents: integer,
  total_cents: integer,
  gst_cents: integer,
  promised_ready_date: orNull(text),
  /** When it is estimated to arrive, `YYYY-MM-DD`; both null where the method has no estimate. */
  delivery_earliest: orNull(text),
  delivery_latest: orNull(text),
};
export const FIGURE_COLUMNS = columns(['quotes', 'orders'], FIGURES);

export const QUOTE_COLUMNS = columns('quotes', {
  ...FIGURES,
  ...OF_ACCOUNT,
  key_id: text,
  pricing_version: integer,
  jobs: typed<PricedJob[]>(),
  breakdown: typed<unknown>(),
  shipping_address: typed<ShippingAddress>(),
  metadata: typed<Metadata>(),
  rush_tier: typed<RushTier>(),
  white_label: bool,
  discount_reason: orNull(text),
  discount_label: orNull(text),
  /** Null on quotes from before due dates were kept. */
  due_date: orNull(text),
  created_at: time,
  expires_at: time,
  consumed_at: orNull(time),
  expired_at: orNull(time),
});
export type QuoteRow = RowOf<typeof QUOTE_COLUMNS>;

export const PARCEL_COLUMNS = columns('parcels', {
  order_id: text,
  id: text,
  tracking_number: text,
  carrier: orNull(text),
  tracking_url: orNull(text),
  shipped_at: orNull(time),
  voided_at: orNull(time),
  /** What it holds; null: nobody said. */
  lines: orNull(typed<LinePieces[]>()),
});
export type ParcelRow = RowOf<typeof PARCEL_COLUMNS>;

export const ORDER_COLUMNS = columns('orders', {
  ...FIGURES,
  ...OF_ACCOUNT,
  order_number: text,
  /** Null: a remake, which clients know as a part of its original alone (ruling 57). */
  quote_id: orNull(text),
  status: typed<OrderStatus>(),
  base_status: typed<BaseStatus>(),
  held_from: typed<OrderFacts['heldFrom']>(),
  printed: bool,
  version: integer,
  event_sequence: integer,
  special_instructions: orNull(text),
  metadata: typed<Metadata>(),
  white_label: bool,
  settled_at: orNull(time),
  confirmation_sent_at: orNull(time),
  confirmation_failed_at: orNull(time),
  /** When its personal data was replaced by the marker. */
  erased_at: orNull(time),
  created_at: time,
  updated_at: time,
});
export type OrderRow = RowOf<typeof ORDER_COLUMNS>;

export type ShownParcel = Pick<ParcelRow, 'tracking_number' | 'carrier' | 'tracking_url' | 'shipped_at' | 'lines'>;

/** One remake of an order: where it stands, and what for. */
export interface RemakeOfOrder extends Pick<RemakeRow, 'order_id' | 'remake_id' | 'reason' | 'lines'> {
  order_number: string;
  status: OrderStatus;
  parcels: ShownParcel[];
}

export const REMAKE_COLUMNS = columns('remakes', {
  order_id: text,
  original_id: text,
  /** Counts the remakes of an original, from 1. */
  series: integer,
  /** The caller's own id for it, and SHA-256 of what was sent with it. */
  remake_id: text,
  digest: text,
  reason: text,
  /** Pieces of the original's lines, by line. */
  lines: typed<LinePieces[]>(),
  jobs: typed<PricedJob[]>(),
  shipping_address: typed<ShippingAddress>(),
});
export type RemakeRow = RowOf<typeof REMAKE_COLUMNS>;

/** An order with its live parcels, oldest first: what the presenter needs. */
export interface OrderWithParcels extends OrderRow {
  /** A payment was recorded against it and not reversed. */
  is_paid: boolean;
  cancelled_at: Date | null;
  parcels: ShownParcel[];
  remakes: RemakeOfOrder[];
  /** Why it waits for its client. */
  issues: StoredIssue[];
}

export const PAYMENT_COLUMNS = columns('payments', {
  order_id: text,
  id: text,
  amount_cents: integer,
  received_at: time,
  reference: orNull(text),
  reversed_at: orNull(time),
  /** The payment on account that it is a part of; null: the order's own. */
  account_payment_id: orNull(text),
});
export type PaymentRow = RowOf<typeof PAYMENT_COLUMNS>;

export const CREDIT_NOTE_COLUMNS = columns('credit_notes', {
  ...OF_ACCOUNT,
  credit_note_number: text,
  /** The sender's `creditNoteId`; `cancel` for the one that a cancel of the studio wrote. */
  sender_id: text,
  order_id: text,
  invoice_id: text,
  amount_cents: integer,
  gst_cents: integer,
  reason: text,
  created_at: time,
  reversed_at: orNull(time),
  /** Why it was reversed; null while it stands. */
  reversal_reason: orNull(text),
});
export type CreditNoteRow = RowOf<typeof CREDIT_NOTE_COLUMNS>;

export const INVOICE_COLUMNS = columns('invoices', {
  ...OF_ACCOUNT,
  invoice_number: text,
  order_id: text,
  amount_cents: integer,
  gst_cents: integer,
  paid_cents: integer,
  credited_cents: integer,
  /** What was neither paid nor credited when it was voided. */
  voided_cents: integer,
  issued_at: time,
  due_at: time,
  voided_at: orNull(time),
});
export type InvoiceRow = RowOf<typeof INVOICE_COLUMNS>;

/** Money or credit that was paid on an account, over any number of invoices. */
export const ACCOUNT_PAYMENT_COLUMNS = columns('account_payments', {
  ...OF_ACCOUNT,
  payment_id: text,
  source: typed<PaymentSource>(),
  amount_cents: integer,
  /** What of it paid no invoice: the account's credit. */
  unapplied_cents: integer,
  received_at: time,
  reference: orNull(text),
  /** SHA-256 of what was sent. */
  digest: text,
  created_at: time,
  reversed_at: orNull(time),
});
export type AccountPaymentRow = RowOf<typeof ACCOUNT_PAYMENT_COLUMNS>;

export const REFUND_COLUMNS = columns('refunds', {
  ...OF_ACCOUNT,
  refund_id: text,
  amount_cents: integer,
  reference: orNull(text),
  /** SHA-256 of what was sent. */
  digest: text,
  created_at: time,
  reversed_at: orNull(time),
  /** The sender's id of the reversal, and why; null while the refund stands. */
  reversal_id: orNull(text),
  reversal_reason: orNull(text),
});
export type RefundRow = RowOf<typeof REFUND_COLUMNS>;

/** What the studio said of itself on its documents, from one time to the next. */
export const SELLER_COLUMNS = columns('sellers', {
  version: integer,
  name: text,
  /** Eleven digits. */
  abn: text,
  address: text,
  bank: text,
});
export type SellerRow = RowOf<typeof SELLER_COLUMNS>;

/** One thing about an order that needs a person; open until it is cleared. */
export const ATTENTION_COLUMNS = columns('order_attention', {
  code: typed<AttentionCode>(),
  subject: text,
  message: text,
  raised_at: time,
});
export type AttentionRow = RowOf<typeof ATTENTION_COLUMNS>;

/** What was found out about the bytes of an upload (ruling 60). */
export const INSPECTION_COLUMNS = columns('artwork_inspections', {
  /** Of the bytes that were looked at. */
  checksum: orNull(text),
  state: typed<InspectionState>(),
  reason: orNull(text),
  media_type: orNull(text),
  width_px: orNull(integer),
  height_px: orNull(integer),
  orientation: orNull(integer),
  colour_space: orNull(text),
  has_profile: orNull(bool),
  has_alpha: orNull(bool),
  inspected_at: time,
});
export type InspectionRow = RowOf<typeof INSPECTION_COLUMNS>;

export const TIMELINE_COLUMNS = columns('order_timeline', {
  milestone_id: text,
  type: text,
  outcome: typed<'applied' | 'refused'>(),
  reason: orNull(text),
  /** JSON text of the message; a refused one may be cut short. */
  content: text,
  actor: text,
  occurred_at: time,
  created_at: time,
});
export type TimelineRow = RowOf<typeof TIMELINE_COLUMNS>;

/** What a client changed on an order, and what it replaced. */
export const CHANGE_COLUMNS = columns('order_changes', {
  id: text,
  content: typed<OrderChange>(),
  /** Null: not applied. */
  replaced: orNull(typed<OrderChange>()),
  applied_at: orNull(time),
});
export type ChangeRow = RowOf<typeof CHANGE_COLUMNS>;

/** An answer under an Idempotency-Key, with its exact body. */
export const IDEMPOTENCY_COLUMNS = columns('idempotency_records', {
  fingerprint: text,
  expires_at: time,
  order_id: text,
  response_body: text,
});
export type IdempotencyRow = RowOf<typeof IDEMPOTENCY_COLUMNS>;
