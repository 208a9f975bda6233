import type { Endpoint } from '../types';
import { CATALOGUE_ENDPOINTS } from './catalogue';
import { EVENTS_ENDPOINTS } from './events';
import { ORDERS_ENDPOINTS } from './orders/orders';
import { PLACE_ORDER_ENDPOINTS } from './orders/place-order';
import { QUOTES_ENDPOINTS } from './quotes/quotes';
import { QUOTE_BREAKDOWN_ENDPOINTS } from './quotes/breakdown';
import { ADVANCE_ENDPOINTS } from './orders/advance';
import { UPLOADS_ENDPOINTS } from './uploads';
import { WEBHOOKS_ENDPOINTS } from './webhooks';

const ROWS = [
  ...CATALOGUE_ENDPOINTS,
  ...EVENTS_ENDPOINTS,
  ...ORDERS_ENDPOINTS,
  ...PLACE_ORDER_ENDPOINTS,
  ...QUOTES_ENDPOINTS,
  ...QUOTE_BREAKDOWN_ENDPOINTS,
  ...ADVANCE_ENDPOINTS,
  ...UPLOADS_ENDPOINTS,
  ...WEBHOOKS_ENDPOINTS,
];

/** The trade API by path (specification "Endpoints"). A budget is named after its endpoint: `GET /orders/{id}`. */
export const ENDPOINTS: readonly Endpoint[] = ROWS.toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path))).map((row) => ({
  ...row,
  name: `${row.method} ${row.path.replace(/:(\w+)/g, '{$1}')}`,
}));
