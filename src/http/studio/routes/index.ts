import { anyObject, withdrawal } from '../schemas/catalogue';
import { milestoneRequest } from '../schemas/milestones';
import { parcelRequest } from '../schemas/parcels';
import { paymentRequest } from '../schemas/payments';
import { accountChange, accountRequest } from '../schemas/accounts';
import { keyRequest } from '../schemas/keys';
import { priceBookRequest } from '../schemas/price-books';
import { settingsChange } from '../schemas/settings';
import { tokenRequest } from '../schemas/tokens';
import {
  disableRequest,
  enableRequest,
  endpointChange,
  endpointRequest,
  recoverRequest,
  rotateRequest,
} from '../schemas/webhook-endpoints';
import { erasureRequest } from '../schemas/erasure';
import type { StudioEndpoint } from '../types';
import { createAccount, getAccount, getAccounts, patchAccount } from './accounts';
import { getAudit } from './audit';
import { getSection, patchRow, putRow } from './catalogue';
import { getDeliveries, getDelivery, resendDelivery } from './deliveries';
import { eraseAccount } from './erasure';
import { createKey, deleteKey, getKeys } from './keys';
import { postMilestone } from './milestones';
import { deleteParcel, postParcel } from './parcels';
import { deletePayment, postPayment } from './payments';
import { getOrder, listOrders } from './orders';
import { createPriceBook, getPriceBook, getPriceBooks } from './price-books';
import { getSettings, patchSettings } from './settings';
import { createToken, deleteToken, getTokens } from './tokens';
import {
  createEndpoint,
  disable,
  enable,
  getEndpoint,
  getEndpoints,
  patchEndpoint,
  ping,
  recover,
  removeEndpoint,
  rotate,
} from './webhook-endpoints';

type Row = Omit<StudioEndpoint, 'name'>;

/** Every list takes these. */
const PAGE = ['limit', 'cursor'] as const;

const ROWS: readonly Row[] = [
  { method: 'POST', path: '/tokens', role: 'admin', body: tokenRequest, status: 201, handler: createToken },
  { method: 'GET', path: '/tokens', role: 'admin', query: PAGE, status: 200, handler: getTokens },
  { method: 'DELETE', path: '/tokens/:id', role: 'admin', status: 200, handler: deleteToken },
  { method: 'POST', path: '/accounts', role: 'office', body: accountRequest, status: 201, handler: createAccount },
  { method: 'GET', path: '/accounts', role: 'office', query: PAGE, status: 200, handler: getAccounts },
  { method: 'GET', path: '/accounts/:id', role: 'office', status: 200, handler: getAccount },
  { method: 'PATCH', path: '/accounts/:id', role: 'office', body: accountChange, status: 200, handler: patchAccount },
  { method: 'POST', path: '/accounts/:id/erase', role: 'admin', body: erasureRequest, status: 200, handler: eraseAccount },
  { method: 'POST', path: '/accounts/:id/keys', role: 'admin', body: keyRequest, status: 201, handler: createKey },
  { method: 'GET', path: '/accounts/:id/keys', role: 'admin', query: PAGE, status: 200, handler: getKeys },
  { method: 'DELETE', path: '/accounts/:id/keys/:keyId', role: 'admin', status: 200, handler: deleteKey },
  { method: 'POST', path: '/accounts/:id/webhook-endpoints', role: 'office', body: endpointRequest, status: 201, handler: createEndpoint },
  { method: 'GET', path: '/accounts/:id/webhook-endpoints', role: 'office', query: PAGE, status: 200, handler: getEndpoints },
  { method: 'GET', path: '/webhook-endpoints/:id', role: 'office', status: 200, handler: getEndpoint },
  { method: 'PATCH', path: '/webhook-endpoints/:id', role: 'office', body: endpointChange, status: 200, handler: patchEndpoint },
  { method: 'DELETE', path: '/webhook-endpoints/:id', role: 'office', status: 200, handler: removeEndpoint },
  { method: 'POST', path: '/webhook-endpoints/:id/enable', role: 'office', body: enableRequest, status: 200, handler: enable },
  { method: 'POST', path: '/webhook-endpoints/:id/disable', role: 'office', body: disableRequest, status: 200, handler: disable },
  { method: 'POST', path: '/webhook-endpoints/:id/rotate-secret', role: 'office', body: rotateRequest, status: 200, handler: rotate },
  { method: 'POST', path: '/webhook-endpoints/:id/ping', role: 'office', status: 200, handler: ping },
  { method: 'POST', path: '/webhook-endpoints/:id/recover', role: 'office', body: recoverRequest, status: 200, handler: recover },
  {
    method: 'GET',
    path: '/deliveries',
    role: 'office',
    query: [...PAGE, 'state', 'endpointId', 'orderId'],
    status: 200,
    handler: getDeliveries,
  },
  { method: 'GET', path: '/deliveries/:id', role: 'office', status: 200, handler: getDelivery },
  { method: 'POST', path: '/deliveries/:id/resend', role: 'office', status: 200, handler: resendDelivery },
  {
    method: 'GET',
    path: '/orders',
    role: 'floor',
    query: [...PAGE, 'environment', 'status', 'accountId', 'q'],
    status: 200,
    handler: listOrders,
  },
  { method: 'GET', path: '/orders/:id', role: 'floor', status: 200, handler: getOrder },
  { method: 'POST', path: '/orders/:id/milestones', role: 'floor', body: milestoneRequest, status: 200, handler: postMilestone },
  { method: 'POST', path: '/orders/:id/parcels', role: 'floor', body: parcelRequest, status: 200, handler: postParcel },
  { method: 'DELETE', path: '/orders/:id/parcels/:parcelId', role: 'floor', status: 200, handler: deleteParcel },
  { method: 'POST', path: '/orders/:id/payments', role: 'office', body: paymentRequest, status: 200, handler: postPayment },
  { method: 'DELETE', path: '/orders/:id/payments/:paymentId', role: 'office', status: 200, handler: deletePayment },
  { method: 'GET', path: '/settings', role: 'office', status: 200, handler: getSettings },
  { method: 'PATCH', path: '/settings', role: 'office', body: settingsChange, status: 200, handler: patchSettings },
  { method: 'GET', path: '/catalogue/:section', role: 'office', status: 200, handler: getSection },
  { method: 'PUT', path: '/catalogue/:section/:id', role: 'office', body: anyObject, status: 200, handler: putRow },
  { method: 'PATCH', path: '/catalogue/:section/:id', role: 'office', body: withdrawal, status: 200, handler: patchRow },
  { method: 'GET', path: '/price-books', role: 'admin', query: PAGE, status: 200, handler: getPriceBooks },
  { method: 'POST', path: '/price-books', role: 'admin', body: priceBookRequest, status: 201, handler: createPriceBook },
  { method: 'GET', path: '/price-books/:version', role: 'admin', status: 200, handler: getPriceBook },
  { method: 'GET', path: '/audit', role: 'admin', query: PAGE, status: 200, handler: getAudit },
];

/** The endpoints of the studio API, row for row as in its documentation (studio API "Endpoints"). */
export const STUDIO_ENDPOINTS: readonly StudioEndpoint[] = ROWS.map((row) => ({ ...row, name: `studio ${row.method} ${row.path}` }));
