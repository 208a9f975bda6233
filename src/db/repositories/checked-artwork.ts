import type { CheckedArtwork, CheckedInspection } from '../../domain/artwork-checks';
import type { Sql } from '../database';

const SELECT = `SELECT u.url, (
  SELECT jsonb_build_object('state', s.state, 'widthPx', s.width_px, 'heightPx', s.height_px, 'hasProfile', s.has_profile, 'pages', s.pages)
    FROM artwork_inspections s WHERE s.upload_id = u.id AND s.checksum IS NOT DISTINCT FROM u.checksum) AS inspection FROM uploads u`;

/** Those of `urls` that this account may order: uploaded with any of its keys, in either environment, and not being removed. */
export async function findOwnedArtwork(sql: Sql, accountId: string, urls: string[]): Promise<CheckedArtwork> {
  if (urls.length === 0) return new Map();
  return byUrl(
    await sql.rows(`${SELECT} WHERE u.account_id = $1 AND u.url = ANY ($2) AND u.retired_at IS NULL AND u.erased_at IS NULL`, [
      accountId,
      urls,
    ]),
  );
}

/** The artwork of a quote's lines. */
export const findArtworkOfQuote = (sql: Sql, accountId: string, quoteId: string): Promise<CheckedArtwork> =>
  findArtworkOf(sql, 'q.id = $2', accountId, quoteId);

/** The artwork of an order's lines. */
export const findArtworkOfOrder = (sql: Sql, accountId: string, orderId: string): Promise<CheckedArtwork> =>
  findArtworkOf(sql, 'q.id = (SELECT o.quote_id FROM orders o WHERE o.id = $2 AND o.account_id = $1)', accountId, orderId);

/** @param condition SQL over the quote `q`; $1 is the account, $2 the id */
async function findArtworkOf(sql: Sql, condition: string, accountId: string, id: string): Promise<CheckedArtwork> {
  return byUrl(
    await sql.rows(
      `${SELECT} WHERE u.account_id = $1
          AND u.url IN (SELECT j ->> 'imageUrl' FROM quotes q, jsonb_array_elements(q.jobs) j WHERE q.account_id = $1 AND ${condition})`,
      [accountId, id],
    ),
  );
}

const byUrl = (rows: readonly { url: string; inspection: CheckedInspection | null }[]): CheckedArtwork =>
  new Map(rows.map(({ url, inspection }) => [url, inspection]));
