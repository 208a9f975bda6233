import { columns, nullable, text, time, type RowOf } from '../columns';
import type { Sql } from '../database';
import { findPage, type Page } from '../keyset';

export const BADGE_COLUMNS = columns('badges', {
  id: text,
  name: text,
  code: text,
  created_at: time,
  revoked_at: nullable(time),
});
export type BadgeRow = RowOf<typeof BADGE_COLUMNS>;

export function insertBadge(sql: Sql, { id, name, code }: Pick<BadgeRow, 'id' | 'name' | 'code'>, now: Date): Promise<BadgeRow> {
  return sql.one(`INSERT INTO badges (id, name, code, created_at) VALUES ($1, $2, $3, $4) RETURNING ${BADGE_COLUMNS.list}`, [
    id,
    name,
    code,
    now,
  ]);
}

/** The badge with this code, or null. Revoked badges are not found. */
export function findBadge(sql: Sql, code: string): Promise<BadgeRow | null> {
  return sql.row(`SELECT ${BADGE_COLUMNS.list} FROM badges WHERE code = $1 AND revoked_at IS NULL`, [code]);
}

export function findBadgeById(sql: Sql, id: string): Promise<BadgeRow | null> {
  return sql.row(`SELECT ${BADGE_COLUMNS.list} FROM badges WHERE id = $1`, [id]);
}

/** Lists the newest first. */
export function listBadges(sql: Sql, page: Page): Promise<BadgeRow[]> {
  return findPage(sql, { text: `SELECT ${BADGE_COLUMNS.list} FROM badges WHERE true`, sortBy: ['created_at', 'id'] }, page);
}

/** Revokes a badge. @returns the badge, and whether it was revoked before; null without such a badge */
export async function revokeBadge(sql: Sql, id: string, now: Date): Promise<{ badge: BadgeRow; wasRevoked: boolean } | null> {
  const before = await sql.row<BadgeRow>(`SELECT ${BADGE_COLUMNS.list} FROM badges WHERE id = $1 FOR UPDATE`, [id]);
  if (before === null) return null;
  const badge = await sql.one<BadgeRow>(
    `UPDATE badges SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING ${BADGE_COLUMNS.list}`,
    [id, now],
  );
  return { badge, wasRevoked: before.revoked_at !== null };
}
