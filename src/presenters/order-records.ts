import { figuresOf, invoiceState } from '../domain/ledger';
import type { OpenAttentionRow } from '../db/repositories/attention';
import type { AttentionRow, InvoiceRow, ParcelRow, PaymentRow, TimelineRow } from '../db/rows';
import { presentPieces } from './orders';

/** A correction names what it took back, and why. */
export function presentTimelineEntry(entry: TimelineRow) {
  const { note = null, corrects = null, reason = null } = textsOf(entry);
  return {
    milestoneId: entry.milestone_id,
    type: entry.type,
    outcome: entry.outcome,
    reason: entry.reason ?? reason,
    note,
    corrects,
    actor: entry.actor,
    occurredAt: entry.occurred_at.toISOString(),
    recordedAt: entry.created_at.toISOString(),
  };
}

/** What a message's JSON text says in words; nothing where a refused message is cut short or is no object. */
function textsOf({ type, content }: TimelineRow): { note?: string; corrects?: string; reason?: string } {
  try {
    const { note, corrects, reason } = (JSON.parse(content) ?? {}) as Record<string, unknown>;
    const texts = type === 'corrected' ? { note, corrects, reason } : { note };
    return Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string'));
  } catch {
    return {};
  }
}

/** One thing that somebody at the studio has to see to, since when, and what it is in words (ruling 47). */
export function presentAttention({ code, raised_at: since, message }: AttentionRow) {
  return { code, since: since.toISOString(), message };
}

/** The same in the list over all orders, with the order it is about. */
export function presentOpenAttention(row: OpenAttentionRow) {
  return {
    ...presentAttention(row),
    orderId: row.order_id,
    orderNumber: row.order_number,
    status: row.status,
    environment: row.environment,
    accountId: row.account_id,
    accountName: row.account_name,
  };
}

export function presentParcel(parcel: ParcelRow) {
  return {
    parcelId: parcel.id,
    trackingNumber: parcel.tracking_number,
    carrier: parcel.carrier,
    trackingUrl: parcel.tracking_url,
    shippedAt: parcel.shipped_at?.toISOString() ?? null,
    voidedAt: parcel.voided_at?.toISOString() ?? null,
    lines: parcel.lines?.map(presentPieces) ?? null,
  };
}

export function presentPayment(payment: PaymentRow) {
  return {
    paymentId: payment.id,
    amountCents: payment.amount_cents,
    receivedAt: payment.received_at.toISOString(),
    reference: payment.reference,
    reversedAt: payment.reversed_at?.toISOString() ?? null,
  };
}

export function presentInvoice(invoice: InvoiceRow) {
  return {
    invoiceNumber: invoice.invoice_number,
    amountCents: invoice.amount_cents,
    gstCents: invoice.gst_cents,
    paidCents: invoice.paid_cents,
    creditedCents: invoice.credited_cents,
    state: invoiceState(figuresOf(invoice)),
    issuedAt: invoice.issued_at.toISOString(),
    dueAt: invoice.due_at.toISOString(),
  };
}
