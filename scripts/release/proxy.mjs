// Sends requests through the proxy of docker-compose.yml, and checks its limits.

import { request } from 'node:https';
import { podman } from './containers.mjs';

const FORGED_ADDRESS = '203.0.113.9';

/**
 * @param proxy its port on this machine and the certificate of its authority
 * @returns the open response
 */
function open({ port, authority }, url, { method = 'GET', headers = {}, body } = {}) {
  const { hostname, pathname, search } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        servername: hostname,
        ca: authority,
        method,
        path: pathname + search,
        headers: { host: hostname, ...headers },
      },
      resolve,
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

export async function requestThrough(proxy, url, options) {
  const response = await open(proxy, url, options);
  const chunks = await response.toArray();
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

export async function checkProxy(check, services, proxy, { key, token }) {
  const { TRADE_HOST, STUDIO_HOST } = services.compose.services.proxy.environment;
  const trade = `https://${TRADE_HOST}`;
  const expectStatus = async (wanted, url, options) => {
    const response = await requestThrough(proxy, url, options);
    if (response.status !== wanted) throw new Error(`${url} is ${response.status}: ${response.text.slice(0, 200)}`);
    return response;
  };
  const post = (bytes) => ({
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': bytes },
    body: Buffer.alloc(bytes, ' '),
  });

  await check('the proxy serves both host names with TLS, and no other', async () => {
    const { headers } = await expectStatus(200, `${trade}/v1/catalogue`, { headers: { authorization: `Bearer ${key}` } });
    if (!headers['strict-transport-security']) throw new Error('the service does not know that the client used https');
    await expectStatus(200, `https://${STUDIO_HOST}/`);
    const other = await requestThrough(proxy, 'https://other.localhost/').catch((error) => error);
    if (!(other instanceof Error)) throw new Error(`another host name is ${other.status}`);
  });
  await check('the service sees the address of the client, and none that the client claims', async (note) => {
    const requestId = `release-${Date.now()}`;
    await expectStatus(401, `${trade}/v1/orders?${requestId}`, { headers: { 'x-forwarded-for': FORGED_ADDRESS } });
    const lines = (await podman('logs', services.container('api'))).split('\n').filter((line) => line.includes('"status":401'));
    const { source } = JSON.parse(lines.at(-1));
    const [{ NetworkSettings }] = JSON.parse(await podman('inspect', services.container('proxy')));
    const own = Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
    if (source === FORGED_ADDRESS || own.includes(source)) throw new Error(`the source is ${source}`);
    note(source);
  });
  await check('3 MiB get the error of the service; 5 MiB get it or 413 from the proxy, whichever comes first', async (note) => {
    const { text } = await expectStatus(400, `${trade}/v1/quotes`, post(3 * 1024 * 1024));
    if (!text.includes('VALIDATION_ERROR')) throw new Error(text.slice(0, 200));
    const { status } = await requestThrough(proxy, `${trade}/v1/quotes`, post(5 * 1024 * 1024)).catch((error) => ({ status: error.code }));
    if (![400, 413, 'EPIPE', 'ECONNRESET'].includes(status)) throw new Error(`5 MiB are ${status}`);
    note(status);
  });
  await check('40 kB of headers are 431', () => expectStatus(431, `${trade}/v1/catalogue`, { headers: { 'x-long': 'x'.repeat(40_000) } }));
  await check('the artwork store gets presigned requests only', () => expectStatus(403, `${trade}/artwork/uploads`));
  await check('events reach the studio at once', async (note) => {
    const startedAt = Date.now();
    const response = await open(proxy, `https://${STUDIO_HOST}/studio/v1/events/stream`, { headers: { authorization: `Bearer ${token}` } });
    const [first] = await Promise.race([
      (async () => {
        for await (const chunk of response) return [chunk.toString()];
        return ['the stream ended'];
      })(),
      new Promise((_resolve, reject) => setTimeout(() => reject(new Error('nothing within 10 s')), 10_000).unref()),
    ]).finally(() => response.destroy());
    if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${first}`);
    note(`${first.split('\n', 1)[0]} after ${Date.now() - startedAt} ms`);
  });
  await check('the proxy cannot reach PostgreSQL', async () => {
    const reached = await services.exec('proxy', 'nc', '-w', '2', 'postgres', '5432').then(
      () => true,
      () => false,
    );
    if (reached) throw new Error('it is in the network of the database');
  });
}
