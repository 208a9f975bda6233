import { countByDay, countDeliveries, countLate, type StatsPeriod } from '../../../db/repositories/stats';
import { DAY_MS } from '../../../domain/duration';
import type { Environment } from '../../../domain/limits';
import { localDate } from '../../../domain/pricing/ready-date';
import { presentStats } from '../../../presenters/stats';
import { queryError } from '../../cursor';
import type { Answer } from '../../types';
import { readFilters } from '../filters';
import { MAX_DAYS, STATS_PERIOD } from '../schemas/filters';
import type { StudioRequest } from '../types';

const DEFAULT_DAYS = 30;

/** `GET /stats`: the days are the studio's (studio API "Statistics"). */
export async function getStats(request: StudioRequest): Promise<Answer> {
  const { database, pricingTerms, clock } = request.deps;
  const timeZone = await pricingTerms.timeZone(database, clock.now());
  const today = localDate(timeZone, clock.now());
  const period = periodOf(request.query, timeZone, today);
  const [days, late, deliveries] = [
    await countByDay(database, period),
    await countLate(database, period.environment, today),
    await countDeliveries(database, period),
  ];
  return { data: presentStats(period, { days, late, deliveries }) };
}

function periodOf(query: URLSearchParams, timeZone: string, today: string): StatsPeriod {
  const { environment = 'live', from, to = today } = readFilters(query, STATS_PERIOD);
  const first = from ?? daysFrom(to, -DEFAULT_DAYS);
  if (first > to) throw queryError('from', `must not be after to, which is ${to}`);
  if (daysFrom(first, MAX_DAYS - 1) < to)
    throw queryError('from', `must be at most ${MAX_DAYS} days before the end of to, which is ${to}; ask for a shorter period`);
  return { environment: environment as Environment, from: first, to, timeZone };
}

const daysFrom = (day: string, days: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
