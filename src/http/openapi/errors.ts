import type { BasketIssue } from '../../domain/basket/basket-refusal';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors';
import type { ShippingOption } from '../../domain/shipping/options';
import { SHIPPING_OPTION_EXAMPLE } from './examples';
import * as json from './json';
import type { JsonSchema } from './json';
import { DELIVERY_DATES } from './resources';

const ISSUE_SCHEMA = json.object({
  path: json.string('dotted, such as `items.0.quantity`, `query.limit`, `headers.idempotency-key`; empty for an unreadable body'),
  message: json.string('what would be accepted'),
});

/** One thing that is wrong with a basket (specification "Errors"). */
export const BASKET_ISSUE = json.resource<BasketIssue>('BasketIssue', {
  code: json.string('one of the error codes; codes may be added'),
  line: json.nullable(json.integer('index of the item, from 0; null for what belongs to no item')),
  path: json.string('dotted path of the value that is refused'),
  message: json.string('for people; what would be accepted'),
});

const OTHER_ISSUES_FIELDS = {
  others: json.list(
    BASKET_ISSUE,
    'what else is wrong with the basket, in the order in which it is judged: the first 200, of at most 32 KiB',
  ),
  omitted: json.integer('how many more issues there are than are listed'),
};

const VALIDATION_DETAILS = json.define(
  'ValidationDetails',
  json.object(
    {
      paths: json.list(json.string(), 'the paths of the issues, each once'),
      issues: json.list(ISSUE_SCHEMA, 'the first 200'),
      ...OTHER_ISSUES_FIELDS,
    },
    { optional: ['others', 'omitted'] },
  ),
);

const LINE_DETAILS = json.define(
  'LineDetails',
  json.object(
    {
      line: json.integer('index of the item, from 0'),
      path: json.string('dotted path of the value that is refused'),
      id: json.string('the id that was sent'),
      alternatives: json.list(json.string(), 'up to five ids that would work'),
      ...OTHER_ISSUES_FIELDS,
    },
    { optional: ['id', 'alternatives', 'others', 'omitted'] },
  ),
);

export const SHIPPING_OPTION = json.resource<ShippingOption>('ShippingOption', {
  id: json.string('for `shippingMethodId`'),
  name: json.string('for people'),
  description: json.nullable(json.string('for people')),
  estimatedDelivery: json.string('for people'),
  estimatedDeliveryDates: DELIVERY_DATES,
  isCollection: json.boolean('collected at the studio'),
  priceCents: json.cents('the later `shippingCents`'),
  requiresQuote: json.boolean('cannot be chosen: the studio quotes the freight'),
});

const lineDetails = (path: string, extra: object = {}): JsonSchema =>
  json.withExample(LINE_DETAILS, { line: 0, path: `items.0.${path}`, ...extra });

/** `error.details` by code; the others have none (specification "Errors", ruling 42). */
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
    { path: [json.string('dotted path of the field that is refused'), 'shippingAddress.country'], ...OTHER_ISSUES_FIELDS },
    { optional: ['others', 'omitted'] },
  ),
  SHIPPING_UNAVAILABLE: json.object({
    shippingOptions: [json.list(SHIPPING_OPTION, 'what this basket can be sent by, with prices'), [SHIPPING_OPTION_EXAMPLE]],
  }),
  CREDIT_LIMIT_EXCEEDED: json.object({
    outstandingCents: [json.cents('unpaid invoices of this environment'), 480_000],
    creditCents: [json.cents("the account's credit in this environment, which counts beside the limit"), 0],
    limitCents: [json.cents('the credit limit'), 500_000],
    availableCents: [json.cents('what may still be ordered: limit − outstanding + credit, at least 0'), 20_000],
    orderCents: [json.cents('what this order would be charged'), 21_210],
  }),
  ORDER_NOT_CHANGEABLE: json.object({
    totalCents: [json.cents('what the order costs'), 21_210],
    gstCents: [json.cents('tax contained in it'), 1928],
    newTotalCents: [json.cents('what it would cost with the change'), 22_715],
    newGstCents: [json.cents('tax contained in that'), 2065],
    differenceCents: [json.integer('newTotalCents − totalCents'), 1505],
  }),
  QUOTE_ALREADY_ORDERED: json.object({ orderId: [json.id('ord', 'the order it became'), 'ord_0f3a'] }),
  QUOTE_EXPIRED: json.object({ expiresAt: [json.time('when it lapsed'), '2026-03-02T01:02:03.004Z'] }),
  STORAGE_QUOTA_EXCEEDED: json.object({
    quotaBytes: [json.integer('what the account may keep'), 50_000_000_000],
    usedBytes: [json.integer('what it keeps, with the uploads under way'), 49_999_000_000],
  }),
  SIGNED_IN_AS_ANOTHER: json.object({
    tokenId: [json.id('tok', 'of who is signed in'), 'tok_0f3a'],
    name: [json.string('its name'), 'Front desk'],
  }),
  ENDPOINT_UNREACHABLE: json.object({
    status: json.nullable(json.integer('of the reply')),
    errorCode: [json.nullable(json.string('why the ping failed')), 'connection_refused'],
  }),
  CREDIT_INSUFFICIENT: json.object({
    creditCents: [json.cents('the credit of the account in this environment'), 1500],
    missingCents: [json.cents('how much more it would take'), 20_500],
  }),
  PAYMENT_REFUSED: json.object({
    invoices: json.list(
      json.object({
        invoiceId: [json.string('as it was named, or its number'), 'INV-10041'],
        dueCents: [json.nullable(json.cents('what is open on it; null where there is none of that name')), 3425],
        reason: [json.string('what stands against it'), 'it has 34.25 open, and its share is 84.25'],
      }),
      'each that takes its share not; empty where none is to blame',
    ),
  }),
  ENDPOINT_DISABLED: json.object({ endpointId: [json.id('whe', 'the endpoint'), 'whe_0f3a'] }),
};

/** Codes whose details are not always there. */
const OPTIONAL_DETAILS: readonly ErrorCode[] = ['ORDER_NOT_CHANGEABLE'];

/** When each code comes, in the words of the reference page. */
const DESCRIPTIONS: Record<ErrorCode, string> = {
  ARTWORK_NOT_ALLOWED: 'A line names artwork that this account did not upload.',
  ARTWORK_REQUIRED: 'A line of a product that needs artwork has no `imageUrl`.',
  IDEMPOTENCY_KEY_REQUIRED: 'The Idempotency-Key header is missing.',
  INVALID_QUANTITY: 'A quantity that this product does not allow.',
  MAT_BELOW_MINIMUM: "A mat border under the studio's minimum on at least one side.",
  PRODUCT_UNAVAILABLE: 'A material is not available for the product: withdrawn, or of another kind. `alternatives` would work.',
  PRODUCT_UNSUPPORTED: 'The product cannot be ordered through the API.',
  QUOTE_ENVIRONMENT_MISMATCH: 'The quote was priced with a key of the other environment.',
  SHIPPING_ADDRESS_INCOMPLETE: 'Nothing can be delivered there as it stands, such as a country that is not two letters of ISO 3166.',
  SHIPPING_UNAVAILABLE: 'No delivery method was sent, or one that this basket cannot use; `shippingOptions` are those that it can.',
  VALIDATION_ERROR: 'The request does not match the schema; every issue is named with its path.',
  UNAUTHORIZED: 'The credential is missing, malformed, unknown, revoked or expired, or the account is disabled. The cause is not told.',
  CREDIT_LIMIT_EXCEEDED: 'The order would pass the credit limit; nothing was created and the quote is unspent.',
  FORBIDDEN: 'The credential may not do this.',
  NOT_FOUND: 'There is no such thing, or it is not yours.',
  METHOD_NOT_ALLOWED: 'The path takes other methods; the header Allow names them.',
  IDEMPOTENCY_KEY_REUSED:
    'The key was used with another request, or its first request is still running: then Retry-After says when to ask again.',
  ORDER_NOT_CANCELLABLE: 'The studio has shipped it, printed it or recorded money; the message names each that applies.',
  ORDER_NOT_CHANGEABLE: 'The order has gone too far for this change, or the change has another price; then `details` have the difference.',
  QUOTE_ALREADY_ORDERED: 'The quote became an order.',
  QUOTE_EXPIRED: 'The quote lapsed before it was ordered, or the studio has changed its currency since.',
  STORAGE_QUOTA_EXCEEDED: "The account's artwork, with the uploads under way, would pass its storage quota.",
  UPLOAD_EXPIRED: 'The upload URL has expired, or its body continued too slowly after its end. Renew the upload.',
  UPLOAD_LIMIT: 'The account has the maximum of open upload targets without bytes.',
  STORAGE_FULL: 'The artwork store has no room for this upload; Retry-After says when to ask again.',
  RATE_LIMITED: 'Over the budget; Retry-After says for how many seconds.',
  INTERNAL_ERROR: 'Our fault. Try again with back-off, an order with the same Idempotency-Key.',
  OVERLOADED: 'The service is overloaded. Send the request again after Retry-After seconds. It does not count against a budget.',
  TEMPORAL_AWAY: 'Temporal or its worker does not answer. Send the request again after Retry-After seconds.',
  ARTWORK_IN_USE: 'The upload has its file already. Create another upload.',
  MILESTONE_REFUSED: "The order's state does not allow it; the message says why.",
  MILESTONE_ID_REUSED: 'The same id came before with another content.',
  CORRECTION_REFUSED: 'The milestone cannot be taken back; the message says why, and which later one stands in the way.',
  ACCOUNT_ID_REUSED: 'The same `accountRequestId` came before with another content.',
  REMAKE_ID_REUSED: 'The same `remakeId` came before with another content.',
  REMAKE_REFUSED: 'The order cannot be made again; the message says why.',
  ENDPOINT_UNREACHABLE: 'The ping before enabling failed; `skipPing` enables it all the same.',
  PAYMENT_ID_REUSED: 'The id of a payment on account, a refund or its reversal came before with another content.',
  PAYMENT_REFUSED:
    'The payment does not fit its invoices, or the payment or refund was reversed. Nothing was recorded. The message names each invoice with what is open on it.',
  CREDIT_INSUFFICIENT: "It would take more of the account's credit than there is; the message says how much there is and what to do.",
  SESSION_ENDED: 'The session of the cookie is over, or never was; `POST /session` begins another.',
  SIGNED_IN_AS_ANOTHER:
    'The page was made for somebody else than the cookie is of: `Service-Signed-In-As` names another token, and nothing was done. `details` say who is signed in.',
  REAUTHENTICATION_REQUIRED:
    'The session sent its token more than five minutes ago, and this endpoint creates a credential. Send the token to `POST /session/reauthenticate`, then repeat the request.',
  ORIGIN_REFUSED:
    'The request comes from no page of this listener: writes by cookie need its exact `Origin`. The message says which that is. Scripts send the token as `Authorization: Bearer lps_…`.',
  ENDPOINT_DISABLED: 'The endpoint is disabled or deleted, so nothing can be sent there.',
};

/** The component that tells of one code: `ErrorValidationError` of VALIDATION_ERROR. */
export const componentNameOf = (code: ErrorCode): string =>
  `Error${code
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

function toErrorSchema(code: ErrorCode): JsonSchema {
  const details = DETAILS[code];
  const fields = { code: json.closedEnum([code], 'branch on it'), message: json.string('for people; never branch on it') };
  return details === undefined
    ? json.object(fields, { description: DESCRIPTIONS[code] })
    : json.object(
        { ...fields, details: { description: 'structured information of this code', ...details } },
        { description: DESCRIPTIONS[code], optional: OPTIONAL_DETAILS.includes(code) ? ['details'] : [] },
      );
}

/** Codes may be added within a version, and clients must accept them (ruling 74). */
export const OTHER_ERROR = json.define(
  'OtherError',
  json.object<{ code: string; message: string; details: unknown }>(
    {
      code: json.string('a code that came after this document; the HTTP status says what it means'),
      message: json.string('for people; never branch on it'),
      details: json.any('structured information, whose shape follows the code'),
    },
    { description: 'An error whose code came after this document.', optional: ['details'] },
  ),
);

for (const code of Object.keys(ERROR_STATUS) as ErrorCode[]) json.define(componentNameOf(code), toErrorSchema(code));

/** An error's body as an example. */
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
