import type { Dispatcher } from 'undici';
import type { Reply } from '../../support/client';
import { HttpClient } from '../../support/client';
import { sharedService } from '../../support/service';
import { useService } from '../../support/fixtures';
import { expectRefusal } from './support';

const SHOP = 'https://shop.example';
/** Tracing libraries add the last three to each request. */
const REQUESTED_HEADERS = 'authorization,content-type,idempotency-key,baggage,sentry-trace,traceparent';
const OTHERS = ['https://other.example', 'https://shop.example:8443', 'http://shop.example', 'null', ''];

/** The part of a response that a browser shows to a page of the origin. */
const allowedOrigin = (reply: Reply) => reply.headers['access-control-allow-origin'];
const corsHeaders = (reply: Reply) => Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'));

function preflight(client: HttpClient, path: string, origin: string, method: Dispatcher.HttpMethod = 'POST'): Promise<Reply> {
  return client.send('OPTIONS', path, undefined, {
    ...(origin === '' ? {} : { origin }),
    'access-control-request-method': method,
    'access-control-request-headers': REQUESTED_HEADERS,
  });
}

describe('pages of the origins in API_CORS_ORIGINS', () => {
  const service = useService(() => ({ worker: false, env: { API_CORS_ORIGINS: `https://desk.example,${SHOP}` } }));
  let stranger: HttpClient;
  beforeAll(async () => {
    stranger = new HttpClient(`http://127.0.0.1:${service.api.tradePort}/v1`);
  });
  const trade = () => service.trade(service.account.testKey);

  it.each(['/orders', '/orders/ord_00', '/nothing/here'])('may send a preflight for %s without a key', async (path) => {
    const reply = await preflight(stranger, path, SHOP);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': SHOP,
      'access-control-allow-methods': 'GET, HEAD, PATCH, POST',
      'access-control-max-age': '600',
      vary: 'Origin',
      'service-request-id': expect.stringMatching(/^req_/),
    });
    expect(String(reply.headers['access-control-allow-headers']).split(', ')).toEqual(REQUESTED_HEADERS.split(','));
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('can read every response, also errors and 401, and the headers a client needs', async () => {
    const headers = { origin: SHOP };
    const replies = [
      await trade().get('/catalogue', headers),
      await trade().get('/nothing', headers),
      await trade().send('DELETE', '/orders', undefined, headers),
      await trade().post('/orders', {}, headers),
      await stranger.get('/orders', headers),
      await trade().send('OPTIONS', '/orders', undefined, headers),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 405, 400, 401, 405]);
    for (const reply of replies) {
      expect([allowedOrigin(reply), reply.headers['vary']]).toEqual([SHOP, 'Origin, Accept-Encoding']);
      const shown = String(reply.headers['access-control-expose-headers']).split(', ');
      for (const name of ['Service-Request-Id', 'Retry-After', 'Idempotent-Replayed', 'ETag', 'Allow', 'Deprecation', 'Sunset']) {
        expect(shown).toContain(name);
      }
    }
  });

  it.each(OTHERS)('pages of other origins may not: %p', async (origin) => {
    const asked = await preflight(stranger, '/orders', origin);
    expectRefusal(asked, 401, 'UNAUTHORIZED');
    const answered = await trade().get('/orders', origin === '' ? {} : { origin });
    expect([answered.status, answered.headers['vary']]).toEqual([200, 'Origin, Accept-Encoding']);
    expect([...corsHeaders(asked), ...corsHeaders(answered)]).toEqual([]);
  });

  it('send artwork to the store as well', async () => {
    const file = Buffer.from('0123456789');
    const { json } = await trade().post(
      '/uploads',
      { filename: 'a.png', contentType: 'image/png', sizeBytes: file.length },
      { origin: SHOP },
    );
    const store = new HttpClient(json.data.uploadUrl);
    const asked = await store.send('OPTIONS', '', undefined, {
      origin: SHOP,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,x-datadog-trace-id,traceparent',
    });
    expect([asked.status, allowedOrigin(asked)]).toEqual([204, '*']);
    expect(asked.headers['access-control-allow-headers']).toBe('content-type, x-datadog-trace-id, traceparent');
    expect(String(asked.headers['access-control-allow-methods'])).toContain('PUT');
    const put = await store.send('PUT', '', file, { origin: SHOP, 'content-type': 'image/png' });
    expect([put.status, allowedOrigin(put)]).toEqual([200, '*']);
  });

  it('may not call the studio API', async () => {
    const asked = await preflight(service.studio(''), '/orders', SHOP);
    expect([asked.status, corsHeaders(asked)]).toEqual([401, []]);
  });
});

it('no page may without the setting, and there are no CORS headers', async () => {
  const service = await sharedService({ worker: false });
  try {
    const trade = service.trade(service.account.testKey);
    expectRefusal(await preflight(trade, '/orders', SHOP), 405, 'METHOD_NOT_ALLOWED');
    const reply = await trade.get('/orders', { origin: SHOP });
    expect([reply.status, corsHeaders(reply), reply.headers['vary']]).toEqual([200, [], 'Accept-Encoding']);
  } finally {
    await service.stop();
  }
});
