import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { anOrder } from '../../support/baskets';
import { useFixture, useSharedService } from '../../support/fixtures';
import { aTrader } from './support';

interface CompressedResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync };

describe('compression', () => {
  const service = useSharedService();
  const trader = useFixture(() => aTrader(service));
  let trade: string;
  let studio: string;
  beforeAll(async () => {
    trade = `http://127.0.0.1:${service.api.tradePort}`;
    studio = `http://127.0.0.1:${service.api.studioPort}`;
    for (let orders = 0; orders < 3; orders += 1) await anOrder(trader.trade);
  });

  interface Asked {
    method?: 'GET' | 'HEAD';
    token?: string;
    etag?: string;
  }

  async function sendRequest(
    url: string,
    accept: string | undefined,
    { method = 'GET', token = trader.testKey, etag }: Asked = {},
  ): Promise<CompressedResponse> {
    const reply = await request(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(accept === undefined ? {} : { 'accept-encoding': accept }),
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      },
    });
    return { status: reply.statusCode, headers: reply.headers, bytes: Buffer.from(await reply.body.arrayBuffer()) };
  }

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['br;q=0.1, gzip', 'gzip'],
    ['gzip;q=0.8, br;q=0.8', 'br'],
    ['gzip;q=0.5, br;q=0.4, *;q=0.1', 'gzip'],
    ['deflate, gzip;q=0.1', 'gzip'],
    ['*', 'br'],
  ] as const)('a list for a client that accepts %s is sent in %s with the same content', async (accept, encoding) => {
    const plain = await sendRequest(`${trade}/v1/orders`, undefined);
    const { status, headers, bytes } = await sendRequest(`${trade}/v1/orders`, accept);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(bytes.length),
      vary: expect.stringContaining('Accept-Encoding'),
    });
    expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(DECODE[encoding](bytes).equals(plain.bytes)).toBe(true);
  });

  it.each([undefined, 'identity', 'br;q=0, gzip;q=0', 'zstd'])('a client that accepts %s gets it uncompressed', async (accept) => {
    const { headers, bytes } = await sendRequest(`${trade}/v1/orders`, accept);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toContain('Accept-Encoding');
    expect(JSON.parse(bytes.toString('utf8')).data).toHaveLength(3);
  });

  it('brotli uses quality 4', async () => {
    const [plain, { bytes }] = await Promise.all([
      sendRequest(`${trade}/v1/catalogue`, undefined),
      sendRequest(`${trade}/v1/catalogue`, 'br'),
    ]);
    expect(bytes.equals(brotliCompressSync(plain.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }))).toBe(true);
  });

  it('a response of up to 1 KiB is not compressed', async () => {
    const { headers, bytes } = await sendRequest(`${trade}/v1/events/latest`, 'br');
    expect(bytes.length).toBeLessThanOrEqual(1024);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers.vary).toContain('Accept-Encoding');
  });

  it('a long error response is compressed', async () => {
    const { body, statusCode, headers } = await request(`${trade}/v1/quotes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${trader.testKey}`, 'content-type': 'application/json', 'accept-encoding': 'br' },
      body: JSON.stringify({ items: Array.from({ length: 50 }, () => ({})), shippingAddress: {} }),
    });
    expect([statusCode, headers['content-encoding']]).toEqual([400, 'br']);
    expect(JSON.parse(brotliDecompressSync(Buffer.from(await body.arrayBuffer())).toString('utf8')).error.code).toBe('VALIDATION_ERROR');
  });

  it("the catalogue's ETag is weak if compressed, and both forms give 304", async () => {
    const plain = await sendRequest(`${trade}/v1/catalogue`, undefined);
    const small = await sendRequest(`${trade}/v1/catalogue`, 'gzip');
    expect(small.headers.etag).toBe(`W/${String(plain.headers.etag)}`);
    for (const etag of [plain.headers.etag, small.headers.etag]) {
      const again = await sendRequest(`${trade}/v1/catalogue`, 'gzip', { etag: String(etag) });
      expect([again.status, again.bytes.length, again.headers['content-encoding']]).toEqual([304, 0, undefined]);
      expect(again.headers.vary).toContain('Accept-Encoding');
    }
  });

  it('HEAD has the headers of GET', async () => {
    const [get, head] = await Promise.all([
      sendRequest(`${trade}/v1/orders`, 'br'),
      sendRequest(`${trade}/v1/orders`, 'br', { method: 'HEAD' }),
    ]);
    expect(head.bytes).toHaveLength(0);
    for (const name of ['content-encoding', 'content-length', 'vary']) expect(head.headers[name]).toEqual(get.headers[name]);
  });

  it('a CSV file is compressed while it is sent, and a PDF is not', async () => {
    const token = service.adminToken;
    const csv = `${studio}/studio/v1/orders.csv?environment=test&accountId=${trader.accountId}`;
    const plain = await sendRequest(csv, undefined, { token });
    const small = await sendRequest(csv, 'gzip, br', { token });
    expect(small.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(small.bytes).equals(plain.bytes)).toBe(true);
    expect(plain.bytes.toString('utf8').split('\r\n').length).toBeGreaterThan(3);
    const [order] = JSON.parse((await sendRequest(`${trade}/v1/orders`, undefined)).bytes.toString('utf8')).data as { orderId: string }[];
    const pdf = await sendRequest(`${studio}/studio/v1/orders/${order?.orderId}/job-sheet.pdf`, 'gzip, br', { token });
    expect([pdf.status, pdf.headers['content-encoding'], pdf.headers.vary]).toEqual([200, undefined, undefined]);
  });

  it('an event stream is not compressed', async () => {
    const { body, headers } = await request(`${studio}/studio/v1/events/stream`, {
      headers: { authorization: `Bearer ${service.adminToken}`, 'accept-encoding': 'gzip, br' },
    });
    body.on('error', () => undefined).destroy();
    expect([headers['content-type'], headers['content-encoding']]).toEqual(['text/event-stream', undefined]);
  });

  it.each(['/openapi.json', '/docs', '/docs/guides/quick-start'])('%s is sent in brotli or gzip', async (path) => {
    const plain = await sendRequest(trade + path, undefined);
    for (const encoding of ['br', 'gzip'] as const) {
      const { headers, bytes } = await sendRequest(trade + path, encoding);
      if (plain.bytes.length <= 1024) expect(headers['content-encoding']).toBeUndefined();
      else {
        expect(headers['content-encoding']).toBe(encoding);
        expect(DECODE[encoding](bytes).equals(plain.bytes)).toBe(true);
      }
      expect(headers.etag).toBe(plain.headers.etag);
    }
  });
});

describe('GET /', () => {
  const service = useSharedService();

  it('of the trade listener redirects to the reference', async () => {
    const base = `http://127.0.0.1:${service.api.tradePort}/`;
    const { statusCode, headers, body } = await request(base);
    await body.dump();
    expect([statusCode, new URL(String(headers.location), base).pathname]).toEqual([302, '/docs']);
    const posted = await request(base, { method: 'POST' });
    await posted.body.dump();
    expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('of the studio listener is the console', async () => {
    const { statusCode, headers, body } = await request(`http://127.0.0.1:${service.api.studioPort}/`);
    await body.dump();
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });
});
