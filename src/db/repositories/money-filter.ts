import type { Environment } from '../../domain/limits';
import type { Sql } from '../database';
import type { ListQuery } from '../keyset';

/** Filter of money lists across accounts. Periods are from inclusive, to exclusive; null means unlimited. */
export interface MoneyFilter {
  environment: Environment;
  accountId: string | null;
  from: Date | null;
  before: Date | null;
  reversedFrom: Date | null;
  reversedBefore: Date | null;
  isReversed: boolean | null;
  /** The time of recording, inclusive, which does not depend on the time of the bank. */
  recordedFrom: Date | null;
  oldestFirst: boolean;
}

/** The filtered rows under an alias, by `time`. `id` is unique among them. */
export function moneyListQuery(select: string, alias: string, { time, id }: { time: string; id: string }, filter: MoneyFilter): ListQuery {
  const { environment, accountId, from, before, reversedFrom, reversedBefore, isReversed, recordedFrom, oldestFirst } = filter;
  return {
    text: `${select} WHERE ${alias}.environment = $1 AND ($2::text IS NULL OR ${alias}.account_id = $2)
      AND ($3::timestamptz IS NULL OR ${alias}.${time} >= $3) AND ($4::timestamptz IS NULL OR ${alias}.${time} < $4)
      AND ($5::timestamptz IS NULL OR ${alias}.reversed_at >= $5) AND ($6::timestamptz IS NULL OR ${alias}.reversed_at < $6)
      AND ($7::boolean IS NULL OR (${alias}.reversed_at IS NOT NULL) = $7)
      AND ($8::timestamptz IS NULL OR ${alias}.created_at >= $8)`,
    parameters: [environment, accountId, from, before, reversedFrom, reversedBefore, isReversed, recordedFrom],
    sortBy: [`${alias}.${time}`, `${alias}.${id}`],
    oldestFirst,
  };
}

export interface MoneySum {
  count: number;
  cents: number;
}

/** Sums of the filtered rows. Reversed rows are in `reversed` only. */
export type MoneySums<Group extends string> = Record<Group | 'reversed', MoneySum>;

/** @param group SQL: the group of a row `t` that is not reversed, one of `groups` */
export async function sumMoney<Group extends string>(
  sql: Sql,
  { text, parameters = [] }: ListQuery,
  groups: readonly Group[],
  group: string,
): Promise<MoneySums<Group>> {
  const rows = await sql.rows<MoneySum & { name: Group | 'reversed' }>(
    `
    SELECT CASE WHEN t.reversed_at IS NOT NULL THEN 'reversed' ELSE ${group} END AS name, count(*)::int AS count, SUM(t.amount_cents)::bigint AS cents
      FROM (${text}) t GROUP BY name`,
    [...parameters],
  );
  const sumOf = (name: Group | 'reversed'): MoneySum => {
    const { count = 0, cents = 0 } = rows.find((row) => row.name === name) ?? {};
    return { count, cents };
  };
  return Object.fromEntries([...groups, 'reversed' as const].map((name) => [name, sumOf(name)])) as MoneySums<Group>;
}
