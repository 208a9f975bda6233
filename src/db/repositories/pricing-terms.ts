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
  const terms = await sql.row<Omit<PricingTerms, 'version'> & { version: number | null }>(
    `
    SELECT ${effectiveBookVersion('$2')} AS version, a.trade_discount_bps AS "tradeDiscountBps",
           COALESCE((SELECT value = 'true'::jsonb FROM settings WHERE name = 'criticalRushEnabled'), false) AS "criticalRushEnabled",
           (SELECT revision FROM catalogue_revision) AS "catalogueRevision"
      FROM accounts a WHERE a.id = $1`,
    [accountId, now],
  );
  const version = terms?.version ?? null;
  if (terms === null || version === null) throw new Error('no price book is effective; publish one');
  return { ...terms, version };
}
