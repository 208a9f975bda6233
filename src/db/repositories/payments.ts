import type { PaymentSource } from '../../domain/account-payment';
import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';
import { orderNewestFirst, orderOldestFirst, findPage, type Page } from '../keyset';
import type { RowOf } from '../columns';
import { PAYMENT_COLUMNS } from '../rows';
import { invoicedCurrency } from './accounts';
import { moneyListQuery, type MoneyFilter } from './money-filter';

const SORT_COLUMNS = ['received_at', 'place'] as const;
const LISTED_COLUMNS = PAYMENT_COLUMNS.without('order_id', 'account_payment_id');

/** A payment as it was recorded: on one order, or on account, where order and invoice are null. */
export interface ListedPayment extends RowOf<typeof LISTED_COLUMNS> {
  created_at: Date;
  account_id: string;
  account_name: string;
  environment: Environment;
  source: PaymentSource;
  order_id: string | null;
  order_number: string | null;
  invoice_number: string | null;
  /** Null: nothing is invoiced yet. */
  currency: string | null;
  /** Unique among all of them. */
  place: string;
}

/** Of orders and on account, each in the order of the list: otherwise all of them would be sorted for one page. */
const paymentsSql = (order: string): string => `
  (SELECT ${LISTED_COLUMNS.of('y')}, y.created_at, y.account_id, a.name AS account_name, y.environment, 'money' AS source, y.order_id, o.order_number,
          i.invoice_number, o.currency, y.order_id || '/' || y.id AS place
     FROM payments y JOIN orders o ON o.id = y.order_id JOIN accounts a ON a.id = y.account_id LEFT JOIN invoices i ON i.order_id = y.order_id
    WHERE y.account_payment_id IS NULL ${order})
  UNION ALL
  (SELECT p.payment_id, p.amount_cents, p.received_at, p.reference, p.reversed_at, p.created_at, p.account_id, a.name, p.environment, p.source, NULL, NULL,
          NULL, ${invoicedCurrency('p.account_id')}, p.id AS place
     FROM account_payments p JOIN accounts a ON a.id = p.account_id ${order})`;

/**
 * By the time they were received, reversed ones too: a payment on account once, whatever it paid. The indexes `payments_received` and
 * `account_payments_received` are read side by side, for one account `payments_of_account` and `account_payments_of_account`. The mark's id
 * is the place.
 */
export function listPayments(sql: Sql, filter: MoneyFilter, page: Page): Promise<ListedPayment[]> {
  const order = filter.oldestFirst ? orderOldestFirst(SORT_COLUMNS) : orderNewestFirst(SORT_COLUMNS);
  return findPage(sql, moneyListQuery(`SELECT * FROM (${paymentsSql(order)}) t`, 't', { time: 'received_at', id: 'place' }, filter), page);
}
