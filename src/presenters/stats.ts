import type { DayCount, StatsPeriod } from '../db/repositories/stats';
import type { OrderCounts } from '../db/repositories/order-counts';
import type { Environment } from '../domain/limits';
import { ORDER_STATUSES } from '../domain/order-status';
import { DELIVERY_STATES, type DeliveryState } from '../domain/webhook-rules';

interface StatsCounts {
  days: DayCount[];
  late: number;
  deliveries: { state: DeliveryState; deliveries: number }[];
}

/** Statistics of a period (studio API "Statistics"). Amounts are in cents; revenue omits cancelled orders. */
export function presentStats({ environment, from, to, timeZone }: StatsPeriod, { days, late, deliveries }: StatsCounts) {
  const deliveryCounts = countsByName(DELIVERY_STATES, (state) => deliveries.find((row) => row.state === state)?.deliveries ?? 0);
  const endedCount = deliveryCounts.delivered + deliveryCounts.failed;
  return {
    environment,
    from,
    to,
    timeZone,
    orders: {
      placed: ordersOf(days),
      revenueCents: revenueOf(days),
      late,
      byStatus: countsByName(ORDER_STATUSES, (status) => ordersOf(days.filter((row) => row.status === status))),
    },
    days: [...new Set(days.map(({ day }) => day))].map((date) => {
      const ofDay = days.filter(({ day }) => day === date);
      return { date, orders: ordersOf(ofDay), revenueCents: revenueOf(ofDay) };
    }),
    deliveries: { ...deliveryCounts, deliveredBps: endedCount === 0 ? null : Math.floor((deliveryCounts.delivered * 10_000) / endedCount) },
  };
}

function countsByName<N extends string>(names: readonly N[], count: (name: N) => number): Record<N, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<N, number>;
}

const ordersOf = (days: DayCount[]): number => days.reduce((sum, { orders }) => sum + orders, 0);

function revenueOf(days: DayCount[]): number {
  return days.reduce((sum, { revenue_cents: cents }) => sum + cents, 0);
}

/** Counts of orders by status, late orders, and orders with open attention (studio API "Finding orders"). */
export function presentOrderCounts(environment: Environment, { byStatus: statusCounts, late, attention }: OrderCounts) {
  const byStatus = countsByName(ORDER_STATUSES, (status) => statusCounts.find((row) => row.status === status)?.orders ?? 0);
  return { environment, byStatus, late, attention };
}
