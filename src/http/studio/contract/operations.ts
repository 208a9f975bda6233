import { STORED_SECTIONS } from '../../../domain/catalogue';
import { integer, list, object, oneOf, string } from '../../contract/json';
import type { OperationContract, Parameter } from '../../contract/operation';
import {
  ACCOUNT_EXAMPLE,
  AUDIT_EXAMPLE,
  CATALOGUE_ROW_EXAMPLE,
  DELIVERY_DETAIL_EXAMPLE,
  DELIVERY_EXAMPLE,
  ENDPOINT_EXAMPLE,
  KEY_EXAMPLE,
  ORDER_ROW_EXAMPLE,
  PRICE_BOOK_EXAMPLE,
  STUDIO_ORDER_EXAMPLE,
  TOKEN_EXAMPLE,
} from './examples';
import {
  ACCOUNT,
  AUDIT_ENTRY,
  CATALOGUE_ENTRY,
  DELETED_ENDPOINT,
  DELIVERY,
  DELIVERY_DETAIL,
  ENDPOINT,
  ENDPOINT_WITH_SECRET,
  ERASURE,
  KEY,
  NEW_KEY,
  NEW_TOKEN,
  PING_RESULT,
  PRICE_BOOK,
  PRICE_BOOK_SUMMARY,
  SETTINGS,
  STUDIO_ORDER,
  STUDIO_ORDER_ROW,
  TOKEN,
} from './resources';

/** Where a list names what links lead to. */
const FIRST_ORDER = '$response.body#/data/0/orderId';
const FIRST_DELIVERY = '$response.body#/data/0/deliveryId';
const ITS_ENDPOINT = '$response.body#/data/0/endpointId';

/** What the contract says of each endpoint of the studio API (studio API "Endpoints"). */

const named = (description: string, example: string): Parameter => ({ schema: string(), description, example });

const ID = {
  token: named('of the token', TOKEN_EXAMPLE.id),
  account: named('of the account', ACCOUNT_EXAMPLE.id),
  key: named('of the key', KEY_EXAMPLE.id),
  endpoint: named('of the endpoint', ENDPOINT_EXAMPLE.id),
  delivery: named('of the delivery', DELIVERY_EXAMPLE.id),
  order: named('of the order', ORDER_ROW_EXAMPLE.orderId),
  parcel: named('as it was sent', 'p-1'),
  payment: named('as it was sent', 'bank-2026-03-05-7'),
  row: named('of the row: its id, slug or sizeCode', 'A4'),
  section: { schema: oneOf(STORED_SECTIONS), description: 'of the catalogue', example: 'sleeves' },
  version: { schema: integer(), description: 'of the book', example: 1 },
} satisfies Record<string, Parameter>;

/** As an endpoint's secret looks. */
const SECRET = { secret: `lpw_${'0'.repeat(64)}`, standardSecret: `whsec_bHB3${'XzAw'.repeat(22)}` };

export const TOKEN_OPERATIONS = {
  create: {
    id: 'createToken',
    tag: 'Access',
    summary: 'Mint a studio token',
    description: 'Its text is in this answer and nowhere else.',
    answer: NEW_TOKEN,
    example: { request: { name: 'press-7', role: 'floor' }, answer: { ...TOKEN_EXAMPLE, token: `lps_${'0'.repeat(64)}` } },
  },
  list: {
    id: 'listTokens',
    tag: 'Access',
    summary: 'Every token, newest first',
    answer: list(TOKEN),
    paged: true,
    example: { answer: [TOKEN_EXAMPLE] },
  },
  revoke: {
    id: 'revokeToken',
    tag: 'Access',
    summary: 'Revoke a token',
    description: 'Repeating it changes nothing. The last admin token that works and does not expire stays: VALIDATION_ERROR.',
    params: { id: ID.token },
    answer: TOKEN,
    refuses: ['VALIDATION_ERROR'],
    example: { answer: TOKEN_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;

export const ACCOUNT_OPERATIONS = {
  create: {
    id: 'createAccount',
    tag: 'Accounts',
    summary: 'Open an account',
    description: 'No discount, no credit limit, 30 days, active and with API access unless said otherwise.',
    answer: ACCOUNT,
    example: { request: { name: ACCOUNT_EXAMPLE.name, email: ACCOUNT_EXAMPLE.email, creditLimitCents: 500_000 }, answer: ACCOUNT_EXAMPLE },
  },
  list: {
    id: 'listAccounts',
    tag: 'Accounts',
    summary: 'Every account with what it owes, newest first',
    answer: list(ACCOUNT),
    paged: true,
    example: { answer: [ACCOUNT_EXAMPLE] },
  },
  read: {
    id: 'getAccount',
    tag: 'Accounts',
    summary: 'One account with what it owes and may still order',
    params: { id: ID.account },
    answer: ACCOUNT,
    example: { answer: ACCOUNT_EXAMPLE },
  },
  change: {
    id: 'changeAccount',
    tag: 'Accounts',
    summary: 'Change any of its fields',
    description: "It bites on the account's next request.",
    params: { id: ID.account },
    answer: ACCOUNT,
    example: { request: { creditLimitCents: 500_000 }, answer: ACCOUNT_EXAMPLE },
  },
  erase: {
    id: 'erasePersonalData',
    tag: 'Accounts',
    summary: "Erase the personal data of the account's settled orders",
    description: 'Of orders placed, and quotes expired unordered, before a time; money, numbers and audit stay. A dry run only counts.',
    params: { id: ID.account },
    answer: ERASURE,
    example: { request: { before: '2025-01-01', dryRun: true }, answer: { dryRun: true, orders: 12, quotes: 3, artwork: 14 } },
  },
} satisfies Record<string, OperationContract>;

export const KEY_OPERATIONS = {
  create: {
    id: 'createApiKey',
    tag: 'Access',
    summary: 'Issue an API key',
    description: 'Its text is in this answer and nowhere else.',
    params: { id: ID.account },
    answer: NEW_KEY,
    example: {
      request: { environment: 'test', scopes: ['price:read', 'orders:read', 'orders:write'], name: 'shop' },
      answer: { ...KEY_EXAMPLE, key: `lpk_test_${'0'.repeat(64)}` },
    },
  },
  list: {
    id: 'listApiKeys',
    tag: 'Access',
    summary: "The account's keys, newest first, never their text",
    params: { id: ID.account },
    answer: list(KEY),
    paged: true,
    example: { answer: [KEY_EXAMPLE] },
  },
  revoke: {
    id: 'revokeApiKey',
    tag: 'Access',
    summary: 'Revoke a key at once',
    description: 'Repeating it changes nothing.',
    params: { id: ID.account, keyId: ID.key },
    answer: KEY,
    example: { answer: KEY_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;

export const ENDPOINT_OPERATIONS = {
  create: {
    id: 'createWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Register a webhook endpoint',
    description: 'Its secret is in this answer and nowhere else.',
    params: { id: ID.account },
    answer: ENDPOINT_WITH_SECRET,
    example: { request: { environment: 'test', url: ENDPOINT_EXAMPLE.url }, answer: { ...ENDPOINT_EXAMPLE, ...SECRET } },
  },
  list: {
    id: 'listWebhookEndpoints',
    tag: 'Webhooks',
    summary: "The account's endpoints, newest first",
    params: { id: ID.account },
    answer: list(ENDPOINT),
    paged: true,
    example: { answer: [ENDPOINT_EXAMPLE] },
  },
  read: {
    id: 'getWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'One endpoint and its health',
    params: { id: ID.endpoint },
    answer: ENDPOINT,
    example: { answer: ENDPOINT_EXAMPLE },
  },
  change: {
    id: 'changeWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Send to another URL',
    description: 'The next attempt goes there.',
    params: { id: ID.endpoint },
    answer: ENDPOINT,
    example: { request: { url: ENDPOINT_EXAMPLE.url }, answer: ENDPOINT_EXAMPLE },
  },
  remove: {
    id: 'deleteWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Delete an endpoint',
    description: 'What is pending becomes held.',
    params: { id: ID.endpoint },
    answer: DELETED_ENDPOINT,
    example: { answer: { ...ENDPOINT_EXAMPLE, deletedAt: ENDPOINT_EXAMPLE.updatedAt } },
  },
  enable: {
    id: 'enableWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Enable an endpoint',
    description: 'It is pinged first, and stays disabled where that fails.',
    params: { id: ID.endpoint },
    answer: ENDPOINT,
    refuses: ['ENDPOINT_UNREACHABLE'],
    example: { request: { skipPing: false }, answer: ENDPOINT_EXAMPLE },
  },
  disable: {
    id: 'disableWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Disable an endpoint',
    description: 'What is pending becomes held, so nothing is lost.',
    params: { id: ID.endpoint },
    answer: ENDPOINT,
    example: { request: { reason: 'moving house' }, answer: { ...ENDPOINT_EXAMPLE, state: 'disabled', disabledReason: 'moving house' } },
  },
  rotateSecret: {
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Give an endpoint a new secret',
    description: 'Both secrets sign until the overlap ends.',
    params: { id: ID.endpoint },
    answer: ENDPOINT_WITH_SECRET,
    example: { request: { overlapHours: 24 }, answer: { ...ENDPOINT_EXAMPLE, ...SECRET } },
  },
  ping: {
    id: 'pingWebhookEndpoint',
    tag: 'Webhooks',
    summary: 'Send a signed ping and see what comes back',
    description: 'Whatever state the endpoint is in; it counts for nothing.',
    params: { id: ID.endpoint },
    answer: PING_RESULT,
    example: { answer: { ok: true, status: 200, errorCode: null, totalMs: 84, replyExcerpt: 'ok' } },
  },
  recover: {
    id: 'recoverDeliveries',
    tag: 'Webhooks',
    summary: 'Send again what was held or failed',
    description: 'Of deliveries made from `since` to before `until`. The same call again joins the one under way; a dry run only counts.',
    params: { id: ID.endpoint },
    answer: object({ count: integer('of deliveries') }),
    refuses: ['ENDPOINT_DISABLED'],
    example: { request: { since: '2026-03-01T00:00:00Z', states: ['failed', 'held'], dryRun: true }, answer: { count: 12 } },
  },
} satisfies Record<string, OperationContract>;

export const DELIVERY_OPERATIONS = {
  list: {
    id: 'listDeliveries',
    tag: 'Webhooks',
    summary: 'Deliveries of every account, newest first',
    answer: list(DELIVERY),
    paged: true,
    example: { answer: [DELIVERY_EXAMPLE] },
    links: {
      readIt: { operationId: 'getDelivery', parameters: { id: FIRST_DELIVERY }, description: 'Reads the newest delivery.' },
      resendIt: { operationId: 'resendDelivery', parameters: { id: FIRST_DELIVERY }, description: 'Sends its event again.' },
      readEndpoint: { operationId: 'getWebhookEndpoint', parameters: { id: ITS_ENDPOINT }, description: 'Reads its endpoint.' },
      pingEndpoint: { operationId: 'pingWebhookEndpoint', parameters: { id: ITS_ENDPOINT }, description: 'Tries its endpoint.' },
      disableEndpoint: {
        operationId: 'disableWebhookEndpoint',
        parameters: { id: ITS_ENDPOINT },
        description: 'Stops sending to its endpoint.',
      },
      enableEndpoint: {
        operationId: 'enableWebhookEndpoint',
        parameters: { id: ITS_ENDPOINT },
        description: 'Sends to its endpoint again.',
      },
      rotateSecret: { operationId: 'rotateWebhookSecret', parameters: { id: ITS_ENDPOINT }, description: "Changes its endpoint's secret." },
    },
  },
  read: {
    id: 'getDelivery',
    tag: 'Webhooks',
    summary: "One delivery with its event's exact text and every attempt",
    params: { id: ID.delivery },
    answer: DELIVERY_DETAIL,
    example: { answer: DELIVERY_DETAIL_EXAMPLE },
  },
  resend: {
    id: 'resendDelivery',
    tag: 'Webhooks',
    summary: 'Send a delivery again',
    description: 'A new chain of attempts with the same event, whatever state the delivery is in.',
    params: { id: ID.delivery },
    answer: DELIVERY_DETAIL,
    refuses: ['ENDPOINT_DISABLED'],
    example: { answer: DELIVERY_DETAIL_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;

export const ORDER_OPERATIONS = {
  list: {
    id: 'listOrders',
    tag: 'Orders',
    summary: 'Orders, newest first',
    description: 'Live ones unless test orders are asked for.',
    answer: list(STUDIO_ORDER_ROW),
    paged: true,
    example: { answer: [ORDER_ROW_EXAMPLE] },
    links: {
      readIt: { operationId: 'getOrder', parameters: { id: FIRST_ORDER }, description: 'Reads the newest order.' },
      reportIt: { operationId: 'recordMilestone', parameters: { id: FIRST_ORDER }, description: 'Says what the floor did with it.' },
      packIt: { operationId: 'addParcel', parameters: { id: FIRST_ORDER }, description: 'Ships a parcel of it.' },
      payIt: { operationId: 'recordPayment', parameters: { id: FIRST_ORDER }, description: 'Takes a payment for it.' },
    },
  },
  read: {
    id: 'getOrder',
    tag: 'Orders',
    summary: 'Everything the studio knows of one order',
    params: { id: ID.order },
    answer: STUDIO_ORDER,
    example: { answer: STUDIO_ORDER_EXAMPLE },
  },
  milestone: {
    id: 'recordMilestone',
    tag: 'Orders',
    summary: 'Record what happened on the floor',
    description: 'The same `milestoneId` with the same content is answered with the order as it is, so it is safe to repeat.',
    params: { id: ID.order },
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: { request: { milestoneId: 'press-7/1041', type: 'production_started' }, answer: STUDIO_ORDER_EXAMPLE },
  },
  addParcel: {
    id: 'addParcel',
    tag: 'Orders',
    summary: 'A parcel has left',
    description: 'From then on the order reads `shipped`, until its last label is voided. Safe to repeat by `parcelId`.',
    params: { id: ID.order },
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: { request: { parcelId: 'p-1', trackingNumber: 'AP-1', carrier: 'Australia Post' }, answer: STUDIO_ORDER_EXAMPLE },
  },
  voidParcel: {
    id: 'voidParcel',
    tag: 'Orders',
    summary: "Void a parcel's label",
    params: { id: ID.order, parcelId: ID.parcel },
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: { answer: STUDIO_ORDER_EXAMPLE },
  },
  recordPayment: {
    id: 'recordPayment',
    tag: 'Orders',
    summary: "Record money received for the order's invoice",
    description: 'Safe to repeat by `paymentId`.',
    params: { id: ID.order },
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: {
      request: { paymentId: 'bank-2026-03-05/7', amountCents: 8425, reference: 'Harbour Gallery March' },
      answer: STUDIO_ORDER_EXAMPLE,
    },
  },
  reversePayment: {
    id: 'reversePayment',
    tag: 'Orders',
    summary: 'Reverse a payment',
    params: { id: ID.order, paymentId: ID.payment },
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED'],
    example: { answer: STUDIO_ORDER_EXAMPLE },
  },
} satisfies Record<string, OperationContract>;

export const SETTINGS_OPERATIONS = {
  read: {
    id: 'getSettings',
    tag: 'Settings',
    summary: "The studio's settings",
    answer: SETTINGS,
    example: { answer: { criticalRushEnabled: true } },
  },
  change: {
    id: 'changeSettings',
    tag: 'Settings',
    summary: 'Switch critical rush work',
    description: 'From the next quote on.',
    answer: SETTINGS,
    example: { request: { criticalRushEnabled: false }, answer: { criticalRushEnabled: false } },
  },
} satisfies Record<string, OperationContract>;

export const CATALOGUE_OPERATIONS = {
  list: {
    id: 'listSection',
    tag: 'Catalogue',
    summary: 'Every row of a section, withdrawn ones too',
    params: { section: ID.section },
    answer: list(CATALOGUE_ENTRY),
    paged: true,
    example: { answer: [CATALOGUE_ROW_EXAMPLE] },
  },
  put: {
    id: 'putRow',
    tag: 'Catalogue',
    summary: 'Write a whole row, old or new',
    description: 'The next quote already sees it. What `withdrawn` was stays unless it is sent.',
    params: { section: ID.section, id: ID.row },
    answer: CATALOGUE_ENTRY,
    example: { request: { widthMm: 210, heightMm: 297 }, answer: CATALOGUE_ROW_EXAMPLE },
  },
  withdraw: {
    id: 'withdrawRow',
    tag: 'Catalogue',
    summary: 'Withdraw a row, or offer it again',
    params: { section: ID.section, id: ID.row },
    answer: CATALOGUE_ENTRY,
    example: { request: { withdrawn: true }, answer: { ...CATALOGUE_ROW_EXAMPLE, withdrawn: true } },
  },
} satisfies Record<string, OperationContract>;

export const BOOK_OPERATIONS = {
  list: {
    id: 'listPriceBooks',
    tag: 'Prices',
    summary: 'The published price books, newest first',
    answer: list(PRICE_BOOK_SUMMARY),
    paged: true,
    example: { answer: [PRICE_BOOK_EXAMPLE] },
  },
  publish: {
    id: 'publishPriceBook',
    tag: 'Prices',
    summary: 'Publish a whole price book as the next version',
    description: 'In force from `effectiveAt`, now unless said otherwise. Refused with every fault named.',
    answer: PRICE_BOOK,
    example: { request: { book: {} }, answer: { ...PRICE_BOOK_EXAMPLE, book: {} } },
  },
  read: {
    id: 'getPriceBook',
    tag: 'Prices',
    summary: 'A price book as it was published',
    params: { version: ID.version },
    answer: PRICE_BOOK,
    example: { answer: { ...PRICE_BOOK_EXAMPLE, book: {} } },
  },
} satisfies Record<string, OperationContract>;

export const AUDIT_OPERATIONS = {
  list: {
    id: 'listAudit',
    tag: 'Audit',
    summary: 'Every write, failed sign-in and refused role, newest first',
    answer: list(AUDIT_ENTRY),
    paged: true,
    example: { answer: [AUDIT_EXAMPLE] },
  },
} satisfies Record<string, OperationContract>;
