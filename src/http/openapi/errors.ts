import type { BasketIssue } from '../../domain/basket/basket-refusal';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors';
import type { ShippingOption } from '../../domain/shipping/options';
import { SHIPPING_OPTION_EXAMPLE } from './examples';
import * as json from './json';
import type { JsonSchema } from './json';
import { DELIVERY_DATES } from './resources';

const ISSUE_SCHEMA = json.object({
  path: json.string(
    'the dotted path, such as `items.0.quantity`, `query.limit` or `headers.idempotency-key`; empty for an unreadable body',
  ),
  message: json.string('the accepted value, in words'),
});

/** An issue of a basket (specification "Errors"). */
export const BASKET_ISSUE = json.resource<BasketIssue>('BasketIssue', {
  code: json.string('an error code; codes may be added'),
  line: json.nullable(json.integer('the index of the item, from 0; null if the issue belongs to no item')),
  path: json.string('the dotted path of the refused value'),
  message: json.string('the accepted value, in words'),
});

const OTHER_ISSUES_FIELDS = {
  others: json.list(BASKET_ISSUE, 'the other issues of the basket in order of the checks: at most 200, of at most 32 KiB'),
  omitted: json.integer('the number of further issues'),
};

const VALIDATION_DETAILS = json.define(
  'ValidationDetails',
  json.object(
    {
      paths: json.list(json.string(), 'the distinct paths of the issues'),
      issues: json.list(ISSUE_SCHEMA, 'the first 200 issues'),
      ...OTHER_ISSUES_FIELDS,
    },
    { optional: ['others', 'omitted'] },
  ),
);

const LINE_DETAILS = json.define(
  'LineDetails',
  json.object(
    {
      line: json.integer('the index of the item, from 0'),
      path: json.string('the dotted path of the refused value'),
      id: json.string('the id in the request'),
      alternatives: json.list(json.string(), 'up to five ids that the service would accept'),
      ...OTHER_ISSUES_FIELDS,
    },
    { optional: ['id', 'alternatives', 'others', 'omitted'] },
  ),
);

export const SHIPPING_OPTION = json.resource<ShippingOption>('ShippingOption', {
  id: json.string('for `shippingMethodId`'),
  name: json.string('for people'),
  description: json.nullable(json.string('the description of the method')),
  estimatedDelivery: json.string('for people'),
  estimatedDeliveryDates: DELIVERY_DATES,
  isCollection: json.boolean('whether the customer collects the order at the studio'),
  priceCents: json.cents('the price, later `shippingCents`'),
  requiresQuote: json.boolean('true if the method cannot be chosen because the studio quotes the freight'),
});

const lineDetails = (path: string, extra: object = {}): JsonSchema =>
  json.withExample(LINE_DETAILS, { line: 0, path: `items.0.${path}`, ...extra });

/** `error.details` by code; the others have none (specification "Errors"). */
const DETAILS: Partial<Record<ErrorCode, JsonSchema>> = {
  VALIDATION_ERROR: json.withExample(VALIDATION_DETAILS, {
    paths: ['items.0.quantity'],
    issues: [{ path: 'items.0.quantity', message: 'must be a whole number from 1 to 990' }],
  }),
  ARTWORK_NOT_ALLOWED: lineDetails('imageUrl'),
  ARTWORK_REQUIRED: lineDetails('imageUrl'),
  INVALID_QUANTITY: lineDetails('quantity'),
  MAT_BELOW_MINIMUM: lineDetails('variantSelections.matSizeMm'),
  PRODUCT_UNAVAILABLE: lineDetails('variantSelections.mediaId', { id: 'media-cotton-rag-309', alternatives: ['media-cotton-rag-310'] }),
  PRODUCT_UNSUPPORTED: lineDetails('productSlug'),
  SHIPPING_ADDRESS_INCOMPLETE: json.object(
    { path: [json.string('the dotted path of the refused field'), 'shippingAddress.country'], ...OTHER_ISSUES_FIELDS },
    { optional: ['others', 'omitted'] },
  ),
  SHIPPING_UNAVAILABLE: json.object({
    shippingOptions: [json.list(SHIPPING_OPTION, 'the delivery methods for this basket, with prices'), [SHIPPING_OPTION_EXAMPLE]],
  }),
  CREDIT_LIMIT_EXCEEDED: json.object({
    outstandingCents: [json.cents('the unpaid part of the invoices in this environment'), 480_000],
    creditCents: [json.cents("the account's credit in this environment, which adds to the limit"), 0],
    limitCents: [json.cents('the credit limit'), 500_000],
    availableCents: [json.cents('the amount left for orders: limit − outstanding + credit, at least 0'), 20_000],
    orderCents: [json.cents('the total of this order'), 21_210],
  }),
  ORDER_NOT_CHANGEABLE: json.object({
    totalCents: [json.cents('the total of the order'), 21_210],
    gstCents: [json.cents('the tax contained in the total'), 1928],
    newTotalCents: [json.cents('the total with the change'), 22_715],
    newGstCents: [json.cents('the tax contained in the new total'), 2065],
    differenceCents: [json.integer('newTotalCents − totalCents'), 1505],
  }),
  QUOTE_ALREADY_ORDERED: json.object({ orderId: [json.id('ord', 'the order of the quote'), 'ord_0f3a'] }),
  QUOTE_EXPIRED: json.object({ expiresAt: [json.time('the time of expiry'), '2026-03-02T01:02:03.004Z'] }),
  STORAGE_QUOTA_EXCEEDED: json.object({
    quotaBytes: [json.integer('the storage quota of the account'), 50_000_000_000],
    usedBytes: [json.integer('the used storage, including open uploads'), 49_999_000_000],
  }),
  SIGNED_IN_AS_ANOTHER: json.object({
    tokenId: [json.id('tok', 'the token of the session'), 'tok_0f3a'],
    name: [json.string('its name'), 'Front desk'],
  }),
  ENDPOINT_UNREACHABLE: json.object({
    status: json.nullable(json.integer('the HTTP status of the reply')),
    errorCode: [json.nullable(json.string('the cause of the failed ping')), 'connection_refused'],
  }),
  CREDIT_INSUFFICIENT: json.object({
    creditCents: [json.cents('the credit of the account in this environment'), 1500],
    missingCents: [json.cents('the missing amount'), 20_500],
  }),
  PAYMENT_REFUSED: json.object({
    invoices: json.list(
      json.object({
        invoiceId: [json.string('the id or number in the request'), 'INV-10041'],
        dueCents: [json.nullable(json.cents('the open amount; null if there is no such invoice')), 3425],
        reason: [json.string('the reason of the refusal'), 'it has 34.25 open, and its share is 84.25'],
      }),
      'the invoices that refuse their share; empty for another reason',
    ),
  }),
  ROTATION_REFUSED: json.object({ secretOverlapUntil: [json.time('when the overlap ends'), '2026-03-03T01:02:03.004Z'] }),
  ENDPOINT_DISABLED: json.object({ endpointId: [json.id('whe', 'the endpoint'), 'whe_0f3a'] }),
};

/** Codes with optional details. */
const OPTIONAL_DETAILS: readonly ErrorCode[] = ['ORDER_NOT_CHANGEABLE'];

/** Descriptions of the codes, also on the reference page. */
const DESCRIPTIONS: Record<ErrorCode, string> = {
  ARTWORK_NOT_ALLOWED: 'A line uses artwork that this account did not upload.',
  ARTWORK_REQUIRED: 'A line has no `imageUrl`, but its product needs artwork.',
  IDEMPOTENCY_KEY_REQUIRED: 'The Idempotency-Key header is missing.',
  INVALID_QUANTITY: 'The product does not allow the quantity.',
  MAT_BELOW_MINIMUM: "A mat border is smaller than the studio's minimum on at least one side.",
  PRODUCT_UNAVAILABLE: 'A material is withdrawn or does not fit the product. `alternatives` lists ids that the service accepts.',
  PRODUCT_UNSUPPORTED: 'The product cannot be ordered through the API.',
  QUOTE_ENVIRONMENT_MISMATCH: 'The quote was priced with a key of the other environment.',
  SHIPPING_ADDRESS_INCOMPLETE: 'The address is incomplete or invalid, such as an unknown ISO 3166 country code.',
  SHIPPING_UNAVAILABLE: 'The delivery method is missing or does not fit the basket. `shippingOptions` lists the methods that fit.',
  VALIDATION_ERROR: 'The request does not match the schema. `issues` lists every issue with its path.',
  UNAUTHORIZED:
    'The credential is missing, malformed, unknown, revoked or expired, or the account is suspended. The response hides the cause.',
  CREDIT_LIMIT_EXCEEDED: 'The order would exceed the credit limit. No order was created, and the quote stays valid.',
  FORBIDDEN: 'The credential does not have the needed permission.',
  NOT_FOUND: 'The resource does not exist, or it belongs to another account or environment.',
  METHOD_NOT_ALLOWED: 'The path does not support the method. The header Allow lists the supported methods.',
  IDEMPOTENCY_KEY_REUSED:
    'The key was used with another request, or its first request is still running. In the second case, retry after Retry-After seconds.',
  ORDER_NOT_CANCELLABLE: 'The order is shipped, printed or paid. The message lists the reasons.',
  ORDER_NOT_CHANGEABLE:
    'The order is too far in production, or the change has another price. In the second case `details` contains the difference.',
  QUOTE_ALREADY_ORDERED: 'The quote is already ordered.',
  QUOTE_EXPIRED: 'The quote has expired, or the studio has changed its currency. Create a new quote.',
  STORAGE_QUOTA_EXCEEDED: "The account's artwork, including open uploads, would exceed its storage quota.",
  UPLOAD_EXPIRED: 'The upload URL expired before the upload was complete. Renew the upload.',
  UPLOAD_LIMIT: 'The account has the maximum number of open uploads without bytes. Send the bytes or wait until they expire.',
  STORAGE_FULL: 'The artwork store is full. Retry after Retry-After seconds.',
  RATE_LIMITED: 'The request exceeds the rate limit. Retry after Retry-After seconds.',
  INTERNAL_ERROR: 'The service failed. Retry with backoff, and use the same Idempotency-Key for an order.',
  OVERLOADED: 'The service is overloaded. Retry after Retry-After seconds. The request does not count towards the rate limit.',
  SERVICE_UNAVAILABLE: 'A part of the service that the request needs does not answer. Retry after Retry-After seconds.',
  ARTWORK_IN_USE: 'The upload already has its file. Create another upload.',
  MILESTONE_REFUSED: 'The state of the order does not allow the step. The message contains the reason.',
  MILESTONE_ID_REUSED: 'The id was used with other content. Send a new id.',
  CORRECTION_REFUSED: 'The milestone cannot be taken back. The message contains the reason and the later milestone that prevents it.',
  ACCOUNT_ID_REUSED: 'The `accountRequestId` was used with other content. Send a new id.',
  REMAKE_ID_REUSED: 'The `remakeId` was used with other content. Send a new id.',
  NOTE_ID_REUSED: 'The `noteId` was used for another text. Send a new id.',
  NOTE_LIMIT: 'The order or account has the maximum of notes. Delete one.',
  REMAKE_REFUSED: 'The order cannot be remade. The message contains the reason.',
  ENDPOINT_UNREACHABLE: 'The ping before enabling failed. Send `skipPing` to enable the endpoint without a ping.',
  ROTATION_REFUSED:
    'The overlap of the last rotation has not ended. Send `overlapHours` 0 to end it at once, which also ends the secret that signs now.',
  PAYMENT_ID_REUSED: 'The id of the payment, refund or reversal was used with other content. Send a new id.',
  PAYMENT_REFUSED:
    'The payment does not fit its invoices, or the payment or refund is reversed. Nothing was recorded. The message lists each invoice with its open amount.',
  BADGE_REFUSED: 'The badge in `Studio-Badge` is unknown or revoked, or the caller is not a station. Nothing was changed.',
  SEND_ID_REUSED: 'The `sendId` was used for another mail of the account. Send a new id.',
  SEND_REFUSED: 'The document cannot be sent. The message contains the reason.',
  CREDIT_INSUFFICIENT: "The account's credit is too low. The message contains the credit and the next step.",
  SESSION_ENDED: 'The session of the cookie has ended or is unknown. Sign in with `POST /session`.',
  SIGNED_IN_AS_ANOTHER:
    'The cookie belongs to another token than `Service-Signed-In-As`, so nothing was changed. `details` contains the token of the session.',
  REAUTHENTICATION_REQUIRED:
    'The session sent its token more than five minutes ago, and this endpoint creates a credential. Send the token to `POST /session/reauthenticate`, then repeat the request.',
  ORIGIN_REFUSED:
    'The request does not come from a page of this listener. Writes with a cookie need its exact `Origin`, which the message contains. Scripts send the token as `Authorization: Bearer lps_…`.',
  ENDPOINT_DISABLED: 'The endpoint is disabled or deleted, so the service cannot send to it.',
};

/** The component of a code, such as `ErrorValidationError` for VALIDATION_ERROR. */
export const componentNameOf = (code: ErrorCode): string =>
  `Error${code
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

function toErrorSchema(code: ErrorCode): JsonSchema {
  const details = DETAILS[code];
  const fields = { code: json.closedEnum([code], 'the error code, for programs'), message: json.string('the message, for people only') };
  return details === undefined
    ? json.object(fields, { description: DESCRIPTIONS[code] })
    : json.object(
        { ...fields, details: { description: 'structured information for this code', ...details } },
        { description: DESCRIPTIONS[code], optional: OPTIONAL_DETAILS.includes(code) ? ['details'] : [] },
      );
}

/** Codes may be added within a version, and clients must accept them. */
export const OTHER_ERROR = json.define(
  'OtherError',
  json.object<{ code: string; message: string; details: unknown }>(
    {
      code: json.string('a code newer than this document; handle it by its HTTP status'),
      message: json.string('the message, for people only'),
      details: json.any('structured information; its shape depends on the code'),
    },
    { description: 'An error whose code is newer than this document.', optional: ['details'] },
  ),
);

for (const code of Object.keys(ERROR_STATUS) as ErrorCode[]) json.define(componentNameOf(code), toErrorSchema(code));

/** An example of an error body. */
export function exampleOf(code: ErrorCode): unknown {
  const details = DETAILS[code];
  return {
    data: null,
    error: {
      code,
      message: DESCRIPTIONS[code].replaceAll('`', ''),
      ...(details === undefined ? {} : { details: json.exampleOf(details) }),
    },
  };
}

export const descriptionOf = (code: ErrorCode): string => DESCRIPTIONS[code];
