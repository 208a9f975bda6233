import type { PaymentSource } from '../domain/account-payment';
import type { BillingAddress, Buyer, ContactRole } from '../domain/account-record';
import type { AttentionCode } from '../domain/attention';
import type { InspectionState } from '../domain/inspection';
import type { Environment, ReadyMail, RushTier, AccountStatus } from '../domain/limits';
import type { Metadata } from '../domain/metadata';
import type { BaseStatus, OrderStatus, OrderFacts } from '../domain/order-status';
import type { LineQuantity } from '../domain/line-quantities';
import type { StoredIssue } from '../domain/order-issues';
import type { ShippingAddress } from '../domain/basket/quote-request';
import type { SendState, SentDocument, StatementRunState } from '../domain/sends';
import type { Stage, StageLines } from '../domain/stages';
import type { OrderChange } from '../domain/pricing/order-change';
import type { PricedJob, PricedLine } from '../domain/pricing/priced-quote';
import { bool, columns, integer, nullable, text, time, typed, type RowOf } from './columns';

// Rows as PostgreSQL returns them: snake case, Dates for timestamps, numbers for cents.

export const ACCOUNT_COLUMNS = columns('accounts', {
  id: text,
  name: text,
  email: text,
  trade_discount_bps: integer,
  credit_limit_cents: nullable(integer),
  payment_terms_days: integer,
  status: typed<AccountStatus>(),
  api_access: bool,
  billing_address: nullable(typed<BillingAddress>()),
  /** Eleven digits. */
  abn: nullable(text),
  ready_mail: typed<ReadyMail>(),
  /** The reference of orders without one of their own. */
  default_reference: nullable(text),
  /** Whether the account gets reminders of overdue invoices. */
  reminders: bool,
  created_at: time,
});
export type AccountRow = RowOf<typeof ACCOUNT_COLUMNS>;

/** A person at an account. */
export const CONTACT_COLUMNS = columns('account_contacts', {
  name: text,
  role: typed<ContactRole>(),
  email: text,
  phone: nullable(text),
});
export type ContactRow = RowOf<typeof CONTACT_COLUMNS>;

const ACCOUNT_SCOPED_FIELDS = { id: text, account_id: text, environment: typed<Environment>() };

/** The figures of a quote and its order. */
const FIGURE_FIELDS = {
  currency: text,
  lines: typed<PricedLine[]>(),
  subtotal_cents: integer,
  discount_cents: integer,
  shipping_cents: integer,
  shipping_method: nullable(text),
  /** Whether that method is the collection at the studio. */
  is_collection: bool,
  rush_fee_cents: integer,
  total_cents: integer,
  gst_cents: integer,
  promised_ready_date: nullable(text),
  /** Estimated arrival, `YYYY-MM-DD`; both null if the method has no estimate. */
  delivery_earliest: nullable(text),
  delivery_latest: nullable(text),
};
export const FIGURE_COLUMNS = columns(['quotes', 'orders'], FIGURE_FIELDS);

export const QUOTE_COLUMNS = columns('quotes', {
  ...FIGURE_FIELDS,
  ...ACCOUNT_SCOPED_FIELDS,
  key_id: text,
  pricing_version: integer,
  jobs: typed<PricedJob[]>(),
  breakdown: typed<unknown>(),
  shipping_address: typed<ShippingAddress>(),
  reference: nullable(text),
  metadata: typed<Metadata>(),
  rush_tier: typed<RushTier>(),
  white_label: bool,
  discount_reason: nullable(text),
  discount_label: nullable(text),
  /** Null on quotes from before due dates were stored. */
  due_date: nullable(text),
  created_at: time,
  expires_at: time,
  consumed_at: nullable(time),
  expired_at: nullable(time),
});
export type QuoteRow = RowOf<typeof QUOTE_COLUMNS>;

export const PARCEL_COLUMNS = columns('parcels', {
  order_id: text,
  id: text,
  tracking_number: text,
  carrier: nullable(text),
  tracking_url: nullable(text),
  shipped_at: nullable(time),
  delivered_at: nullable(time),
  voided_at: nullable(time),
  /** The parcel's contents; null if unknown. */
  lines: nullable(typed<LineQuantity[]>()),
});
export type ParcelRow = RowOf<typeof PARCEL_COLUMNS>;

export const ORDER_COLUMNS = columns('orders', {
  ...FIGURE_FIELDS,
  ...ACCOUNT_SCOPED_FIELDS,
  order_number: text,
  /** Null for a remake, which clients see only as part of its original. */
  quote_id: nullable(text),
  status: typed<OrderStatus>(),
  base_status: typed<BaseStatus>(),
  held_from: typed<OrderFacts['heldFrom']>(),
  printed: bool,
  /** The printed lines, from 0, in rising order. */
  printed_lines: typed<number[]>(),
  /** The last stage that every line has reached. */
  stage: nullable(typed<Stage>()),
  /** The lines that have reached each stage. */
  stage_lines: typed<StageLines>(),
  version: integer,
  event_sequence: integer,
  special_instructions: nullable(text),
  /** The client's purchase order number. */
  reference: nullable(text),
  metadata: typed<Metadata>(),
  white_label: bool,
  settled_at: nullable(time),
  confirmation_sent_at: nullable(time),
  confirmation_failed_at: nullable(time),
  /** When the order's personal data was replaced by `[erased]`. */
  erased_at: nullable(time),
  created_at: time,
  updated_at: time,
});
export type OrderRow = RowOf<typeof ORDER_COLUMNS>;

export type VisibleParcel = Pick<ParcelRow, 'tracking_number' | 'carrier' | 'tracking_url' | 'shipped_at' | 'delivered_at' | 'lines'>;

/** One remake of an order: its status, reason and contents. */
export interface RemakeOfOrder extends Pick<RemakeRow, 'order_id' | 'remake_id' | 'reason' | 'lines'> {
  order_number: string;
  status: OrderStatus;
  parcels: VisibleParcel[];
}

export const REMAKE_COLUMNS = columns('remakes', {
  order_id: text,
  original_id: text,
  /** Counts the remakes of an original, from 1. */
  sequence: integer,
  /** The caller's id, and the SHA-256 of the request. */
  remake_id: text,
  digest: text,
  reason: text,
  /** Pieces of the original's lines, by line. */
  lines: typed<LineQuantity[]>(),
  jobs: typed<PricedJob[]>(),
  shipping_address: typed<ShippingAddress>(),
});
export type RemakeRow = RowOf<typeof REMAKE_COLUMNS>;

/** An order with the data of other tables that clients see: live parcels, oldest first, payment, remakes and issues. */
export interface OrderWithRelations extends OrderRow {
  /** Whether it has an unreversed payment. */
  is_paid: boolean;
  cancelled_at: Date | null;
  parcels: VisibleParcel[];
  remakes: RemakeOfOrder[];
  /** The reasons why the order waits for its client. */
  issues: StoredIssue[];
}

export const PAYMENT_COLUMNS = columns('payments', {
  order_id: text,
  id: text,
  amount_cents: integer,
  received_at: time,
  reference: nullable(text),
  reversed_at: nullable(time),
  reversal_reason: nullable(text),
  /** The payment on account that it is part of; null for a payment on the order itself. */
  account_payment_id: nullable(text),
});
export type PaymentRow = RowOf<typeof PAYMENT_COLUMNS>;

export const CREDIT_NOTE_COLUMNS = columns('credit_notes', {
  ...ACCOUNT_SCOPED_FIELDS,
  credit_note_number: text,
  /** The sender's `creditNoteId`; `cancel` for the credit note of a cancel by the studio. */
  sender_id: text,
  order_id: text,
  invoice_id: text,
  amount_cents: integer,
  gst_cents: integer,
  reason: text,
  created_at: time,
  reversed_at: nullable(time),
  /** Why it was reversed; null before that. */
  reversal_reason: nullable(text),
});
export type CreditNoteRow = RowOf<typeof CREDIT_NOTE_COLUMNS>;

export const INVOICE_COLUMNS = columns('invoices', {
  ...ACCOUNT_SCOPED_FIELDS,
  invoice_number: text,
  order_id: text,
  amount_cents: integer,
  gst_cents: integer,
  paid_cents: integer,
  credited_cents: integer,
  /** The unpaid and uncredited amount when it was voided. */
  voided_cents: integer,
  /** The account's details at the time of issue. */
  buyer: typed<Buyer>(),
  issued_at: time,
  due_at: time,
  voided_at: nullable(time),
});
export type InvoiceRow = RowOf<typeof INVOICE_COLUMNS>;

/** Money or credit paid on an account, for any number of invoices. */
export const ACCOUNT_PAYMENT_COLUMNS = columns('account_payments', {
  ...ACCOUNT_SCOPED_FIELDS,
  payment_id: text,
  source: typed<PaymentSource>(),
  amount_cents: integer,
  /** The part that paid no invoice and became the account's credit. */
  unapplied_cents: integer,
  received_at: time,
  reference: nullable(text),
  /** SHA-256 of the request. */
  digest: text,
  created_at: time,
  reversed_at: nullable(time),
  reversal_reason: nullable(text),
});
export type AccountPaymentRow = RowOf<typeof ACCOUNT_PAYMENT_COLUMNS>;

export const REFUND_COLUMNS = columns('refunds', {
  ...ACCOUNT_SCOPED_FIELDS,
  refund_id: text,
  amount_cents: integer,
  /** When the bank sent the money. */
  refunded_at: time,
  reference: nullable(text),
  /** SHA-256 of the request. */
  digest: text,
  created_at: time,
  reversed_at: nullable(time),
  /** The sender's id of the reversal and its reason; null if not reversed. */
  reversal_id: nullable(text),
  reversal_reason: nullable(text),
});
export type RefundRow = RowOf<typeof REFUND_COLUMNS>;

/** A mail with a document. */
export const SEND_COLUMNS = columns('sends', {
  id: text,
  account_id: text,
  /** Unique in its account. */
  key: text,
  /** SHA-256 of the request. */
  digest: text,
  document: typed<SentDocument>(),
  order_id: nullable(text),
  invoice_id: nullable(text),
  credit_note_id: nullable(text),
  /** The statement run that made it. */
  run_id: nullable(text),
  /** The days of a statement, `YYYY-MM-DD`. */
  period_from: nullable(text),
  period_to: nullable(text),
  /** The step of a reminder, from 1. */
  step: nullable(integer),
  recipient: text,
  subject: text,
  message: text,
  state: typed<SendState>(),
  failure: nullable(text),
  /** Null if the service made the mail. */
  token_id: nullable(text),
  actor: text,
  created_at: time,
  ended_at: nullable(time),
});
export type SendRow = RowOf<typeof SEND_COLUMNS>;

/** Statements to all accounts with a balance. */
export const STATEMENT_RUN_COLUMNS = columns('statement_runs', {
  id: text,
  /** The caller's id, and the SHA-256 of the request. */
  sender_id: text,
  digest: text,
  period_from: text,
  period_to: text,
  state: typed<StatementRunState>(),
  actor: text,
  created_at: time,
  ended_at: nullable(time),
});
export type StatementRunRow = RowOf<typeof STATEMENT_RUN_COLUMNS>;

/** A version of the studio's details on its documents. */
export const SELLER_COLUMNS = columns('sellers', {
  version: integer,
  name: text,
  /** Eleven digits. */
  abn: text,
  address: text,
  bank: text,
});
export type SellerRow = RowOf<typeof SELLER_COLUMNS>;

/** A problem of an order that needs a person, open until it is cleared. */
export const ATTENTION_COLUMNS = columns('order_attention', {
  code: typed<AttentionCode>(),
  subject: text,
  message: text,
  raised_at: time,
});
export type AttentionRow = RowOf<typeof ATTENTION_COLUMNS>;

/** The inspection of an upload's file. */
export const INSPECTION_COLUMNS = columns('artwork_inspections', {
  /** The checksum of the inspected file. */
  checksum: nullable(text),
  state: typed<InspectionState>(),
  reason: nullable(text),
  media_type: nullable(text),
  width_px: nullable(integer),
  height_px: nullable(integer),
  orientation: nullable(integer),
  colour_space: nullable(text),
  has_profile: nullable(bool),
  has_alpha: nullable(bool),
  pages: nullable(integer),
  extra_channels: nullable(integer),
  decoder_version: integer,
  inspected_at: time,
});
export type InspectionRow = RowOf<typeof INSPECTION_COLUMNS>;

export const TIMELINE_COLUMNS = columns('order_timeline', {
  milestone_id: text,
  type: text,
  outcome: typed<'applied' | 'refused'>(),
  reason: nullable(text),
  /** JSON text of the message. A refused message may be cut short. */
  content: text,
  actor: text,
  /** The studio token of an applied message; null for other senders. */
  token_id: nullable(text),
  /** The badge of the person at a station; null without one. */
  badge_id: nullable(text),
  occurred_at: time,
  created_at: time,
});
export type TimelineRow = RowOf<typeof TIMELINE_COLUMNS>;

/** A note of the studio on an order or an account. */
export const NOTE_COLUMNS = columns('notes', { note_id: text, text, author: text, pinned: bool, created_at: time });
export type NoteRow = RowOf<typeof NOTE_COLUMNS>;

/** A change before production, and the values that it replaced. */
export const ORDER_CHANGE_COLUMNS = columns('order_changes', {
  id: text,
  content: typed<OrderChange>(),
  /** Null if not applied. */
  replaced: nullable(typed<OrderChange>()),
  applied_at: nullable(time),
});
export type OrderChangeRow = RowOf<typeof ORDER_CHANGE_COLUMNS>;

/** A response under an Idempotency-Key, with its exact body. */
export const IDEMPOTENCY_COLUMNS = columns('idempotency_records', {
  fingerprint: text,
  expires_at: time,
  order_id: text,
  response_body: text,
});
export type IdempotencyRow = RowOf<typeof IDEMPOTENCY_COLUMNS>;
