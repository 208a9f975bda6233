import { ENDPOINTS as SERVED } from '../../../src/http/trade/endpoints';
import { STUDIO_ENDPOINTS } from '../../../src/http/studio/endpoints';
import type { HttpClient, Reply } from '../../support/client';
import { useSharedService } from '../../support/fixtures';
import { aToken } from './studio/support';
import { anotherKey, expectCommonHeaders, expectRefusal } from './support';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

/** Each path of a table with its supported methods: HEAD if it has GET. */
function methodsByPath(endpoints: readonly { method: string; path: string }[]): [string, string[]][] {
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  const servedMethods = (at: string): string[] => endpoints.filter(({ path }) => path === at).map(({ method }) => method);
  return paths.map((path) => [
    path,
    [...new Set(servedMethods(path).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].toSorted(),
  ]);
}

/** `GET /price-books/try` has no such version: it is 404, not 405. */
const NOT_FOUND_CALLS = new Set(['GET /price-books/try', 'HEAD /price-books/try']);

const fillParameters = (path: string): string => path.replace(/:\w+/g, 'x');

/** A response to HEAD has no body to check. */
function expectNotAllowed(reply: Reply, method: string, allow: string[]): void {
  if (method === 'HEAD') expect(reply.status).toBe(405);
  else expectRefusal(reply, 405, 'METHOD_NOT_ALLOWED');
  expectCommonHeaders(reply);
  expect(reply.headers['allow']).toBe(allow.join(', '));
}

describe('unsupported methods of a path', () => {
  const service = useSharedService({ worker: false });

  async function expectOthersRefused(client: HttpClient, path: string, allow: string[]): Promise<void> {
    for (const method of METHODS.filter((one) => !allow.includes(one) && !NOT_FOUND_CALLS.has(`${one} ${path}`))) {
      expectNotAllowed(await client.send(method, fillParameters(path)), method, allow);
    }
  }

  it.each(methodsByPath(SERVED))('trade API %s: 405 with Allow %p', async (path, allow) => {
    await expectOthersRefused(service.trade(service.account.testKey), path, allow);
  });

  it.each(methodsByPath(STUDIO_ENDPOINTS))('studio API %s: 405 with Allow %p', async (path, allow) => {
    await expectOthersRefused(service.studio(), path, allow);
  });

  it('are 401 without a key and do not show the supported methods', async () => {
    for (const client of [service.trade('lpk_no'), service.studio('lps_no')]) {
      const reply = await client.send('PUT', '/orders');
      expectRefusal(reply, 401, 'UNAUTHORIZED');
      expect(reply.headers).not.toHaveProperty('allow');
    }
  });

  it('are 405 before scopes and roles are checked', async () => {
    const trade = await anotherKey(service, service.account.accountId, { scopes: [] });
    expectNotAllowed(await trade.send('DELETE', '/orders'), 'DELETE', ['GET', 'HEAD', 'POST']);
    const floor = service.studio(await aToken(service, 'floor'));
    expectNotAllowed(await floor.send('DELETE', '/tokens'), 'DELETE', ['GET', 'HEAD', 'POST']);
  });

  it('do not count towards a rate limit', async () => {
    const trade = await anotherKey(service, service.account.accountId);
    const replies = await Promise.all(Array.from({ length: 130 }, () => trade.send('DELETE', '/orders')));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([405]));
    expect((await trade.get('/orders')).status).toBe(200);
  });

  it('an unknown path is 404 for every method', async () => {
    for (const method of ['GET', 'PUT', 'OPTIONS'] as const) {
      expectRefusal(await service.trade(service.account.testKey).send(method, '/nothing'), 404, 'NOT_FOUND');
      expectRefusal(await service.studio().send(method, '/nothing'), 404, 'NOT_FOUND');
    }
  });

  it('HEAD returns the response of GET without the body', async () => {
    const trade = service.trade(service.account.testKey);
    const [got, head] = [await trade.get('/catalogue'), await trade.send('HEAD', '/catalogue')];
    expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', got.headers['etag']]);
  });
});
