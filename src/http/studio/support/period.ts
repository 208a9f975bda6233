import { dayIssue } from '../../../domain/field-forms';
import { nextDay, startOfDay } from '../../../domain/pricing/ready-date';
import type { StudioRequest } from './types';

/** As a list is asked for, checked by `dayOrTimestamp`. */
interface NamedPeriod {
  from?: string | null;
  to?: string | null;
}

/** From the first moment on, to before the second; absent: without that end. */
export interface Times {
  from?: Date;
  to?: Date;
}

/**
 * What `from` and `to` of a list stand for: an RFC 3339 time for itself; a day, `YYYY-MM-DD`, for that of the studio's calendar, which is
 * in the period whichever end it is (studio API "Endpoints").
 */
export async function timesOf({ deps }: Pick<StudioRequest, 'deps'>, { from, to }: NamedPeriod): Promise<Times> {
  const named = [from, to].some((end) => end !== undefined && end !== null && isDay(end));
  const timeZone = named ? await deps.pricingTerms.timeZone(deps.database, deps.clock.now()) : 'UTC';
  return {
    ...(from ? { from: isDay(from) ? startOfDay(timeZone, from) : new Date(from) } : {}),
    ...(to ? { to: isDay(to) ? startOfDay(timeZone, nextDay(to)) : new Date(to) } : {}),
  };
}

const isDay = (text: string): boolean => dayIssue(text) === null;
