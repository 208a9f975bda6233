import { figuresOf, invoiceState } from '../domain/ledger';
import type { AttentionRow, InvoiceRow, ParcelRow, PaymentRow, TimelineRow } from '../db/rows';

export function presentTimelineEntry(entry: TimelineRow) {
  return {
    milestoneId: entry.milestone_id,
    type: entry.type,
    outcome: entry.outcome,
    reason: entry.reason,
    note: noteOf(entry.content),
    actor: entry.actor,
    occurredAt: entry.occurred_at.toISOString(),
    recordedAt: entry.created_at.toISOString(),
  };
}

/** The note in a message's JSON text; none where a refused message is cut short or is no object. */
function noteOf(content: string): string | null {
  try {
    const { note } = (JSON.parse(content) ?? {}) as { note?: unknown };
    return typeof note === 'string' ? note : null;
  } catch {
    return null;
  }
}

/** One thing that somebody at the studio has to see to, since when, and what it is in words (ruling 47). */
export function presentAttention({ code, raised_at: since, message }: AttentionRow) {
  return { code, since: since.toISOString(), message };
}

export function presentParcel(parcel: ParcelRow) {
  return {
    parcelId: parcel.id,
    trackingNumber: parcel.tracking_number,
    carrier: parcel.carrier,
    trackingUrl: parcel.tracking_url,
    shippedAt: parcel.shipped_at?.toISOString() ?? null,
    voidedAt: parcel.voided_at?.toISOString() ?? null,
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
