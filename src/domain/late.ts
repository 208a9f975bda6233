import { statusesWhere, type OrderStatus } from './order-status';

/** Neither shipped nor completed nor cancelled (ruling 65). */
const IS_TO_BE_SHIPPED: Readonly<Record<OrderStatus, boolean>> = {
  received: true,
  in_production: true,
  on_hold: true,
  shipped: false,
  completed: false,
  cancelled: false,
};
export const TO_BE_SHIPPED: readonly OrderStatus[] = statusesWhere(IS_TO_BE_SHIPPED);

/** Whether an order is late: due, `YYYY-MM-DD`, earlier than today, where the studio is, and still to be shipped (ruling 65). */
export function isLate({ status, dueDate }: { status: OrderStatus; dueDate: string | null }, today: string): boolean {
  return IS_TO_BE_SHIPPED[status] && dueDate !== null && dueDate < today;
}
