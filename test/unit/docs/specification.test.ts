import { DEFAULT_TOLERANCE_SECONDS } from '@trade-print/client';
import type { OrderWithParcels, QuoteRow } from '../../../src/db/rows';
import { ATTENTION_CODES } from '../../../src/domain/attention';
import { issuesOf } from '../../../src/domain/basket/basket-refusal';
import { ERROR_STATUS, validationError } from '../../../src/domain/errors';
import { EVENT_TYPES, PING } from '../../../src/domain/events';
import { DEFAULT_RUSH_TIER, LIMITS, SCOPES, UPLOAD_CONTENT_TYPES } from '../../../src/domain/limits';
import { ORDER_STATUSES } from '../../../src/domain/order-status';
import type { PricedBasket } from '../../../src/domain/pricing/priced-quote';
import { NOT_ORDERABLE_REASONS, ORDERABLE_PRODUCTS } from '../../../src/domain/products';
import { ATTEMPT_TIMEOUT_MS, DEFAULT_RETRY_SCHEDULE_MS, FAILURES_BEFORE_DISABLE } from '../../../src/domain/webhook-rules';
import { ENDPOINTS } from '../../../src/http/trade/endpoints';
import { pricesRequest } from '../../../src/http/trade/prices';
import { orderRequest } from '../../../src/http/trade/orders/place-order';
import { quoteRequest } from '../../../src/http/trade/quotes/quotes';
import { artworkRequest } from '../../../src/http/trade/orders/artwork';
import { uploadRequest } from '../../../src/http/trade/uploads';
import { presentOwnAccount } from '../../../src/presenters/accounts';
import { presentCatalogue, SECTION_FIELDS } from '../../../src/http/catalogue-rows';
import { presentEvent } from '../../../src/presenters/events';
import { presentOrderDetails } from '../../../src/presenters/order-details';
import { presentOwnInvoice } from '../../../src/presenters/invoices';
import { presentOrder } from '../../../src/presenters/orders';
import { presentBreakdown } from '../../../src/presenters/breakdown';
import { presentPrice, presentPrices } from '../../../src/presenters/prices';
import { presentQuote } from '../../../src/presenters/quotes';
import { presentUpload } from '../../../src/presenters/uploads';
import { SEED_CATALOGUE } from '../../../src/db/seed/catalogue';
import { numberInWords, readPage } from './markdown';

const SPECIFICATION = readPage('docs/specification.md');
const STUDIO = readPage('docs/studio-api.md');
/** As the documents write it. */
const pathOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

describe('the specification and the code agree on', () => {
  it('every error code and its status', () => {
    const tables = [SPECIFICATION.table('Errors', 1), readPage('docs/studio-endpoints.md').table('Refusals')];
    const ofTheStore = ['UPLOAD_EXPIRED 403'];
    for (const code of ofTheStore) expect(SPECIFICATION.textBelow('Errors').join(' ')).toContain(code.replace(/(\w+) (\d+)/, '`$1` ($2)'));
    const told = new Set([...tables.flat().map(([code, status]) => `${code} ${status}`), ...ofTheStore]);
    expect([...told].toSorted()).toEqual(
      Object.entries(ERROR_STATUS)
        .map(([code, status]) => `${code} ${status}`)
        .toSorted(),
    );
  });

  it('every endpoint with its scope, budget and status', () => {
    const served = ENDPOINTS.map(({ method, path, scope, perMinute, status }) => [
      method,
      pathOf(path),
      scope,
      `${perMinute}/min`,
      `${status}`,
    ]);
    expect(SPECIFICATION.table('Endpoints')).toEqual(served);
    expect(SPECIFICATION.text).toContain(
      `authentications have one of ${LIMITS.authenticationFailuresPerMinute}/min, counted by source address.`,
    );
    for (const { method, path } of ENDPOINTS) expect(SPECIFICATION.titles).toContain(`${method} ${pathOf(path)}`);
  });

  it('the endpoints of each scope', () => {
    const granted = SPECIFICATION.table('Authentication').map(([scope, grants = '']) => [
      scope,
      grants.split(';')[0]?.split(', ').toSorted(),
    ]);
    const served = (scope: string) => ENDPOINTS.filter((endpoint) => endpoint.scope === scope).map(({ name }) => name);
    expect(granted).toEqual(SCOPES.map((scope) => [scope, served(scope).toSorted()]));
  });

  it('every limit', () => {
    const hours = (ms: number): string => `${ms / 3_600_000} hours`;
    const atMost = (count: number, what: string): string => `at most ${count}${what}`;
    const limits: Record<keyof typeof LIMITS, [string, string]> = {
      quoteHoldMs: ['Quote hold time', hours(LIMITS.quoteHoldMs)],
      idempotencyLifetimeMs: ['Idempotency key lifetime', hours(LIMITS.idempotencyLifetimeMs)],
      idempotencyKeyLength: ['Idempotency-Key length', atMost(LIMITS.idempotencyKeyLength, ' characters')],
      itemsPerQuote: ['Items per quote', `1 to ${LIMITS.itemsPerQuote}`],
      basketsPerPrices: ['Baskets of POST /prices', `1 to ${LIMITS.basketsPerPrices}`],
      itemsPerPrices: ['Items of a basket of POST /prices', `1 to ${LIMITS.itemsPerPrices}`],
      quantityPerItem: ['Quantity per item', `1 to ${LIMITS.quantityPerItem}`],
      pageSize: ['Page size', `1 to ${LIMITS.pageSize}, default ${LIMITS.defaultPageSize}`],
      defaultPageSize: ['Page size', `1 to ${LIMITS.pageSize}, default ${LIMITS.defaultPageSize}`],
      pageBytes: ['Body of a page', atMost(LIMITS.pageBytes, ' bytes, or one item')],
      uploadBytes: ['Upload size', atMost(LIMITS.uploadBytes, ' bytes')],
      openTargetsPerAccount: ['Open upload targets per account', atMost(LIMITS.openTargetsPerAccount, '')],
      uploadsAtOncePerAccount: ['Files sent at a time per account', atMost(LIMITS.uploadsAtOncePerAccount, '')],
      bodyBytes: ['Body of a quote', atMost(LIMITS.bodyBytes, ' bytes')],
      orderBodyBytes: ['Body of an order', atMost(LIMITS.orderBodyBytes, ' bytes')],
      uploadBodyBytes: ['Body of an upload', atMost(LIMITS.uploadBodyBytes, ' bytes')],
      pricesBodyBytes: ['Body of POST /prices', atMost(LIMITS.pricesBodyBytes, ' bytes')],
      issuesListed: ['Issues listed in VALIDATION_ERROR', atMost(LIMITS.issuesListed, '')],
      issuesBytes: ['Issues of a basket', atMost(LIMITS.issuesBytes, ' bytes')],
      specialInstructionsLength: ['specialInstructions', atMost(LIMITS.specialInstructionsLength, ' characters')],
      externalReferenceLength: ['externalReference', atMost(LIMITS.externalReferenceLength, ' characters')],
      metadataEntries: ['Entries of metadata', atMost(LIMITS.metadataEntries, '')],
      metadataKeyLength: ['Key of metadata', `1 to ${LIMITS.metadataKeyLength} characters`],
      metadataValueLength: ['Value of metadata', atMost(LIMITS.metadataValueLength, ' characters')],
      catalogueIdLength: ['Catalogue id', `1 to ${LIMITS.catalogueIdLength} characters`],
      urlLength: ['URL', atMost(LIMITS.urlLength, ' characters')],
      emailLength: ['E-mail address', atMost(LIMITS.emailLength, ' characters')],
      identifierLength: ['quoteId on order', `1 to ${LIMITS.identifierLength} characters`],
      authenticationFailuresPerMinute: ['Failed authentication', `${LIMITS.authenticationFailuresPerMinute}/min`],
      catalogueCacheSeconds: ['Catalogue cache', `private, ${LIMITS.catalogueCacheSeconds} seconds`],
      cancelledConfirmationsPerDay: [
        'Confirmations of orders that were then cancelled, per account',
        `${LIMITS.cancelledConfirmationsPerDay} a day`,
      ],
      studioSessionMs: ["Studio API, a browser's session", hours(LIMITS.studioSessionMs)],
      studioSessionIdleMs: ['The same without a request', `${LIMITS.studioSessionIdleMs / 60_000} minutes`],
      studioReauthenticationMs: [
        'Studio API, from sending the token to creating credentials',
        `${LIMITS.studioReauthenticationMs / 60_000} minutes`,
      ],
      signInBodyBytes: ['Body of a sign-in', atMost(LIMITS.signInBodyBytes, ' bytes')],
      studioRequestsPerMinute: ['Studio API, per token and endpoint', `${LIMITS.studioRequestsPerMinute}/min`],
    };
    const told = SPECIFICATION.table('Limits');
    const inMinutes = (ms: number): string => (ms < 3_600_000 ? `${ms / 60_000}m` : `${ms / 3_600_000}h`);
    const ofWebhooks = [
      ['Webhook timestamp tolerance', `${DEFAULT_TOLERANCE_SECONDS / 60} minutes`],
      ['Webhook request timeout', `${ATTEMPT_TIMEOUT_MS / 1000} seconds`],
      ['Webhook consecutive failures before disable', `${FAILURES_BEFORE_DISABLE}`],
      ['Webhook retry schedule', DEFAULT_RETRY_SCHEDULE_MS.map(inMinutes).join(', ')],
    ];
    const held = [...new Set([...Object.values(limits), ...ofWebhooks].map((row) => row.join(': ')))];
    expect(told.map((row) => row.join(': ')).toSorted()).toEqual(held.toSorted());
  });

  it('the limits repeated in the sections', () => {
    const textOf = (title: string): string => SPECIFICATION.textBelow(title).join(' ');
    expect(textOf('GET /catalogue')).toContain(`kept privately for ${LIMITS.catalogueCacheSeconds} seconds`);
    expect(textOf('Signature verification')).toContain(`more than ${numberInWords(DEFAULT_TOLERANCE_SECONDS / 60)} minutes from now`);
    expect(textOf('Delivery guarantees')).toContain(`fails ${FAILURES_BEFORE_DISABLE} deliveries in a row`);
    expect(textOf('Delivery guarantees')).toContain(`A request has ${ATTEMPT_TIMEOUT_MS / 1000} seconds`);
    expect(SPECIFICATION.table('POST /quotes').find(([name]) => name === 'rushTier')?.[3]).toContain(`Unset is ${DEFAULT_RUSH_TIER}.`);
  });

  it('every status and event type', () => {
    expect(SPECIFICATION.table('Order status').map(([status]) => status)).toEqual(ORDER_STATUSES);
    const told = SPECIFICATION.table('Events').map(([type, when]) => [type, when?.split(';')[0]]);
    expect(told.map(([type]) => type)).toEqual(EVENT_TYPES.filter((type) => type !== PING));
    expect(told).toEqual(expect.arrayContaining(ORDER_STATUSES.map((status) => [`order.${status}`, status])));
    expect(SPECIFICATION.textBelow('Events').join(' ')).toContain(`The studio can send a \`${PING}\``);
  });

  it('every code of attention', () => {
    const codes = STUDIO.table('Attention').flatMap(([some = '']) => some.split(', '));
    expect(codes.toSorted()).toEqual(ATTENTION_CODES.toSorted());
  });

  it('the orderable products, and the reasons of the others', () => {
    const told = SPECIFICATION.table('Product availability through the API');
    expect(told).toEqual([
      ...[...ORDERABLE_PRODUCTS.keys()].map((slug) => [slug, 'yes', '']),
      ...[...NOT_ORDERABLE_REASONS].map(([slug, reason]) => [slug, 'no', reason]),
    ]);
  });

  it.each([...ORDERABLE_PRODUCTS])('the variant keys of %s', (slug, { keys }) => {
    const title = [...SPECIFICATION.titles].find((one) => one.split(' and ').includes(slug)) ?? slug;
    const own = SPECIFICATION.tableHead(title).indexOf(slug);
    const told = SPECIFICATION.table(title).flatMap((row) => (row[own] === 'n/a' ? [] : (row[0]?.split(', ') ?? [])));
    expect(told.toSorted()).toEqual([...keys].toSorted());
  });

  it('the sections of the catalogue and the fields of their rows', () => {
    const rows = new Map(SPECIFICATION.table('Catalogue').map(([section = '', fields = '']) => [section, fields]));
    const rowFieldsOf = (fields: string): string[] =>
      fields.startsWith('as ') ? rowFieldsOf(rows.get(fields.slice(3)) ?? '') : fields.split(', ');
    expect([...rows.keys()]).toEqual(Object.keys(presentCatalogue(SEED_CATALOGUE)));
    for (const [section, fields] of Object.entries(SECTION_FIELDS)) expect(rowFieldsOf(rows.get(section) ?? '')).toEqual(fields);
    expect(rowFieldsOf(rows.get('canvasMouldings') ?? '')).toEqual(SECTION_FIELDS.mouldings);
  });
});

/** The relevant part of Joi's schema description. */
interface Described {
  flags?: { presence?: string };
  metas?: { kind: string; min?: number; max?: number; values?: string[] }[];
  allow?: unknown[];
  keys?: Record<string, Described>;
  items?: Described[];
  matches?: { then?: Described }[];
}

const quote = quoteRequest.describe() as Described;
const elementOf = (list: Described | undefined): Described => list?.matches?.[0]?.then?.items?.[0] ?? {};
const prices = pricesRequest.describe() as Described;
const basket = elementOf(prices.keys?.baskets);

describe('request fields', () => {
  it.each([
    ['Line item', elementOf(quote.keys?.items)],
    ['Priced item', elementOf(basket.keys?.items)],
    ['Shipping address', quote.keys?.shippingAddress ?? {}],
    ['Destination', basket.keys?.shippingAddress ?? {}],
    ['Basket to price', basket],
    ['POST /prices', prices],
    ['POST /quotes', quote],
    ['POST /orders', orderRequest.describe() as Described],
    ['POST /orders/{id}/lines/{line}/artwork', artworkRequest.describe() as Described],
    ['POST /uploads', uploadRequest.describe() as Described],
  ])('"%s" has the fields of its schema, with requirement, nullability and bounds', (title, { keys = {} }) => {
    const told = SPECIFICATION.table(title);
    expect(told.map(([name, , required]) => [name, required])).toEqual(
      Object.entries(keys).map(([name, { flags }]) => [name, flags?.presence === 'required' ? 'yes' : 'no']),
    );
    for (const [name = '', type, , constraints] of told) {
      const { allow = [], metas = [] } = keys[name] ?? {};
      expect([name, type?.endsWith('or null')]).toEqual([name, allow.includes(null)]);
      for (const bound of metas.flatMap(boundsOf)) expect(`${name}: ${constraints}`).toContain(bound);
    }
  });

  it('types of artwork', () => {
    const told = SPECIFICATION.table('POST /uploads').find(([name]) => name === 'contentType')?.[3] ?? '';
    expect(told.match(/image\/\w+/g)).toEqual(UPLOAD_CONTENT_TYPES);
  });
});

function boundsOf({ kind, min = 0, max = Number.POSITIVE_INFINITY, values = [] }: NonNullable<Described['metas']>[number]): string[] {
  if (kind === 'oneOf') return values;
  if (max === Number.POSITIVE_INFINITY) return [];
  return kind === 'integer' ? [`${min} to ${max}`] : [`${max} characters`];
}

const CREATED_AT = new Date('2026-03-02T01:02:03.004Z');
const AMOUNTS = {
  currency: 'AUD',
  lines: [{ externalReference: null, productSlug: 'a', productName: 'A', quantity: 1, unitPriceCents: 2, amountCents: 2 }],
  subtotal_cents: 2,
  discount_cents: 0,
  shipping_cents: 0,
  shipping_method: null,
  rush_fee_cents: 0,
  total_cents: 2,
  gst_cents: 0,
  promised_ready_date: null,
  delivery_earliest: '2026-03-18',
  delivery_latest: '2026-03-23',
  metadata: {},
  account_id: 'acc_00',
  environment: 'test' as const,
  white_label: true,
  created_at: CREATED_AT,
};
const QUOTE: QuoteRow = {
  ...AMOUNTS,
  id: 'quo_00',
  key_id: 'key_00',
  pricing_version: 1,
  jobs: [],
  breakdown: {},
  shipping_address: { name: '', line1: '', city: '', state: '', postcode: '', country: 'AU', email: '' },
  rush_tier: 'standard',
  discount_reason: null,
  discount_label: null,
  due_date: '2026-03-16',
  expires_at: CREATED_AT,
  consumed_at: null,
  expired_at: null,
};
const ORDER: OrderWithParcels = {
  ...AMOUNTS,
  id: 'ord_00',
  order_number: 'T-1',
  quote_id: 'quo_00',
  status: 'shipped',
  base_status: 'received',
  held_from: null,
  printed: false,
  version: 1,
  event_sequence: 1,
  special_instructions: null,
  settled_at: null,
  confirmation_sent_at: null,
  confirmation_failed_at: null,
  erased_at: null,
  updated_at: CREATED_AT,
  is_paid: false,
  cancelled_at: null,
  issues: [{ code: 'ON_HOLD', line: null, message: 'a' }],
  parcels: [{ tracking_number: '1', carrier: null, tracking_url: null, shipped_at: null, lines: [{ line: 0, quantity: 1 }] }],
  remakes: [{ order_id: 'ord_01', order_number: 'T-1-R1', remake_id: '1', status: 'received', reason: '', lines: [], parcels: [] }],
};

const component = { code: 'a', cents: 2, note: '', by: 'each', quantity: 1, rate: 2, rateAt: null };
/** The field with one component; null if the table of its resource describes it. */
const QUOTE_WITH_BREAKDOWN: QuoteRow = { ...QUOTE, breakdown: { lines: [{ components: [component] }], parcels: [{}] } };
const UPLOAD = {
  id: 'upl_00',
  filename: 'a',
  content_type: 'image/png' as const,
  size_bytes: 1,
  url: '',
  storage_key: '',
  received: null,
  received_at: null,
  checksum: null,
  created_at: CREATED_AT,
  expires_at: CREATED_AT,
};

const DETAILS = {
  ...ORDER,
  shipping_address: QUOTE.shipping_address,
  rush_tier: 'standard' as const,
  jobs: [{ productSlug: 'a', quantity: 1, selections: {}, imageUrl: null }],
};

const INVOICE = {
  id: 'inv_00',
  invoice_number: 'TINV-1',
  order_id: 'ord_00',
  order_number: 'T-1',
  account_id: 'acc_00',
  account_name: '',
  environment: 'test' as const,
  currency: 'AUD',
  amount_cents: 2,
  gst_cents: 0,
  paid_cents: 0,
  credited_cents: 0,
  voided_cents: 0,
  issued_at: CREATED_AT,
  due_at: CREATED_AT,
  voided_at: null,
};

const ACCOUNT = {
  id: 'acc_00',
  name: '',
  email: '',
  trade_discount_bps: 0,
  credit_limit_cents: null,
  payment_terms_days: 30,
  status: 'active' as const,
  api_access: true,
  created_at: CREATED_AT,
  environment: 'test' as const,
  scopes: [],
  currency: null,
  outstanding_cents: 0,
  credit_cents: 0,
};

const INSPECTION = {
  checksum: null,
  state: 'unreadable',
  reason: 'a',
  media_type: null,
  width_px: null,
  height_px: null,
  orientation: null,
  colour_space: null,
  has_profile: null,
  has_alpha: null,
  inspected_at: CREATED_AT,
} as const;

const PRICE: PricedBasket = {
  lines: AMOUNTS.lines,
  subtotalCents: 2,
  discountCents: 0,
  discountReason: null,
  discountLabel: null,
  rushFeeCents: 0,
  promisedReadyDate: null,
  totalCents: 2,
  gstCents: 0,
  shippingOptions: null,
};
const PRICES = presentPrices({ currency: 'AUD', pricingVersion: 1, baskets: [{ issues: [], omitted: 1 }] });

/** `a`, `list`, `list[].b`, `object`, `object.c`: a resource's fields as the tables name them. */
function fieldsOf(resource: object): string[] {
  return Object.entries(resource).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [name, ...Object.keys((value[0] ?? {}) as object).map((field) => `${name}[].${field}`)];
    return typeof value === 'object' && value !== null ? [name, ...Object.keys(value).map((field) => `${name}.${field}`)] : [name];
  });
}

describe('responses', () => {
  it.each([
    ['Quote', presentQuote(QUOTE)],
    ['Prices', PRICES],
    ['Price', presentPrice(PRICE)],
    ['Issues of a basket', issuesOf(validationError([{ path: 'items.0', message: '' }]))[0] ?? {}],
    ['Breakdown', presentBreakdown(QUOTE_WITH_BREAKDOWN)],
    ['Component', presentBreakdown(QUOTE_WITH_BREAKDOWN).lines[0]?.components?.[0] ?? {}],
    ['Upload', presentUpload(UPLOAD, INSPECTION)],
    ['Order', presentOrder(ORDER)],
    ['Order details', presentOrderDetails(DETAILS)],
    ['Invoice', presentOwnInvoice(INVOICE, { timeZone: 'UTC', today: '2026-03-02' })],
    ['Account', presentOwnAccount(ACCOUNT, 'AUD')],
  ])('%s has the fields of its table, in that order', (title, resource) => {
    expect(SPECIFICATION.table(title).map(([field]) => field)).toEqual(fieldsOf(resource));
  });

  it('the body of an event has the documented fields', () => {
    const event = presentEvent({
      id: 'evt_00',
      type: 'order.received',
      createdAt: CREATED_AT,
      environment: 'test',
      sequence: 1,
      data: presentOrder(ORDER),
    });
    const told = SPECIFICATION.textBelow('Events').join(' ');
    for (const field of Object.keys(JSON.parse(event) as object)) expect(told).toContain(`\`${field}\``);
  });
});
