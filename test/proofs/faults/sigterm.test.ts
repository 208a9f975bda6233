import { setImmediate } from 'node:timers/promises';
import { request as send } from 'undici';
import type { Dependencies } from '../../../src/processes/dependencies';
import { newSecret } from '../../../src/security/ids';
import { aKey, anAccount } from '../../support/accounts';
import { aQuote } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { copyQuote } from '../../support/row-copies';
import { anEndpoint } from '../../support/endpoints';
import { holdLock } from '../../support/held-lock';
import { useReceiver } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { PatientClient } from '../../support/repeat';
import type { ServiceName } from './support/stack';
import { useStack } from './support/use-stack';

const CLIENTS = 8;
/** A repeatable request with its response. */
interface ClientRequest {
  url: string;
  credential: string;
  key: string;
  body: object;
  status: number | null;
  text: string;
}

/** Processes of the service that get SIGTERM under load. */
describe('SIGTERM under load', () => {
  const receiver = useReceiver();
  const otherReceiver = useReceiver();
  const stack = useStack(() => ({
    env: {
      LOG_LEVEL: 'info',
      WEBHOOK_ALLOWED_ORIGINS: `${receiver.origin},${otherReceiver.origin}`,
      WEBHOOK_RETRY_SCHEDULE: '1ms,1s,1s,1s,1s,1s',
      RATE_LIMIT_FACTOR: '1000', // all payments use one token
    },
  }));
  let deps: Dependencies;
  let accountId: string;
  let totalCents: number;
  let modelQuoteId: string;
  let attempts: ClientRequest[];
  let stopped: boolean;

  beforeAll(async () => {
    deps = await stack.dependencies();
  });
  beforeEach(async () => {
    ({ accountId } = await anAccount(deps.database));
    ({ quoteId: modelQuoteId, totalCents } = await aQuote(new HttpClient(stack.tradeUrl, await aKey(deps.database, accountId))));
    attempts = [];
    stopped = false;
  });
  afterEach(() => {
    stopped = true;
  });

  const sql = <T = any>(text: string, parameters: unknown[] = []) => deps.database.rows<T>(text, parameters);
  const answered = () => attempts.filter(({ status }) => status !== null);
  const unanswered = () => attempts.filter(({ status }) => status === null);

  /** Each request has its own quote, and its own API key to avoid rate limits. */
  const anOrderRequestAttempt = async (): Promise<ClientRequest> => recordRequest(await anOrderRequest());

  async function anOrderRequest(): Promise<Pick<ClientRequest, 'url' | 'credential' | 'body'>> {
    const [quoteId] = await copyQuote(deps.database, modelQuoteId, 1);
    return { url: `${stack.tradeUrl}/orders`, credential: await aKey(deps.database, accountId), body: { quoteId } };
  }

  const createRequest = (request: Pick<ClientRequest, 'url' | 'credential' | 'body'>): ClientRequest => ({
    ...request,
    key: newSecret(),
    status: null,
    text: '',
  });

  function recordRequest(request: Pick<ClientRequest, 'url' | 'credential' | 'body'>): ClientRequest {
    const attempt = createRequest(request);
    attempts.push(attempt);
    return attempt;
  }

  /** Sends one request. Returns no response if the connection was refused or reset. A truncated response is a separate error. */
  async function sendRequest(attempt: ClientRequest): Promise<ClientRequest> {
    const { url, credential, key, body } = attempt;
    const reply = await send(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    }).catch(() => null);
    if (reply === null) return { ...attempt, status: null, text: '' };
    const text = await reply.body.text();
    JSON.parse(text);
    return { ...attempt, status: reply.statusCode, text };
  }

  /** Each client sends requests in sequence until `stopped`. It ends with a request without a response. */
  const sendContinuously = (next: (lane: number) => Promise<ClientRequest>) =>
    Promise.all(
      Array.from({ length: CLIENTS }, async (_, lane) => {
        while (!stopped) {
          const attempt = await next(lane);
          Object.assign(attempt, await sendRequest(attempt));
          if (attempt.status === null) return;
        }
      }),
    );

  /** Repeats a request until it has this status, after server errors and while it is still running. */
  const sendUntilStatus = (status: number, attempt: ClientRequest) =>
    waitFor(`${status} for ${attempt.key}`, async () => {
      const heard = await sendRequest(attempt);
      if (heard.status !== status) expect([null, 409, 500, 503]).toContain(heard.status);
      return heard.status === status && heard;
    });

  /** Every 201 is one order with one invoice, and its replay has the same bytes. */
  async function expectOneOrderEach(): Promise<void> {
    await Promise.all(
      attempts.map(async (attempt) => {
        const { text } = await sendUntilStatus(201, attempt);
        if (attempt.status === 201) expect(text).toBe(attempt.text);
      }),
    );
    const [books] = await sql(
      `
      SELECT (SELECT count(*) FROM orders WHERE account_id = $1)::int AS orders, (SELECT count(DISTINCT quote_id) FROM orders WHERE account_id = $1)::int AS quotes,
        (SELECT count(*) FROM invoices WHERE account_id = $1)::int AS invoices, (SELECT count(DISTINCT order_id) FROM invoices WHERE account_id = $1)::int AS invoiced`,
      [accountId],
    );
    expect(books).toEqual({ orders: attempts.length, quotes: attempts.length, invoices: attempts.length, invoiced: attempts.length });
    expect(await readOutstanding()).toBe(attempts.length * totalCents);
  }

  async function readOutstanding(): Promise<number> {
    const studio = new PatientClient(stack.studioUrl, stack.adminToken);
    return (await studio.get(`/accounts/${accountId}`)).json.data.test.outstandingCents;
  }

  /** Starts requests that wait for a lock on this table, sends SIGTERM, and then releases the lock. */
  async function stopDuringWork(part: ServiceName, table: string, waiting: number): Promise<void> {
    const lock = await holdLock(deps.database, `LOCK TABLE ${table} IN SHARE MODE`);
    await waitFor('requests in progress', async () => {
      const [found] = await sql('SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted AND relation = $1::regclass', [table]);
      return found.waiting >= waiting && unanswered().length === CLIENTS;
    });
    const end = await startTermination(part);
    await lock.release();
    expect(await end()).toEqual({ code: 0, signal: null });
  }

  async function startTermination(part: ServiceName): Promise<() => Promise<unknown>> {
    const stoppedBefore = stack.logOf(part).split('"stopping"').length;
    const end = stack.terminate(part);
    await waitFor(`the ${part} stops`, async () => stack.logOf(part).split('"stopping"').length > stoppedBefore);
    return () => end;
  }

  it('the API answers all accepted requests, accepts no others, and exits with 0', async () => {
    const lanes = sendContinuously(anOrderRequestAttempt);
    await waitFor('a load', async () => answered().length >= CLIENTS);
    // One request has the account's lock, one waits for the lock, and the others are queued in the process.
    await stopDuringWork('api', 'invoices', 1);
    await lanes;
    // On a slow machine, a request may wait longer for the lock than a client would.
    expect(answered().filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
    expect(unanswered()).toHaveLength(CLIENTS);
    expect(
      await sql('SELECT idempotency_key FROM idempotency_records WHERE idempotency_key = ANY($1)', [unanswered().map(({ key }) => key)]),
    ).toEqual([]);
    await stack.startPart('api');
    await stack.whenReady();
    await expectOneOrderEach();
  });

  it('the worker exits with 0, the next one finishes its work, and orders can be placed in between', async () => {
    const anOrder = async () => sendUntilStatus(201, createRequest(await anOrderRequest()));
    const orders = await Promise.all(
      Array.from({ length: CLIENTS }, async () => JSON.parse((await anOrder()).text).data.orderId as string),
    );
    let paid = 0;
    const lanes = sendContinuously(async (lane) =>
      recordRequest({
        url: `${stack.studioUrl}/orders/${orders[lane]}/payments`,
        credential: stack.studioToken,
        body: { paymentId: `pay-${(paid += 1)}`, amountCents: 1 },
      }),
    );
    await waitFor('a load', async () => answered().length >= CLIENTS);
    // One request has the account's lock, and the others are queued.
    await stopDuringWork('worker', 'payments', 1);
    await anOrder();
    const sofar = attempts.length;
    await stack.startPart('worker');
    await stack.whenReady();
    await waitFor('the next payments', async () => answered().filter(({ status }) => status === 200).length > sofar);
    stopped = true;
    await lanes;
    for (const { status } of attempts) expect([200, 500, 503]).toContain(status); // 503 if the next worker starts slowly
    for (const attempt of attempts) await sendUntilStatus(200, attempt);
    expect(await sql('SELECT id FROM payments WHERE order_id = ANY ($1)', [orders])).toHaveLength(attempts.length);
    expect(await readOutstanding()).toBe((CLIENTS + 1) * totalCents - attempts.length);
  });

  it('the relay records deliveries in progress, returns the others, and exits with 0', async () => {
    await anEndpoint(deps.database, accountId, receiver.url);
    const held: (() => void)[] = [];
    receiver.respondWith((_, response) => void held.push(() => response.writeHead(204).end()));
    // The held requests would time out while a slow machine places the other orders.
    expect(stack.freeze('relay')).toBe(true);
    try {
      await Promise.all(Array.from({ length: CLIENTS }, async () => sendUntilStatus(201, await anOrderRequestAttempt())));
    } finally {
      await stack.thaw('relay');
    }
    await waitFor('four requests in progress', async () => held.length === 4);
    const end = await startTermination('relay');
    receiver.respondWith((_, response) => void response.writeHead(204).end());
    for (const answer of held) answer();
    expect(await end()).toEqual({ code: 0, signal: null });
    const deliveryStates = () =>
      sql(
        "SELECT state, claimed_until IS NOT NULL AND state = 'pending' AS claimed, count(*)::int FROM webhook_deliveries d JOIN orders o ON o.id = d.order_id WHERE o.account_id = $1 GROUP BY 1, 2 ORDER BY 1",
        [accountId],
      );
    expect(await deliveryStates()).toEqual([
      { state: 'delivered', claimed: false, count: 4 },
      { state: 'pending', claimed: false, count: CLIENTS - 4 },
    ]);
    await stack.startPart('relay');
    await waitFor('the rest', async () => receiver.received.length >= CLIENTS);
    await waitFor('it is recorded', async () => (await deliveryStates()).length === 1);
    expect(receiver.eventIds().size).toBe(CLIENTS);
    expect(receiver.received).toHaveLength(CLIENTS);
    await stack.whenReady();
  });

  it('the relay ends with 0 while receivers hang, and the next one makes their attempts again', async () => {
    const endpoint = await anEndpoint(deps.database, accountId, receiver.url);
    await anEndpoint(deps.database, accountId, otherReceiver.url);
    const hasRetry = () => otherReceiver.received.length > otherReceiver.eventIds().size;
    const receivedBefore = receiver.received.length;
    const isRetry = (id: string) => otherReceiver.received.filter((event) => event.id === id).length > 1;
    receiver.respondWith(() => undefined);
    otherReceiver.respondWith(({ id }, response) => void (isRetry(id) || response.writeHead(500).end()));
    await Promise.all(Array.from({ length: CLIENTS }, async () => sendUntilStatus(201, await anOrderRequestAttempt())));
    await waitFor('first attempts and retries hang', async () => receiver.received.length >= receivedBefore + 4 && hasRetry());
    const sendPing = () => new HttpClient(stack.studioUrl, stack.adminToken).post(`/webhook-endpoints/${endpoint.id}/ping`, {});
    let ping = sendPing();
    await waitFor('a ping hangs', async () => {
      if (receiver.received.some(({ type }) => type === 'ping')) return true;
      // A busy machine can refuse it with 503.
      const refused = await Promise.race([ping.then(({ status }) => status === 503), setImmediate(false)]);
      if (refused) ping = sendPing();
      return false;
    });
    expect(await stack.terminate('relay')).toEqual({ code: 0, signal: null });
    for (const each of [receiver, otherReceiver]) each.respondWith((_, response) => void response.writeHead(204).end());
    await stack.startPart('relay');
    const undelivered =
      "SELECT 1 FROM webhook_deliveries d JOIN orders o ON o.id = d.order_id WHERE o.account_id = $1 AND d.state <> 'delivered'";
    expect([200, 503]).toContain((await ping).status); // 503 if the next relay starts slowly
    await waitFor('all are delivered', async () => (await sql(undelivered, [accountId])).length === 0);
    await stack.whenReady();
  });
});
