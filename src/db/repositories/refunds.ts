import type { Sql } from '../database';
import { insertRow } from '../insert-row';
import { findPage, type Page } from '../keyset';
import type { AccountListScope } from './account-payments';
import { REFUND_COLUMNS, type RefundRow } from '../rows';
import { invoicedCurrency } from './accounts';
import { moneyListQuery, sumMoney, type MoneyFilter, type MoneySums } from './money-filter';

/** The account's refund with the sender's id, or null. */
export function findRefund(sql: Sql, accountId: string, refundId: string): Promise<RefundRow | null> {
  return sql.row(`SELECT ${REFUND_COLUMNS.list} FROM refunds WHERE account_id = $1 AND refund_id = $2`, [accountId, refundId]);
}

/** Newest first; a null environment means both. */
export function listRefunds(sql: Sql, { accountId, environment }: AccountListScope, page: Page): Promise<RefundRow[]> {
  const text = `SELECT ${REFUND_COLUMNS.list} FROM refunds WHERE account_id = $1 AND ($2::text IS NULL OR environment = $2)`;
  return findPage(sql, { text, parameters: [accountId, environment], sortBy: ['created_at', 'id'] }, page);
}

const REFUND_ORDER = { time: 'refunded_at', id: 'id' } as const;

export interface ListedRefund extends RefundRow {
  account_name: string;
  /** Null before the first invoice. */
  currency: string | null;
}

/** Lists the refunds of all accounts by the time the money was sent, including reversed refunds. Uses the index `refunds_of_environment`. */
export function listAllRefunds(sql: Sql, filter: MoneyFilter, page: Page): Promise<ListedRefund[]> {
  const select = `
    SELECT ${REFUND_COLUMNS.of('r')}, a.name AS account_name, ${invoicedCurrency('r.account_id')} AS currency
      FROM refunds r JOIN accounts a ON a.id = r.account_id`;
  return findPage(sql, moneyListQuery(select, 'r', REFUND_ORDER, filter), page);
}

/** Sums the refunds that `listAllRefunds` lists. */
export const sumRefunds = (sql: Sql, filter: MoneyFilter): Promise<MoneySums<'valid'>> =>
  sumMoney(sql, moneyListQuery('SELECT * FROM refunds r', 'r', REFUND_ORDER, filter), ['valid'], "'valid'");

export async function insertRefund(sql: Sql, refund: RefundRow): Promise<void> {
  await insertRow(sql, 'refunds', REFUND_COLUMNS.names, refund);
}

export async function markRefundReversed(sql: Sql, { id, reversed_at, reversal_id, reversal_reason }: RefundRow): Promise<void> {
  await sql.run('UPDATE refunds SET reversed_at = $2, reversal_id = $3, reversal_reason = $4 WHERE id = $1', [
    id,
    reversed_at,
    reversal_id,
    reversal_reason,
  ]);
}
