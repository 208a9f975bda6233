import {
  claimFirstAttempts,
  claimHandovers,
  claimRetry,
  recordDeliveryFailure,
  recordResults,
  releaseClaims,
  type AttemptResult,
  type ClaimedDelivery,
  type ClaimCapacity,
} from '../../../src/db/repositories/relay';
import { disableEndpoint, enableEndpoint, holdPendingDeliveries } from '../../../src/db/repositories/webhook-endpoints';
import { openDatabase, NO_TIMEOUTS, type Sql } from '../../../src/db/database';
import { sendAttempt } from '../../../src/relay/attempt';
import { anAccount } from '../../support/accounts';
import { anOrder } from '../../support/baskets';
import { anEndpoint } from '../../support/endpoints';
import { holdLock } from '../../support/held-lock';
import type { TestService } from '../../support/service';
import { useService } from '../../support/fixtures';
import { waitForLockWaiters } from '../http/support';

const UNLIMITED_CAPACITY: ClaimCapacity = { endpoints: [], defaultCapacity: 100, maxTotal: 1000 };

describe('the outbox of webhook deliveries', () => {
  const service = useService(() => ({ worker: false }));
  let accountId: string;
  let endpointId: string;
  beforeEach(async () => {
    await sql('DELETE FROM webhook_attempts');
    await sql('DELETE FROM webhook_deliveries');
    const account = await anAccount(service.deps.database);
    ({ accountId } = account);
    ({ id: endpointId } = await anEndpoint(service.deps.database, accountId, 'https://shop.example/hooks'));
    trade = service.trade(account.testKey);
  });

  let trade: ReturnType<TestService['trade']>;
  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows(text, parameters);
  const getDatabase = () => service.deps.database;
  const claimAll = () => claimFirstAttempts(getDatabase(), UNLIMITED_CAPACITY);
  const readDelivery = async (id: string) =>
    (await sql('SELECT state, attempts, next_attempt_at, completed_at FROM webhook_deliveries WHERE id = $1', [id]))[0];
  const readAttempts = (id: string) => sql('SELECT ok, status, chain FROM webhook_attempts WHERE delivery_id = $1 ORDER BY id', [id]);
  const countFailures = async () =>
    (await sql('SELECT consecutive_failures FROM webhook_endpoint_health WHERE endpoint_id = $1', [endpointId]))[0].consecutive_failures;
  const expireLeases = () =>
    sql(`UPDATE webhook_deliveries SET claimed_until = now() - interval '1 second' WHERE claimed_until IS NOT NULL`);
  const recordAttempts = (results: AttemptResult[]) => recordResults(getDatabase(), results, new Date());

  async function claimOne(): Promise<ClaimedDelivery> {
    await anOrder(trade);
    const [claimed] = await claimAll();
    if (claimed === undefined) throw new Error('nothing was claimed');
    return claimed;
  }
  const attemptResult = (delivery: ClaimedDelivery, ok: boolean, epoch = 1): AttemptResult => ({
    deliveryId: delivery.id,
    endpointId: delivery.endpoint_id,
    chain: delivery.chain,
    claim: delivery.claim,
    number: 1,
    trigger: delivery.trigger,
    epoch,
    at: new Date(),
    ok,
    status: ok ? 204 : 500,
    errorCode: ok ? null : 'bad_status',
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 1, totalMs: 1 },
    replyExcerpt: '',
    nextAttemptAt: ok ? null : new Date(Date.now() + 60_000),
  });

  it('a claim does not wait for the disk', async () => {
    await anOrder(trade);
    const setting = await getDatabase().transaction(async (held) => {
      await held.run('SET LOCAL synchronous_commit = on');
      expect(await claimFirstAttempts(held, UNLIMITED_CAPACITY)).toHaveLength(1);
      return held.row('SHOW synchronous_commit');
    });
    expect(setting).toEqual({ synchronous_commit: 'off' });
  });

  it('a delivery claimed by one relay is not available to others until the claim expires', async () => {
    const claimed = await claimOne();
    expect(await claimAll()).toEqual([]);
    await expireLeases();
    const [again] = await claimAll();
    expect(again?.id).toBe(claimed.id);
    expect(again?.claim).not.toBe(claimed.claim);
  });

  it('is not sent if its endpoint was disabled and enabled since the claim, and stays held', async () => {
    const claimed = await claimOne();
    await getDatabase().transaction((held) => disableEndpoint(held, endpointId, 'manual', new Date()));
    await enableEndpoint(getDatabase(), endpointId, new Date());
    const leased = { delivery: claimed, requestedAtMs: performance.now() };
    expect(await sendAttempt(service.deps, leased, 1, new AbortController().signal)).toEqual({ switchedOff: true });
    expect(await readDelivery(claimed.id)).toMatchObject({ state: 'held', attempts: 0 });
  });

  it('a result that is recorded again, because its statement got no answer, is logged once', async () => {
    const [delivered, failed] = [await claimOne(), await claimOne()];
    const results = [attemptResult(delivered, true), attemptResult(failed, false)];
    for (let time = 0; time < 2; time += 1) expect((await recordAttempts(results)).size).toBe(2);
    expect([await readDelivery(delivered.id), await readDelivery(failed.id)]).toMatchObject([
      { state: 'delivered', attempts: 1 },
      { state: 'pending', attempts: 1 },
    ]);
    for (const { deliveryId } of results) expect(await readAttempts(deliveryId)).toHaveLength(1);
  });

  describe('the last attempt of a chain', () => {
    const setHealth = (failures: number) =>
      sql('UPDATE webhook_endpoint_health SET consecutive_failures = $2 WHERE endpoint_id = $1', [endpointId, failures]);
    const fail = (db: Sql, delivery: ClaimedDelivery, epoch = 1) =>
      recordDeliveryFailure(db, attemptResult(delivery, false, epoch), 'answered 500', new Date());

    it('and a batch of results lock in one order: none of them is lost', async () => {
      const [last, delivered] = [await claimOne(), await claimOne()];
      await setHealth(19);
      let batch: ReturnType<typeof recordAttempts> | undefined;
      await getDatabase().transaction(async (held) => {
        await held.run('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE', [endpointId]);
        expect(await fail(held, last)).toEqual({ counted_failures: 20, disabled: true });
        batch = recordAttempts([attemptResult(delivered, true)]);
        await waitForLockWaiters(service);
        await holdPendingDeliveries(held, endpointId); // needs the deliveries of the batch
      });
      expect(await batch).toEqual(new Map([[delivered.id, 'delivered']]));
      expect([await readDelivery(last.id), await readDelivery(delivered.id)]).toMatchObject([{ state: 'failed' }, { state: 'delivered' }]);
      expect(await readAttempts(delivered.id)).toHaveLength(1);
    });

    it('does not count for an endpoint that is disabled, or was enabled again since', async () => {
      const [first, second, third] = [await claimOne(), await claimOne(), await claimOne()];
      await setHealth(19);
      expect(await fail(getDatabase(), first)).toEqual({ counted_failures: 20, disabled: true });
      expect(await fail(getDatabase(), second)).toEqual({ counted_failures: null, disabled: false });
      expect(await countFailures()).toBe(20);
      await enableEndpoint(getDatabase(), endpointId, new Date());
      expect(await fail(getDatabase(), third)).toEqual({ counted_failures: null, disabled: false });
      expect(await countFailures()).toBe(0);
      expect(await readDelivery(third.id)).toMatchObject({ state: 'failed' });
    });
  });

  it('concurrent claims of relays give each delivery to one of them', async () => {
    for (let index = 0; index < 12; index += 1) await anOrder(trade);
    const claims = await Promise.all(
      Array.from({ length: 6 }, () => claimFirstAttempts(getDatabase(), { ...UNLIMITED_CAPACITY, defaultCapacity: 5 })),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await claimAll();
    expect(ids.length + rest.length).toBe(12);
  });

  it('an endpoint gets as many deliveries as it has capacity, oldest first, and none without capacity', async () => {
    const orders = [];
    for (let index = 0; index < 3; index += 1) orders.push(await anOrder(trade));
    expect(await claimFirstAttempts(getDatabase(), { ...UNLIMITED_CAPACITY, endpoints: [{ id: endpointId, capacity: 0 }] })).toEqual([]);
    const claimed = await claimFirstAttempts(getDatabase(), { ...UNLIMITED_CAPACITY, endpoints: [{ id: endpointId, capacity: 2 }] });
    expect(new Set(claimed.map(({ body }) => JSON.parse(body).data.orderId))).toEqual(
      new Set(orders.slice(0, 2).map(({ orderId }) => orderId)),
    );
  });

  it('a success delivers, a failure waits for its next attempt, and both are logged', async () => {
    const [good, bad] = [await claimOne(), await claimOne()];
    await recordAttempts([attemptResult(good, true), attemptResult(bad, false)]);
    expect(await readDelivery(good.id)).toMatchObject({
      state: 'delivered',
      attempts: 1,
      next_attempt_at: null,
      completed_at: expect.any(Date),
    });
    expect(await readDelivery(bad.id)).toMatchObject({
      state: 'pending',
      attempts: 1,
      next_attempt_at: expect.any(Date),
      completed_at: null,
    });
    expect([await readAttempts(good.id), await readAttempts(bad.id)]).toEqual([
      [{ ok: true, status: 204, chain: 1 }],
      [{ ok: false, status: 500, chain: 1 }],
    ]);
  });

  it('a result after the claim was taken over is only logged', async () => {
    const late = await claimOne();
    await expireLeases();
    const [taken] = (await claimAll()) as [ClaimedDelivery];
    await recordAttempts([attemptResult(taken, true)]);
    await recordAttempts([attemptResult(late, false)]);
    expect(await readDelivery(late.id)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(await readAttempts(late.id)).toEqual([
      { ok: true, status: 204, chain: 1 },
      { ok: false, status: 500, chain: 1 },
    ]);
  });

  it('a result of a replaced chain does not change the new chain', async () => {
    const late = await claimOne();
    await service.studio().post(`/deliveries/${late.id}/resend`);
    await recordAttempts([attemptResult(late, true)]);
    expect(await readDelivery(late.id)).toMatchObject({ state: 'pending', attempts: 0 });
    const [fresh] = (await claimAll()) as [ClaimedDelivery];
    expect([fresh.id, fresh.chain]).toEqual([late.id, 2]);
  });

  it('a POST in progress when its endpoint is disabled: a success delivers, a failure stays held', async () => {
    const [good, bad] = [await claimOne(), await claimOne()];
    await getDatabase().transaction((transaction) => holdPendingDeliveries(transaction, endpointId));
    await recordAttempts([attemptResult(good, true), attemptResult(bad, false)]);
    expect([await readDelivery(good.id), await readDelivery(bad.id)]).toMatchObject([
      { state: 'delivered' },
      { state: 'held', next_attempt_at: null },
    ]);
  });

  it('a success resets the count of failures, unless it was sent before the endpoint was enabled', async () => {
    const [early, now] = [await claimOne(), await claimOne()];
    await enableEndpoint(getDatabase(), endpointId, new Date());
    await sql('UPDATE webhook_endpoint_health SET consecutive_failures = 5 WHERE endpoint_id = $1', [endpointId]);
    await recordAttempts([attemptResult(early, true, 1)]);
    expect(await countFailures()).toBe(5);
    await recordAttempts([attemptResult(now, true, 2)]);
    expect(await countFailures()).toBe(0);
  });

  it('a locked row is skipped, and delays no other row', async () => {
    const [locked, free] = [await claimOne(), await claimOne()];
    const other = await openDatabase(service.deps.config.databaseUrl, 1);
    const lock = await holdLock(other, 'SELECT 1 FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [locked.id]);
    try {
      const states = await recordAttempts([attemptResult(locked, true), attemptResult(free, true)]);
      expect([...states]).toEqual([[free.id, 'delivered']]);
      expect(await readAttempts(locked.id)).toEqual([]);
    } finally {
      await lock.release();
      await other.close();
    }
    expect((await recordAttempts([attemptResult(locked, true)])).get(locked.id)).toBe('delivered');
  });

  it('a returned delivery can be claimed at once, unless another relay has claimed it', async () => {
    const first = await claimOne();
    await releaseClaims(getDatabase(), [first]);
    const [second] = (await claimAll()) as [ClaimedDelivery];
    await releaseClaims(getDatabase(), [first]); // too late: the claim belongs to another relay
    expect(await claimAll()).toEqual([]);
    expect(second.id).toBe(first.id);
  });

  it('a retry is claimed only as the attempt that its row expects', async () => {
    const delivery = await claimOne();
    const claimNextRetry = (chain: number, attempt: number) => claimRetry(getDatabase(), { deliveryId: delivery.id, chain, attempt });
    expect(await claimNextRetry(1, 2)).toBeNull();
    await recordAttempts([attemptResult(delivery, false)]);
    expect([await claimNextRetry(1, 1), await claimNextRetry(2, 2), await claimNextRetry(1, 3)]).toEqual([null, null, null]);
    expect(await claimNextRetry(1, 2)).toMatchObject({ id: delivery.id, chain: 1 });
  });

  it('handing over: an endpoint with a long queue of failures delays no other', async () => {
    const order = await anOrder(trade);
    const [{ id: eventId }] = await sql('SELECT id FROM order_events WHERE order_id = $1', [order.orderId]);
    const endpoints: string[] = [];
    for (let index = 0; index < 20; index += 1)
      endpoints.push((await anEndpoint(service.deps.database, accountId, `https://shop${index}.example/hooks`)).id);
    const failed = async (endpoint: string, count: number) =>
      sql(
        `
      WITH new_events AS (
        INSERT INTO order_events (id, order_id, account_id, environment, sequence, type, body, created_at)
        SELECT 'evt_' || replace(gen_random_uuid()::text, '-', ''), order_id, account_id, environment, (SELECT max(sequence) FROM order_events) + n, type, body, created_at
          FROM order_events, generate_series(1, $3) n WHERE id = $1 RETURNING id, order_id, environment)
      INSERT INTO webhook_deliveries (id, event_id, order_id, endpoint_id, environment, state, trigger, attempts, created_at, next_attempt_at)
      SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), id, order_id, $2, environment, 'pending', 'automatic', 1, now(), now() FROM new_events`,
        [eventId, endpoint, count],
      );
    for (const endpoint of endpoints) await failed(endpoint, 10);
    const seen = new Set<string>();
    // Each turn takes half of the endpoints at random, so a hundred turns miss none by chance.
    for (let turn = 0; turn < 100 && seen.size < endpoints.length; turn += 1) {
      const claimed = await claimHandovers(getDatabase(), { endpoints: [], defaultCapacity: 4, maxTotal: 10 });
      const here = claimed.map(({ endpoint_id }) => endpoint_id);
      expect(new Set(here).size).toBe(here.length); // every endpoint once before any endpoint twice
      for (const id of here) seen.add(id);
      await releaseClaims(getDatabase(), claimed);
    }
    expect([...seen].sort()).toEqual([...endpoints].sort());
    expect(
      await claimHandovers(getDatabase(), { endpoints: endpoints.map((id) => ({ id, capacity: 0 })), defaultCapacity: 4, maxTotal: 10 }),
    ).toEqual([]);
  });

  it('disabling an endpoint with a long queue holds all of its deliveries', async () => {
    const order = await anOrder(trade);
    const patient = await openDatabase(service.env.DATABASE_URL ?? '', 1, NO_TIMEOUTS);
    await patient.run(
      `
      WITH new_events AS (
        INSERT INTO order_events (id, order_id, account_id, environment, sequence, type, body, created_at)
        SELECT 'evt_' || replace(gen_random_uuid()::text, '-', ''), order_id, account_id, environment, 1 + n, type, 'x', created_at
          FROM order_events, generate_series(1, 60000) n WHERE order_id = $1 RETURNING id, order_id, environment)
      INSERT INTO webhook_deliveries (id, event_id, order_id, endpoint_id, environment, state, trigger, created_at, next_attempt_at)
      SELECT 'dlv_' || replace(gen_random_uuid()::text, '-', ''), id, order_id, $2, environment, 'pending', 'automatic', now(), now() FROM new_events`,
      [order.orderId, endpointId],
    );
    await patient.close();
    const reply = await service.studio().post(`/webhook-endpoints/${endpointId}/disable`, {});
    expect([reply.status, reply.json.data?.deliveries]).toEqual([200, { held: 60_001, failed: 0 }]);
  });
});
