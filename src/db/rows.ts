import type { PaymentSource } from '../domain/account-payment';
import type { AttentionCode } from '../domain/attention';
import type { EntryType } from '../domain/ledger';
import type { InspectionState } from '../domain/inspection';
import type { Environment, RushTier, AccountStatus } from '../domain/limits';
import type { BaseStatus, OrderStatus, OrderFacts } from '../domain/order-status';
import type { LinePieces } from '../domain/line-pieces';
import type { ShippingAddress } from '../domain/basket/quote-request';
import type { PricedJob, PricedLine } from '../domain/pricing/priced-quote';

/** Rows as PostgreSQL gives them: snake case, Dates for timestamps, numbers for cents. */
export interface AccountRow {
  id: string;
  name: string;
  email: string;
  trade_discount_bps: number;
  credit_limit_cents: number | null;
  payment_terms_days: number;
  status: AccountStatus;
  api_access: boolean;
  created_at: Date;
}

/** What a quote comes to, and its order with it. */
export interface Figures {
  currency: string;
  lines: PricedLine[];
  subtotal_cents: number;
  discount_cents: number;
  shipping_cents: number;
  shipping_method: string | null;
  rush_fee_cents: number;
  total_cents: number;
  gst_cents: number;
  promised_ready_date: string | null;
}

export interface QuoteRow extends Figures {
  id: string;
  account_id: string;
  environment: Environment;
  key_id: string;
  pricing_version: number;
  jobs: PricedJob[];
  breakdown: unknown;
  shipping_address: ShippingAddress;
  rush_tier: RushTier;
  white_label: boolean;
  discount_reason: string | null;
  discount_label: string | null;
  /** Null on quotes from before due dates were kept. */
  due_date: string | null;
  created_at: Date;
  expires_at: Date;
  consumed_at: Date | null;
  expired_at: Date | null;
}

export interface ParcelRow {
  order_id: string;
  id: string;
  tracking_number: string;
  carrier: string | null;
  tracking_url: string | null;
  shipped_at: Date | null;
  voided_at: Date | null;
  /** What it holds; null: nobody said. */
  lines: LinePieces[] | null;
}

export interface OrderRow extends Figures {
  id: string;
  order_number: string;
  account_id: string;
  environment: Environment;
  /** Null: a remake, which clients know as a part of its original alone (ruling 57). */
  quote_id: string | null;
  status: OrderStatus;
  base_status: BaseStatus;
  held_from: OrderFacts['heldFrom'];
  printed: boolean;
  version: number;
  event_sequence: number;
  special_instructions: string | null;
  white_label: boolean;
  settled_at: Date | null;
  confirmation_sent_at: Date | null;
  confirmation_failed_at: Date | null;
  /** When its personal data was replaced by the marker. */
  erased_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** What clients see of a parcel. */
export type ShownParcel = Pick<ParcelRow, 'tracking_number' | 'carrier' | 'tracking_url' | 'shipped_at' | 'lines'>;

/** One remake of an order: where it stands, and what for. */
export interface RemakeOfOrder extends Pick<RemakeRow, 'order_id' | 'remake_id' | 'reason' | 'lines'> {
  order_number: string;
  status: OrderStatus;
  parcels: ShownParcel[];
}

/** What an order without a quote makes again. */
export interface RemakeRow {
  order_id: string;
  original_id: string;
  /** Counts the remakes of an original, from 1. */
  series: number;
  /** The caller's own id for it, and SHA-256 of what was sent with it. */
  remake_id: string;
  digest: string;
  reason: string;
  /** Pieces of the original's lines, by line. */
  lines: LinePieces[];
  jobs: PricedJob[];
  shipping_address: ShippingAddress;
}

/** An order with its live parcels, oldest first: what the presenter needs. */
export interface OrderWithParcels extends OrderRow {
  /** A payment was recorded against it and not reversed. */
  is_paid: boolean;
  parcels: ShownParcel[];
  /** What was made of it again, oldest first. */
  remakes: RemakeOfOrder[];
}

export interface PaymentRow {
  order_id: string;
  id: string;
  amount_cents: number;
  received_at: Date;
  reference: string | null;
  reversed_at: Date | null;
  /** The payment on account that it is a part of; null: the order's own. */
  account_payment_id: string | null;
}

export interface CreditNoteRow {
  id: string;
  credit_note_number: string;
  /** The sender's `creditNoteId`; `cancel` for the one that a cancel of the studio wrote. */
  sender_id: string;
  order_id: string;
  invoice_id: string;
  account_id: string;
  environment: Environment;
  amount_cents: number;
  gst_cents: number;
  reason: string;
  created_at: Date;
}

export interface InvoiceRow {
  id: string;
  invoice_number: string;
  order_id: string;
  account_id: string;
  environment: Environment;
  amount_cents: number;
  gst_cents: number;
  paid_cents: number;
  credited_cents: number;
  /** What was neither paid nor credited when it was voided. */
  voided_cents: number;
  issued_at: Date;
  due_at: Date;
  voided_at: Date | null;
}

/** Money or credit that was paid on an account, over any number of invoices. */
export interface AccountPaymentRow {
  id: string;
  account_id: string;
  environment: Environment;
  /** The sender's. */
  payment_id: string;
  source: PaymentSource;
  amount_cents: number;
  /** What of it paid no invoice: the account's credit. */
  unapplied_cents: number;
  received_at: Date;
  reference: string | null;
  /** SHA-256 of what was sent. */
  digest: string;
  created_at: Date;
  reversed_at: Date | null;
}

/** Credit that was paid back. */
export interface RefundRow {
  id: string;
  account_id: string;
  environment: Environment;
  /** The sender's. */
  refund_id: string;
  amount_cents: number;
  reference: string | null;
  /** SHA-256 of what was sent. */
  digest: string;
  created_at: Date;
}

/** What was booked of an account, and what it did to its running sums; `amount_cents` to its balance. */
export interface LedgerRow {
  id: number;
  account_id: string;
  environment: Environment;
  /** The studio's date, `YYYY-MM-DD`. */
  booked_on: string;
  type: EntryType;
  amount_cents: number;
  outstanding_cents: number;
  credit_cents: number;
  order_id: string | null;
  invoice_id: string | null;
  credit_note_id: string | null;
  account_payment_id: string | null;
  payment_id: string | null;
  refund_id: string | null;
  created_at: Date;
}

/** What the studio said of itself on its documents, from one time to the next. */
export interface SellerRow {
  version: number;
  name: string;
  /** Eleven digits. */
  abn: string;
  address: string;
  bank: string;
}

/** One thing about an order that needs a person; open until it is cleared. */
export interface AttentionRow {
  code: AttentionCode;
  subject: string;
  message: string;
  raised_at: Date;
}

/** What was found out about the bytes of an upload (ruling 60). */
export interface InspectionRow {
  /** Of the bytes that were looked at. */
  checksum: string | null;
  state: InspectionState;
  reason: string | null;
  media_type: string | null;
  width_px: number | null;
  height_px: number | null;
  orientation: number | null;
  colour_space: string | null;
  has_profile: boolean | null;
  has_alpha: boolean | null;
  inspected_at: Date;
}

/** What happened to an order, or was refused. */
export interface TimelineRow {
  milestone_id: string;
  type: string;
  outcome: 'applied' | 'refused';
  reason: string | null;
  /** JSON text of the message; a refused one may be cut short. */
  content: string;
  actor: string;
  occurred_at: Date;
  created_at: Date;
}

/** An order that was placed under an Idempotency-Key, and the exact body of its 201. */
export interface IdempotencyRow {
  fingerprint: string;
  expires_at: Date;
  order_id: string;
  response_body: string;
}
