import type { Sql } from '../database';
import { effectiveBookVersion } from './price-book-reader';

export interface PricingTerms {
  /** The version of the newest effective price book. */
  version: number;
  tradeDiscountBps: number;
  criticalRushEnabled: boolean;
  catalogueRevision: number;
}

/** Reads the terms on which prices are based at `now`: the newest effective book, the account's discount and the studio's settings. */
export async function readPricingTerms(sql: Sql, accountId: string, now: Date): Promise<PricingTerms> {
  const row = await sql.row<{ version: number | null; trade_discount_bps: number; critical: boolean | null; revision: number }>(
    `
    SELECT ${effectiveBookVersion('$2')} AS version, a.trade_discount_bps,
           (SELECT value = 'true'::jsonb FROM settings WHERE name = 'criticalRushEnabled') AS critical,
           (SELECT revision FROM catalogue_revision) AS revision
      FROM accounts a WHERE a.id = $1`,
    [accountId, now],
  );
  if (row === null || row.version === null) throw new Error('no price book is effective; publish one');
  return {
    version: row.version,
    tradeDiscountBps: row.trade_discount_bps,
    criticalRushEnabled: row.critical ?? false,
    catalogueRevision: row.revision,
  };
}
