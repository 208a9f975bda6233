import { Deadline } from './deadline.js';
import { List } from './list.js';
import type { RequestOptions } from './options.js';
import { TradePrintError } from './errors.js';
import { ArtworkInUseError, ShippingUnavailableError } from './refusals.js';
import { toPathSegment, type Transport } from './transport.js';
import type {
  Account,
  AdvanceRequest,
  ArtworkRequest,
  Breakdown,
  Catalogue,
  EventFilters,
  Invoice,
  LatestEvent,
  Order,
  OrderChange,
  OrderDetails,
  OrderFilters,
  OrderRequest,
  PageFilters,
  Prices,
  PricesRequest,
  Quote,
  QuoteRequest,
  ShippingOption,
  Upload,
  UploadContentType,
  UploadRequest,
  UploadTarget,
  WebhookDelivery,
  WebhookDeliveryFilters,
  WebhookEndpoint,
  WebhookEndpointChange,
  PingResult,
} from './types.js';
import { toArtwork, type ArtworkSource } from './uploads/artwork.js';
import { contentTypeOf } from './uploads/content-type.js';
import { putArtwork, type UploadProgress } from './uploads/put.js';
import type { OrderEvent, UnknownEvent } from './webhooks/events.js';

/** Calls of one kind. The transport holds the key, so it is no property that a log of the client would show. */
class Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  protected get transport(): Transport {
    return this.#transport;
  }
}

export class AccountResource extends Resource {
  /** `GET /account`: the key's scopes, the account's terms, and what it may still order. Scope `orders:read`. */
  get(options?: RequestOptions): Promise<Account> {
    return this.transport.data({ method: 'GET', path: '/account' }, options);
  }
}

export class CatalogueResource extends Resource {
  /** `GET /catalogue`: what can be ordered, without prices. It may be kept for a minute. Scope `price:read`. */
  get(options?: RequestOptions): Promise<Catalogue> {
    return this.transport.data({ method: 'GET', path: '/catalogue' }, options);
  }

  /** `GET /catalogue` with the `etag` of the catalogue that you keep: null while it is the same. Scope `price:read`. */
  async getIfChanged(etag?: string | null, options?: RequestOptions): Promise<KeptCatalogue | null> {
    const call = { method: 'GET', path: '/catalogue', ifNoneMatch: etag ?? undefined } as const;
    const { data: catalogue, etag: fresh } = await this.transport.request<Catalogue | null>(call, options);
    return catalogue === null ? null : { catalogue, etag: fresh };
  }
}

/** A catalogue to keep with its ETag; null where something in between removed it. */
export interface KeptCatalogue {
  catalogue: Catalogue;
  etag: string | null;
}

export interface UploadOptions extends RequestOptions {
  /** Told to the studio, and what the content type is guessed from. Default: a File's own. */
  filename?: string | undefined;
  contentType?: UploadContentType | undefined;
  /** The exact length of a stream, which then need not be collected in memory first (Node). */
  sizeBytes?: number | undefined;
  /**
   * Called as the bytes leave; in a page, where fetch does not tell, at the beginning and at the end. What it throws ends the upload, and the
   * call rejects with it.
   */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Where artwork lies now: `url` is what a line of a quote takes as `imageUrl`. */
export type UploadedArtwork = Omit<UploadTarget, 'uploadUrl'> & { sizeBytes: number };

export class UploadsResource extends Resource {
  /**
   * Artwork in one call: asks for a place and PUTs the bytes there, and renews the place when it expires meanwhile. Two hours unless
   * `timeoutMs` says otherwise. Scope `orders:write`.
   */
  async upload(source: ArtworkSource, options: UploadOptions = {}): Promise<UploadedArtwork> {
    const { settings } = this.transport;
    const timeoutMs = options.timeoutMs ?? settings.uploadTimeoutMs;
    const requestId = options.requestId ?? crypto.randomUUID();
    const filename = options.filename ?? filenameOf(source);
    const contentType = options.contentType ?? contentTypeOf(filename);
    const deadline = new Deadline({ signal: options.signal, timeoutMs, requestId });
    try {
      const artwork = await deadline.race(toArtwork(source, options.sizeBytes, deadline));
      const call = { ...options, requestId, timeoutMs, signal: deadline.signal };
      const { uploadUrl, ...target } = await this.create({ filename, contentType, sizeBytes: artwork.sizeBytes }, call);
      const artworkPut = { artwork, contentType: target.contentType, requestId, onProgress: options.onProgress };
      for (let renewals = 0, url: string | null = uploadUrl; url !== null; renewals += 1) {
        try {
          await putArtwork(settings, { ...artworkPut, uploadUrl: url }, deadline);
          url = null;
        } catch (error) {
          if (!isExpired(error) || artwork.blob === null || renewals >= settings.maxRetries) throw error;
          url = await this.#renewed(target.uploadId, call);
        }
      }
      return { ...target, sizeBytes: artwork.sizeBytes };
    } finally {
      deadline.release();
    }
  }

  /** `POST /uploads`: a signed URL for exactly so many bytes, valid for 15 minutes and one more for every 10 MB. Scope `orders:write`. */
  create(upload: UploadRequest, options?: RequestOptions): Promise<UploadTarget> {
    return this.transport.data({ method: 'POST', path: '/uploads', body: upload }, options);
  }

  /** `POST /uploads/{id}/renew`: another signed URL for an upload whose bytes have not arrived. Scope `orders:write`. */
  async renew(uploadId: string, options?: RequestOptions): Promise<UploadTarget> {
    return this.transport.data({ method: 'POST', path: `/uploads/${toPathSegment(uploadId)}/renew` }, options);
  }

  /** Null where the bytes are there after all: an attempt arrived whose answer was lost. */
  async #renewed(uploadId: string, options: RequestOptions): Promise<string | null> {
    try {
      return (await this.renew(uploadId, options)).uploadUrl;
    } catch (error) {
      if (error instanceof ArtworkInUseError) return null;
      throw error;
    }
  }

  /** `GET /uploads/{id}`: whether the bytes arrived, and which they are. Scope `orders:write`. */
  async get(uploadId: string, options?: RequestOptions): Promise<Upload> {
    return this.transport.data({ method: 'GET', path: `/uploads/${toPathSegment(uploadId)}` }, options);
  }
}

/** S3-compatible stores answer 403 `Request has expired` in their own form. */
function isExpired(error: unknown): boolean {
  return error instanceof TradePrintError && error.status === 403 && /expired/i.test(`${error.code} ${error.message}`);
}

function filenameOf(source: ArtworkSource): string {
  if (typeof File === 'function' && source instanceof File && source.name !== '') return source.name;
  throw new TypeError('filename is missing');
}

export class PricesResource extends Resource {
  /**
   * `POST /prices`: prices up to ten baskets now, without artwork, for product pages and carts. A basket has its `price` or its `issues`.
   * Nothing is held. Scope `price:read`.
   */
  calculate(request: PricesRequest, options?: RequestOptions): Promise<Prices> {
    return this.transport.data({ method: 'POST', path: '/prices', body: request }, options);
  }
}

export class QuotesResource extends Resource {
  /** `POST /quotes`: prices a basket and holds the price for 24 hours; nothing is charged. Scope `price:read`. */
  create(basket: QuoteRequest, options?: RequestOptions): Promise<Quote> {
    return this.transport.data({ method: 'POST', path: '/quotes', body: basket }, options);
  }

  /**
   * The delivery methods of a basket with their prices: a quote without `shippingMethodId` is refused with them, which is what the service
   * means by discovery. Those with `requiresQuote` cannot be chosen.
   */
  async shippingOptions(basket: Omit<QuoteRequest, 'shippingMethodId'>, options?: RequestOptions): Promise<ShippingOption[]> {
    try {
      await this.create({ ...basket, shippingMethodId: null }, options);
      return [];
    } catch (error) {
      // Details are what an answer says they are, and it may say none.
      const details =
        error instanceof ShippingUnavailableError ? (error.details as Partial<typeof error.details> | null | undefined) : null;
      if (Array.isArray(details?.shippingOptions)) return details.shippingOptions;
      throw error;
    }
  }

  /** `GET /quotes/{id}`: also one that has expired or was ordered. Scope `price:read`. */
  async get(quoteId: string, options?: RequestOptions): Promise<Quote> {
    return this.transport.data({ method: 'GET', path: `/quotes/${toPathSegment(quoteId)}` }, options);
  }

  /** `GET /quotes/{id}/breakdown`: what every amount of a quote is made of, adding up to the cent. Scope `price:read`. */
  async breakdown(quoteId: string, options?: RequestOptions): Promise<Breakdown> {
    return this.transport.data({ method: 'GET', path: `/quotes/${toPathSegment(quoteId)}/breakdown` }, options);
  }
}

export class OrdersResource extends Resource {
  /**
   * `POST /orders`: turns a quote into an order on account. The call carries one Idempotency-Key however often it is repeated, so it orders
   * once; to be as safe over a crash of your own, pass an `idempotencyKey` that you keep. Scope `orders:write`.
   */
  create(order: OrderRequest, options?: RequestOptions): Promise<Order> {
    return this.transport.data({ method: 'POST', path: '/orders', body: order }, options);
  }

  /** `GET /orders/{id}`: as it is now. Scope `orders:read`. */
  async get(orderId: string, options?: RequestOptions): Promise<Order> {
    return this.transport.data({ method: 'GET', path: `/orders/${toPathSegment(orderId)}` }, options);
  }

  /**
   * `PATCH /orders/{id}`: changes recipient, address, references or instructions before production, while the price stays the same. Fields
   * that are not sent stay as they are. The call carries one Idempotency-Key, as `create` does. Scope `orders:write`.
   */
  async change(orderId: string, change: OrderChange, options?: RequestOptions): Promise<Order> {
    return this.transport.data({ method: 'PATCH', path: `/orders/${toPathSegment(orderId)}`, body: change }, options);
  }

  /** `GET /orders`: newest first, of the key's environment; page after page as it is read. Scope `orders:read`. */
  list(filters: OrderFilters = {}, options?: RequestOptions): List<Order> {
    return new List(this.transport, { path: '/orders', cursorParameter: 'cursor', query: filters }, options);
  }

  /** `GET /orders/{id}/details`: address, selections, artwork and instructions. Scope `orders:read`. */
  async details(orderId: string, options?: RequestOptions): Promise<OrderDetails> {
    return this.transport.data({ method: 'GET', path: `/orders/${toPathSegment(orderId)}/details` }, options);
  }

  /** `GET /orders/{id}/invoice`: number, state, due date and amounts. Scope `orders:read`. */
  async invoice(orderId: string, options?: RequestOptions): Promise<Invoice> {
    return this.transport.data({ method: 'GET', path: `/orders/${toPathSegment(orderId)}/invoice` }, options);
  }

  /** `GET /orders/{id}/invoice.pdf`: the bytes of the PDF. Scope `orders:read`. */
  async invoicePdf(orderId: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>> {
    return this.transport.requestPdf({ method: 'GET', path: `/orders/${toPathSegment(orderId)}/invoice.pdf` }, options);
  }

  /** `POST /orders/{id}/cancel`: while the studio has not printed, shipped or taken money. Twice is once. Scope `orders:write`. */
  async cancel(orderId: string, options?: RequestOptions): Promise<Order> {
    return this.transport.data({ method: 'POST', path: `/orders/${toPathSegment(orderId)}/cancel` }, options);
  }

  /** `POST /orders/{id}/lines/{line}/artwork`: other artwork for a line, from 0, until the order is printed. Scope `orders:write`. */
  async replaceArtwork(orderId: string, line: number, artwork: ArtworkRequest, options?: RequestOptions): Promise<Order> {
    const path = `/orders/${toPathSegment(orderId)}/lines/${toPathSegment(String(line))}/artwork`;
    return this.transport.data({ method: 'POST', path, body: artwork }, options);
  }
}

export class EventsResource extends Resource {
  /**
   * `GET /events`: what the account's webhooks tell, oldest first, to catch up after an outage or instead of webhooks. It ends when there
   * is no more for now; go on later with the id of the last event that this list gave as `after`. None is
   * ever skipped, unless `after` is the id of a webhook: webhooks come in any order. Scope `orders:read`.
   */
  list(filters: EventFilters = {}, options?: RequestOptions): List<OrderEvent | UnknownEvent> {
    return new List(this.transport, { path: '/events', cursorParameter: 'after', query: filters }, options);
  }

  /** `GET /events/latest`: the id of the newest event or null, to send as `after` and follow from now on. Scope `orders:read`. */
  latest(options?: RequestOptions): Promise<LatestEvent> {
    return this.transport.data({ method: 'GET', path: '/events/latest' }, options);
  }
}

export class WebhookEndpointsResource extends Resource {
  /** `GET /webhook-endpoints`: the account's own, newest first; the studio registers and enables them. Scope `orders:read`. */
  list(filters: PageFilters = {}, options?: RequestOptions): List<WebhookEndpoint> {
    return new List(this.transport, { path: '/webhook-endpoints', cursorParameter: 'cursor', query: filters }, options);
  }

  /** `PATCH /webhook-endpoints/{id}`: the events that it gets from the next one on; null is all. Scope `orders:write`. */
  async update(endpointId: string, change: WebhookEndpointChange, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.transport.data({ method: 'PATCH', path: `/webhook-endpoints/${toPathSegment(endpointId)}`, body: change }, options);
  }

  /** `POST /webhook-endpoints/{id}/ping`: sends a signed `ping` and answers the endpoint's reply. Scope `orders:write`. */
  async ping(endpointId: string, options?: RequestOptions): Promise<PingResult> {
    return this.transport.data({ method: 'POST', path: `/webhook-endpoints/${toPathSegment(endpointId)}/ping` }, options);
  }
}

export class WebhookDeliveriesResource extends Resource {
  /** `GET /webhook-deliveries`: what was sent to the account's endpoints, or could not be, newest first. Scope `orders:read`. */
  list(filters: WebhookDeliveryFilters = {}, options?: RequestOptions): List<WebhookDelivery> {
    return new List(this.transport, { path: '/webhook-deliveries', cursorParameter: 'cursor', query: filters }, options);
  }

  /**
   * `POST /webhook-deliveries/{id}/resend`: the same event once more, with its id. Each call sends, so it is repeated only where the
   * service did nothing: over a budget. Scope `orders:write`.
   */
  async resend(deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery> {
    const path = `/webhook-deliveries/${toPathSegment(deliveryId)}/resend`;
    return this.transport.data({ method: 'POST', path, retryCondition: 'when-not-executed' }, options);
  }
}

/** For test keys alone: what the studio's floor would do. */
export class TestResource extends Resource {
  /**
   * `POST /test/orders/{id}/advance`: moves a test order on, webhooks included, as the studio would. `{ to }` is the status it is to reach,
   * `{ printed }` says that its artwork is printed, `{ parcel }` is a parcel that leaves, `{ voidParcel }` one whose label is voided,
   * `{ payment }` and `{ reversePayment }` are payments on its invoice, and `{ remake }` remakes it. `ofRemake` moves a remake on instead.
   * Already there is no event. Scope `orders:write`.
   */
  async advance(orderId: string, step: AdvanceRequest, options?: RequestOptions): Promise<Order> {
    return this.transport.data({ method: 'POST', path: `/test/orders/${toPathSegment(orderId)}/advance`, body: withNewIds(step) }, options);
  }

  /** `POST /test/quotes/{id}/expire`: the quote has expired from now on. Scope `orders:write`. */
  async expireQuote(quoteId: string, options?: RequestOptions): Promise<Quote> {
    return this.transport.data({ method: 'POST', path: `/test/quotes/${toPathSegment(quoteId)}/expire` }, options);
  }
}

/** Fields that name what a step creates, where the service would make up another name for each repeat. A parcel's tracking number is its id. */
const ID_FIELDS: Readonly<Record<string, readonly string[]>> = {
  parcel: ['trackingNumber', 'parcelId'],
  payment: ['paymentId'],
  remake: ['remakeId'],
};

/** The step with an id of its own: a repeat after a lost answer creates nothing twice. */
function withNewIds(step: AdvanceRequest): object {
  const entries = Object.entries(step as Record<string, unknown>).map(([name, value]) => {
    const ids = ID_FIELDS[name];
    if (ids === undefined || typeof value !== 'object' || value === null) return [name, value];
    const created = value as Record<string, unknown>;
    if (ids.some((id) => (created[id] ?? null) !== null)) return [name, value];
    return [name, { ...created, [ids[0] as string]: `TEST-${crypto.randomUUID()}` }];
  });
  return Object.fromEntries(entries) as object;
}
