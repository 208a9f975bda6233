import { TO_BE_SHIPPED, type OrderStatus } from './order-status';

/** Whether an order is late: due, `YYYY-MM-DD`, earlier than today, where the studio is, and still to be shipped (ruling 65). */
export function isLate({ status, dueDate }: { status: OrderStatus; dueDate: string | null }, today: string): boolean {
  return TO_BE_SHIPPED.includes(status) && dueDate !== null && dueDate < today;
}
