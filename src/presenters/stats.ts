import type { DayCount, StatsPeriod } from '../db/repositories/stats';
import type { OrderCounts } from '../db/repositories/order-counts';
import type { Environment } from '../domain/limits';
import { ORDER_STATUSES, type OrderStatus } from '../domain/order-status';
import { DELIVERY_STATES, type DeliveryState } from '../domain/webhook-rules';

interface Counted {
  days: DayCount[];
  late: number;
  deliveries: { state: DeliveryState; deliveries: number }[];
}

/** How the studio fares in a period (studio API "Statistics"); amounts in cents, revenue without what is cancelled by now. */
export function presentStats({ environment, from, to, timeZone }: StatsPeriod, { days, late, deliveries }: Counted) {
  const made = Object.fromEntries(
    DELIVERY_STATES.map((state) => [state, deliveries.find((row) => row.state === state)?.deliveries ?? 0]),
  ) as Record<DeliveryState, number>;
  const ended = made.delivered + made.failed;
  return {
    environment,
    from,
    to,
    timeZone,
    orders: { placed: ordersOf(days), revenueCents: revenueOf(days), late, byStatus: byStatus(days) },
    days: [...new Set(days.map(({ day }) => day))].map((date) => {
      const ofDay = days.filter(({ day }) => day === date);
      return { date, orders: ordersOf(ofDay), revenueCents: revenueOf(ofDay) };
    }),
    deliveries: { ...made, deliveredBps: ended === 0 ? null : Math.floor((made.delivered * 10_000) / ended) },
  };
}

function byStatus(days: DayCount[]): Record<OrderStatus, number> {
  const counts = ORDER_STATUSES.map((status) => [status, ordersOf(days.filter((row) => row.status === status))]);
  return Object.fromEntries(counts) as Record<OrderStatus, number>;
}

const ordersOf = (days: DayCount[]): number => days.reduce((sum, { orders }) => sum + orders, 0);

function revenueOf(days: DayCount[]): number {
  return days.reduce((sum, { revenue_cents: cents }) => sum + cents, 0);
}

/** How many orders there are now, of each status, late, and with something that needs a person (studio API "Finding orders"). */
export function presentOrderCounts(environment: Environment, { byStatus: found, late, attention }: OrderCounts) {
  const counts = ORDER_STATUSES.map((status) => [status, found.find((row) => row.status === status)?.orders ?? 0]);
  return { environment, byStatus: Object.fromEntries(counts) as Record<OrderStatus, number>, late, attention };
}
