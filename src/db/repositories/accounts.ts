import type { Environment } from '../../domain/limits';
import { row, type Sql } from '../data-source';
import type { AccountRow } from '../rows';

export function findAccount(sql: Sql, id: string): Promise<AccountRow | null> {
  return row(sql, `SELECT * FROM accounts WHERE id = $1`, [id]);
}

/** Takes the account's lock until the transaction ends: credit is judged one order at a time. */
export function lockAccount(sql: Sql, id: string): Promise<AccountRow | null> {
  return row(sql, `SELECT * FROM accounts WHERE id = $1 FOR UPDATE`, [id]);
}

/** The unpaid part of the invoices that are not void, in cents, of one environment (ruling 32). */
export async function outstandingCents(sql: Sql, accountId: string, environment: Environment): Promise<number> {
  const found = await row<{ cents: number }>(sql, `
    SELECT COALESCE(SUM(amount_cents - paid_cents), 0)::bigint AS cents FROM invoices
     WHERE account_id = $1 AND environment = $2 AND voided_at IS NULL AND paid_cents < amount_cents`, [accountId, environment]);
  return found?.cents ?? 0;
}
