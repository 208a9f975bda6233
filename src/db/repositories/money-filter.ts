import type { Environment } from '../../domain/limits';
import type { ListQuery } from '../keyset';

/** Filter of money lists across accounts. Periods are from inclusive, to exclusive; null means unlimited. */
export interface MoneyFilter {
  environment: Environment;
  accountId: string | null;
  from: Date | null;
  before: Date | null;
  reversedFrom: Date | null;
  reversedBefore: Date | null;
  oldestFirst: boolean;
}

/** The filtered rows under an alias, by `time`. `id` is unique among them. */
export function moneyListQuery(select: string, alias: string, { time, id }: { time: string; id: string }, filter: MoneyFilter): ListQuery {
  const { environment, accountId, from, before, reversedFrom, reversedBefore, oldestFirst } = filter;
  return {
    text: `${select} WHERE ${alias}.environment = $1 AND ($2::text IS NULL OR ${alias}.account_id = $2)
      AND ($3::timestamptz IS NULL OR ${alias}.${time} >= $3) AND ($4::timestamptz IS NULL OR ${alias}.${time} < $4)
      AND ($5::timestamptz IS NULL OR ${alias}.reversed_at >= $5) AND ($6::timestamptz IS NULL OR ${alias}.reversed_at < $6)`,
    parameters: [environment, accountId, from, before, reversedFrom, reversedBefore],
    sortBy: [`${alias}.${time}`, `${alias}.${id}`],
    oldestFirst,
  };
}
