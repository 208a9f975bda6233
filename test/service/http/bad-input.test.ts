import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { request as httpRequest } from 'undici';
import { aLine, anAddress, aQuoteRequest, uploadArtwork } from '../../support/baskets';
import { useService } from '../../support/fixtures';
import { aTrader, expectValidationPaths, expectNothingStored, type Trader } from './support';

const POSTS = ['/uploads', '/quotes', '/orders'] as const;
const KEY = { 'idempotency-key': 'bad input' };

describe('Bodies that cannot be read', () => {
  const service = useService(() => ({ worker: false }));
  let trader: Trader;
  // One trader per test, so rate limits do not interfere.
  beforeEach(async () => {
    trader = await aTrader(service);
  });

  const nestedJson = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const faults: [string, string | Buffer | undefined, Record<string, string>?][] = [
    ['no body', undefined],
    ['no body with a content type', undefined, { 'content-type': 'application/json' }],
    ['an empty body', ''],
    ['blanks', '  \n'],
    ['text that is not JSON', 'quoteId=1'],
    ['half a document', '{"quoteId":'],
    ['two documents', '{}{}'],
    ['a trailing comma', '{"quoteId":"x",}'],
    ['single quotes', "{'quoteId':'x'}"],
    ['NaN', '{"quantity":NaN}'],
    ['a byte order mark', '\uFEFF{}'],
    ['an array', '[{"quoteId":"x"}]'],
    ['null', 'null'],
    ['a string', '"quoteId"'],
    ['a number', '1'],
    ['another content type', '{}', { 'content-type': 'text/plain' }],
    ['a form', 'quoteId=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a JSON-like content type', '{}', { 'content-type': 'application/jsonp' }],
    ['an empty content type', '{}', { 'content-type': '' }],
    ['another charset', '{}', { 'content-type': 'application/json; charset=utf-16' }],
    ['gzip', gzipSync('{}'), { 'content-encoding': 'gzip' }],
    ['gzip without Content-Encoding', gzipSync('{}')],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['a surrogate encoded as UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d])],
    ['a depth of 1000', nestedJson(1000)],
    ['a depth of half a million', nestedJson(500_000)],
    ['more than 2 MiB', `{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`],
    ['150,000 keys', `{${Array.from({ length: 150_000 }, (_, key) => `"k${key}":0`).join(',')}}`],
    ['an array of 20,000 values', `{"a":[${Array.from({ length: 20_000 }, () => 0).join(',')}]}`],
  ];
  test.each(faults)(
    '%s is VALIDATION_ERROR at path "" on every endpoint with a body, and nothing is stored',
    async (_name, body, headers = {}) => {
      await expectNothingStored(service, trader.accountId, async () => {
        for (const path of POSTS) expectValidationPaths(await trader.trade.send('POST', path, body, { ...KEY, ...headers }), ['']);
      });
    },
  );

  it('the message names a byte order mark', async () => {
    const reply = await trader.trade.send('POST', '/quotes', '\uFEFF{}', KEY);
    expect(reply.json.error?.message).toContain('the body begins with a byte order mark (EF BB BF); send UTF-8 without one');
  });

  test.each<[string, number]>([
    ['/orders', 128 * 1024],
    ['/uploads', 16 * 1024],
  ])('%s accepts %i bytes and refuses one more', async (path, bytes) => {
    const body = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
    const required = path === '/orders' ? ['quoteId'] : ['filename', 'contentType', 'sizeBytes'];
    expectValidationPaths(await trader.trade.send('POST', path, body(bytes), KEY), required);
    expectValidationPaths(await trader.trade.send('POST', path, body(bytes + 1), KEY), ['']);
  });

  it('200 lines of 700 invalid selections are refused as too large, without checking each', async () => {
    const items = Array.from({ length: 200 }, () => ({
      variantSelections: Object.fromEntries(Array.from({ length: 700 }, (_, key) => [`k${key}`, 1])),
    }));
    expectValidationPaths(await trader.trade.post('/quotes', { items }), ['']);
  });

  it('of many issues the first 200 are listed, the others are counted, and the message names three', async () => {
    const items = Array.from({ length: 200 }, () => ({ productSlug: 7, quantity: '1', variantSelections: { a: 1, b: 2 } }));
    const { status, json } = await trader.trade.post('/quotes', { items, shippingAddress: null });
    expect([status, json.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(json.error?.details.issues).toHaveLength(200);
    expect(json.error?.details.omitted).toBe(200 * 4 + 1 - 200);
    expect(json.error?.message.split('; ')).toHaveLength(4);
    expect(json.error?.message).toMatch(/and 798 more$/);
  });

  test.each(['Identity', 'IDENTITY'])('Content-Encoding: %s counts as no encoding', async (encoding) => {
    expectValidationPaths(await trader.trade.send('POST', '/orders', '{}', { ...KEY, 'content-encoding': encoding }), ['quoteId']);
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json; version=1',
    'application/json;version=1; charset=utf-8',
  ])('the content type %s is accepted', async (type) => {
    expectValidationPaths(await trader.trade.send('POST', '/orders', '{}', { ...KEY, 'content-type': type }), ['quoteId']);
  });

  it('a body sent in chunks is capped at 2 MiB too', async () => {
    async function* chunks() {
      yield Buffer.from('{"a":"');
      for (let sent = 0; sent <= 2 * 1024 * 1024; sent += 65_536) yield Buffer.alloc(65_536, 120);
      yield Buffer.from('"}');
    }
    const reply = await httpRequest(`${trader.trade.baseUrl}/uploads`, {
      method: 'POST',
      body: Readable.from(chunks()),
      headers: { authorization: `Bearer ${trader.testKey}`, 'content-type': 'application/json' },
    });
    expect(reply.statusCode).toBe(400);
    expect(await reply.body.json()).toMatchObject({ data: null, error: { code: 'VALIDATION_ERROR', details: { paths: [''] } } });
  });

  it('exactly 2 MiB are accepted, and one more byte is refused', async () => {
    const ofSize = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
    expectValidationPaths(await trader.trade.send('POST', '/quotes', ofSize(2 * 1024 * 1024)), [
      'items',
      'shippingAddress',
      ...['name', 'line1', 'city', 'state', 'postcode', 'country', 'email'].map((field) => `shippingAddress.${field}`),
    ]);
    expectValidationPaths(await trader.trade.send('POST', '/quotes', ofSize(2 * 1024 * 1024 + 1)), ['']);
  });

  it('unknown fields of any kind are ignored', async () => {
    const unknown = { unknown: { deep: [1, null, { x: true }] }, constructor: 1, hasOwnProperty: 'x', toString: null, '': 0, 'a.b': 1 };
    const body = JSON.stringify({ filename: 'a.jpg', contentType: 'image/jpeg', sizeBytes: 1, ...unknown });
    expect((await trader.trade.send('POST', '/uploads', body)).status).toBe(201);
    expect((await trader.trade.send('POST', '/uploads', body.replace('{', '{"__proto__":{"filename":1},'))).status).toBe(201);
  });

  it('an own __proto__ never replaces a missing field', async () => {
    expectValidationPaths(
      await trader.trade.send('POST', '/uploads', '{"__proto__":{"filename":"a.jpg","contentType":"image/jpeg","sizeBytes":1}}'),
      ['filename', 'contentType', 'sizeBytes'],
    );
    expectValidationPaths(await trader.trade.send('POST', '/orders', '{"__proto__":{"quoteId":"quo_00"}}', KEY), ['quoteId']);
  });

  it('__proto__ and constructor as variant keys are ignored like any unknown key', async () => {
    const { trade } = await aTrader(service);
    const text = JSON.stringify(await aQuoteRequest(trade));
    const odd = text.replace(
      '"variantSelections":{',
      '"variantSelections":{"__proto__":"x","constructor":"y","hasOwnProperty":"z","toString":"",',
    );
    expect((await trade.send('POST', '/quotes', odd)).status).toBe(201);
    const prototype = text.replace('"variantSelections":{', '"variantSelections":{"__proto__":{"borderMm":"10"},');
    expect((await trade.send('POST', '/quotes', prototype)).json.error?.code).toBe('VALIDATION_ERROR');
    expect(({} as Record<string, unknown>).borderMm).toBeUndefined();
  });

  it('200 full lines fit in the cap and are priced', async () => {
    const { trade } = await aTrader(service);
    const imageUrl = await uploadArtwork(trade);
    const full = '🖼'.repeat(128);
    const items = Array.from({ length: 200 }, () =>
      aLine(imageUrl, {
        externalReference: full,
        variantSelections: {
          artworkWidthMm: '300',
          artworkHeightMm: '400',
          mediaId: 'media-cotton-rag-310',
          borderMm: '20',
          borderMode: 'outside',
          tornEdge: 'false',
          sleeve: 'A2',
          note: 'x'.repeat(200),
        },
      }),
    );
    const text = '🖼'.repeat(200);
    const request = {
      items,
      shippingMethodId: 'studio-collection',
      shippingAddress: anAddress({ name: text, company: text, line1: text, line2: text }),
    };
    const reply = await trade.post('/quotes', request);
    expect({ status: reply.status, error: reply.json.error }).toEqual({ status: 201, error: null });
    expect(reply.json.data.lines).toHaveLength(200);
    expect(reply.json.data.lines[199].externalReference).toBe(full);
  });
});
