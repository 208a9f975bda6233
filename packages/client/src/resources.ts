import type { Bytes } from './body.js';
import { Deadline } from './deadline.js';
import { List } from './list.js';
import type { RequestOptions } from './options.js';
import { TradePrintError } from './errors.js';
import { randomId } from './runtime.js';
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

/** Base of all resources. The transport is a private field, so logging the client does not show the API key. */
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
  /** `GET /account`: returns the key's scopes, the account's terms and its available credit. Scope `orders:read`. */
  get(options?: RequestOptions): Promise<Account> {
    return this.transport.data({ method: 'GET', path: '/account' }, options);
  }
}

export class CatalogueResource extends Resource {
  /** `GET /catalogue`: returns products and materials without prices. It may be cached for a minute. Scope `price:read`. */
  get(options?: RequestOptions): Promise<Catalogue> {
    return this.transport.data({ method: 'GET', path: '/catalogue' }, options);
  }

  /** `GET /catalogue` with the `etag` of your cached catalogue: returns null if it has not changed. Scope `price:read`. */
  async getIfChanged(etag?: string | null, options?: RequestOptions): Promise<KeptCatalogue | null> {
    const call = { method: 'GET', path: '/catalogue', ifNoneMatch: etag ?? undefined } as const;
    const { data: catalogue, etag: fresh } = await this.transport.request<Catalogue | null>(call, options);
    return catalogue === null ? null : { catalogue, etag: fresh };
  }
}

/** A catalogue to cache with its ETag. `etag` is null if a proxy removed it. */
export interface KeptCatalogue {
  catalogue: Catalogue;
  etag: string | null;
}

export interface UploadOptions extends RequestOptions {
  /** File name that the studio sees. The content type is derived from it. Default: the name of a File. */
  filename?: string | undefined;
  contentType?: UploadContentType | undefined;
  /** Exact length of a stream. With it, Node sends the stream without buffering it in memory. */
  sizeBytes?: number | undefined;
  /**
   * Called as bytes are sent. In a browser, fetch reports no progress, so it is called at the start and at the end only. An error that it
   * throws ends the upload, and the call rejects with that error.
   */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Uploaded artwork. Send `url` as `imageUrl` of a quote's line. */
export type UploadedArtwork = Omit<UploadTarget, 'uploadUrl'> & { sizeBytes: number };

export class UploadsResource extends Resource {
  /**
   * Uploads artwork in one call: creates an upload, PUTs the bytes to its signed URL, and renews the URL if it expires before they arrive.
   * The time limit is two hours unless `timeoutMs` is set. Scope `orders:write`.
   */
  async upload(source: ArtworkSource, options: UploadOptions = {}): Promise<UploadedArtwork> {
    const { settings } = this.transport;
    const timeoutMs = options.timeoutMs ?? settings.uploadTimeoutMs;
    const requestId = options.requestId ?? randomId();
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

  /**
   * `POST /uploads`: returns a signed URL for exactly `sizeBytes` bytes. It is valid for 15 minutes and one more minute for every 10 MB.
   * Scope `orders:write`.
   */
  create(upload: UploadRequest, options?: RequestOptions): Promise<UploadTarget> {
    return this.transport.data({ method: 'POST', path: '/uploads', body: upload }, options);
  }

  /** `POST /uploads/{id}/renew`: returns a new signed URL for an upload whose bytes have not arrived. Scope `orders:write`. */
  async renew(uploadId: string, options?: RequestOptions): Promise<UploadTarget> {
    return this.transport.data({ method: 'POST', path: `/uploads/${toPathSegment(uploadId)}/renew` }, options);
  }

  /** Renews the signed URL. Returns null if an earlier attempt stored the bytes, but its response was lost. */
  async #renewed(uploadId: string, options: RequestOptions): Promise<string | null> {
    try {
      return (await this.renew(uploadId, options)).uploadUrl;
    } catch (error) {
      if (error instanceof ArtworkInUseError) return null;
      throw error;
    }
  }

  /** `GET /uploads/{id}`: returns the upload, whether its bytes arrived and their properties. Scope `orders:write`. */
  async get(uploadId: string, options?: RequestOptions): Promise<Upload> {
    return this.transport.data({ method: 'GET', path: `/uploads/${toPathSegment(uploadId)}` }, options);
  }
}

/** True if the signed URL has expired. S3-compatible stores report it as 403 `Request has expired`, in their own format. */
function isExpired(error: unknown): boolean {
  return error instanceof TradePrintError && error.status === 403 && /expired/i.test(`${error.code} ${error.message}`);
}

function filenameOf(source: ArtworkSource): string {
  if (typeof File === 'function' && source instanceof File && source.name !== '') return source.name;
  throw new TypeError('filename is missing');
}

export class PricesResource extends Resource {
  /**
   * `POST /prices`: prices up to ten baskets without artwork, for product pages and carts. Each basket has a `price` or `issues`. The
   * prices are not guaranteed; create a quote for that. Scope `price:read`.
   */
  calculate(request: PricesRequest, options?: RequestOptions): Promise<Prices> {
    return this.transport.data({ method: 'POST', path: '/prices', body: request }, options);
  }
}

export class QuotesResource extends Resource {
  /** `POST /quotes`: prices a basket and guarantees the price for 24 hours. Nothing is charged. Scope `price:read`. */
  create(basket: QuoteRequest, options?: RequestOptions): Promise<Quote> {
    return this.transport.data({ method: 'POST', path: '/quotes', body: basket }, options);
  }

  /**
   * Lists the delivery methods of a basket with their prices. It requests a quote without `shippingMethodId`, which the service refuses
   * with this list. Methods with `requiresQuote` cannot be selected. Scope `price:read`.
   */
  async shippingOptions(basket: Omit<QuoteRequest, 'shippingMethodId'>, options?: RequestOptions): Promise<ShippingOption[]> {
    try {
      await this.create({ ...basket, shippingMethodId: null }, options);
      return [];
    } catch (error) {
      // A proxy may change the response, so `details` is not trusted.
      const details =
        error instanceof ShippingUnavailableError ? (error.details as Partial<typeof error.details> | null | undefined) : null;
      if (Array.isArray(details?.shippingOptions)) return details.shippingOptions;
      throw error;
    }
  }

  /** `GET /quotes/{id}`: returns a quote, also if it has expired or was ordered. Scope `price:read`. */
  async get(quoteId: string, options?: RequestOptions): Promise<Quote> {
    return this.transport.data({ method: 'GET', path: `/quotes/${toPathSegment(quoteId)}` }, options);
  }

  /** `GET /quotes/{id}/breakdown`: returns the components of every amount of a quote, exact to the cent. Scope `price:read`. */
  async breakdown(quoteId: string, options?: RequestOptions): Promise<Breakdown> {
    return this.transport.data({ method: 'GET', path: `/quotes/${toPathSegment(quoteId)}/breakdown` }, options);
  }
}

export class OrdersResource extends Resource {
  /**
   * `POST /orders`: turns a quote into an order on account. All retries of a call send the same Idempotency-Key, so only one order is
   * placed. To retry safely after a crash of your process, pass an `idempotencyKey` that you store. Scope `orders:write`.
   */
  create(order: OrderRequest, options?: RequestOptions): Promise<Order> {
    return this.transport.data({ method: 'POST', path: '/orders', body: order }, options);
  }

  /** `GET /orders/{id}`: returns the current order. Scope `orders:read`. */
  async get(orderId: string, options?: RequestOptions): Promise<Order> {
    return this.transport.data({ method: 'GET', path: `/orders/${toPathSegment(orderId)}` }, options);
  }

  /**
   * `PATCH /orders/{id}`: changes recipient, address, references or instructions before production, if the price stays the same. Omitted
   * fields do not change. All retries of a call send the same Idempotency-Key, as in `create`. Scope `orders:write`.
   */
  async change(orderId: string, change: OrderChange, options?: RequestOptions): Promise<Order> {
    return this.transport.data({ method: 'PATCH', path: `/orders/${toPathSegment(orderId)}`, body: change }, options);
  }

  /** `GET /orders`: lists the orders of the key's environment, newest first. Scope `orders:read`. */
  list(filters: OrderFilters = {}, options?: RequestOptions): List<Order> {
    return new List(this.transport, { path: '/orders', cursorParameter: 'cursor', query: filters }, options);
  }

  /** `GET /orders/{id}/details`: returns the order's address, selections, artwork and instructions. Scope `orders:read`. */
  async details(orderId: string, options?: RequestOptions): Promise<OrderDetails> {
    return this.transport.data({ method: 'GET', path: `/orders/${toPathSegment(orderId)}/details` }, options);
  }

  /** `GET /orders/{id}/invoice`: returns the invoice's number, state, due date and amounts. Scope `orders:read`. */
  async invoice(orderId: string, options?: RequestOptions): Promise<Invoice> {
    return this.transport.data({ method: 'GET', path: `/orders/${toPathSegment(orderId)}/invoice` }, options);
  }

  /** `GET /orders/{id}/invoice.pdf`: returns the bytes of the PDF. Scope `orders:read`. */
  async invoicePdf(orderId: string, options?: RequestOptions): Promise<Bytes> {
    return this.transport.requestPdf({ method: 'GET', path: `/orders/${toPathSegment(orderId)}/invoice.pdf` }, options);
  }

  /**
   * `POST /orders/{id}/cancel`: cancels an order that is not printed, shipped or paid. Cancelling a cancelled order has no effect. Scope
   * `orders:write`.
   */
  async cancel(orderId: string, options?: RequestOptions): Promise<Order> {
    return this.transport.data({ method: 'POST', path: `/orders/${toPathSegment(orderId)}/cancel` }, options);
  }

  /**
   * `POST /orders/{id}/lines/{line}/artwork`: replaces the artwork of a line until the order is printed. Lines are numbered from 0. Scope
   * `orders:write`.
   */
  async replaceArtwork(orderId: string, line: number, artwork: ArtworkRequest, options?: RequestOptions): Promise<Order> {
    const path = `/orders/${toPathSegment(orderId)}/lines/${toPathSegment(String(line))}/artwork`;
    return this.transport.data({ method: 'POST', path, body: artwork }, options);
  }
}

export class EventsResource extends Resource {
  /**
   * `GET /events`: lists the account's webhook events, oldest first, to catch up after an outage or to poll instead of receiving webhooks.
   * The list ends at the newest event. To continue later, pass the id of its last event as `after`; no event is then skipped. Do not pass
   * the id of a received webhook, because webhooks arrive in any order. Scope `orders:read`.
   */
  list(filters: EventFilters = {}, options?: RequestOptions): List<OrderEvent | UnknownEvent> {
    return new List(this.transport, { path: '/events', cursorParameter: 'after', query: filters }, options);
  }

  /** `GET /events/latest`: returns the id of the newest event, or null. Pass it as `after` to list later events. Scope `orders:read`. */
  latest(options?: RequestOptions): Promise<LatestEvent> {
    return this.transport.data({ method: 'GET', path: '/events/latest' }, options);
  }
}

export class WebhookEndpointsResource extends Resource {
  /**
   * `GET /webhook-endpoints`: lists the account's endpoints, newest first. The studio registers and enables endpoints. Scope `orders:read`.
   */
  list(filters: PageFilters = {}, options?: RequestOptions): List<WebhookEndpoint> {
    return new List(this.transport, { path: '/webhook-endpoints', cursorParameter: 'cursor', query: filters }, options);
  }

  /** `PATCH /webhook-endpoints/{id}`: sets the event types that the endpoint receives from now on; null means all. Scope `orders:write`. */
  async update(endpointId: string, change: WebhookEndpointChange, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.transport.data({ method: 'PATCH', path: `/webhook-endpoints/${toPathSegment(endpointId)}`, body: change }, options);
  }

  /** `POST /webhook-endpoints/{id}/ping`: sends a signed `ping` and returns the endpoint's response. Scope `orders:write`. */
  async ping(endpointId: string, options?: RequestOptions): Promise<PingResult> {
    return this.transport.data({ method: 'POST', path: `/webhook-endpoints/${toPathSegment(endpointId)}/ping` }, options);
  }
}

export class WebhookDeliveriesResource extends Resource {
  /** `GET /webhook-deliveries`: lists deliveries to the account's endpoints, also failed ones, newest first. Scope `orders:read`. */
  list(filters: WebhookDeliveryFilters = {}, options?: RequestOptions): List<WebhookDelivery> {
    return new List(this.transport, { path: '/webhook-deliveries', cursorParameter: 'cursor', query: filters }, options);
  }

  /**
   * `POST /webhook-deliveries/{id}/resend`: sends the same event again with the same id. Every call sends it, so the client retries only
   * if the service executed nothing because of a rate limit or overload. Scope `orders:write`.
   */
  async resend(deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery> {
    const path = `/webhook-deliveries/${toPathSegment(deliveryId)}/resend`;
    return this.transport.data({ method: 'POST', path, retryCondition: 'when-not-executed' }, options);
  }
}

/** Simulates the studio. For test keys only. */
export class TestResource extends Resource {
  /**
   * `POST /test/orders/{id}/advance`: changes a test order as the studio would and sends its webhooks. `{ to }` sets the status,
   * `{ printed }` marks the artwork as printed, `{ parcel }` ships a parcel, `{ voidParcel }` voids the label of one, `{ payment }` and
   * `{ reversePayment }` record and reverse a payment, and `{ remake }` remakes the order. `ofRemake` selects a remake instead. If the
   * order already has the status, no event is sent. Scope `orders:write`.
   */
  async advance(orderId: string, step: AdvanceRequest, options?: RequestOptions): Promise<Order> {
    return this.transport.data({ method: 'POST', path: `/test/orders/${toPathSegment(orderId)}/advance`, body: withNewIds(step) }, options);
  }

  /** `POST /test/quotes/{id}/expire`: expires a quote now. Scope `orders:write`. */
  async expireQuote(quoteId: string, options?: RequestOptions): Promise<Quote> {
    return this.transport.data({ method: 'POST', path: `/test/quotes/${toPathSegment(quoteId)}/expire` }, options);
  }
}

/** The id fields of created objects; the first one is generated if all are missing. A parcel's default id is its tracking number. */
const ID_FIELDS: Readonly<Record<string, readonly string[]>> = {
  parcel: ['trackingNumber', 'parcelId'],
  payment: ['paymentId'],
  remake: ['remakeId'],
};

/** Adds missing ids, so a retry does not create an object twice. Without an id, the service would generate one for each retry. */
function withNewIds(step: AdvanceRequest): object {
  const entries = Object.entries(step as Record<string, unknown>).map(([name, value]) => {
    const ids = ID_FIELDS[name];
    if (ids === undefined || typeof value !== 'object' || value === null) return [name, value];
    const created = value as Record<string, unknown>;
    if (ids.some((id) => (created[id] ?? null) !== null)) return [name, value];
    return [name, { ...created, [ids[0] as string]: `TEST-${randomId()}` }];
  });
  return Object.fromEntries(entries) as object;
}
