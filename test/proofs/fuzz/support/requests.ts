import fc from 'fast-check';
import { STORED_SECTIONS } from '../../../../src/domain/catalogue';
import { SEED_CATALOGUE } from '../../../../src/db/seed/catalogue';
import { FIRST_PRICE_BOOK } from '../../../../src/db/seed/price-book';
import { ENDPOINTS } from '../../../../src/http/trade/endpoints';
import { ORDER_STATUSES } from '../../../../src/domain/order-status';
import { advanceRequest } from '../../../../src/http/trade/orders/advance';
import { CATALOGUE_ROW } from '../../../../src/http/studio/catalogue';
import { STUDIO_ENDPOINTS } from '../../../../src/http/studio/endpoints';
import { EVERY_ITEM } from '../../../unit/domain/pricing/damaged-books';
import { brokenTextOf, jsonOf, mutatedJsonOf, oddValue, valuesOf, type Known } from './values';
import type { Environment } from './world';

/** One request, its ids still placeholders (see `World.resolved`), so that a seed makes the same requests against any database. */
export interface Plan {
  api: 'trade' | 'studio';
  /** Name of the endpoint it is meant for, for counting. */
  endpoint: string;
  method: string;
  path: string;
  /** A list is sent as the header again and again. */
  headers: Record<string, string | string[]>;
  body: string | Buffer | null;
  credential: Credential;
}
export type Credential =
  | { kind: 'good'; environment: Environment }
  | { kind: 'role'; role: 'floor' | 'office' | 'admin' }
  | { kind: 'bad'; at: number }
  | { kind: 'sent'; text: string }
  | { kind: 'none' };

/** What is fuzzed: both tables, whatever stands in them. */
interface Target {
  api: 'trade' | 'studio';
  endpoint: string;
  method: string;
  path: string;
  body: fc.Arbitrary<unknown> | null;
  query: readonly string[];
  credential: fc.Arbitrary<Credential>;
}

const one = (pool: string): fc.Arbitrary<string> => fc.nat({ max: 999 }).map((at) => `@@${pool}:${at}@@`);

const item = fc
  .tuple(
    fc.constantFrom(...EVERY_ITEM),
    fc.integer({ min: 1, max: 40 }),
    fc.option(fc.string({ maxLength: 20 }), { nil: undefined }),
    fc.boolean(),
  )
  .map(([{ productSlug, variantSelections }, quantity, externalReference, isDear]) => ({
    productSlug,
    variantSelections,
    quantity: isDear ? 1 : quantity,
    imageUrl: '@@uploads:0@@',
    ...(externalReference === undefined ? {} : { externalReference: externalReference.replaceAll('\u0000', '0') }),
  }));

const KNOWN: Known = {
  items: fc.array(item, { minLength: 1, maxLength: 3 }),
  shippingMethodId: fc.constantFrom('studio-collection', 'studio-collection', 'studio-collection', 'art-courier'),
  country: fc.constantFrom('AU', 'AU', 'AU', 'AU', 'AU', 'au', 'NZ', 'DE'),
  postcode: fc.constantFrom('3000', '0872', '6011'),
  rushTier: fc.constantFrom('standard', 'express'),
  quoteId: fc.oneof({ weight: 6, arbitrary: fc.constant('@@fresh-quote@@') }, { weight: 1, arbitrary: one('quotes') }),
  book: fc.constantFrom({ ...FIRST_PRICE_BOOK }, { ...FIRST_PRICE_BOOK, assemblyCents: 4000 }),
  effectiveAt: fc.constantFrom(null, '2090-01-01T00:00:00Z'),
  url: one('hooks'),
  milestoneId: fc.oneof(fc.uuid(), fc.constant('before-1')),
  parcelId: fc.oneof(fc.uuid(), fc.constant('parcel-1')),
  paymentId: fc.oneof(fc.uuid(), fc.constant('payment-1')),
  amountCents: fc.constantFrom(1, 2, 100),
  receivedAt: fc.constantFrom(null, '2026-01-31T09:30:00Z'),
  occurredAt: fc.constantFrom(null, '2026-01-31T09:30:00Z'),
  since: fc.constant('2026-01-01T00:00:00Z'),
  until: fc.constant('2026-02-01T00:00:00Z'),
};

/** Query parameters by name; what has no entry gets a word. */
const QUERY: Known = {
  limit: fc.constantFrom('1', '2', '100'),
  environment: fc.constantFrom('live', 'test'),
  status: fc.constantFrom('received', 'shipped', 'cancelled'),
  accountId: one('accounts'),
  endpointId: one('webhook-endpoints'),
  orderId: one('orders'),
  after: one('events'),
  createdAfter: fc.constantFrom('2026-01-01T00:00:00Z', '2090-01-01T00:00:00Z'),
  createdBefore: fc.constantFrom('2026-01-01T00:00:00Z', '2090-01-01T00:00:00Z'),
  state: fc.constantFrom('pending', 'delivered', 'failed', 'held'),
  q: fc.oneof(one('orderNumbers'), fc.constantFrom('Ada', '%', '_', "'", 'ada@example.com')),
};

/** Exactly one of several fields, which a schema's fields do not tell. */
const ADVANCE = fc.oneof(
  fc.constantFrom(...ORDER_STATUSES).map((to) => ({ to })),
  fc.constantFrom({ parcel: {} }, { parcel: { trackingNumber: 'TR9' } }, { voidParcel: 'TR9' }, { voidParcel: 'parcel-1' }),
  fc.constantFrom({ printed: true }, { payment: {} }, { payment: { paymentId: 'pay-1', amountCents: 1 } }, { reversePayment: 'pay-1' }),
  fc.constantFrom({ remake: {} }, { remake: { remakeId: 'r-1' } }, { ofRemake: 0, to: 'shipped' }),
);

const TRADE: Target[] = ENDPOINTS.map(({ method, path, name, body, query = {} }) => ({
  api: 'trade',
  endpoint: name,
  method,
  path,
  body: body === undefined ? null : body === advanceRequest ? ADVANCE : valuesOf(body, KNOWN),
  query: Object.keys(query),
  credential: fc.constantFrom<Environment>('test', 'test', 'live').map((environment) => ({ kind: 'good', environment })),
}));
// An event stream goes on until somebody hangs up: test/service/http/studio/event-stream.test.ts.
const STUDIO: Target[] = STUDIO_ENDPOINTS.filter(({ media }) => media !== 'text/event-stream').map(
  ({ method, path, name, body, query = {} }) => ({
    api: 'studio',
    endpoint: name,
    method,
    path,
    body: body === undefined ? null : valuesOf(body, KNOWN),
    query: Object.keys(query),
    credential: fc.oneof(
      { weight: 9, arbitrary: fc.constant<Credential>({ kind: 'role', role: 'admin' }) },
      { weight: 1, arbitrary: fc.constantFrom<Credential>({ kind: 'role', role: 'office' }, { kind: 'role', role: 'floor' }) },
    ),
  }),
);

const ODD_IDS = [
  '%00',
  '%',
  '%zz',
  '%ff%fe',
  '..',
  '.',
  '%2e%2e%2f',
  '__proto__',
  'constructor',
  'ord_',
  'quo_xyz',
  'ORD_00',
  `ord_${'0'.repeat(32)}`,
  `acc_${'f'.repeat(60)}`,
  "ord_0'--",
  '%0a',
  '%F0%9F%96%BC',
  '0',
  '-1',
  '1e3',
  '9'.repeat(40),
  'a'.repeat(3000),
  '%ED%A0%80',
  'canvasMouldings',
];
/** Where what stands before an id names no pool. */
const POOL_BEHIND: Record<string, string> = { uploads: 'upload-ids', 'webhook-deliveries': 'deliveries' };
const POOL_OF: Record<string, string> = {
  keyId: 'keys',
  parcelId: 'parcels',
  paymentId: 'payments',
  milestoneId: 'milestones',
  section: 'catalogue',
  version: 'price-books',
};

function pathOf(path: string, method: string): fc.Arbitrary<string> {
  const parts = idsOf(path, method);
  return path.startsWith('/catalogue/:section/:id')
    ? fc.oneof({ weight: 4, arbitrary: one('rows').map((row) => `/catalogue/${row}`) }, { weight: 1, arbitrary: parts })
    : parts;
}

function idsOf(path: string, method: string): fc.Arbitrary<string> {
  const parts = path.split('/').map((part, at, all): fc.Arbitrary<string> => {
    if (!part.startsWith(':')) return fc.constant(part);
    const before = all[at - 1] ?? '';
    const pool = POOL_OF[part.slice(1)] ?? (method === 'DELETE' ? `${before}-to-delete` : (POOL_BEHIND[before] ?? before));
    return fc.oneof(
      { weight: 6, arbitrary: one(pool) },
      { weight: 1, arbitrary: fc.constantFrom(...ODD_IDS) },
      { weight: 1, arbitrary: fc.constantFrom('orders', 'quotes', 'accounts', 'tokens', 'deliveries').chain(one) },
    );
  });
  return fc.tuple(...parts).map((all) => all.join('/'));
}

const ODD_QUERY = [
  'limit=0',
  'limit=101',
  'limit=1&limit=2',
  'limit=%00',
  'limit',
  'cursor=',
  'cursor=AAAA',
  `cursor=${'A'.repeat(2000)}`,
  'cursor=MTc2Mzc2MzcwMC5vcmRfMDA',
  '__proto__=1',
  'q=%ED%A0%80',
  'q=%',
  'x[y]=1',
  '&&&=',
  'q=%00',
  'status=status',
  'environment=both',
];
function queryOf(names: readonly string[]): fc.Arbitrary<string> {
  const good = fc
    .subarray([...names])
    .chain((some) =>
      fc
        .tuple(
          ...some
            .filter((name) => name !== 'cursor')
            .map((name) => (QUERY[name] ?? fc.constantFrom('a', 'b')).map((value) => `${name}=${String(value)}`)),
        )
        .map((pairs) => pairs.join('&')),
    );
  return fc.oneof(
    { weight: 8, arbitrary: good },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_QUERY) },
    { weight: 1, arbitrary: one('cursors').map((cursor) => `limit=2&cursor=${cursor}`) },
  );
}

const ODD_HEADERS = fc.constantFrom<Record<string, string | string[]>>(
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': '' },
  { 'content-type': 'application/json;;;' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'identity' },
  { 'idempotency-key': '' },
  { 'idempotency-key': ['a', 'b'] },
  { 'idempotency-key': '\xff\xfe' },
  { 'idempotency-key': 'x'.repeat(256) },
  { 'service-request-id': '<script>' },
  { 'service-request-id': ['a', 'b'] },
  { 'if-none-match': '*' },
  { 'if-none-match': 'W/"x", "y"' },
  { accept: 'text/html' },
  { range: 'bytes=0-1' },
  { host: 'evil.example' },
  { host: '::' },
  { 'x-forwarded-for': '1.2.3.4' },
  { 'x-http-method-override': 'DELETE' },
  { cookie: 'a=b' },
  { te: 'trailers' },
  { 'x-odd': '\t\x80ÿ' },
  { 'x-large': 'x'.repeat(10_000) },
  { connection: 'close' },
);

const ODD_CREDENTIALS = fc.oneof(
  fc.constant<Credential>({ kind: 'none' }),
  fc.nat({ max: 9 }).map((at): Credential => ({ kind: 'bad', at })),
  fc
    .constantFrom(
      'Bearer',
      'Bearer ',
      'Basic YTpi',
      `Bearer lpk_test_${'0'.repeat(64)}`,
      `Bearer lps_${'0'.repeat(64)}`,
      `bearer ${'x'.repeat(5000)}`,
      "Bearer ' OR 1=1",
      'Bearer \xff',
    )
    .map((text): Credential => ({ kind: 'sent', text })),
);

const ODD_METHODS = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');

/** Bodies: mostly right, often changed, sometimes no JSON at all. */
function bodyOf(values: fc.Arbitrary<unknown> | null): fc.Arbitrary<string | Buffer | null> {
  if (values === null) return fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: jsonOf(oddValue) });
  return fc.oneof(
    { weight: 10, arbitrary: jsonOf(values) },
    { weight: 7, arbitrary: mutatedJsonOf(values) },
    { weight: 1, arbitrary: brokenTextOf(jsonOf(values)) },
    { weight: 1, arbitrary: jsonOf(oddValue) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

function planOf(target: Target): fc.Arbitrary<Plan> {
  const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 15): fc.Arbitrary<T> =>
    fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });
  return fc
    .record({
      method: rarely(fc.constant(target.method), ODD_METHODS, 40),
      path: pathOf(target.path, target.method),
      query: queryOf(target.method === 'GET' ? target.query : []),
      headers: rarely(fc.constant<Record<string, string | string[]>>({}), ODD_HEADERS),
      body: bodyOf(target.body),
      credential: rarely(target.credential, ODD_CREDENTIALS, 30),
      idempotencyKey: fc.uuid(),
    })
    .map(({ query, headers, idempotencyKey, path, ...rest }) => ({
      ...rest,
      api: target.api,
      endpoint: target.endpoint,
      path: query === '' ? path : `${path}?${query}`,
      headers: {
        ...(target.endpoint === 'POST /orders' ? { 'idempotency-key': idempotencyKey } : {}),
        ...(rest.body === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    }));
}

/**
 * A row of a section put under an id of its own, withdrawn, so that no price book must price it; the table knows no more than that it is an
 * object.
 */
const putRow: fc.Arbitrary<Plan> = fc.constantFrom(...STORED_SECTIONS.filter((section) => section !== 'products')).chain((section) => {
  const [idField = 'id'] = Object.keys(SEED_CATALOGUE[section][0] ?? {});
  const row = fc
    .oneof(valuesOf(CATALOGUE_ROW[section], {}), fc.constantFrom<object>(...SEED_CATALOGUE[section]))
    .map((fields) => ({ ...(fields as object), [idField]: undefined, withdrawn: true }));
  const [target] = STUDIO.filter(({ method, path }) => method === 'PUT' && path === '/catalogue/:section/:id');
  return target === undefined ? fc.constantFrom<Plan>() : planOf({ ...target, path: `/catalogue/${section}/fuzz-${section}`, body: row });
});

/** Both APIs alike, every endpoint of each table as often. */
export const anyPlan: fc.Arbitrary<Plan> = fc.oneof(
  fc.oneof(...TRADE.map(planOf)),
  fc.oneof(...STUDIO.map((target) => (target.method === 'PUT' ? fc.oneof(putRow, planOf(target)) : planOf(target)))),
);
