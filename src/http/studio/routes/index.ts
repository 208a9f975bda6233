import { ENVIRONMENTS, LIMITS } from '../../../domain/limits';
import { PAGE } from '../../schemas/paging';
import { oneOf, text } from '../../schemas/text';
import { day, textLike } from '../schemas/fields';
import {
  ACCOUNT_FILTERS,
  ATTENTION_FILTERS,
  AUDIT_FILTERS,
  COUNT_FILTERS,
  DELIVERY_FILTERS,
  ENDPOINT_FILTERS,
  INVOICE_FILTERS,
  OF_ACCOUNT_FILTERS,
  ORDER_COUNT_FILTERS,
  ORDER_FILTERS,
  STATS_PERIOD,
} from '../schemas/filters';
import { TOKEN_OPERATIONS } from '../contract/operations/tokens';
import { SESSION_OPERATIONS } from '../contract/operations/session';
import { ACCOUNT_OPERATIONS } from '../contract/operations/accounts';
import { KEY_OPERATIONS } from '../contract/operations/keys';
import { ENDPOINT_OPERATIONS } from '../contract/operations/webhook-endpoints';
import { DELIVERY_OPERATIONS } from '../contract/operations/deliveries';
import { ORDER_OPERATIONS } from '../contract/operations/orders';
import { INVOICE_OPERATIONS } from '../contract/operations/invoices';
import { ACCOUNT_PAYMENT_OPERATIONS, REFUND_OPERATIONS, STATEMENT_OPERATIONS } from '../contract/operations/account-money';
import { ATTENTION_OPERATIONS } from '../contract/operations/attention';
import { STATS_OPERATIONS } from '../contract/operations/stats';
import { CSV_OPERATIONS } from '../contract/operations/csv';
import { DOCUMENT_OPERATIONS } from '../contract/operations/documents';
import { SETTINGS_OPERATIONS } from '../contract/operations/settings';
import { CATALOGUE_OPERATIONS } from '../contract/operations/catalogue';
import { BOOK_OPERATIONS } from '../contract/operations/price-books';
import { EVENT_STREAM_OPERATIONS } from '../contract/operations/event-stream';
import { SCHEDULE_OPERATIONS } from '../contract/operations/schedules';
import { AUDIT_OPERATIONS } from '../contract/operations/audit';
import { anyObject, withdrawal } from '../schemas/catalogue';
import { milestoneRequest } from '../schemas/milestones';
import { resolveRequest } from '../schemas/attention';
import { correctionRequest } from '../schemas/corrections';
import { parcelRequest } from '../schemas/parcels';
import { creditNoteRequest } from '../schemas/credit-notes';
import { paymentRequest } from '../schemas/payments';
import { accountPaymentRequest, refundRequest } from '../schemas/account-payments';
import { accountChange, accountRequest } from '../schemas/accounts';
import { keyRequest } from '../schemas/keys';
import { priceBookRequest, trialRequest } from '../schemas/price-books';
import { remakeRequest } from '../schemas/remakes';
import { settingsChange } from '../schemas/settings';
import { signInRequest } from '../schemas/session';
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
import { deleteAccountPayment, getAccountPayment, getAccountPayments, postAccountPayment } from './account-payments';
import { createAccount, getAccount, exportAccounts, getAccounts, patchAccount } from './accounts';
import { exportAttention, listAttention, postResolution } from './attention';
import { exportAudit, getAudit } from './audit';
import { postCorrection } from './corrections';
import { getSection, patchRow, putRow } from './catalogue';
import { postCreditNote } from './credit-notes';
import { exportDeliveries, getDeliveries, getDelivery, resendDelivery } from './deliveries';
import { getDeliveryCounts } from './delivery-counts';
import { getJobSheet, getPackingSlip, getPrintedCreditNote, getPrintedInvoice, getPrintedStatement } from './documents';
import { eraseAccount } from './erasure';
import { getEventStream } from './event-stream';
import { exportInvoices, getInvoice, getInvoices } from './invoices';
import { createKey, deleteKey, getKeys } from './keys';
import { postMilestone } from './milestones';
import { deleteParcel, postParcel } from './parcels';
import { deletePayment, postPayment } from './payments';
import { getOrderCounts } from './order-counts';
import { exportOrders, getOrder, listOrders } from './orders';
import { getLinePreview } from './previews';
import { createPriceBook, getPriceBook, getPriceBooks } from './price-books';
import { getDifferences, tryPriceBook } from './price-trials';
import { postRemake } from './remakes';
import { getRefunds, postRefund } from './refunds';
import { getSchedules } from './schedules';
import { getSettings, patchSettings } from './settings';
import { exportStatement, getStatement } from './statement';
import { getStats } from './stats';
import { getSession, signIn, signOut } from './session';
import { createToken, deleteToken, getTokens } from './tokens';
import {
  createEndpoint,
  disable,
  enable,
  exportEndpoints,
  getAllEndpoints,
  getEndpoint,
  getEndpoints,
  patchEndpoint,
  ping,
  recover,
  removeEndpoint,
  rotate,
} from './webhook-endpoints';

/** Of money: days of the studio's calendar, both included. */
const PERIOD = { from: day().description("a day of the studio's calendar, included"), to: day().description('the same, included too') };

type Row = Omit<StudioEndpoint, 'name'>;

const ROWS: readonly Row[] = [
  {
    method: 'POST',
    path: '/session',
    role: 'floor',
    open: 'sign-in',
    body: signInRequest,
    bodyBytes: LIMITS.signInBodyBytes,
    status: 201,
    contract: SESSION_OPERATIONS.begin,
    handler: signIn,
  },
  {
    method: 'GET',
    path: '/session',
    role: 'floor',
    unattended: true,
    asksWho: true,
    status: 200,
    contract: SESSION_OPERATIONS.read,
    handler: getSession,
  },
  {
    method: 'DELETE',
    path: '/session',
    role: 'floor',
    open: 'sign-out',
    status: 200,
    contract: SESSION_OPERATIONS.end,
    handler: signOut,
  },
  {
    method: 'POST',
    path: '/tokens',
    role: 'admin',
    body: tokenRequest,
    status: 201,
    contract: TOKEN_OPERATIONS.create,
    handler: createToken,
  },
  { method: 'GET', path: '/tokens', role: 'admin', query: PAGE, status: 200, contract: TOKEN_OPERATIONS.list, handler: getTokens },
  { method: 'DELETE', path: '/tokens/:id', role: 'admin', status: 200, contract: TOKEN_OPERATIONS.revoke, handler: deleteToken },
  {
    method: 'POST',
    path: '/accounts',
    role: 'office',
    body: accountRequest,
    status: 201,
    contract: ACCOUNT_OPERATIONS.create,
    handler: createAccount,
  },
  {
    method: 'GET',
    path: '/accounts',
    role: 'office',
    query: { ...PAGE, ...ACCOUNT_FILTERS },
    status: 200,
    contract: ACCOUNT_OPERATIONS.list,
    handler: getAccounts,
  },
  {
    method: 'GET',
    path: '/accounts.csv',
    role: 'office',
    query: ACCOUNT_FILTERS,
    status: 200,
    contract: CSV_OPERATIONS.accounts,
    handler: exportAccounts,
  },
  { method: 'GET', path: '/accounts/:id', role: 'office', status: 200, contract: ACCOUNT_OPERATIONS.read, handler: getAccount },
  {
    method: 'PATCH',
    path: '/accounts/:id',
    role: 'office',
    body: accountChange,
    status: 200,
    contract: ACCOUNT_OPERATIONS.change,
    handler: patchAccount,
  },
  {
    method: 'POST',
    path: '/accounts/:id/erase',
    role: 'admin',
    body: erasureRequest,
    status: 200,
    contract: ACCOUNT_OPERATIONS.erase,
    handler: eraseAccount,
  },
  {
    method: 'POST',
    path: '/accounts/:id/keys',
    role: 'admin',
    body: keyRequest,
    status: 201,
    contract: KEY_OPERATIONS.create,
    handler: createKey,
  },
  { method: 'GET', path: '/accounts/:id/keys', role: 'admin', query: PAGE, status: 200, contract: KEY_OPERATIONS.list, handler: getKeys },
  { method: 'DELETE', path: '/accounts/:id/keys/:keyId', role: 'admin', status: 200, contract: KEY_OPERATIONS.revoke, handler: deleteKey },
  {
    method: 'POST',
    path: '/accounts/:id/webhook-endpoints',
    role: 'office',
    body: endpointRequest,
    status: 201,
    contract: ENDPOINT_OPERATIONS.create,
    handler: createEndpoint,
  },
  {
    method: 'GET',
    path: '/accounts/:id/webhook-endpoints',
    role: 'office',
    query: { ...PAGE, ...OF_ACCOUNT_FILTERS },
    status: 200,
    contract: ENDPOINT_OPERATIONS.list,
    handler: getEndpoints,
  },
  {
    method: 'GET',
    path: '/webhook-endpoints',
    role: 'office',
    query: { ...PAGE, ...ENDPOINT_FILTERS },
    status: 200,
    contract: ENDPOINT_OPERATIONS.listAll,
    handler: getAllEndpoints,
  },
  {
    method: 'GET',
    path: '/webhook-endpoints.csv',
    role: 'office',
    query: ENDPOINT_FILTERS,
    status: 200,
    contract: CSV_OPERATIONS.endpoints,
    handler: exportEndpoints,
  },
  { method: 'GET', path: '/webhook-endpoints/:id', role: 'office', status: 200, contract: ENDPOINT_OPERATIONS.read, handler: getEndpoint },
  {
    method: 'PATCH',
    path: '/webhook-endpoints/:id',
    role: 'office',
    body: endpointChange,
    status: 200,
    contract: ENDPOINT_OPERATIONS.change,
    handler: patchEndpoint,
  },
  {
    method: 'DELETE',
    path: '/webhook-endpoints/:id',
    role: 'office',
    status: 200,
    contract: ENDPOINT_OPERATIONS.remove,
    handler: removeEndpoint,
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/enable',
    role: 'office',
    body: enableRequest,
    status: 200,
    contract: ENDPOINT_OPERATIONS.enable,
    handler: enable,
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/disable',
    role: 'office',
    body: disableRequest,
    status: 200,
    contract: ENDPOINT_OPERATIONS.disable,
    handler: disable,
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/rotate-secret',
    role: 'office',
    body: rotateRequest,
    status: 200,
    contract: ENDPOINT_OPERATIONS.rotateSecret,
    handler: rotate,
  },
  { method: 'POST', path: '/webhook-endpoints/:id/ping', role: 'office', status: 200, contract: ENDPOINT_OPERATIONS.ping, handler: ping },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/recover',
    role: 'office',
    body: recoverRequest,
    status: 200,
    contract: ENDPOINT_OPERATIONS.recover,
    handler: recover,
  },
  {
    method: 'GET',
    path: '/deliveries',
    role: 'office',
    query: { ...PAGE, ...DELIVERY_FILTERS },
    status: 200,
    contract: DELIVERY_OPERATIONS.list,
    handler: getDeliveries,
  },
  {
    method: 'GET',
    path: '/deliveries.csv',
    role: 'office',
    query: DELIVERY_FILTERS,
    status: 200,
    contract: CSV_OPERATIONS.deliveries,
    handler: exportDeliveries,
  },
  {
    method: 'GET',
    path: '/deliveries/counts',
    role: 'office',
    query: COUNT_FILTERS,
    status: 200,
    contract: DELIVERY_OPERATIONS.count,
    handler: getDeliveryCounts,
  },
  { method: 'GET', path: '/deliveries/:id', role: 'office', status: 200, contract: DELIVERY_OPERATIONS.read, handler: getDelivery },
  {
    method: 'POST',
    path: '/deliveries/:id/resend',
    role: 'office',
    status: 200,
    contract: DELIVERY_OPERATIONS.resend,
    handler: resendDelivery,
  },
  {
    method: 'GET',
    path: '/orders',
    role: 'floor',
    query: { ...PAGE, ...ORDER_FILTERS },
    status: 200,
    contract: ORDER_OPERATIONS.list,
    handler: listOrders,
  },
  {
    method: 'GET',
    path: '/orders.csv',
    role: 'floor',
    query: ORDER_FILTERS,
    status: 200,
    contract: CSV_OPERATIONS.orders,
    handler: exportOrders,
  },
  {
    method: 'GET',
    path: '/orders/counts',
    role: 'floor',
    query: ORDER_COUNT_FILTERS,
    status: 200,
    contract: ORDER_OPERATIONS.count,
    handler: getOrderCounts,
  },
  { method: 'GET', path: '/orders/:id', role: 'floor', status: 200, contract: ORDER_OPERATIONS.read, handler: getOrder },
  {
    method: 'GET',
    path: '/orders/:id/lines/:n/preview',
    role: 'floor',
    status: 200,
    contract: ORDER_OPERATIONS.preview,
    handler: getLinePreview,
  },
  {
    method: 'POST',
    path: '/orders/:id/milestones',
    role: 'floor',
    body: milestoneRequest,
    status: 200,
    contract: ORDER_OPERATIONS.milestone,
    handler: postMilestone,
  },
  {
    method: 'POST',
    path: '/orders/:id/milestones/:milestoneId/correct',
    role: 'office',
    body: correctionRequest,
    status: 200,
    contract: ORDER_OPERATIONS.correct,
    handler: postCorrection,
  },
  {
    method: 'POST',
    path: '/orders/:id/parcels',
    role: 'floor',
    body: parcelRequest,
    status: 200,
    contract: ORDER_OPERATIONS.addParcel,
    handler: postParcel,
  },
  {
    method: 'DELETE',
    path: '/orders/:id/parcels/:parcelId',
    role: 'floor',
    status: 200,
    contract: ORDER_OPERATIONS.voidParcel,
    handler: deleteParcel,
  },
  {
    method: 'GET',
    path: '/orders/:id/job-sheet.pdf',
    role: 'floor',
    status: 200,
    contract: DOCUMENT_OPERATIONS.jobSheet,
    handler: getJobSheet,
  },
  {
    method: 'GET',
    path: '/orders/:id/packing-slip.pdf',
    role: 'floor',
    query: { parcelId: text(1, 100).description('of one parcel; the whole order unless sent') },
    status: 200,
    contract: DOCUMENT_OPERATIONS.packingSlip,
    handler: getPackingSlip,
  },
  {
    method: 'GET',
    path: '/invoices/:id.pdf',
    role: 'office',
    status: 200,
    contract: DOCUMENT_OPERATIONS.invoice,
    handler: getPrintedInvoice,
  },
  {
    method: 'GET',
    path: '/credit-notes/:id.pdf',
    role: 'office',
    status: 200,
    contract: DOCUMENT_OPERATIONS.creditNote,
    handler: getPrintedCreditNote,
  },
  {
    method: 'POST',
    path: '/orders/:id/payments',
    role: 'office',
    body: paymentRequest,
    status: 200,
    contract: ORDER_OPERATIONS.recordPayment,
    handler: postPayment,
  },
  {
    method: 'DELETE',
    path: '/orders/:id/payments/:paymentId',
    role: 'office',
    status: 200,
    contract: ORDER_OPERATIONS.reversePayment,
    handler: deletePayment,
  },
  {
    method: 'POST',
    path: '/accounts/:id/payments',
    role: 'office',
    body: accountPaymentRequest,
    status: 200,
    contract: ACCOUNT_PAYMENT_OPERATIONS.record,
    handler: postAccountPayment,
  },
  {
    method: 'GET',
    path: '/accounts/:id/payments',
    role: 'office',
    query: { ...PAGE, ...OF_ACCOUNT_FILTERS },
    status: 200,
    contract: ACCOUNT_PAYMENT_OPERATIONS.list,
    handler: getAccountPayments,
  },
  {
    method: 'GET',
    path: '/accounts/:id/payments/:paymentId',
    role: 'office',
    status: 200,
    contract: ACCOUNT_PAYMENT_OPERATIONS.read,
    handler: getAccountPayment,
  },
  {
    method: 'DELETE',
    path: '/accounts/:id/payments/:paymentId',
    role: 'office',
    status: 200,
    contract: ACCOUNT_PAYMENT_OPERATIONS.reverse,
    handler: deleteAccountPayment,
  },
  {
    method: 'POST',
    path: '/accounts/:id/refunds',
    role: 'office',
    body: refundRequest,
    status: 200,
    contract: REFUND_OPERATIONS.record,
    handler: postRefund,
  },
  {
    method: 'GET',
    path: '/accounts/:id/refunds',
    role: 'office',
    query: { ...PAGE, ...OF_ACCOUNT_FILTERS },
    status: 200,
    contract: REFUND_OPERATIONS.list,
    handler: getRefunds,
  },
  {
    method: 'GET',
    path: '/accounts/:id/statement',
    role: 'office',
    query: { environment: oneOf(ENVIRONMENTS).description('live unless said otherwise'), ...PERIOD },
    status: 200,
    contract: STATEMENT_OPERATIONS.read,
    handler: getStatement,
  },
  {
    method: 'GET',
    path: '/accounts/:id/statement.pdf',
    role: 'office',
    query: { environment: oneOf(ENVIRONMENTS).description('live unless said otherwise'), ...PERIOD },
    status: 200,
    contract: DOCUMENT_OPERATIONS.statement,
    handler: getPrintedStatement,
  },
  {
    method: 'GET',
    path: '/accounts/:id/statement.csv',
    role: 'office',
    query: { environment: oneOf(ENVIRONMENTS).description('live unless said otherwise'), ...PERIOD },
    status: 200,
    contract: CSV_OPERATIONS.statement,
    handler: exportStatement,
  },
  {
    method: 'GET',
    path: '/invoices',
    role: 'office',
    query: { ...PAGE, ...INVOICE_FILTERS },
    status: 200,
    contract: INVOICE_OPERATIONS.list,
    handler: getInvoices,
  },
  {
    method: 'GET',
    path: '/invoices.csv',
    role: 'office',
    query: INVOICE_FILTERS,
    status: 200,
    contract: CSV_OPERATIONS.invoices,
    handler: exportInvoices,
  },
  { method: 'GET', path: '/invoices/:id', role: 'office', status: 200, contract: INVOICE_OPERATIONS.read, handler: getInvoice },
  {
    method: 'POST',
    path: '/invoices/:id/credit-notes',
    role: 'office',
    body: creditNoteRequest,
    status: 200,
    contract: INVOICE_OPERATIONS.credit,
    handler: postCreditNote,
  },
  {
    method: 'POST',
    path: '/orders/:id/remakes',
    role: 'office',
    body: remakeRequest,
    status: 201,
    contract: ORDER_OPERATIONS.remake,
    handler: postRemake,
  },
  {
    method: 'GET',
    path: '/attention',
    role: 'floor',
    query: { ...PAGE, ...ATTENTION_FILTERS },
    status: 200,
    contract: ATTENTION_OPERATIONS.list,
    handler: listAttention,
  },
  {
    method: 'GET',
    path: '/attention.csv',
    role: 'floor',
    query: ATTENTION_FILTERS,
    status: 200,
    contract: CSV_OPERATIONS.attention,
    handler: exportAttention,
  },
  {
    method: 'POST',
    path: '/orders/:id/attention/:code/resolve',
    role: 'office',
    body: resolveRequest,
    status: 200,
    contract: ATTENTION_OPERATIONS.resolve,
    handler: postResolution,
  },
  { method: 'GET', path: '/stats', role: 'office', query: STATS_PERIOD, status: 200, contract: STATS_OPERATIONS.read, handler: getStats },
  { method: 'GET', path: '/settings', role: 'office', status: 200, contract: SETTINGS_OPERATIONS.read, handler: getSettings },
  {
    method: 'PATCH',
    path: '/settings',
    role: 'office',
    body: settingsChange,
    status: 200,
    contract: SETTINGS_OPERATIONS.change,
    handler: patchSettings,
  },
  { method: 'GET', path: '/catalogue/:section', role: 'office', status: 200, contract: CATALOGUE_OPERATIONS.list, handler: getSection },
  {
    method: 'PUT',
    path: '/catalogue/:section/:id',
    role: 'office',
    body: anyObject,
    status: 200,
    contract: CATALOGUE_OPERATIONS.put,
    handler: putRow,
  },
  {
    method: 'PATCH',
    path: '/catalogue/:section/:id',
    role: 'office',
    body: withdrawal,
    status: 200,
    contract: CATALOGUE_OPERATIONS.withdraw,
    handler: patchRow,
  },
  { method: 'GET', path: '/price-books', role: 'admin', query: PAGE, status: 200, contract: BOOK_OPERATIONS.list, handler: getPriceBooks },
  {
    method: 'POST',
    path: '/price-books',
    role: 'admin',
    body: priceBookRequest,
    status: 201,
    contract: BOOK_OPERATIONS.publish,
    handler: createPriceBook,
  },
  {
    method: 'POST',
    path: '/price-books/try',
    role: 'admin',
    body: trialRequest,
    status: 200,
    contract: BOOK_OPERATIONS.try,
    handler: tryPriceBook,
  },
  {
    method: 'GET',
    path: '/price-books/:version/diff',
    role: 'admin',
    query: { against: textLike(/^[1-9][0-9]{0,8}$/, 'the version of a price book').description('the one before it unless said otherwise') },
    status: 200,
    contract: BOOK_OPERATIONS.diff,
    handler: getDifferences,
  },
  { method: 'GET', path: '/price-books/:version', role: 'admin', status: 200, contract: BOOK_OPERATIONS.read, handler: getPriceBook },
  {
    method: 'GET',
    path: '/events/stream',
    role: 'floor',
    unattended: true,
    status: 200,
    contract: EVENT_STREAM_OPERATIONS.listen,
    handler: getEventStream,
  },
  { method: 'GET', path: '/schedules', role: 'office', status: 200, contract: SCHEDULE_OPERATIONS.list, handler: getSchedules },
  {
    method: 'GET',
    path: '/audit',
    role: 'admin',
    query: { ...PAGE, ...AUDIT_FILTERS },
    status: 200,
    contract: AUDIT_OPERATIONS.list,
    handler: getAudit,
  },
  {
    method: 'GET',
    path: '/audit.csv',
    role: 'admin',
    query: AUDIT_FILTERS,
    status: 200,
    contract: CSV_OPERATIONS.audit,
    handler: exportAudit,
  },
];

/** The endpoints of the studio API, row for row as in its documentation (studio API "Endpoints"). */
export const STUDIO_ENDPOINTS: readonly StudioEndpoint[] = ROWS.map((row) => ({ ...row, name: `studio ${row.method} ${row.path}` }));
