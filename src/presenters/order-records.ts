import { toInvoiceFigures, invoiceState } from '../domain/ledger';
import type { AttentionSummary, OpenAttentionRow } from '../db/repositories/attention';
import type { ListedPayment } from '../db/repositories/payments';
import type { AttentionRow, InvoiceRow, ParcelRow, PaymentRow, TimelineRow } from '../db/rows';
import type { ArtworkFit } from '../domain/artwork-fit';
import { FIT_FIELDS } from '../domain/order-messages/artwork-fitted';
import { CREDIT_NOTE_FIELDS, type NewCreditNote } from '../domain/order-messages/credit-noted';
import { SIGNED_BY_FIELD } from '../domain/order-messages/completed';
import { LINE_FIELD, LINES_FIELD, type MessageField } from '../domain/order-messages/fields';
import { PARCEL_FIELDS, type NewParcel } from '../domain/order-messages/parcel-added';
import { PAYMENT_FIELDS, type NewPayment } from '../domain/order-messages/payment-recorded';
import { isStage } from '../domain/stages';
import { fieldsOf } from './fields';
import { presentPieces } from './orders';

export function presentTimelineEntry(entry: TimelineRow) {
  const content = parseContent(entry);
  const { note = null, corrects = null, reason = null } = readTexts(entry, content);
  return {
    ...fieldsOf(entry, 'milestone_id', 'type', 'outcome'),
    reason: entry.reason ?? reason,
    note,
    corrects,
    carried: readCarried(content),
    lines: readLines(entry, content),
    ...fieldsOf(entry, 'actor', 'occurred_at'),
    recordedAt: entry.created_at.toISOString(),
  };
}

/** The JSON of a message; empty if a refused message is truncated or not an object. */
function parseContent({ content }: TimelineRow): Record<string, unknown> {
  try {
    return (JSON.parse(content) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The fields of a message that contain free text. */
function readTexts(
  { type }: TimelineRow,
  { note, corrects, reason }: Record<string, unknown>,
): { note?: string; corrects?: string; reason?: string } {
  const texts = { note, reason, ...(type === 'corrected' ? { corrects } : {}) };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string'));
}

/** The lines of a stage; null for other messages, and for a stage of the whole order. */
const readLines = ({ type }: TimelineRow, { lines }: Record<string, unknown>): number[] | null =>
  isStage(type) && LINES_FIELD.issue(lines) === null ? (lines as number[]) : null;

/** An open problem that a person at the studio must resolve. */
export function presentAttention({ code, raised_at: since, message }: AttentionRow) {
  return { code, since: since.toISOString(), message };
}

/** Open attention with one code. */
export function presentAttentionCount({ code, open, orders, oldest }: AttentionSummary) {
  return { code, open, orders, oldestSince: oldest.toISOString() };
}

/** Attention in the list of all orders, with its order. */
export function presentOpenAttention(row: OpenAttentionRow) {
  return {
    ...presentAttention(row),
    ...fieldsOf(row, 'order_id', 'order_number', 'status', 'environment', 'account_id', 'account_name'),
  };
}

export function presentParcel(parcel: ParcelRow) {
  return {
    parcelId: parcel.id,
    ...fieldsOf(parcel, 'tracking_number', 'carrier', 'tracking_url', 'shipped_at', 'delivered_at', 'voided_at'),
    lines: parcel.lines?.map(presentPieces) ?? null,
  };
}

export function presentPayment(payment: Omit<PaymentRow, 'order_id' | 'account_payment_id'>) {
  return { paymentId: payment.id, ...fieldsOf(payment, 'amount_cents', 'received_at', 'reference', 'reversed_at', 'reversal_reason') };
}

/** For lists of all accounts. A payment on account has no order. An account without invoices has the studio's currency. */
export function presentPaymentRow(payment: ListedPayment, studioCurrency: string) {
  return {
    ...presentPayment(payment),
    ...fieldsOf(payment, 'account_id', 'account_name', 'environment', 'source'),
    currency: payment.currency ?? studioCurrency,
    ...fieldsOf(payment, 'order_id', 'order_number', 'invoice_number', 'created_at'),
  };
}

export function presentInvoice(invoice: InvoiceRow) {
  return {
    ...fieldsOf(invoice, 'invoice_number', 'amount_cents', 'gst_cents', 'paid_cents', 'credited_cents'),
    state: invoiceState(toInvoiceFigures(invoice)),
    ...fieldsOf(invoice, 'issued_at', 'due_at'),
  };
}

/** The fields that a message contains about a parcel, payment, credit note, artwork or collection. */
type Carried = Partial<{ [Name in keyof MessageFields]: NonNullable<MessageFields[Name]> }>;
type MessageFields = NewParcel & NewPayment & Omit<NewCreditNote, 'reason'> & { line: number; fit: ArtworkFit; signedBy: string };

const { reason: _reason, ...CREDIT_NOTE } = CREDIT_NOTE_FIELDS; // presented separately
const CARRIED_FIELDS: Readonly<Record<string, MessageField>> = {
  ...PARCEL_FIELDS,
  ...PAYMENT_FIELDS,
  ...CREDIT_NOTE,
  line: LINE_FIELD,
  fit: FIT_FIELDS.fit,
  signedBy: SIGNED_BY_FIELD,
};

/** The fields of a message that have a valid value; refused messages may contain invalid ones. */
function readCarried(content: Record<string, unknown>): Carried {
  const fields = Object.entries(CARRIED_FIELDS).flatMap(([name, { issue }]) => {
    const value = content[name] ?? null;
    return value === null || issue(value) !== null ? [] : [[name, value]];
  });
  return Object.fromEntries(fields) as Carried;
}
