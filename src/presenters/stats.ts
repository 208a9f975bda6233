import type { DayCount, StatsPeriod } from '../db/repositories/stats';
import type { DueCount, OrderCounts } from '../db/repositories/order-counts';
import type { Environment } from '../domain/limits';
import { ORDER_STATUSES, type OrderStatus } from '../domain/order-status';
import type { StudioDay } from '../domain/pricing/ready-date';
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
    days: presentDays(days),
    deliveries: { ...deliveryCounts, deliveredBps: endedCount === 0 ? null : Math.floor((deliveryCounts.delivered * 10_000) / endedCount) },
  };
}

function presentDays(days: DayCount[]) {
  return [...new Set(days.map(({ day }) => day))].map((date) => {
    const ofDay = days.filter(({ day }) => day === date);
    return { date, orders: ordersOf(ofDay), revenueCents: revenueOf(ofDay) };
  });
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
  return { environment, byStatus: countsByName(ORDER_STATUSES, (status) => ordersIn(status, statusCounts)), late, attention };
}

const ordersIn = (status: OrderStatus, counts: OrderCounts['byStatus']): number => counts.find((row) => row.status === status)?.orders ?? 0;

interface TodayFigures {
  byStatus: OrderCounts['byStatus'];
  late: number;
  /** The days from today on. */
  dueByDay: DueCount[];
  /** Null for a role that may not see money. */
  money: { outstandingCents: number; days: DayCount[] } | null;
}

/** The figures of a studio's day (studio API "Statistics"). */
export function presentToday(environment: Environment, { timeZone, today }: StudioDay, { byStatus, late, dueByDay, money }: TodayFigures) {
  return {
    environment,
    date: today,
    timeZone,
    dueToday: dueByDay[0]?.orders ?? 0,
    late,
    toStart: ordersIn('received', byStatus),
    onHold: ordersIn('on_hold', byStatus),
    dueByDay: dueByDay.map(({ day, orders }) => ({ date: day, orders })),
    money:
      money === null
        ? null
        : { outstandingCents: money.outstandingCents, revenueCents: revenueOf(money.days), days: presentDays(money.days) },
  };
}
