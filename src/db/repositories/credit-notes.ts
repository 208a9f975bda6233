import type { Sql } from '../database';
import { findPage, type Page } from '../keyset';
import { CREDIT_NOTE_COLUMNS, type CreditNoteRow } from '../rows';
import { moneyListQuery, sumMoney, type MoneyFilter, type MoneySums } from './money-filter';

/** A credit note with the names of its account, order and invoice. */
export interface ListedCreditNote extends CreditNoteRow {
  invoice_number: string;
  order_number: string;
  account_name: string;
  currency: string;
}

const NOTE_ORDER = { time: 'created_at', id: 'id' } as const;

/**
 * Lists credit notes by creation time, including reversed notes. Uses the index `credit_notes_newest`, or `credit_notes_of_account` for one
 * account.
 */
export function listCreditNotes(sql: Sql, filter: MoneyFilter, page: Page): Promise<ListedCreditNote[]> {
  const select = `
    SELECT ${CREDIT_NOTE_COLUMNS.of('n')}, i.invoice_number, o.order_number, o.currency, a.name AS account_name
      FROM credit_notes n JOIN invoices i ON i.id = n.invoice_id JOIN orders o ON o.id = n.order_id JOIN accounts a ON a.id = n.account_id`;
  return findPage(sql, moneyListQuery(select, 'n', NOTE_ORDER, filter), page);
}

/** Sums the credit notes that `listCreditNotes` lists. */
export const sumCreditNotes = (sql: Sql, filter: MoneyFilter): Promise<MoneySums<'valid'>> =>
  sumMoney(sql, moneyListQuery('SELECT * FROM credit_notes n', 'n', NOTE_ORDER, filter), ['valid'], "'valid'");
