import type { Environment } from '../../domain/limits';

/** Of lists of money across accounts. Periods begin with their first moment and end before their last; null: without that end. */
export interface MoneyFilter {
  environment: Environment;
  accountId: string | null;
  from: Date | null;
  before: Date | null;
  reversedFrom: Date | null;
  reversedBefore: Date | null;
  oldestFirst: boolean;
}

/** `moneyParameters` as conditions on rows under an alias, `time` being the one that the period is of. */
export const moneyConditions = (of: string, time: string): string => `${of}.environment = $1 AND ($2::text IS NULL OR ${of}.account_id = $2)
  AND ($3::timestamptz IS NULL OR ${of}.${time} >= $3) AND ($4::timestamptz IS NULL OR ${of}.${time} < $4)
  AND ($5::timestamptz IS NULL OR ${of}.reversed_at >= $5) AND ($6::timestamptz IS NULL OR ${of}.reversed_at < $6)`;

export const moneyParameters = ({ environment, accountId, from, before, reversedFrom, reversedBefore }: MoneyFilter): unknown[] => [
  environment,
  accountId,
  from,
  before,
  reversedFrom,
  reversedBefore,
];
