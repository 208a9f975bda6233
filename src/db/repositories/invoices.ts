import type { AgeingBucket, TimePeriod } from '../../domain/pricing/invoice-ageing';
import { UNPAID_STATES, type InvoiceState } from '../../domain/ledger';
import type { Environment } from '../../domain/limits';
import type { NumberedKind } from '../../domain/order-number';
import type { NumberStart } from '../../domain/search-text';
import type { Sql } from '../database';
import type { Page, PageCursor } from '../keyset';
import { hasNumberPrefix } from './order-list';
import { withDates } from './studio-orders';
import { CREDIT_NOTE_COLUMNS, INVOICE_COLUMNS, PAYMENT_COLUMNS, type CreditNoteRow, type InvoiceRow, type PaymentRow } from '../rows';

/** An invoice with its account and order. */
export interface BilledInvoice extends InvoiceRow {
  order_number: string;
  account_name: string;
  currency: string;
  /** The client's reference of the order. */
  reference: string | null;
}

/** With its payments and credits, oldest first, including reversed payments. */
export interface InvoiceWithRecords extends BilledInvoice {
  payments: PaymentRow[];
  credit_notes: CreditNoteRow[];
}

/** The conditions of a list and of its ageing. */
export interface InvoiceFilter {
  environment: Environment;
  accountId: string | null;
  states: readonly InvoiceState[];
  /** The period of issue: `from` inclusive, `to` exclusive; null means unlimited. */
  issuedFrom: Date | null;
  issuedBefore: Date | null;
  /** The due time: `from` inclusive, `before` exclusive; null means unlimited. */
  dueFrom: Date | null;
  dueBefore: Date | null;
  /** The start of the invoice's number, of its order's number or of the number of one of its credit notes. */
  number: NumberStart | null;
  /** The period of voiding: `from` inclusive, `to` exclusive; null means unlimited. */
  voidedFrom: Date | null;
  voidedBefore: Date | null;
}

export interface InvoiceListFilter extends InvoiceFilter {
  /** Lists invoices that received a payment in this period; null lists all. */
  paidIn: TimePeriod | null;
  sort: InvoiceSort;
}

/** `outstanding`: the largest amount first. */
export type InvoiceSort = 'newest' | 'oldest' | 'dueDate' | 'outstanding';

/** The amount neither paid nor credited. For an unpaid invoice this is the amount due. */
const OUTSTANDING = '(i.amount_cents - i.paid_cents - i.credited_cents)';
const SORTS: Record<InvoiceSort, { column: string; order: string; comparison: '<' | '>' }> = {
  newest: { column: 'i.issued_at', order: 'ORDER BY i.issued_at DESC, i.id DESC', comparison: '<' },
  oldest: { column: 'i.issued_at', order: 'ORDER BY i.issued_at, i.id', comparison: '>' },
  dueDate: { column: 'i.due_at', order: 'ORDER BY i.due_at, i.id', comparison: '>' },
  outstanding: { column: OUTSTANDING, order: `ORDER BY ${OUTSTANDING} DESC, i.id DESC`, comparison: '<' },
};

const BILLED_INVOICE_COLUMNS = `${INVOICE_COLUMNS.of('i')}, o.order_number, o.currency, o.reference, a.name AS account_name`;
const TABLES = 'JOIN orders o ON o.id = i.order_id JOIN accounts a ON a.id = i.account_id';

/**
 * SQL: the payments received in a period that are not reversed, of all accounts or of one. Uses the indexes of payments and of payments on
 * account by the time of receipt.
 */
function paymentsIn(environment: string, from: string, before: string, accountId: string | null): string {
  const isInScope = (alias: string): string =>
    `${alias}.environment = ${environment} AND ${alias}.received_at >= ${from} AND ${alias}.received_at < ${before}
       ${accountId === null ? '' : `AND ${alias}.account_id = ${accountId}`}`;
  return `
    SELECT p.order_id, p.amount_cents FROM payments p WHERE ${isInScope('p')} AND p.account_payment_id IS NULL AND p.reversed_at IS NULL
    UNION ALL
    SELECT p.order_id, p.amount_cents FROM account_payments r JOIN payments p ON p.account_payment_id = r.id
     WHERE ${isInScope('r')} AND p.reversed_at IS NULL`;
}

const CONDITIONS_BY_NUMBER: Record<NumberedKind, (mark: string) => string> = {
  invoice: (mark) => hasNumberPrefix('i.invoice_number', mark),
  credit_note: (mark) => `i.id IN (SELECT n.invoice_id FROM credit_notes n WHERE ${hasNumberPrefix('n.credit_note_number', mark)})`,
  order: (mark) => `i.order_id IN (SELECT o.id FROM orders o WHERE ${hasNumberPrefix('o.order_number', mark)})`,
};

/** SQL: the conditions over `invoices i`, without environment and states. */
function conditionsOf(filter: InvoiceFilter, bind: (value: unknown) => string): string {
  const { accountId, issuedFrom, issuedBefore, dueFrom, dueBefore, number, voidedFrom, voidedBefore } = filter;
  return [
    accountId === null ? '' : `AND i.account_id = ${bind(accountId)}`,
    issuedFrom === null ? '' : `AND i.issued_at >= ${bind(issuedFrom)}`,
    issuedBefore === null ? '' : `AND i.issued_at < ${bind(issuedBefore)}`,
    dueFrom === null ? '' : `AND i.due_at >= ${bind(dueFrom)}`,
    dueBefore === null ? '' : `AND i.due_at < ${bind(dueBefore)}`,
    number === null ? '' : `AND ${CONDITIONS_BY_NUMBER[number.of](bind(number.start))}`,
    voidedFrom === null ? '' : `AND i.voided_at >= ${bind(voidedFrom)}`,
    voidedBefore === null ? '' : `AND i.voided_at < ${bind(voidedBefore)}`,
  ].join(' ');
}

/**
 * Lists one page. If the list is sorted by due date or outstanding amount, the cursor holds that value. Each state is a range of an index,
 * and only one page of the range is read: `invoices_by_state`, `invoices_of_account`, `invoices_by_due` or `invoices_by_outstanding`.
 * Invoices that are not due yet are skipped within the range.
 */
export function listInvoices(sql: Sql, filter: InvoiceListFilter, { limit, after }: Page): Promise<BilledInvoice[]> {
  const parameters: unknown[] = [filter.states, filter.environment, limit];
  const { column, order, comparison } = SORTS[filter.sort];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = [
    conditionsOf(filter, bind),
    filter.paidIn === null
      ? ''
      : `AND i.order_id IN (SELECT y.order_id FROM (${paymentsIn('$2', bind(filter.paidIn.from), bind(filter.paidIn.before), filter.accountId === null ? null : bind(filter.accountId))}) y)`,
    after === null ? '' : `AND (${column}, i.id) ${comparison} (${bind(cursorValue(filter, after))}, ${bind(after.id)})`,
  ];
  return sql.rows(
    `
    WITH page AS (
      SELECT i.* FROM unnest($1::text[]) AS requested (state) CROSS JOIN LATERAL (
        SELECT * FROM invoices i WHERE i.environment = $2 AND i.state = requested.state ${conditions.join(' ')}
         ${order} LIMIT $3) i
       ${order} LIMIT $3)
    SELECT ${BILLED_INVOICE_COLUMNS} FROM page i ${TABLES} ${order}`,
    parameters,
  );
}

const cursorValue = ({ sort }: InvoiceListFilter, { createdAt }: PageCursor): Date | number =>
  sort === 'outstanding' ? createdAt.getTime() : createdAt;

/** The count and the sum of a group of invoices. */
export interface InvoiceTotals {
  invoices: number;
  cents: number;
}

/** Unpaid invoices by bucket, and invoices with payments in a period. */
export interface InvoiceAgeing {
  buckets: Record<AgeingBucket, InvoiceTotals>;
  paid: InvoiceTotals;
}

interface AgeingPeriods {
  periods: Record<AgeingBucket, TimePeriod>;
  paidIn: TimePeriod;
}

/** Counts the invoices that `listInvoices` lists with the same filter, in each period. */
export async function countInvoicesByAge(sql: Sql, filter: InvoiceFilter, { periods, paidIn }: AgeingPeriods): Promise<InvoiceAgeing> {
  const buckets = Object.entries(periods) as [AgeingBucket, TimePeriod][];
  const parameters: unknown[] = [
    filter.environment,
    filter.states.filter((state) => UNPAID_STATES.some((unpaid) => unpaid === state)),
    buckets.map(([bucket]) => bucket),
    buckets.map(([, { from }]) => from ?? '-infinity'),
    buckets.map(([, { before }]) => before ?? 'infinity'),
  ];
  const rows = await sql.rows<InvoiceTotals & { bucket: AgeingBucket }>(
    `
    SELECT b.bucket, t.invoices, t.cents FROM unnest($3::text[], $4::timestamptz[], $5::timestamptz[]) b (bucket, due_from, due_before)
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS invoices, COALESCE(SUM(${OUTSTANDING}), 0)::bigint AS cents FROM invoices i
        WHERE i.environment = $1 AND i.state = ANY ($2) AND i.due_at >= b.due_from AND i.due_at < b.due_before
          ${conditionsOf(filter, (value) => `$${parameters.push(value)}`)}) t`,
    parameters,
  );
  const totals = rows.map(({ bucket, invoices, cents }) => [bucket, { invoices, cents }] as const);
  return { buckets: Object.fromEntries(totals) as InvoiceAgeing['buckets'], paid: await countPaid(sql, filter, paidIn) };
}

function countPaid(sql: Sql, filter: InvoiceFilter, { from, before }: TimePeriod): Promise<InvoiceTotals> {
  const parameters: unknown[] = [filter.environment, from, before, filter.states.filter((state) => state !== 'void')];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  return sql.one(
    `
    SELECT count(DISTINCT y.order_id)::int AS invoices, COALESCE(SUM(y.amount_cents), 0)::bigint AS cents
      FROM (${paymentsIn('$1', '$2', '$3', filter.accountId === null ? null : bind(filter.accountId))}) y
      JOIN invoices i ON i.order_id = y.order_id AND i.environment = $1
     WHERE i.state = ANY ($4) ${conditionsOf(filter, bind)}`,
    parameters,
  );
}

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
