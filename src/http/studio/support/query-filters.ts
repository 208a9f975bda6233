import type { MoneyFilter } from '../../../db/repositories/money-filter';
import { ATTENTION_ABOUT } from '../../../domain/attention';
import { dayIssue } from '../../../domain/field-formats';
import { ENVIRONMENTS, LIMITS } from '../../../domain/limits';
import { nextDay, startOfDay } from '../../../domain/pricing/ready-date';
import { queryError } from '../../cursor';
import type { Filters } from '../../filters';
import { oneOfField, textField, patternField } from '../../schemas/text';
import { dayField, dayOrTimestampField } from './fields';
import type { StudioRequest } from './types';

/** As it is told; the handler says what would do. */
export const prefixedIdField = (prefix: string, resource: string) =>
  patternField(
    new RegExp(`^${prefix}_[0-9a-f]{1,${LIMITS.identifierLength - prefix.length - 1}}$`),
    `the id of ${resource}, such as ${prefix}_0123abcd`,
  );

export const searchTextField = () => textField(1, 200);

export const environmentField = oneOfField(ENVIRONMENTS).description('live unless said otherwise');

/** Of what has been listed of both all along. */
export const eitherEnvironmentField = oneOfField(ENVIRONMENTS).description('of both unless said otherwise');

export const accountIdField = prefixedIdField('acc', 'an account');

export const TIME_RANGE_FILTERS = {
  from: dayOrTimestampField().description("of that time or later; a day is the studio's, and included"),
  to: dayOrTimestampField().description("of earlier than that time; a day is the studio's, and included"),
} as const;

/** `newest` is what every list has that goes by age; where it was called `createdAt` that is taken too. */
export const FORMER_NEWEST_SORT = 'createdAt';

export const aboutField = oneOfField(ATTENTION_ABOUT).description('only what is about the work, or only what is about money');

export const AGE_SORTS = ['newest', 'oldest'] as const;

/** Of the lists of one account. */
export const ACCOUNT_LIST_FILTERS = { environment: eitherEnvironmentField } as const;

/** Of money: days of the studio's calendar, both included. */
export const DAY_RANGE_FILTERS = {
  from: dayField().description("a day of the studio's calendar, included"),
  to: dayField().description('the same, included too'),
};

/** As a list is asked for, checked by `dayOrTimestamp`. */
interface RequestedPeriod {
  from?: string | null;
  to?: string | null;
}

/** From the first moment on, to before the second; absent: without that end. */
export interface TimeRange {
  from?: Date;
  to?: Date;
}

/**
 * What `from` and `to` of a list stand for: an RFC 3339 time for itself; a day, `YYYY-MM-DD`, for that of the studio's calendar, which is
 * in the period whichever end it is (studio API "Endpoints").
 */
export async function resolveTimeRange({ deps }: Pick<StudioRequest, 'deps'>, { from, to }: RequestedPeriod): Promise<TimeRange> {
  const hasDay = [from, to].some((end) => end !== undefined && end !== null && isDay(end));
  const timeZone = hasDay ? await deps.pricingTerms.timeZone(deps.database, deps.clock.now()) : 'UTC';
  return {
    ...(from ? { from: isDay(from) ? startOfDay(timeZone, from) : new Date(from) } : {}),
    ...(to ? { to: isDay(to) ? startOfDay(timeZone, nextDay(to)) : new Date(to) } : {}),
  };
}

const isDay = (text: string): boolean => dayIssue(text) === null;

/** Of lists of money across accounts. Days are those of the studio's calendar, both included. */
export const MONEY_FILTERS = {
  environment: environmentField,
  accountId: accountIdField,
  ...DAY_RANGE_FILTERS,
  reversedFrom: dayField().description('only those that were reversed on that day or later'),
  reversedTo: dayField().description('only those that were reversed on that day or before'),
  sort: oneOfField(AGE_SORTS).description('`newest` first unless said otherwise'),
} as const;

type MoneyFilters = Filters<typeof MONEY_FILTERS>;

/** @throws ApiError VALIDATION_ERROR where days are the wrong way round */
export async function toMoneyFilter(request: StudioRequest, filters: MoneyFilters): Promise<MoneyFilter> {
  const { environment = 'live', accountId = null, from, to, reversedFrom, reversedTo, sort } = filters;
  assertInOrder('from', from, 'to', to);
  assertInOrder('reversedFrom', reversedFrom, 'reversedTo', reversedTo);
  const period = await resolveTimeRange(request, { from, to });
  const reversed = await resolveTimeRange(request, { from: reversedFrom, to: reversedTo });
  return {
    environment,
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
