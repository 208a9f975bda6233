import { EVENT_EXAMPLE } from '../../../src/http/openapi/examples';
import { insertEvent, type NewEvent } from '../../../src/db/repositories/webhook-deliveries';
import { feedLockSql, assignPositions, type Feed } from '../../../src/db/repositories/event-feed';
import { assignUnreadPositions } from '../../../src/orders/event-feed';
import { LIMITS } from '../../../src/domain/limits';
import { eraseJsonText } from '../../../src/domain/personal-data';
import { newId } from '../../../src/security/ids';
import { anOrder } from '../../support/baskets';
import type { HttpClient, Reply } from '../../support/client';
import { holdLock } from '../../support/held-lock';
import { useSharedService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { aTrader, anotherKey, expectValidationPaths, sql, type Trader } from './support';
import { NEVER_ABORTED } from '../../support/sweep';

interface FeedEvent {
  id: string;
  sequence: number;
  data: { orderId: string };
}

const CREATED_AT = new Date('2026-03-02T01:00:00.000Z');

describe('GET /events', () => {
  const service = useSharedService();

  const feedOfTrader = ({ accountId }: Trader): Feed => ({ accountId, environment: 'test' });
  const idsOf = (reply: Reply): string[] => reply.json.data.map(({ id }: FeedEvent) => id);
  const readStoredEvents = async ({ accountId }: Trader) =>
    (
      await sql<{ body: string }>(service, 'SELECT body FROM order_events WHERE account_id = $1 ORDER BY order_id, sequence', [accountId])
    ).map(({ body }) => body);

  /** The next event of an order in the service's format. */
  function anEvent({ accountId }: Trader, orderId: string, sequence: number, createdAt = new Date()): NewEvent {
    const id = newId('evt');
    const body = JSON.stringify({ ...EVENT_EXAMPLE, id, sequence, data: { ...EVENT_EXAMPLE.data, orderId } });
    return { id, orderId, accountId, environment: 'test', sequence, part: 0, type: 'order.shipped', body, createdAt, traceContext: null };
  }
  async function insertNewEvent(trader: Trader, orderId: string, sequence: number, createdAt?: Date): Promise<string> {
    const event = anEvent(trader, orderId, sequence, createdAt);
    await service.deps.database.transaction((held) => insertEvent(held, event));
    return event.id;
  }

  /** An event with an open transaction, which the test commits. */
  async function insertUncommitted(trader: Trader, orderId: string, sequence: number) {
    const event = anEvent(trader, orderId, sequence);
    let finish = (): void => undefined;
    const may = new Promise<void>((resolve) => (finish = resolve));
    let committed = Promise.resolve();
    await new Promise<void>((written, failed) => {
      committed = service.deps.database.transaction(async (held) => {
        await held.run('SET LOCAL idle_in_transaction_session_timeout = 0');
        await insertEvent(held, event);
        written();
        await may;
      });
      committed.catch(failed);
    });
    return { id: event.id, commit: () => (finish(), committed) };
  }

  async function anOrderOf(trader: Trader): Promise<string> {
    return (await anOrder(trader.trade)).orderId;
  }

  /** Reads all events after `after`. */
  async function readAllAfter(trade: HttpClient, after: string | null, limit = 25): Promise<FeedEvent[]> {
    const found: FeedEvent[] = [];
    for (let next = after; ;) {
      const reply = await trade.get(`/events?limit=${limit}${next === null ? '' : `&after=${next}`}`);
      if (reply.status !== 200) throw new Error(reply.text);
      found.push(...reply.json.data);
      if (reply.json.nextCursor === null || reply.json.nextCursor === undefined) return found;
      next = reply.json.nextCursor;
    }
  }

  describe('Validation', () => {
    let trader: Trader;
    beforeAll(async () => {
      trader = await aTrader(service);
    });
    test.each([
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=1&limit=1', 'limit'],
      ['after=', 'after'],
      ['after=evt_', 'after'],
      ['after=%00', 'after'],
      ['after=evt_00', 'after'],
      ['after=ord_00', 'after'],
      ['after=evt_00&after=evt_00', 'after'],
      [`after=evt_${'0'.repeat(61)}`, 'after'],
    ])('?%s is VALIDATION_ERROR at its parameter', async (query, name) => {
      expectValidationPaths(await trader.trade.get(`/events?${query}`), [`query.${name}`]);
    });

    it('an event of another account or environment is refused with a valid alternative', async () => {
      const theirs = await aTrader(service);
      await anOrderOf(theirs);
      const [id] = idsOf(await theirs.trade.get('/events'));
      for (const stranger of [trader.trade, service.trade(theirs.liveKey)]) {
        const reply = await stranger.get(`/events?after=${id}`);
        expectValidationPaths(reply, ['query.after']);
        expect(reply.json.error?.message).toContain('leave it out to begin with the oldest');
      }
    });
  });

  describe('Success', () => {
    it('is empty for an account without orders', async () => {
      const { trade } = await aTrader(service);
      expect((await trade.get('/events')).json).toEqual({ data: [], error: null, nextCursor: null });
    });

    it('returns the stored texts unchanged, oldest first, of this account and environment only', async () => {
      const trader = await aTrader(service);
      const orderId = await anOrderOf(trader);
      await anOrder(service.trade(trader.liveKey));
      await anOrderOf(await aTrader(service));
      await trader.trade.post(`/orders/${orderId}/cancel`);
      const reply = await trader.trade.get('/events');
      const bodies = (await readStoredEvents(trader)).filter((body) => body.includes('"environment":"test"'));
      expect(bodies).toHaveLength(2);
      expect(reply.text).toBe(`{"data":[${bodies.join(',')}],"error":null,"nextCursor":null}`);
      expect(reply.json.data.map(({ type }: { type: string }) => type)).toEqual(['order.received', 'order.cancelled']);
    });

    it('a page ends at 1 MiB of text, with a cursor for the rest; an event larger than that is a page', async () => {
      const trader = await aTrader(service);
      const orderId = await anOrderOf(trader);
      const sizes = [500_000, 500_000, 500_000, 1_200_000, 10, 10];
      for (const [index, size] of sizes.entries()) {
        const event = anEvent(trader, orderId, index + 2);
        const productName = 'ü'.repeat(size / 2);
        const lines = [{ ...EVENT_EXAMPLE.data.lines[0], productName }];
        const body = JSON.stringify({ ...JSON.parse(event.body), data: { ...EVENT_EXAMPLE.data, orderId, lines } });
        await service.deps.database.transaction((held) => insertEvent(held, { ...event, body }));
      }
      const pages: number[][] = [];
      for (let next: string | null = ''; next !== null;) {
        const reply: Reply = await trader.trade.get(`/events?limit=100${next === '' ? '' : `&after=${next}`}`);
        const sequences = reply.json.data.map(({ sequence }: FeedEvent) => sequence);
        if (sequences.length > 1) expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(LIMITS.pageBytes);
        pages.push(sequences);
        next = reply.json.nextCursor ?? null;
      }
      expect(pages).toEqual([[1, 2, 3], [4], [5], [6, 7]]);
    });

    it('pages to the end, where nextCursor is null, and continues from the last event later', async () => {
      const trader = await aTrader(service);
      const orderId = await anOrderOf(trader);
      for (const sequence of [2, 3, 4, 5]) await insertNewEvent(trader, orderId, sequence);
      const first = await trader.trade.get('/events?limit=2');
      expect(first.json.nextCursor).toBe(idsOf(first)[1]);
      const rest = await trader.trade.get(`/events?limit=3&after=${first.json.nextCursor}`);
      expect([...first.json.data, ...rest.json.data].map(({ sequence }: FeedEvent) => sequence)).toEqual([1, 2, 3, 4, 5]);
      expect(rest.json.nextCursor).toBeNull();
      const last = idsOf(rest)[2] ?? '';
      expect((await trader.trade.get(`/events?after=${last}`)).json).toEqual({ data: [], error: null, nextCursor: null });
      const sixth = await insertNewEvent(trader, orderId, 6);
      expect(idsOf(await trader.trade.get(`/events?after=${last}`))).toEqual([sixth]);
      expect((await readAllAfter(trader.trade, null)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it('begins after an event that has no position yet', async () => {
      const trader = await aTrader(service);
      const orderId = await anOrderOf(trader);
      const second = await insertNewEvent(trader, orderId, 2);
      const third = await insertNewEvent(trader, orderId, 3);
      expect(idsOf(await trader.trade.get(`/events?after=${second}`))).toEqual([third]);
    });

    it('returns the newest event at /events/latest, or null before the first', async () => {
      const trader = await aTrader(service);
      const readLatest = async (trade = trader.trade) => (await trade.get('/events/latest')).json;
      expect(await readLatest()).toEqual({ data: { id: null }, error: null });
      const orderId = await anOrderOf(trader);
      await anOrder(service.trade(trader.liveKey));
      const second = await insertNewEvent(trader, orderId, 2);
      expect((await readLatest()).data.id).toBe(second);
      expect((await readLatest(service.trade(trader.liveKey))).data.id).not.toBe(second);
      const third = await insertNewEvent(trader, orderId, 3);
      expect((await readAllAfter(trader.trade, second)).map(({ id }) => id)).toEqual([third]);
    });

    it('the id of a webhook is not a cursor, because webhooks arrive in another order', async () => {
      const trader = await aTrader(service);
      const [failed, sent] = [await anOrderOf(trader), await anOrderOf(trader)];
      const seen = (await readAllAfter(trader.trade, null)).at(-1)?.id ?? null;
      const lost = await insertNewEvent(trader, failed, 2, CREATED_AT);
      const received = await insertNewEvent(trader, sent, 2);
      expect((await readAllAfter(trader.trade, received)).map(({ id }) => id)).toEqual([]);
      expect((await readAllAfter(trader.trade, seen)).map(({ id }) => id)).toEqual([lost, received]);
    });

    it('shows erased events as stored', async () => {
      const trader = await aTrader(service);
      const { orderId } = await anOrder(trader.trade);
      await trader.trade.post(`/orders/${orderId}/cancel`);
      const before = (await trader.trade.get('/events')).json.data;
      await service.studio().post(`/accounts/${trader.accountId}/erase`, { before: '2999-01-01' });
      expect((await trader.trade.get('/events')).json.data).toEqual(JSON.parse(eraseJsonText(JSON.stringify(before))));
    });
  });

  describe('No event is ever skipped', () => {
    it('an event that commits after a request of /events/latest follows the returned id', async () => {
      const trader = await aTrader(service);
      const [slow, quick] = [await anOrderOf(trader), await anOrderOf(trader)];
      const late = await insertUncommitted(trader, slow, 2);
      const second = await insertNewEvent(trader, quick, 2);
      const { id } = (await trader.trade.get('/events/latest')).json.data;
      expect(id).toBe(second);
      await late.commit();
      expect((await readAllAfter(trader.trade, id)).map((event) => event.id)).toEqual([late.id]);
    });

    it('an event that is written first and committed last follows the events read before', async () => {
      const trader = await aTrader(service);
      const [slow, quick] = [await anOrderOf(trader), await anOrderOf(trader)];
      const seen = await readAllAfter(trader.trade, null);
      const late = await insertUncommitted(trader, slow, 2);
      const second = await insertNewEvent(trader, quick, 2);
      const meanwhile = await readAllAfter(trader.trade, seen.at(-1)?.id ?? null, 1);
      expect(meanwhile.map(({ id }) => id)).toEqual([second]);
      const third = await insertNewEvent(trader, quick, 3);
      const more = await readAllAfter(trader.trade, second);
      expect(more.map(({ id }) => id)).toEqual([third]);
      await late.commit();
      expect((await readAllAfter(trader.trade, third)).map(({ id }) => id)).toEqual([late.id]);
      expect((await readAllAfter(trader.trade, null)).slice(2).map(({ id }) => id)).toEqual([second, third, late.id]);
    });

    it('a reader that pages while eight orders change gets each event once, in the sequence of its order', async () => {
      const trader = await aTrader(service);
      const orders = await Promise.all(Array.from({ length: 8 }, () => anOrderOf(trader)));
      let writing = orders.length;
      const writeEvents = async (orderId: string, at: number): Promise<void> => {
        for (let sequence = 2; sequence <= 12; sequence += 1) {
          // Half of the orders stay uncommitted while the others continue.
          if ((sequence + at) % 2 === 0) await insertNewEvent(trader, orderId, sequence);
          else {
            const late = await insertUncommitted(trader, orderId, sequence);
            for (let moments = (sequence * 7 + at * 3) % 5; moments >= 0; moments -= 1) await readStoredEvents(trader);
            await late.commit();
          }
        }
        writing -= 1;
      };
      const writers = Promise.all(orders.map(writeEvents));
      const found: FeedEvent[] = [];
      for (let left = 1; left > 0;) {
        left = writing; // read before the events, so the last read follows the last commit
        const reader = await anotherKey(service, trader.accountId);
        found.push(...(await readAllAfter(reader, found.at(-1)?.id ?? null, 3)));
      }
      await writers;
      expect(found).toHaveLength(orders.length * 12);
      expect(new Set(found.map(({ id }) => id)).size).toBe(orders.length * 12);
      for (const orderId of orders) {
        const sequences = found.filter(({ data }) => data.orderId === orderId).map(({ sequence }) => sequence);
        expect(sequences).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
      }
    });

    it('two concurrent first readers get the same order of events', async () => {
      const trader = await aTrader(service);
      const orderId = await anOrderOf(trader);
      for (const sequence of [2, 3, 4]) await insertNewEvent(trader, orderId, sequence);
      const replies = await Promise.all(Array.from({ length: 6 }, () => trader.trade.get('/events')));
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(idsOf(replies[0] as Reply)).toHaveLength(4);
    });

    it('different clocks do not change the sequence of an order, for any batch limit', async () => {
      const trader = await aTrader(service);
      const [mine, other] = [await anOrderOf(trader), await anOrderOf(trader)];
      const before = await readAllAfter(trader.trade, null);
      const second = await insertNewEvent(trader, mine, 2, new Date(CREATED_AT.getTime() + 60_000));
      const third = await insertNewEvent(trader, mine, 3, CREATED_AT);
      const between = await insertNewEvent(trader, other, 2, new Date(CREATED_AT.getTime() + 30_000));
      const assignOnePosition = () => service.deps.database.transaction((held) => assignPositions(held, feedOfTrader(trader), 1));
      expect([await assignOnePosition(), await assignOnePosition(), await assignOnePosition()]).toEqual([2, 1, 0]);
      expect((await readAllAfter(trader.trade, before.at(-1)?.id ?? null)).map(({ id }) => id)).toEqual([second, third, between]);
    });

    it('a locked event delays only later events of its order, and appears when it is unlocked', async () => {
      const trader = await aTrader(service);
      const [locked, free] = [await anOrderOf(trader), await anOrderOf(trader)];
      const last = (await readAllAfter(trader.trade, null)).at(-1)?.id ?? null;
      const [second, third, other] = [
        await insertNewEvent(trader, locked, 2),
        await insertNewEvent(trader, locked, 3),
        await insertNewEvent(trader, free, 2),
      ];
      const lock = await holdLock(service.deps.database, 'SELECT 1 FROM order_events WHERE id = $1 FOR UPDATE', [second]);
      try {
        expect((await readAllAfter(trader.trade, last)).map(({ id }) => id)).toEqual([other]);
      } finally {
        await lock.release();
      }
      expect((await readAllAfter(trader.trade, other)).map(({ id }) => id)).toEqual([second, third]);
    });

    it('during a long assignment of positions, readers get the positioned events, and only one connection waits', async () => {
      const trader = await aTrader(service);
      const orderId = await anOrderOf(trader);
      const placed = (await readAllAfter(trader.trade, null)).map(({ id }) => id);
      const second = await insertNewEvent(trader, orderId, 2);
      const [, takeLock = ''] = feedLockSql(feedOfTrader(trader)).split('; ');
      const lock = await holdLock(service.deps.database, takeLock, []);
      const countUnpositioned = () =>
        sql<{ pid: number }>(
          service,
          `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
      let most = 0;
      try {
        const asked = Promise.all(Array.from({ length: 30 }, () => trader.trade.get('/events')));
        let answered = false;
        void asked.finally(() => (answered = true)).catch(() => undefined);
        while (!answered) most = Math.max(most, (await countUnpositioned()).length);
        for (const reply of await asked) expect([reply.status, idsOf(reply), reply.json.nextCursor]).toEqual([200, placed, null]);
      } finally {
        await lock.release();
      }
      expect(most).toBe(1);
      expect((await readAllAfter(trader.trade, placed.at(-1) ?? null)).map(({ id }) => id)).toEqual([second]);
    });

    it('no event follows one that waits for its position', async () => {
      const trader = await aTrader(service);
      const orderId = await anOrderOf(trader);
      await readAllAfter(trader.trade, null);
      const second = await insertNewEvent(trader, orderId, 2);
      const lock = await holdLock(service.deps.database, 'SELECT 1 FROM order_events WHERE id = $1 FOR UPDATE', [second]);
      try {
        expect((await trader.trade.get(`/events?after=${second}`)).json).toEqual({ data: [], error: null, nextCursor: null });
      } finally {
        await lock.release();
      }
    });

    /** Adds `count` events to this order, one second apart, the last one now. */
    const insertMoreEvents = (orderId: string, count: number) =>
      sql(
        service,
        `INSERT INTO order_events (id, order_id, account_id, environment, sequence, type, body, created_at)
         SELECT 'evt_' || md5(e.id || n), order_id, account_id, environment, 1 + n, type, (body::jsonb || jsonb_build_object('id', 'evt_' || md5(e.id || n), 'sequence', 1 + n))::text,
                now() - interval '3 hours' + n * interval '1 second'
           FROM order_events e, generate_series(1, $2) n WHERE order_id = $1 AND sequence = 1 AND part = 0`,
        [orderId, count],
      );

    it('thousands of unread events can be read from the newest and from the oldest', async () => {
      const trader = await aTrader(service);
      const orderId = await anOrderOf(trader);
      await insertMoreEvents(orderId, 3_500);
      const [end] = await sql<{ id: string }>(service, 'SELECT id FROM order_events WHERE order_id = $1 AND sequence = 3500', [orderId]);
      const newest = await waitFor('its position', async () => {
        const found = await readAllAfter(trader.trade, end?.id ?? null); // empty until `end` has a position, which takes several batches
        return found.length > 0 && found;
      });
      expect(newest.map(({ sequence }) => sequence)).toEqual([3_501]);
      const all = await readAllAfter(trader.trade, null, 100);
      expect(all.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 3_501 }, (_, at) => at + 1));
    });

    it('old unread events get their positions without a reader', async () => {
      const trader = await aTrader(service);
      const orderId = await anOrderOf(trader);
      await insertMoreEvents(orderId, 1_200);
      const countUnpositioned = () =>
        sql(service, 'SELECT id FROM order_events WHERE account_id = $1 AND feed_position IS NULL', [trader.accountId]).then(
          ({ length }) => length,
        );
      await assignUnreadPositions(service.deps.database, new Date(Date.now() - 4 * 3_600_000), 600_000, NEVER_ABORTED);
      expect(await countUnpositioned()).toBe(1_201);
      expect(
        await assignUnreadPositions(service.deps.database, new Date(Date.now() - 3_600_000), 600_000, NEVER_ABORTED),
      ).toBeGreaterThanOrEqual(1_201);
      expect(await countUnpositioned()).toBe(0);
    });
  });
});
