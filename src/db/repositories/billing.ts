import type { InvoiceFigures } from '../../domain/ledger';
import { CREDIT_NOTE_NUMBER_PREFIX } from '../../domain/order-number';
import type { CreditNoteReversal } from '../../domain/order-messages/credit-note-reversed';
import type { Sql } from '../database';
import type { RowOf } from '../columns';
import { CREDIT_NOTE_COLUMNS, INVOICE_COLUMNS, PAYMENT_COLUMNS, type CreditNoteRow, type InvoiceRow, type PaymentRow } from '../rows';

const NEW_CREDIT_NOTE_COLUMNS = CREDIT_NOTE_COLUMNS.without('credit_note_number', 'reversed_at', 'reversal_reason');

/** The invoice of an order, or null. The order's row is locked, so the invoice cannot change. */
export function findInvoiceOfOrder(sql: Sql, orderId: string): Promise<InvoiceRow | null> {
  return sql.row(`SELECT ${INVOICE_COLUMNS.list} FROM invoices WHERE order_id = $1`, [orderId]);
}

/** Stores the invoice's new figures. The caller books their effect with `bookEntries`. */
export async function updateInvoiceFigures(sql: Sql, { id }: InvoiceRow, after: InvoiceFigures, now: Date): Promise<void> {
  await sql.run(
    `
    UPDATE invoices SET paid_cents = $2, credited_cents = $3, voided_cents = $4, voided_at = CASE WHEN $5 THEN COALESCE(voided_at, $6) END WHERE id = $1`,
    [id, after.paidCents, after.creditedCents, after.voidedCents, after.isVoid, now],
  );
}

/** The sum of the order's unreversed payments in cents. */
export function sumOfPayments(sql: Sql, orderId: string): Promise<number> {
  return sql.value('SELECT COALESCE(SUM(amount_cents), 0)::bigint FROM payments WHERE order_id = $1 AND reversed_at IS NULL', [orderId]);
}

/** Reverses a credit note of a locked order; null if no unreversed note has this id. */
export function reverseCreditNote(
  sql: Sql,
  orderId: string,
  { creditNoteId, reason }: CreditNoteReversal,
  now: Date,
): Promise<Pick<CreditNoteRow, 'id' | 'amount_cents'> | null> {
  return sql.row(
    `
    UPDATE credit_notes SET reversed_at = $3, reversal_reason = $4 WHERE order_id = $1 AND sender_id = $2 AND reversed_at IS NULL
    RETURNING id, amount_cents`,
    [orderId, creditNoteId, now, reason],
  );
}

/** GST of the invoice's unreversed credit notes. */
export function creditedGstCents(sql: Sql, invoiceId: string): Promise<number> {
  return sql.value('SELECT COALESCE(SUM(gst_cents), 0)::bigint AS cents FROM credit_notes WHERE invoice_id = $1 AND reversed_at IS NULL', [
    invoiceId,
  ]);
}

/** A payment of the order, reversed or not. */
export function findPayment(sql: Sql, orderId: string, paymentId: string): Promise<PaymentRow | null> {
  return sql.row(`SELECT ${PAYMENT_COLUMNS.list} FROM payments WHERE order_id = $1 AND id = $2`, [orderId, paymentId]);
}

/**
 * Inserts a credit note with the next number. Must be the last statement of its transaction, because a refused note must not use a number.
 */
export async function insertCreditNote(sql: Sql, note: RowOf<typeof NEW_CREDIT_NOTE_COLUMNS>): Promise<void> {
  const columns = NEW_CREDIT_NOTE_COLUMNS.list;
  await sql.run(
    `
    INSERT INTO credit_notes (credit_note_number, ${columns})
    SELECT '${CREDIT_NOTE_NUMBER_PREFIX[note.environment]}-' || nextval('credit_note_numbers_${note.environment}'), ${columns}
      FROM jsonb_populate_record(NULL::credit_notes, $1::jsonb)`,
    [JSON.stringify(note)],
  );
}
