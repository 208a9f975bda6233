import { PAYMENT_SOURCES, type PaymentSource } from '../../domain/account-payment';
import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';
import { orderNewestFirst, orderOldestFirst, findPage, type ListQuery, type Page } from '../keyset';
import type { RowOf } from '../columns';
import { PAYMENT_COLUMNS } from '../rows';
import { invoicedCurrency } from './accounts';
import { moneyListQuery, sumMoney, type MoneyFilter, type MoneySums } from './money-filter';

const SORT_COLUMNS = ['received_at', 'place'] as const;
const LISTED_COLUMNS = PAYMENT_COLUMNS.without('order_id', 'account_payment_id');

export interface PaymentFilter extends MoneyFilter {
  source: PaymentSource | null;
}

/** A payment on an order or on account. For a payment on account, order and invoice are null. */
export interface ListedPayment extends RowOf<typeof LISTED_COLUMNS> {
  created_at: Date;
  account_id: string;
  account_name: string;
  environment: Environment;
  source: PaymentSource;
  order_id: string | null;
  order_number: string | null;
  invoice_number: string | null;
  /** Null before the first invoice. */
  currency: string | null;
  /** Unique among all payments, on orders and on account. */
  place: string;
}

/** SQL: payments on orders and on account. Both parts are sorted, so a page does not sort all payments. */
const paymentsSql = (order: string): string => `
  (SELECT ${LISTED_COLUMNS.of('y')}, y.created_at, y.account_id, a.name AS account_name, y.environment, 'money' AS source, y.order_id, o.order_number,
          i.invoice_number, o.currency, y.order_id || '/' || y.id AS place
     FROM payments y JOIN orders o ON o.id = y.order_id JOIN accounts a ON a.id = y.account_id LEFT JOIN invoices i ON i.order_id = y.order_id
    WHERE y.account_payment_id IS NULL ${order})
  UNION ALL
  (SELECT p.payment_id, p.amount_cents, p.received_at, p.reference, p.reversed_at, p.reversal_reason, p.created_at, p.account_id, a.name, p.environment, p.source, NULL, NULL,
          NULL, ${invoicedCurrency('p.account_id')}, p.id AS place
     FROM account_payments p JOIN accounts a ON a.id = p.account_id ${order})`;

/**
 * Lists payments by the time they were received, including reversed payments. A payment on account appears once. Merges the indexes
 * `payments_received` and `account_payments_received`, or `payments_of_account` and `account_payments_of_account` for one account. The
 * cursor's id is `place`.
 */
export function listPayments(sql: Sql, filter: PaymentFilter, page: Page): Promise<ListedPayment[]> {
  const order = filter.oldestFirst ? orderOldestFirst(SORT_COLUMNS) : orderNewestFirst(SORT_COLUMNS);
  return findPage(sql, filteredPayments(paymentsSql(order), filter), page);
}

function filteredPayments(payments: string, { source, ...filter }: PaymentFilter): ListQuery {
  const list = moneyListQuery(`SELECT * FROM (${payments}) t`, 't', { time: 'received_at', id: 'place' }, filter);
  if (source === null) return list;
  const parameters = [...(list.parameters ?? []), source];
  return { ...list, text: `${list.text} AND t.source = $${parameters.length}`, parameters };
}

const SUMMED_COLUMNS = 'amount_cents, received_at, created_at, reversed_at, account_id, environment';
const SUMMED_PAYMENTS = `
  SELECT ${SUMMED_COLUMNS}, 'money' AS source FROM payments WHERE account_payment_id IS NULL
  UNION ALL SELECT ${SUMMED_COLUMNS}, source FROM account_payments`;

/** Sums the payments that `listPayments` lists, by their source. */
export const sumPayments = (sql: Sql, filter: PaymentFilter): Promise<MoneySums<PaymentSource>> =>
  sumMoney(sql, filteredPayments(SUMMED_PAYMENTS, filter), PAYMENT_SOURCES, 't.source');
