import type { Endpoint, EndpointRow } from '../types';
import { ACCOUNT_ENDPOINTS } from './account';
import { CATALOGUE_ENDPOINTS } from './catalogue';
import { EVENTS_ENDPOINTS } from './events';
import { ORDER_DETAILS_ENDPOINTS } from './orders/details';
import { ORDER_INVOICE_ENDPOINTS } from './orders/invoice';
import { ORDER_ARTWORK_ENDPOINTS } from './orders/artwork';
import { ORDERS_ENDPOINTS } from './orders/orders';
import { CHANGE_ORDER_ENDPOINTS } from './orders/change-order';
import { PLACE_ORDER_ENDPOINTS } from './orders/place-order';
import { PRICES_ENDPOINTS } from './prices';
import { QUOTES_ENDPOINTS } from './quotes/quotes';
import { QUOTE_BREAKDOWN_ENDPOINTS } from './quotes/breakdown';
import { ADVANCE_ENDPOINTS } from './orders/advance';
import { UPLOADS_ENDPOINTS } from './uploads';
import { WEBHOOKS_ENDPOINTS } from './webhooks';

const RESOURCES: [tag: string, rows: readonly EndpointRow[]][] = [
  ['Account', ACCOUNT_ENDPOINTS],
  ['Catalogue', CATALOGUE_ENDPOINTS],
  ['Events', EVENTS_ENDPOINTS],
  ['Orders', ORDERS_ENDPOINTS],
  ['Orders', ORDER_DETAILS_ENDPOINTS],
  ['Orders', ORDER_INVOICE_ENDPOINTS],
  ['Orders', ORDER_ARTWORK_ENDPOINTS],
  ['Orders', PLACE_ORDER_ENDPOINTS],
  ['Orders', CHANGE_ORDER_ENDPOINTS],
  ['Quotes', PRICES_ENDPOINTS],
  ['Quotes', QUOTES_ENDPOINTS],
  ['Quotes', QUOTE_BREAKDOWN_ENDPOINTS],
  ['Orders', ADVANCE_ENDPOINTS],
  ['Artwork', UPLOADS_ENDPOINTS],
  ['Webhooks', WEBHOOKS_ENDPOINTS],
];

/** The trade API by path (specification "Endpoints"). Each rate limit has the name of its endpoint, such as `GET /orders/{id}`. */
export const ENDPOINTS: readonly Endpoint[] = RESOURCES.flatMap(([tag, rows]) =>
  rows.map((row) => ({ status: 200 as const, ...row, tag, name: `${row.method} ${row.path.replace(/:(\w+)/g, '{$1}')}` })),
).toSorted((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
