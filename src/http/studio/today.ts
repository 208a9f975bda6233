import type { Sql } from '../../db/database';
import { totalOutstandingCents } from '../../db/repositories/ledger';
import { countByStatus, countDueByDay } from '../../db/repositories/order-counts';
import { countByDay, countLate } from '../../db/repositories/stats';
import type { Environment } from '../../domain/limits';
import { firstOfMonth, shiftDay, type StudioDay } from '../../domain/pricing/ready-date';
import { hasRole } from '../../domain/roles';
import { presentToday } from '../../presenters/stats';
import { studioDay } from './support/book-in-force';
import { readFilters } from '../filters';
import * as json from '../openapi/json';
import type { HandlerResponse } from '../types';
import { STATS_DAY, STATS_DAYS_EXAMPLE } from './stats';
import { environmentField } from './support/query-filters';
import { ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const TODAY_FILTERS = { environment: environmentField } as const;

/** Includes the due day of an order placed today with the standard turnaround of two weeks. */
const DAYS_AHEAD = 14;

type Today = ReturnType<typeof presentToday>;
const MAX_COUNT = 'the count stops at 10,000';

const TODAY = json.resource<Today>('Today', {
  environment: [ENVIRONMENT, 'live'],
  date: [json.date("today on the studio's calendar"), '2026-03-02'],
  timeZone: [json.string('the IANA time zone of the studio'), 'Australia/Melbourne'],
  dueToday: [json.integer(`unshipped orders due today; ${MAX_COUNT}`), 2],
  late: [json.integer('unshipped orders due before today'), 1],
  toStart: [json.integer(`received orders; ${MAX_COUNT}`), 3],
  onHold: [json.integer(`orders on hold; ${MAX_COUNT}`), 0],
  dueByDay: [
    json.list(
      json.object<Today['dueByDay'][number]>({
        date: json.date("the day on the studio's calendar"),
        orders: json.integer(`unshipped orders due on the day; ${MAX_COUNT}`),
      }),
      `today and the ${DAYS_AHEAD} days after it, in order`,
    ),
    [
      { date: '2026-03-02', orders: 2 },
      { date: '2026-03-03', orders: 4 },
    ],
  ],
  money: [
    json.nullable(
      json.object<NonNullable<Today['money']>>(
        {
          outstandingCents: json.cents('the unpaid part of all invoices that are not void'),
          revenueCents: json.cents('the totals of the orders placed this month, without cancelled ones'),
          days: json.list(STATS_DAY, 'every day of this month up to today, in order'),
        },
        { description: 'null for the role `floor`' },
      ),
    ),
    { outstandingCents: 125_400, revenueCents: 16_850, days: STATS_DAYS_EXAMPLE },
  ],
});

export const TODAY_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/today',
    role: 'floor',
    query: TODAY_FILTERS,
    id: 'getToday',
    summary: "Retrieve today's figures",
    description:
      'Counts the orders that need work and the orders due in the next days. With the role `office` or higher, the response also contains the outstanding amount and the revenue of this month.',
    response: TODAY,
    handler: getToday,
  },
];

async function getToday(request: StudioRequest): Promise<HandlerResponse> {
  const { deps, query, caller } = request;
  const { environment = 'live' } = readFilters(query, TODAY_FILTERS);
  const day = await studioDay(request);
  const { today } = day;
  const [byStatus, late, dueByDay, money] = await deps.database.snapshot((sql) =>
    Promise.all([
      countByStatus(sql, environment, ['received', 'on_hold']),
      countLate(sql, environment, today),
      countDueByDay(sql, environment, today, shiftDay(today, DAYS_AHEAD)),
      hasRole(caller.role, 'office') ? loadMoney(sql, environment, day) : null,
    ]),
  );
  return { data: presentToday(environment, day, { byStatus, late, dueByDay, money }) };
}

async function loadMoney(sql: Sql, environment: Environment, { timeZone, today }: StudioDay) {
  const [outstandingCents, days] = await Promise.all([
    totalOutstandingCents(sql, environment),
    countByDay(sql, { environment, from: firstOfMonth(today), to: today, timeZone }),
  ]);
  return { outstandingCents, days };
}
