import type { AddressInfo } from 'node:net';
import { ApiError } from '../../../src/domain/errors';
import { createApi } from '../../../src/http/api';
import { exactDocument } from '../../../src/http/openapi/document';
import { TRADE_API } from '../../../src/http/openapi/trade';
import { admitTrade } from '../../../src/http/middleware/admission';
import { ENDPOINTS } from '../../../src/http/trade/endpoints';
import { STUDIO_ENDPOINTS } from '../../../src/http/studio/endpoints';
import type { TradeDeps } from '../../../src/http/deps';
import type { Endpoint, TradeCaller } from '../../../src/http/types';
import { closeServer, listen } from '../../../src/http-server/listen';
import { HttpClient } from '../../support/client';
import { useSharedService, useFixture } from '../../support/fixtures';

const SINCE = new Date('2026-03-01T00:00:00.000Z');
const SUNSET = new Date('2027-03-01T00:00:00.000Z');
const DAY_MS = 86_400_000;

const endpointRow = (path: string, changes: Partial<Endpoint> = {}): Endpoint => ({
  method: 'GET',
  path,
  name: `GET ${path}`,
  scope: 'price:read',
  perMinute: 120,
  status: 200,
  id: 'going',
  tag: 'Test',
  summary: 'on its way',
  response: { type: 'object' },
  example: {},
  handler: async () => ({ data: {} }),
  ...changes,
});
const deprecated = { since: SINCE, sunset: SUNSET };
const TABLE: readonly Endpoint[] = [
  endpointRow('/kept'),
  endpointRow('/going', { deprecated }),
  endpointRow('/moved', { deprecated: { ...deprecated, link: 'https://studio.example/moved' } }),
  endpointRow('/refusing', {
    deprecated,
    handler: async () => {
      throw new ApiError('NOT_FOUND', 'there is no such thing');
    },
  }),
];

describe('a deprecated endpoint', () => {
  const service = useSharedService({ worker: false });
  const server = useFixture(() => {
    const app = createApi<TradeDeps, TradeCaller, Endpoint>(service.deps, {
      prefix: '/v1',
      endpoints: TABLE,
      unknownFields: 'ignored',
      corsOrigins: [],
      hasReadinessDetails: false,
      callerKeyOf: ({ keyId }) => keyId,
      admit: (request, asked, head) => admitTrade(service.deps, request, asked, head),
      credentialOf: () => '',
      removeLatestHit: async () => undefined,
    });
    return listen(app.callback(), 0, '127.0.0.1');
  }, closeServer);
  const serverUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

  it('is marked in the contract, and other endpoints are not', () => {
    const endpoints = TABLE.map((endpoint) => ({ ...endpoint, admission: { requirement: 'nothing', perMinute: 1 } }));
    const { paths } = exactDocument({ ...TRADE_API, endpoints }) as { paths: Record<string, { get: { deprecated?: boolean } }> };
    expect(Object.entries(paths).map(([path, { get }]) => [path, get.deprecated ?? false])).toEqual(
      TABLE.map(({ path, deprecated: going }) => [path, going !== undefined]),
    );
  });
  const requestHeaders = async (path: string, key = service.account.testKey) => {
    const { status, headers } = await new HttpClient(serverUrl(), key).get(path);
    return [status, headers['deprecation'], headers['sunset'], headers['link']];
  };
  const GUIDE = '</docs/guides/versioning>; rel="deprecation", </docs/guides/versioning>; rel="sunset"';

  it('states its deprecation and removal dates and links to instructions', async () => {
    expect(await requestHeaders('/going')).toEqual([200, '@1772323200', 'Mon, 01 Mar 2027 00:00:00 GMT', GUIDE]);
  });

  it('may link to a separate page', async () => {
    const [, , , link] = await requestHeaders('/moved');
    expect(link).toBe('<https://studio.example/moved>; rel="deprecation", <https://studio.example/moved>; rel="sunset"');
  });

  it('has these headers in error responses, but not in a 401', async () => {
    expect(await requestHeaders('/refusing')).toEqual([404, '@1772323200', 'Mon, 01 Mar 2027 00:00:00 GMT', GUIDE]);
    expect(await requestHeaders('/going', 'lpk_no')).toEqual([401, undefined, undefined, undefined]);
  });

  it('other endpoints have no such headers', async () => {
    expect(await requestHeaders('/kept')).toEqual([200, undefined, undefined, undefined]);
  });

  it('has at least one year until removal, in both tables', () => {
    const noticeDays = [...ENDPOINTS, ...STUDIO_ENDPOINTS].flatMap(({ deprecated: end }) =>
      end === undefined ? [] : [(end.sunset.getTime() - end.since.getTime()) / DAY_MS],
    );
    expect(noticeDays.filter((days) => days < 365)).toEqual([]);
  });
});
