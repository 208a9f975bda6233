import type { OrderAction } from '../../../domain/order-actions';
import { ORDER_STATUSES, type OrderStatus } from '../../../domain/order-status';

export const EXAMPLE_TIME = '2026-03-02T01:05:00.000Z';
export const EXAMPLE_DUE_TIME = '2026-04-01T01:05:00.000Z';
export const ACCOUNT_ID = 'acc_0f3a51d2';
export const ACCOUNT_NAME = 'Harbour Gallery';
export const TOKEN_ID = 'tok_17c4';
export const ENDPOINT_ID = 'whe_33d8';
export const ENDPOINT_URL = 'https://shop.example/hooks/print';
export const DELIVERY_ID = 'dlv_70ae';
export const INVOICE_ID = 'inv_5c71';
export const INVOICE_NUMBER = 'INV-10041';

export const ACTIONS_EXAMPLE: OrderAction[] = [
  { type: 'held', allowed: true, reason: null, eventType: 'order.on_hold' },
  { type: 'released', allowed: false, reason: 'the order is not on hold, it is in_production', eventType: null },
];

export const NO_ORDERS_BY_STATUS = Object.fromEntries(ORDER_STATUSES.map((status) => [status, 0])) as Record<OrderStatus, number>;
