import type { InvoiceState } from '../../domain/ledger';
import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';
import type { Page, PageCursor } from '../keyset';
import { withDates } from './studio-orders';
import { CREDIT_NOTE_COLUMNS, INVOICE_COLUMNS, PAYMENT_COLUMNS, type CreditNoteRow, type InvoiceRow, type PaymentRow } from '../rows';

/** An invoice with its account and order. */
export interface BilledInvoice extends InvoiceRow {
  order_number: string;
  account_name: string;
  currency: string;
}

/** With its payments and credits, oldest first, including reversed payments. */
export interface InvoiceWithRecords extends BilledInvoice {
  payments: PaymentRow[];
  credit_notes: CreditNoteRow[];
}

export interface InvoiceFilter {
  environment: Environment;
  accountId: string | null;
  states: readonly InvoiceState[];
  /** The period of issue: `from` inclusive, `to` exclusive; null means unlimited. */
  issuedFrom: Date | null;
  issuedBefore: Date | null;
  dueBefore: Date | null;
  /** The period of voiding: `from` inclusive, `to` exclusive; null means unlimited. */
  voidedFrom: Date | null;
  voidedBefore: Date | null;
  sort: InvoiceSort;
}

/** `outstanding`: the largest amount first. */
export type InvoiceSort = 'newest' | 'oldest' | 'dueDate' | 'outstanding';

/** The amount neither paid nor credited. For an unpaid invoice this is the amount due. */
const OUTSTANDING = '(i.amount_cents - i.paid_cents - i.credited_cents)';
const SORTS: Record<InvoiceSort, { column: string; id: string; order: string; comparison: '<' | '>' }> = {
  newest: { column: 'i.issued_at', id: 'i.id', order: 'ORDER BY i.issued_at DESC, i.id DESC', comparison: '<' },
  oldest: { column: 'i.issued_at', id: 'i.id', order: 'ORDER BY i.issued_at, i.id', comparison: '>' },
  dueDate: { column: 'i.due_at', id: 'i.id', order: 'ORDER BY i.due_at, i.id', comparison: '>' },
  outstanding: { column: OUTSTANDING, id: 'i.id', order: `ORDER BY ${OUTSTANDING} DESC, i.id DESC`, comparison: '<' },
};

const BILLED_INVOICE_COLUMNS = `${INVOICE_COLUMNS.of('i')}, o.order_number, o.currency, a.name AS account_name`;
const TABLES = 'JOIN orders o ON o.id = i.order_id JOIN accounts a ON a.id = i.account_id';

/**
 * Lists one page. If the list is sorted by due date or outstanding amount, the cursor holds that value. Each state is a range of an index,
 * and only one page of the range is read: `invoices_by_state`, `invoices_of_account`, `invoices_by_due` or `invoices_by_outstanding`.
 * Invoices that are not due yet are skipped within the range.
 */
export function listInvoices(sql: Sql, filter: InvoiceFilter, { limit, after }: Page): Promise<BilledInvoice[]> {
  const parameters: unknown[] = [filter.states, filter.environment, limit];
  const { column, id, order, comparison: beyond } = SORTS[filter.sort];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = [
    filter.accountId === null ? '' : `AND i.account_id = ${bind(filter.accountId)}`,
    filter.issuedFrom === null ? '' : `AND i.issued_at >= ${bind(filter.issuedFrom)}`,
    filter.issuedBefore === null ? '' : `AND i.issued_at < ${bind(filter.issuedBefore)}`,
    filter.dueBefore === null ? '' : `AND i.due_at < ${bind(filter.dueBefore)}`,
    filter.voidedFrom === null ? '' : `AND i.voided_at >= ${bind(filter.voidedFrom)}`,
    filter.voidedBefore === null ? '' : `AND i.voided_at < ${bind(filter.voidedBefore)}`,
    after === null ? '' : `AND (${column}, ${id}) ${beyond} (${bind(cursorValue(filter, after))}, ${bind(after.id)})`,
  ];
  return sql.rows(
    `
    WITH page AS (
      SELECT i.* FROM unnest($1::text[]) AS asked (state) CROSS JOIN LATERAL (
        SELECT * FROM invoices i WHERE i.environment = $2 AND i.state = asked.state ${conditions.join(' ')}
         ${order} LIMIT $3) i
       ${order} LIMIT $3)
    SELECT ${BILLED_INVOICE_COLUMNS} FROM page i ${TABLES} ${order}`,
    parameters,
  );
}

const cursorValue = ({ sort }: InvoiceFilter, { createdAt }: PageCursor): Date | number =>
  sort === 'outstanding' ? createdAt.getTime() : createdAt;

/** Ways to name an invoice. An order has at most one. */
export type InvoiceReference = { id: string } | { number: string } | { orderId: string };

/** The column of `invoices` for this reference, and its value. */
export function invoiceColumn(by: InvoiceReference): [column: string, value: string] {
  if ('id' in by) return ['id', by.id];
  return 'number' in by ? ['invoice_number', by.number] : ['order_id', by.orderId];
}

/** Null if there is none. One statement, so all parts are from one moment. */
export async function findInvoice(sql: Sql, by: InvoiceReference): Promise<InvoiceWithRecords | null> {
  const [column, value] = invoiceColumn(by);
  const row = await sql.row<InvoiceWithRecords>(
    `
    SELECT ${BILLED_INVOICE_COLUMNS},
      (SELECT COALESCE(jsonb_agg(${PAYMENT_COLUMNS.json('y')} ORDER BY y.created_at, y.id), '[]')
         FROM payments y WHERE y.order_id = i.order_id) AS payments,
      (SELECT COALESCE(jsonb_agg(${CREDIT_NOTE_COLUMNS.json('n')} ORDER BY n.created_at, n.id), '[]')
         FROM credit_notes n WHERE n.invoice_id = i.id) AS credit_notes
      FROM invoices i ${TABLES} WHERE i.${column} = $1`,
    [value],
  );
  if (row === null) return null;
  return {
    ...row,
    payments: row.payments.map((payment) => withDates(payment, ['received_at', 'reversed_at'])),
    credit_notes: row.credit_notes.map((note) => withDates(note, ['created_at', 'reversed_at'])),
  };
}
