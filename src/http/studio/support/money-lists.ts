import type { MoneyFilter } from '../../../db/repositories/money-filter';
import type { Environment } from '../../../domain/limits';
import { queryError } from '../../cursor';
import { oneOfField } from '../../schemas/text';
import { dayField } from './fields';
import type { Filters } from '../../filters';
import { timesOf } from './period';
import { accountIdField, AGE_SORTS, environmentField, PERIOD } from './query-filters';
import type { StudioRequest } from './types';

/** Of lists of money across accounts. Days are those of the studio's calendar, both included. */
export const MONEY_FILTERS = {
  environment: environmentField,
  accountId: accountIdField,
  ...PERIOD,
  reversedFrom: dayField().description('only those that were reversed on that day or later'),
  reversedTo: dayField().description('only those that were reversed on that day or before'),
  sort: oneOfField(AGE_SORTS).description('`newest` first unless said otherwise'),
} as const;

export type MoneyFilters = Filters<typeof MONEY_FILTERS>;

/** @throws ApiError VALIDATION_ERROR where days are the wrong way round */
export async function moneyFilterOf(request: StudioRequest, asked: MoneyFilters): Promise<MoneyFilter> {
  const { environment = 'live', accountId = null, from, to, reversedFrom, reversedTo, sort } = asked;
  assertInOrder('from', from, 'to', to);
  assertInOrder('reversedFrom', reversedFrom, 'reversedTo', reversedTo);
  const period = await timesOf(request, { from, to });
  const reversed = await timesOf(request, { from: reversedFrom, to: reversedTo });
  return {
    environment: environment as Environment,
    accountId,
    from: period.from ?? null,
    before: period.to ?? null,
    reversedFrom: reversed.from ?? null,
    reversedBefore: reversed.to ?? null,
    oldestFirst: sort === 'oldest',
  };
}

/** @throws ApiError VALIDATION_ERROR */
export function assertInOrder(name: string, from: string | undefined, other: string, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to) throw queryError(name, `must not be after ${other}, which is ${to}`);
}
