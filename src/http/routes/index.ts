import { LIMITS } from '../../domain/limits';
import { CATALOGUE_OPERATIONS } from '../contract/operations/catalogue';
import { EVENT_OPERATIONS } from '../contract/operations/events';
import { ORDER_OPERATIONS } from '../contract/operations/orders';
import { QUOTE_OPERATIONS } from '../contract/operations/quotes';
import { UPLOAD_OPERATIONS } from '../contract/operations/uploads';
import { WEBHOOK_OPERATIONS } from '../contract/operations/webhooks';
import { advanceRequest } from '../schemas/advance';
import { ORDER_FILTERS, orderRequest } from '../schemas/orders';
import { DELIVERY_PAGE, EVENT_PAGE, PAGE } from '../schemas/paging';
import { quoteRequest } from '../schemas/quotes';
import { uploadRequest } from '../schemas/uploads';
import { prefetching, type Endpoint, type EndpointRow } from '../types';
import { getCatalogue } from './catalogue';
import { advanceOrder } from './advance';
import { listEvents } from './events';
import { cancelOrder, getOrder, listOrders, orderNamed, pageOne } from './orders';
import { checkIdempotencyKey, createOrder, recordOfKey } from './place-order';
import { createQuote, getBreakdown, getQuote } from './quotes';
import { createUpload, getUpload, uploadNamed } from './uploads';
import { listDeliveries, listOwnEndpoints, resendOwnDelivery } from './webhooks';

/** The endpoints of the trade API, row for row as in the specification ("Endpoints", "Limits"). */
const ROWS: readonly EndpointRow[] = [
  {
    method: 'GET',
    path: '/catalogue',
    scope: 'price:read',
    perMinute: 120,
    status: 200,
    contract: CATALOGUE_OPERATIONS.read,
    handler: getCatalogue,
  },
  {
    method: 'GET',
    path: '/events',
    scope: 'orders:read',
    perMinute: 120,
    status: 200,
    query: EVENT_PAGE,
    contract: EVENT_OPERATIONS.list,
    handler: listEvents,
  },
  prefetching({
    method: 'GET',
    path: '/orders',
    scope: 'orders:read',
    perMinute: 120,
    status: 200,
    prefetch: pageOne,
    contract: ORDER_OPERATIONS.list,
    query: { ...PAGE, ...ORDER_FILTERS },
    handler: listOrders,
  }),
  prefetching({
    method: 'POST',
    path: '/orders',
    scope: 'orders:write',
    perMinute: 30,
    status: 201,
    prefetch: recordOfKey,
    checkHeaders: checkIdempotencyKey,
    body: orderRequest,
    bodyBytes: LIMITS.orderBodyBytes,
    contract: ORDER_OPERATIONS.create,
    handler: createOrder,
  }),
  prefetching({
    method: 'GET',
    path: '/orders/:id',
    scope: 'orders:read',
    perMinute: 120,
    status: 200,
    prefetch: orderNamed,
    contract: ORDER_OPERATIONS.read,
    handler: getOrder,
  }),
  prefetching({
    method: 'POST',
    path: '/orders/:id/cancel',
    scope: 'orders:write',
    perMinute: 30,
    status: 200,
    prefetch: orderNamed,
    contract: ORDER_OPERATIONS.cancel,
    handler: cancelOrder,
  }),
  {
    method: 'POST',
    path: '/quotes',
    scope: 'price:read',
    perMinute: 60,
    status: 201,
    body: quoteRequest,
    contract: QUOTE_OPERATIONS.create,
    handler: createQuote,
  },
  {
    method: 'GET',
    path: '/quotes/:id',
    scope: 'price:read',
    perMinute: 120,
    status: 200,
    contract: QUOTE_OPERATIONS.read,
    handler: getQuote,
  },
  {
    method: 'GET',
    path: '/quotes/:id/breakdown',
    scope: 'price:read',
    perMinute: 120,
    status: 200,
    contract: QUOTE_OPERATIONS.breakdown,
    handler: getBreakdown,
  },
  prefetching({
    method: 'POST',
    path: '/test/orders/:id/advance',
    scope: 'orders:write',
    perMinute: 60,
    testOnly: true,
    status: 200,
    prefetch: orderNamed,
    body: advanceRequest,
    bodyBytes: LIMITS.uploadBodyBytes,
    contract: ORDER_OPERATIONS.advance,
    handler: advanceOrder,
  }),
  {
    method: 'POST',
    path: '/uploads',
    scope: 'orders:write',
    perMinute: 60,
    status: 201,
    body: uploadRequest,
    bodyBytes: LIMITS.uploadBodyBytes,
    contract: UPLOAD_OPERATIONS.create,
    handler: createUpload,
  },
  prefetching({
    method: 'GET',
    path: '/uploads/:id',
    scope: 'orders:write',
    perMinute: 120,
    status: 200,
    prefetch: uploadNamed,
    contract: UPLOAD_OPERATIONS.read,
    handler: getUpload,
  }),
  {
    method: 'GET',
    path: '/webhook-deliveries',
    scope: 'orders:read',
    perMinute: 120,
    status: 200,
    contract: WEBHOOK_OPERATIONS.deliveries,
    query: DELIVERY_PAGE,
    handler: listDeliveries,
  },
  {
    method: 'POST',
    path: '/webhook-deliveries/:id/resend',
    scope: 'orders:write',
    perMinute: 30,
    status: 200,
    contract: WEBHOOK_OPERATIONS.resend,
    handler: resendOwnDelivery,
  },
  {
    method: 'GET',
    path: '/webhook-endpoints',
    scope: 'orders:read',
    perMinute: 120,
    status: 200,
    contract: WEBHOOK_OPERATIONS.endpoints,
    query: PAGE,
    handler: listOwnEndpoints,
  },
];

/** A budget is named after its row: `GET /orders/{id}`. */
export const ENDPOINTS: readonly Endpoint[] = ROWS.map((row) => ({ ...row, name: `${row.method} ${row.path.replace(/:(\w+)/g, '{$1}')}` }));
