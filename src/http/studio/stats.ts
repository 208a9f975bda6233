import { countByDay, countDeliveries, countLate, type StatsPeriod } from '../../db/repositories/stats';
import { ORDER_STATUSES } from '../../domain/order-status';
import { shiftDay } from '../../domain/pricing/ready-date';
import { DELIVERY_STATES } from '../../domain/webhook-rules';
import { presentStats } from '../../presenters/stats';
import { queryError } from '../cursor';
import * as json from '../openapi/json';
import type { HandlerResponse } from '../types';
import { NO_ORDERS_BY_STATUS } from './support/examples';
import { dayField } from './support/fields';
import { studioDay } from './support/book-in-force';
import { readFilters } from '../filters';
import { assertInOrder, environmentField } from './support/query-filters';
import { countsSchema, ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const MAX_DAYS = 366;

const STATS_PERIOD = {
  environment: environmentField,
  from: dayField().description("the first day on the studio's calendar; the default is thirty days before `to`"),
  to: dayField().description('the last day; the default is today'),
} as const;

type Stats = ReturnType<typeof presentStats>;

/** The orders that were placed on a day. */
export const STATS_DAY = json.object<Stats['days'][number]>({
  date: json.date("the day on the studio's calendar"),
  orders: json.integer('orders placed on the day, without remakes'),
  revenueCents: json.cents('the totals of these orders, without cancelled ones'),
});

export const STATS_DAYS_EXAMPLE = [
  { date: '2026-03-01', orders: 1, revenueCents: 8425 },
  { date: '2026-03-02', orders: 2, revenueCents: 8425 },
];

const STATS = json.resource<Stats>('Stats', {
  environment: [ENVIRONMENT, 'live'],
  from: [json.date('the first day'), '2026-03-01'],
  to: [json.date('the last day'), '2026-03-02'],
  timeZone: [json.string('the IANA time zone of the studio'), 'Australia/Melbourne'],
  orders: json.object<Stats['orders']>({
    placed: [json.integer('orders placed in the period, without remakes'), 3],
    revenueCents: [json.cents('the totals of these orders, without cancelled ones'), 16_850],
    late: [json.integer('unshipped orders of any age that are due before today'), 1],
    byStatus: [
      { ...countsSchema(ORDER_STATUSES), description: 'the placed orders by their present status' },
      { ...NO_ORDERS_BY_STATUS, received: 1, in_production: 1, cancelled: 1 },
    ],
  }),
  days: [json.list(STATS_DAY, 'every day of the period, in order'), STATS_DAYS_EXAMPLE],
  deliveries: [
    {
      ...countsSchema(DELIVERY_STATES, {
        deliveredBps: json.nullable(json.integer('delivered ÷ (delivered + failed), in hundredths of a percent; null without either')),
      }),
      description: 'the deliveries created in the period by their present state; at most the newest 20,000 are counted',
    },
    { pending: 0, delivered: 9, failed: 1, held: 0, deliveredBps: 9000 },
  ],
});

export const STATS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/stats',
    role: 'office',
    query: STATS_PERIOD,
    id: 'getStats',
    summary: 'Retrieve statistics',
    description:
      "Counts orders, revenue, late orders and webhook deliveries in a period of at most 366 days of the studio's calendar. Remakes are not counted. Revenue is the total of the orders that are not cancelled.",
    response: STATS,
    handler: getStats,
  },
];

const DEFAULT_DAYS = 30;

async function getStats(request: StudioRequest): Promise<HandlerResponse> {
  const { timeZone, today } = await studioDay(request);
  const period = readPeriod(request.query, timeZone, today);
  const [days, late, deliveries] = await request.deps.database.snapshot((sql) =>
    Promise.all([countByDay(sql, period), countLate(sql, period.environment, today), countDeliveries(sql, period)]),
  );
  return { data: presentStats(period, { days, late, deliveries }) };
}

function readPeriod(query: URLSearchParams, timeZone: string, today: string): StatsPeriod {
  const { environment = 'live', from, to = today } = readFilters(query, STATS_PERIOD);
  const first = from ?? shiftDay(to, -DEFAULT_DAYS);
  assertInOrder('from', first, 'to', to);
  if (shiftDay(first, MAX_DAYS - 1) < to)
    throw queryError('from', `must be at most ${MAX_DAYS} days before the end of "to" (${to}); send a shorter period`);
  return { environment, from: first, to, timeZone };
}
