/** Types of the API, derived from its OpenAPI document. */
import type { components, operations } from './generated/trade.js';

type Schemas = components['schemas'];
/** Allows undefined for optional fields, also under `exactOptionalPropertyTypes`. */
type RequestInput<Shape> = {
  [Field in keyof Shape]: object extends Pick<Shape, Field> ? RequestInput<Shape[Field]> | undefined : RequestInput<Shape[Field]>;
};
type RequestBody<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Shape } };
}
  ? RequestInput<Shape>
  : never;
type RequestQuery<Name extends keyof operations> = RequestInput<NonNullable<operations[Name]['parameters']['query']>>;

/** The values of an open enum that this version knows, such as `Known<OrderStatus>`. Later versions of the API may add values. */
export type Known<T extends string> = T extends unknown ? (string extends T ? never : T) : never;

/** The account of the API key, and the key. */
export type Account = Schemas['OwnAccount'];
export type Catalogue = Schemas['Catalogue'];
export type LineItem = Schemas['LineItem'];
export type ShippingAddress = Schemas['ShippingAddress'];
export type ShippingOption = Schemas['ShippingOption'];
/** One problem of a basket: in `details.others` of an error and in `issues` of a price. */
export type BasketIssue = Schemas['BasketIssue'];
/** Up to ten baskets. A `QuoteRequest` is accepted as a basket; its artwork and names are ignored. */
export type PricesRequest = RequestBody<'calculatePrices'>;
export type Prices = Schemas['Prices'];
/** The price of a basket without delivery. */
export type Price = Schemas['Price'];
export type QuoteRequest = RequestBody<'createQuote'>;
export type Quote = Schemas['Quote'];

/** How the picture of a line fits its size. */
export type ArtworkChecks = Schemas['ArtworkChecks'];
export type Breakdown = Schemas['Breakdown'];
export type Line = Schemas['Line'];
export type OrderRequest = RequestBody<'createOrder'>;
/** The changes: at least one of `shippingAddress`, `reference`, `lines` and `specialInstructions`. */
export type OrderChange = RequestBody<'changeOrder'>;
export type Order = Schemas['Order'];
/** One action that an order needs from the client. */
export type OrderIssue = Order['issues'][number];
/** Replacement artwork for a line. */
export type ArtworkRequest = RequestBody<'replaceArtwork'>;
export type OrderStatus = Order['status'];
/** The items and the delivery address of an order. */
export type OrderDetails = Schemas['OrderDetails'];
/** The invoice of an order. */
export type Invoice = Schemas['OwnInvoice'];
export type OrderFilters = RequestQuery<'listOrders'>;
export type EventFilters = RequestQuery<'listEvents'>;
export type LatestEvent = Schemas['LatestEvent'];
export type PageFilters = RequestQuery<'listWebhookEndpoints'>;
/** A webhook endpoint of the account. Its secret is shown once, when the studio registers it. */
export type WebhookEndpoint = Schemas['OwnWebhookEndpoint'];
export type WebhookEndpointChange = RequestBody<'changeWebhookEndpoint'>;
export type PingResult = Schemas['PingResult'];
export type WebhookDelivery = Schemas['OwnDelivery'];
export type WebhookDeliveryFilters = RequestQuery<'listWebhookDeliveries'>;
/**
 * Exactly one of `to`, `printed`, `parcel`, `voidParcel`, `payment`, `reversePayment` and `remake`. `ofRemake` may be added to select a
 * remake.
 */
export type AdvanceRequest = RequestBody<'advanceTestOrder'>;
export type UploadRequest = RequestBody<'createUpload'>;
export type UploadTarget = Schemas['UploadTarget'];
export type Upload = Schemas['Upload'];
export type UploadContentType = UploadRequest['contentType'];

/** All errors in the OpenAPI document: `code`, `message` and, depending on the code, `details`. */
export type Refusal = Schemas[Extract<keyof Schemas, `Error${string}`>];
/** The error codes that this version knows. Later versions of the API may add codes. */
export type ErrorCode = Refusal['code'];
type DetailsIn<Shape> = 'details' extends keyof Shape ? Shape['details'] : undefined;
/** The type of `details` for a code; undefined for codes without details. */
export type DetailsOf<Code extends ErrorCode> = DetailsIn<Extract<Refusal, { code: Code }>>;
