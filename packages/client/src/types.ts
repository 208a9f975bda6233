/** The names of the API's shapes, all of them taken from its OpenAPI document. */
import type { components, operations } from './generated/trade.js';

type Schemas = components['schemas'];
type Body<Name extends keyof operations> = operations[Name] extends { requestBody?: { content: { 'application/json': infer Shape } } }
  ? Shape
  : never;
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

export type Catalogue = Schemas['Catalogue'];
export type LineItem = Schemas['LineItem'];
export type ShippingAddress = Schemas['ShippingAddress'];
export type ShippingOption = Schemas['ShippingOption'];
export type QuoteRequest = Body<'createQuote'>;
export type Quote = Schemas['Quote'];
export type Breakdown = Schemas['Breakdown'];
export type Line = Schemas['Line'];
export type OrderRequest = Body<'createOrder'>;
/** At least one of `shippingAddress`, `lines` and `specialInstructions`. */
export type OrderChange = Body<'changeOrder'>;
export type Order = Schemas['Order'];
export type OrderStatus = Order['status'];
export type OrderFilters = Query<'listOrders'>;
export type EventFilters = Query<'listEvents'>;
export type PageFilters = Query<'listWebhookEndpoints'>;
/** One of the account's own; its secret is shown once, when the studio registers it. */
export type WebhookEndpoint = Schemas['OwnWebhookEndpoint'];
export type WebhookEndpointChange = Body<'changeWebhookEndpoint'>;
export type PingResult = Schemas['PingResult'];
export type WebhookDelivery = Schemas['OwnDelivery'];
export type WebhookDeliveryFilters = Query<'listWebhookDeliveries'>;
/** Exactly one of `to`, `printed`, `parcel`, `voidParcel`, `payment`, `reversePayment` and `remake`; `ofRemake` beside it names a remake. */
export type AdvanceRequest = Body<'advanceTestOrder'>;
export type UploadRequest = Body<'createUpload'>;
export type UploadTarget = Schemas['UploadTarget'];
export type Upload = Schemas['Upload'];
export type UploadContentType = UploadRequest['contentType'];

/** Every refusal that the document tells of: `code`, `message` and, by code, `details`. */
export type Refusal = Schemas[Extract<keyof Schemas, `Error${string}`>];
export type ErrorCode = Refusal['code'];
type DetailsIn<Shape> = 'details' extends keyof Shape ? Shape['details'] : undefined;
/** What `details` holds for a code; undefined for codes without, and possibly for those with optional details. */
export type DetailsOf<Code extends ErrorCode> = DetailsIn<Extract<Refusal, { code: Code }>>;
