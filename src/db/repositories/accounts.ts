import type { Environment, Scope } from '../../domain/limits';
import type { Sql } from '../database';
import { insertRow } from '../insert-row';
import { newId } from '../../security/ids';
import { ACCOUNT_COLUMNS, CONTACT_COLUMNS, type AccountRow, type ContactRow } from '../rows';

/** Select-list part over `accounts a`: the whole row. */
export const ACCOUNT = ACCOUNT_COLUMNS.of('a');

export function findAccount(sql: Sql, id: string): Promise<AccountRow | null> {
  return sql.row(`SELECT ${ACCOUNT} FROM accounts a WHERE a.id = $1`, [id]);
}

/** Locks the account's row until the transaction ends, then reads it. Rows that refer to the account stay writable. */
export function lockAccount(sql: Sql, id: string): Promise<AccountRow | null> {
  return sql.row(`SELECT ${ACCOUNT} FROM accounts a WHERE a.id = $1 FOR NO KEY UPDATE`, [id]);
}

/** SQL: the currency of the account's invoices; null without an invoice. */
export const invoicedCurrency = (accountId: string): string =>
  `(SELECT o.currency FROM invoices i JOIN orders o ON o.id = i.order_id WHERE i.account_id = ${accountId} LIMIT 1)`;

/** SQL over `accounts a`: the recipient of the account's mails, its first billing contact, else its own address. */
export const BILLING_EMAIL = `COALESCE((SELECT c.email FROM account_contacts c WHERE c.account_id = a.id AND c.role = 'billing'
  ORDER BY lower(c.name), c.id LIMIT 1), a.email)`;

/** An account with its running sums per environment, in cents of their currency. */
export interface AccountWithBalances extends AccountRow {
  /** Null before the first invoice. */
  currency: string | null;
  outstanding_live: number;
  outstanding_test: number;
  credit_live: number;
  credit_test: number;
  /** Billing contacts first, then by name. */
  contacts: ContactRow[];
}

/** Select-list part over `ACCOUNT_BALANCE_TABLES`: an `AccountWithBalances`. */
export const ACCOUNT_WITH_BALANCES = `${ACCOUNT}, COALESCE(l.outstanding_cents, 0) AS outstanding_live, COALESCE(l.credit_cents, 0) AS credit_live,
  COALESCE(t.outstanding_cents, 0) AS outstanding_test, COALESCE(t.credit_cents, 0) AS credit_test, ${invoicedCurrency('a.id')} AS currency,
  (SELECT COALESCE(jsonb_agg(${CONTACT_COLUMNS.json('c')} ORDER BY c.role <> 'billing', lower(c.name), c.id), '[]')
     FROM account_contacts c WHERE c.account_id = a.id) AS contacts`;
export const ACCOUNT_BALANCE_TABLES = `accounts a LEFT JOIN account_balances l ON l.account_id = a.id AND l.environment = 'live'
  LEFT JOIN account_balances t ON t.account_id = a.id AND t.environment = 'test'`;

export function findAccountWithBalances(sql: Sql, id: string): Promise<AccountWithBalances | null> {
  return sql.row(`SELECT ${ACCOUNT_WITH_BALANCES} FROM ${ACCOUNT_BALANCE_TABLES} WHERE a.id = $1`, [id]);
}

/** An account as one of its API keys sees it, with the balances of the key's environment. */
export interface AccountOfKey extends AccountRow {
  environment: Environment;
  scopes: Scope[];
  /** Null before the first invoice. */
  currency: string | null;
  outstanding_cents: number;
  credit_cents: number;
}

export function findAccountOfKey(sql: Sql, keyId: string): Promise<AccountOfKey | null> {
  return sql.row(
    `
    SELECT ${ACCOUNT}, k.environment, k.scopes, ${invoicedCurrency('a.id')} AS currency,
           COALESCE(b.outstanding_cents, 0) AS outstanding_cents, COALESCE(b.credit_cents, 0) AS credit_cents
      FROM api_keys k JOIN accounts a ON a.id = k.account_id
      LEFT JOIN account_balances b ON b.account_id = a.id AND b.environment = k.environment WHERE k.id = $1`,
    [keyId],
  );
}

/** Identifies a repeated request: the sender's id and a digest of the content. */
export interface SentRequest {
  sender_id: string;
  digest: string;
}

/** An account with the default terms. */
export function newAccount(now: Date): AccountRow {
  return {
    id: newId('acc'),
    name: '',
    email: '',
    trade_discount_bps: 0,
    credit_limit_cents: null,
    payment_terms_days: 30,
    status: 'active',
    api_access: true,
    billing_address: null,
    abn: null,
    ready_mail: 'customer',
    default_reference: null,
    reminders: false,
    created_at: now,
  };
}

/**
 * Inserts an account. Waits for transactions that are inserting the same sender's id.
 * @returns false if the sender's id is taken; nothing is written then
 */
export async function insertAccount(sql: Sql, account: AccountRow, request: SentRequest | null): Promise<boolean> {
  const row = { ...account, sender_id: request?.sender_id ?? null, digest: request?.digest ?? null };
  return (
    (await insertRow(
      sql,
      'accounts',
      [...ACCOUNT_COLUMNS.names, 'sender_id', 'digest'],
      row,
      'ON CONFLICT (sender_id) DO NOTHING RETURNING id',
    )) !== null
  );
}

/** The account that a request with this sender's id opened, and the digest of that request. */
export function findAccountBySenderId(sql: Sql, senderId: string): Promise<(AccountWithBalances & Pick<SentRequest, 'digest'>) | null> {
  return sql.row(`SELECT ${ACCOUNT_WITH_BALANCES}, a.digest FROM ${ACCOUNT_BALANCE_TABLES} WHERE a.sender_id = $1`, [senderId]);
}

const CHANGED_COLUMNS = ACCOUNT_COLUMNS.without('id', 'created_at').names;

export async function updateAccount(sql: Sql, account: AccountRow): Promise<void> {
  const assignments = CHANGED_COLUMNS.map((name, index) => `${name} = $${index + 2}`);
  await sql.run(`UPDATE accounts SET ${assignments.join(', ')} WHERE id = $1`, [
    account.id,
    ...CHANGED_COLUMNS.map((name) => account[name]),
  ]);
}

/** Replaces the list of contacts of a locked account. */
export async function replaceContacts(sql: Sql, accountId: string, contacts: readonly ContactRow[]): Promise<void> {
  await sql.run('DELETE FROM account_contacts WHERE account_id = $1', [accountId]);
  for (const contact of contacts)
    await insertRow(sql, 'account_contacts', ['id', 'account_id', ...CONTACT_COLUMNS.names], {
      id: newId('con'),
      account_id: accountId,
      ...contact,
    });
}
