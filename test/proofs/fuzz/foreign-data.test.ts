import fc from 'fast-check';
import { ORDER_STATUSES } from '../../../src/domain/order-status';
import { ENDPOINTS } from '../../../src/http/trade/endpoints';
import { newSecret } from '../../../src/security/ids';
import { useReceiver, useService } from '../../support/fixtures';
import { createWorld, type FuzzWorld } from './world';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 300);

interface FuzzRequest {
  method: string;
  path: string;
  body: unknown;
  isLive: boolean;
}

describe(`${REQUESTS} requests with ids of the caller and of others`, () => {
  const receiver = useReceiver();
  const service = useService(() => ({ env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, RATE_LIMIT_FACTOR: '1000000' } }));
  let world: FuzzWorld;
  beforeAll(async () => {
    world = await createWorld(service, receiver);
  });

  it(`show no data of another account or the studio, and no live orders to a test key (SEED=${SEED})`, async () => {
    let [asked, successes] = [0, 0];
    await fc.assert(
      fc.asyncProperty(anyRequest(world), async (request) => {
        const { status, text } = await send(request);
        asked += 1;
        if (status < 300) successes += 1;
        const sent = `${request.path} ${JSON.stringify(request.body)}`;
        const foreign = [...world.foreign, ...(request.isLive ? [] : world.live)];
        expect(foreign.filter((mark) => text.includes(mark) && !sent.includes(mark))).toEqual([]);
      }),
      { seed: SEED, numRuns: REQUESTS, endOnFailure: true },
    );
    // A run with only refusals proves nothing.
    expect(successes / asked).toBeGreaterThan(0.25);
  }, 1_800_000);

  async function send({ method, path, body, isLive }: FuzzRequest): Promise<{ status: number; text: string }> {
    const response = await fetch(`http://127.0.0.1:${service.api.tradePort}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${isLive ? world.mine.liveKey : world.mine.testKey}`,
        'content-type': 'application/json',
        'idempotency-key': newSecret(),
      },
      body: method === 'GET' ? null : JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  }
});

/** Requests every endpoint equally often, with ids, URLs and cursors of any account. */
function anyRequest({ valuesByName }: FuzzWorld): fc.Arbitrary<FuzzRequest> {
  const values: Record<string, fc.Arbitrary<unknown>> = {
    ...Object.fromEntries(Object.entries(valuesByName).map(([name, ids]) => [name, fc.constantFrom(...ids)])),
    limit: fc.constantFrom(1, 2, 100),
    line: fc.constant('0'),
    to: fc.constantFrom(...ORDER_STATUSES),
    shippingMethodId: fc.constant('studio-collection'),
  };
  return fc.constantFrom(...ENDPOINTS).chain(({ method, path, query = {}, requestExample }) => {
    const params = path
      .split('/')
      .map(
        (part, at, parts) =>
          (part.startsWith(':')
            ? values[parts[at - 1] === 'lines' ? 'line' : `/${parts[at - 1]}`]
            : fc.constant(part)) as fc.Arbitrary<unknown>,
      );
    const asked = Object.keys(query).flatMap((name) =>
      values[name] === undefined ? [] : [values[name].map((value) => `${name}=${String(value)}`)],
    );
    return fc.record({
      method: fc.constant(method),
      path: fc
        .tuple(
          fc.tuple(...params),
          fc.subarray(asked).chain((some) => fc.tuple(...some)),
        )
        .map(([parts, pairs]) => `${parts.join('/')}?${pairs.join('&')}`),
      body: arbitraryBodyLike(requestExample ?? {}, values),
      isLive: fc.boolean(),
    });
  });
}

/** The example, with other values in the fields of these names. */
function arbitraryBodyLike(example: unknown, values: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  if (Array.isArray(example)) return fc.tuple(...example.map((item) => arbitraryBodyLike(item, values)));
  if (typeof example !== 'object' || example === null) return fc.constant(example);
  const fields = Object.entries(example).map(([name, value]) => [name, values[name] ?? arbitraryBodyLike(value, values)]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, { noNullPrototype: true });
}
