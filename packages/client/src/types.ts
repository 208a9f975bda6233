/** The names of the API's shapes, all of them taken from its OpenAPI document. */
import type { components, operations } from './generated/trade.js';

type Schemas = components['schemas'];
/** What is sent may also name a field as undefined to leave it out, under `exactOptionalPropertyTypes` too. */
type RequestInput<Shape> = {
  [Field in keyof Shape]: object extends Pick<Shape, Field> ? RequestInput<Shape[Field]> | undefined : RequestInput<Shape[Field]>;
};
type RequestBody<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Shape } };
}
  ? RequestInput<Shape>
  : never;
type RequestQuery<Name extends keyof operations> = RequestInput<NonNullable<operations[Name]['parameters']['query']>>;

/** The values of an open enum that this version knows, such as `Known<OrderStatus>`: later ones are any other string. */
export type Known<T extends string> = T extends unknown ? (string extends T ? never : T) : never;

/** The account and key that asks. */
export type Account = Schemas['OwnAccount'];
export type Catalogue = Schemas['Catalogue'];
export type LineItem = Schemas['LineItem'];
export type ShippingAddress = Schemas['ShippingAddress'];
export type ShippingOption = Schemas['ShippingOption'];
/** One thing that is wrong with a basket: in `details.others` of a refusal, and in `issues` of a price. */
export type BasketIssue = Schemas['BasketIssue'];
/** Up to ten baskets. A basket of `QuoteRequest` fits: artwork and names are ignored. */
export type PricesRequest = RequestBody<'calculatePrices'>;
export type Prices = Schemas['Prices'];
/** A basket's figures without delivery. */
export type Price = Schemas['Price'];
export type QuoteRequest = RequestBody<'createQuote'>;
export type Quote = Schemas['Quote'];
export type Breakdown = Schemas['Breakdown'];
export type Line = Schemas['Line'];
export type OrderRequest = RequestBody<'createOrder'>;
/** At least one of `shippingAddress`, `lines` and `specialInstructions`. */
export type OrderChange = RequestBody<'changeOrder'>;
export type Order = Schemas['Order'];
/** One thing that an order waits for from its client. */
export type OrderIssue = Order['issues'][number];
/** Other artwork for a line. */
export type ArtworkRequest = RequestBody<'replaceArtwork'>;
export type OrderStatus = Order['status'];
/** What an order is made of and where it goes. */
export type OrderDetails = Schemas['OrderDetails'];
/** An order's invoice. */
export type Invoice = Schemas['OwnInvoice'];
export type OrderFilters = RequestQuery<'listOrders'>;
export type EventFilters = RequestQuery<'listEvents'>;
export type LatestEvent = Schemas['LatestEvent'];
export type PageFilters = RequestQuery<'listWebhookEndpoints'>;
/** One of the account's own; its secret is shown once, when the studio registers it. */
export type WebhookEndpoint = Schemas['OwnWebhookEndpoint'];
export type WebhookEndpointChange = RequestBody<'changeWebhookEndpoint'>;
export type PingResult = Schemas['PingResult'];
export type WebhookDelivery = Schemas['OwnDelivery'];
export type WebhookDeliveryFilters = RequestQuery<'listWebhookDeliveries'>;
/** Exactly one of `to`, `printed`, `parcel`, `voidParcel`, `payment`, `reversePayment` and `remake`; `ofRemake` beside it names a remake. */
export type AdvanceRequest = RequestBody<'advanceTestOrder'>;
export type UploadRequest = RequestBody<'createUpload'>;
export type UploadTarget = Schemas['UploadTarget'];
export type Upload = Schemas['Upload'];
export type UploadContentType = UploadRequest['contentType'];

/** Every refusal that the document tells of: `code`, `message` and, by code, `details`. */
export type Refusal = Schemas[Extract<keyof Schemas, `Error${string}`>];
/** The codes that this version knows; an error's `code` may be any other string. */
export type ErrorCode = Refusal['code'];
type DetailsIn<Shape> = 'details' extends keyof Shape ? Shape['details'] : undefined;
/** What `details` holds for a code; undefined for codes without, and possibly for those with optional details. */
export type DetailsOf<Code extends ErrorCode> = DetailsIn<Extract<Refusal, { code: Code }>>;
