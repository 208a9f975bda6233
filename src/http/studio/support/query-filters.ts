import type { MoneyFilter } from '../../../db/repositories/money-filter';
import { ATTENTION_ABOUT } from '../../../domain/attention';
import { dayIssue } from '../../../domain/field-formats';
import { ENVIRONMENTS, LIMITS } from '../../../domain/limits';
import { nextDay, startOfDay } from '../../../domain/pricing/ready-date';
import { queryError } from '../../cursor';
import type { Filters } from '../../filters';
import { oneOfField, textField, patternField } from '../../schemas/text';
import { studioTimeZone } from './book-in-force';
import { dayField, dayOrTimestampField } from './fields';
import type { StudioRequest } from './types';

export const prefixedIdField = (prefix: string, resource: string) =>
  patternField(
    new RegExp(`^${prefix}_[0-9a-f]{1,${LIMITS.identifierLength - prefix.length - 1}}$`),
    `the id of ${resource}, such as ${prefix}_0123abcd`,
  );

export const searchTextField = () => textField(1, 200);

export const environmentField = oneOfField(ENVIRONMENTS).description('the default is `live`');

/** The environment filter of lists that contain both environments by default. */
export const eitherEnvironmentField = oneOfField(ENVIRONMENTS).description('the default is both environments');

export const accountIdField = prefixedIdField('acc', 'an account').description('only this account');

export const TIME_RANGE_FILTERS = {
  from: dayOrTimestampField().description("the start: a time, or the beginning of a day on the studio's calendar"),
  to: dayOrTimestampField().description("the end, not included: a time, or the end of a day on the studio's calendar"),
} as const;

/** The former name of `newest`, still accepted. */
export const FORMER_NEWEST_SORT = 'createdAt';

export const aboutField = oneOfField(ATTENTION_ABOUT).description(
  'only entries about production and shipping, about webhooks and mails to clients, or about money',
);

export const AGE_SORTS = ['newest', 'oldest'] as const;

export const ACCOUNT_LIST_FILTERS = { environment: eitherEnvironmentField } as const;

export const DAY_RANGE_FILTERS = {
  from: dayField().description("the first day, on the studio's calendar"),
  to: dayField().description("the last day, on the studio's calendar"),
};

/** Query parameters, validated by `dayOrTimestampField`. */
interface RequestedPeriod {
  from?: string | null;
  to?: string | null;
}

/** `from` is included, `to` is not. Without `from` or `to`, the range has no limit on that side. */
export interface TimeRange {
  from?: Date;
  to?: Date;
}

/**
 * Resolves `from` and `to` of a list. A day, `YYYY-MM-DD`, is on the studio's calendar and included at both ends (studio API "Endpoints").
 */
export async function resolveTimeRange(request: StudioRequest, { from, to }: RequestedPeriod): Promise<TimeRange> {
  const hasDay = [from, to].some((end) => end !== undefined && end !== null && isDay(end));
  const timeZone = hasDay ? await studioTimeZone(request) : 'UTC';
  return {
    ...(from ? { from: isDay(from) ? startOfDay(timeZone, from) : new Date(from) } : {}),
    ...(to ? { to: isDay(to) ? startOfDay(timeZone, nextDay(to)) : new Date(to) } : {}),
  };
}

const isDay = (text: string): boolean => dayIssue(text) === null;

/** The filters of the lists of payments, refunds and credit notes of all accounts. */
export const MONEY_FILTERS = {
  environment: environmentField,
  accountId: accountIdField,
  ...DAY_RANGE_FILTERS,
  reversedFrom: dayField().description('only entries reversed on that day or later'),
  reversedTo: dayField().description('only entries reversed on that day or earlier'),
  reversed: oneOfField(['true', 'false']).description('`true`: only reversed entries; `false`: only others'),
  sort: oneOfField(AGE_SORTS).description('the default is `newest`'),
} as const;

/** The filter of entries that have a day at the bank besides the time of recording. */
export const RECORDED_FROM_FILTER = {
  recordedFrom: dayOrTimestampField().description(
    "only entries recorded then or later, also with an earlier day: a time, or the beginning of a day on the studio's calendar",
  ),
} as const;

type MoneyFilters = Filters<typeof MONEY_FILTERS & typeof RECORDED_FROM_FILTER>;

/** @throws ApiError VALIDATION_ERROR if a range ends before it starts */
export async function toMoneyFilter(request: StudioRequest, filters: MoneyFilters): Promise<MoneyFilter> {
  const { environment = 'live', accountId = null, from, to, reversedFrom, reversedTo, reversed: isReversed, recordedFrom, sort } = filters;
  assertInOrder('from', from, 'to', to);
  assertInOrder('reversedFrom', reversedFrom, 'reversedTo', reversedTo);
  const period = await resolveTimeRange(request, { from, to });
  const reversed = await resolveTimeRange(request, { from: reversedFrom, to: reversedTo });
  const recorded = recordedFrom === undefined ? {} : await resolveTimeRange(request, { from: recordedFrom });
  return {
    environment,
    accountId,
    from: period.from ?? null,
    before: period.to ?? null,
    reversedFrom: reversed.from ?? null,
    reversedBefore: reversed.to ?? null,
    isReversed: isReversed === undefined ? null : isReversed === 'true',
    recordedFrom: recorded.from ?? null,
    oldestFirst: sort === 'oldest',
  };
}

/** @throws ApiError VALIDATION_ERROR */
export function assertInOrder(name: string, from: string | undefined, other: string, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to) throw queryError(name, `must not be after "${other}" (${to})`);
}
