import { FIRST_PRICE_BOOK } from '../../../src/db/seed/price-book';
import { keyLockSql } from '../../../src/db/repositories/idempotency';
import { deleteChange } from '../../../src/db/repositories/order-changes';
import { newId } from '../../../src/security/ids';
import { orderWorkflowId } from '../../../workflows/messages';
import { anIdempotencyKeyHeader, aLine, anAddress, anOrder, aQuote, placeOrder, uploadArtwork } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { holdLock } from '../../support/held-lock';
import { useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { PdfReader } from '../documents/support';
import { historyText } from '../workflows/history-text';
import { findAuditEntries, findEventTypes, sendMilestone } from './studio/support';
import {
  anotherKey,
  aTrader,
  expectValidationPaths,
  expectRefusal,
  scopesWithout,
  sql,
  startedOrder,
  waitForLockWaiters,
  type Trader,
} from './support';
import { sweepOnce } from '../../support/sweep';

const NEW_ADDRESS = anAddress({ name: 'Grace Newhome', line1: '9 Moved Road', line2: 'Flat 7', city: 'Carlton', postcode: '3053' });

describe('PATCH /orders/{id}', () => {
  const service = useService();
  let trader: Trader;
  let order: any;
  beforeEach(async () => {
    trader = await aTrader(service);
    order = await anOrder(trader.trade);
  });

  const change = (body: unknown, { key = anIdempotencyKeyHeader(), id = order.orderId, trade = trader.trade } = {}) =>
    trade.send('PATCH', `/orders/${id}`, body, key);
  const readAsStudio = async (id = order.orderId) => (await service.studio().get(`/orders/${id}`)).json.data;
  const readChanges = () => sql(service, 'SELECT * FROM order_changes WHERE account_id = $1', [trader.accountId]);
  const readChangeEntries = async () => (await readAsStudio()).timeline.filter(({ type }: { type: string }) => type === 'changed');
  const searchOrders = async (words: string) =>
    (await service.studio().get(`/orders?environment=test&q=${encodeURIComponent(words)}`)).json.data.map(
      ({ orderId }: { orderId: string }) => orderId,
    );

  describe('Success', () => {
    it('replaces recipient, address, references and instructions for the floor without an event', async () => {
      const { trade } = trader;
      const url = await uploadArtwork(trade);
      const items = [aLine(url, { externalReference: 'one' }), aLine(url, { externalReference: 'two' }), aLine(url)];
      order = (await placeOrder(trade, (await aQuote(trade, { items })).quoteId, anIdempotencyKeyHeader(), { specialInstructions: 'ring' }))
        .json.data;
      const changed = await change({
        shippingAddress: { ...NEW_ADDRESS, unknown: 'is ignored' },
        lines: [
          { line: 0, externalReference: 'ONE' },
          { line: 1, externalReference: null },
        ],
        specialInstructions: 'knock',
      });
      expect(changed.status).toBe(200);
      expect(changed.json.data).toEqual({
        ...order,
        lines: order.lines.map((line: object, at: number) => ({ ...line, externalReference: ['ONE', null, null][at] })),
      });
      expect((await trade.get(`/orders/${order.orderId}`)).json.data).toEqual(changed.json.data);

      const { job, timeline } = await readAsStudio();
      const now = { ...NEW_ADDRESS, company: null, phone: null };
      expect(job).toMatchObject({ shippingAddress: now, specialInstructions: 'knock' });
      expect(job.lines.map(({ externalReference }: { externalReference: string }) => externalReference)).toEqual(['ONE', null, null]);
      expect(timeline).toEqual([
        expect.objectContaining({
          type: 'changed',
          actor: 'account',
          correctable: false,
          change: {
            before: {
              shippingAddress: { ...anAddress(), company: null, line2: null, phone: null },
              lines: [
                { line: 0, externalReference: 'one' },
                { line: 1, externalReference: 'two' },
              ],
              specialInstructions: 'ring',
            },
            after: {
              shippingAddress: now,
              lines: [
                { line: 0, externalReference: 'ONE' },
                { line: 1, externalReference: null },
              ],
              specialInstructions: 'knock',
            },
          },
        }),
      ]);
      expect(await findEventTypes(service, order.orderId)).toEqual(['order.received']);
      expect(await findAuditEntries(service, order.orderId)).toEqual([]);
    });

    it('packing slip, search and list by reference use the new values, and the workflow history has neither', async () => {
      await change({ shippingAddress: { ...NEW_ADDRESS, name: 'Greta Sought' }, lines: [{ line: 0, externalReference: 'REF-MOVED' }] });
      const reader = new PdfReader();
      const slip = `http://127.0.0.1:${service.api.studioPort}/studio/v1/orders/${order.orderId}/packing-slip.pdf`;
      const pdf = await fetch(slip, { headers: { authorization: `Bearer ${service.adminToken}` } });
      const [page] = await reader.textOf(Buffer.from(await pdf.arrayBuffer()));
      reader.close();
      expect(page).toContain('Greta Sought');
      expect(page).toContain('Flat 7');
      expect(page).not.toContain('Ada Customer');
      expect(await searchOrders('greta sought')).toEqual([order.orderId]);
      expect(await searchOrders('REF-MOVED')).toEqual([order.orderId]);
      const listed = await trader.trade.get('/orders?externalReference=REF-MOVED');
      expect(listed.json.data.map(({ orderId }: { orderId: string }) => orderId)).toEqual([order.orderId]);
      const history = historyText(await service.deps.temporal.client.workflow.getHandle(orderWorkflowId(order.orderId)).fetchHistory());
      expect(history).toContain('"changed"');
      for (const word of ['Greta', 'Moved Road', 'REF-MOVED']) expect(history).not.toContain(word);
    });

    it('omitted fields do not change, and null removes instructions', async () => {
      await change({ specialInstructions: 'ring' });
      await change({ lines: [{ line: 0, externalReference: 'r' }] });
      expect((await readAsStudio()).job).toMatchObject({ specialInstructions: 'ring', shippingAddress: { name: 'Ada Customer' } });
      await change({ specialInstructions: null });
      expect((await readAsStudio()).job).toMatchObject({ specialInstructions: null, lines: [{ externalReference: 'r' }] });
    });

    it('a remake goes to the new address', async () => {
      await change({ shippingAddress: NEW_ADDRESS });
      const remake = { remakeId: 'r1', lines: [{ line: 0, quantity: 1 }], reason: 'scratched' };
      const { orderId } = (await service.studio().post(`/orders/${order.orderId}/remakes`, remake)).json.data;
      expect((await readAsStudio(orderId)).job.shippingAddress).toMatchObject({ name: 'Grace Newhome', line2: 'Flat 7' });
    });
  });

  describe('Idempotency-Key', () => {
    it('is required', async () => {
      expectRefusal(await change({ specialInstructions: 'x' }, { key: {} as never }), 400, 'IDEMPOTENCY_KEY_REQUIRED');
    });

    it('with the same body replays the first bytes after any later change of the order', async () => {
      const key = anIdempotencyKeyHeader();
      const first = await change({ lines: [{ line: 0, externalReference: 'first' }] }, { key });
      await change({ lines: [{ line: 0, externalReference: 'second' }] });
      await sendMilestone(service.studio(), order.orderId, 'production_started');
      const again = await change({ lines: [{ line: 0, externalReference: 'first' }] }, { key });
      expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true']);
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      expect((await trader.trade.get(`/orders/${order.orderId}`)).json.data.lines[0].externalReference).toBe('second');
      expect(await readChangeEntries()).toHaveLength(2);
    });

    it('with another body, order or method is IDEMPOTENCY_KEY_REUSED', async () => {
      const key = anIdempotencyKeyHeader();
      const body = { specialInstructions: 'x' };
      await change(body, { key });
      const other = await anOrder(trader.trade);
      expectRefusal(await change({ specialInstructions: 'y' }, { key }), 409, 'IDEMPOTENCY_KEY_REUSED');
      expectRefusal(await change(body, { key, id: other.orderId }), 409, 'IDEMPOTENCY_KEY_REUSED');
      expectRefusal(await placeOrder(trader.trade, (await aQuote(trader.trade)).quoteId, key), 409, 'IDEMPOTENCY_KEY_REUSED');
      const placing = anIdempotencyKeyHeader();
      expect((await placeOrder(trader.trade, (await aQuote(trader.trade)).quoteId, placing)).status).toBe(201);
      expectRefusal(await change(body, { key: placing }), 409, 'IDEMPOTENCY_KEY_REUSED');
      expect((await readAsStudio(other.orderId)).job.specialInstructions).toBeNull();
    });

    it('many equal concurrent requests are one change with one response', async () => {
      const key = anIdempotencyKeyHeader();
      const replies = await Promise.all(Array.from({ length: 10 }, () => change({ shippingAddress: NEW_ADDRESS }, { key })));
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(await readChangeEntries()).toHaveLength(1);
      expect(await readChanges()).toHaveLength(1);
    });

    it('of two concurrent bodies one is applied', async () => {
      const key = anIdempotencyKeyHeader();
      const replies = await Promise.all(['a', 'b'].map((text) => change({ specialInstructions: text }, { key })));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      expect(await readChangeEntries()).toHaveLength(1);
    });

    it('with a key that an order is being placed under is IDEMPOTENCY_KEY_REUSED and changes nothing', async () => {
      const key = anIdempotencyKeyHeader();
      const lock = await holdLock(
        service.deps.database,
        keyLockSql({ accountId: trader.accountId, idempotencyKey: key['idempotency-key'] ?? '' }),
      );
      try {
        expectRefusal(await change({ specialInstructions: 'x' }, { key }), 409, 'IDEMPOTENCY_KEY_REUSED');
      } finally {
        await lock.release();
      }
      expect(await readChanges()).toEqual([]);
      expect((await change({ specialInstructions: 'x' }, { key })).status).toBe(200);
    });

    it('a change that is being applied is not deleted', async () => {
      const lock = await holdLock(service.deps.database, 'SELECT 1 FROM quotes WHERE account_id = $1 FOR UPDATE', [trader.accountId]);
      const applied = change({ specialInstructions: 'x' });
      try {
        await waitForLockWaiters(service);
        const [stored] = await readChanges();
        const deleted = deleteChange(service.deps.database, String(stored?.['id']));
        await Promise.race([deleted, waitForLockWaiters(service, 2)]);
      } finally {
        await lock.release();
      }
      expect((await applied).status).toBe(200);
      expect(await readChanges()).toHaveLength(1);
    });

    it('is free again after a refusal, and after its lifetime', async () => {
      const key = anIdempotencyKeyHeader();
      const far = { ...NEW_ADDRESS, state: 'NT', city: 'Darwin', postcode: '0800' };
      expectRefusal(await change({ shippingAddress: far }, { key }), 409, 'ORDER_NOT_CHANGEABLE', expect.anything());
      expect(await readChanges()).toEqual([]);
      expect((await change({ shippingAddress: NEW_ADDRESS }, { key })).status).toBe(200);
      await change({ specialInstructions: 'meanwhile' });
      await sql(service, `UPDATE idempotency_records SET expires_at = now() WHERE account_id = $1`, [trader.accountId]);
      const later = await change({ specialInstructions: 'later' }, { key });
      expect([later.status, later.headers['idempotent-replayed']]).toEqual([200, undefined]);
      expect((await readAsStudio()).job).toMatchObject({ specialInstructions: 'later', shippingAddress: { name: 'Grace Newhome' } });
    });

    it('continues with the change that an earlier attempt stored', async () => {
      const key = anIdempotencyKeyHeader();
      const body = { specialInstructions: 'stored before' };
      await change(body, { key });
      // As if the process died before it reached the workflow.
      await sql(service, 'DELETE FROM idempotency_records WHERE account_id = $1 AND idempotency_key = $2', [
        trader.accountId,
        key['idempotency-key'],
      ]);
      await sql(service, 'UPDATE order_changes SET id = $2, applied_at = NULL, replaced = NULL WHERE account_id = $1', [
        trader.accountId,
        newId('chg'),
      ]);
      expectRefusal(await change({ specialInstructions: 'another' }, { key }), 409, 'IDEMPOTENCY_KEY_REUSED');
      expect((await change(body, { key })).status).toBe(200);
      expect(await readChanges()).toEqual([expect.objectContaining({ applied_at: expect.any(Date) })]);
    });

    it('deletes a change that never reached the order after its lifetime, and keeps applied ones', async () => {
      await change({ specialInstructions: 'applied' });
      await sql(service, `UPDATE order_changes SET created_at = now() - interval '2 days' WHERE account_id = $1`, [trader.accountId]);
      const insert = (age: string) =>
        sql(
          service,
          `INSERT INTO order_changes (id, order_id, account_id, idempotency_key, fingerprint, content, created_at)
           VALUES ($1, $2, $3, $4::text, 'f', '{}', now() - $4::text::interval)`,
          [newId('chg'), order.orderId, trader.accountId, age],
        );
      await insert('25 hours');
      await insert('23 hours');
      await sweepOnce(service.deps);
      expect((await readChanges()).map(({ idempotency_key }) => idempotency_key).filter((key) => String(key).endsWith('hours'))).toEqual([
        '23 hours',
      ]);
      expect(await readChanges()).toHaveLength(2);
    });
  });

  describe('Refusals', () => {
    it('another price or tax is ORDER_NOT_CHANGEABLE with the difference, and nothing changes', async () => {
      const darwin = await change({ shippingAddress: { ...NEW_ADDRESS, state: 'NT', city: 'Darwin', postcode: '0800' } });
      const expected = (
        await trader.trade.post('/quotes', {
          items: [aLine(await uploadArtwork(trader.trade))],
          shippingMethodId: order.shippingMethod,
          shippingAddress: anAddress({ state: 'NT', postcode: '0800' }),
        })
      ).json.data;
      expect(expected.totalCents).not.toBe(order.totalCents);
      expectRefusal(darwin, 409, 'ORDER_NOT_CHANGEABLE', {
        totalCents: order.totalCents,
        gstCents: order.gstCents,
        newTotalCents: expected.totalCents,
        newGstCents: expected.gstCents,
        differenceCents: expected.totalCents - order.totalCents,
      });
      const abroad = await change({ shippingAddress: { ...NEW_ADDRESS, state: 'Paris', postcode: '75001', country: 'FR' } });
      expectRefusal(abroad, 409, 'ORDER_NOT_CHANGEABLE');
      expect(abroad.json.error?.message).toContain(order.shippingMethod);
      expect((await readAsStudio()).job.shippingAddress).toMatchObject({ name: 'Ada Customer', postcode: '3000' });
      expect(await readChanges()).toEqual([]);
    });

    it('uses the price book of the quote, not a newer one', async () => {
      const text = JSON.stringify(FIRST_PRICE_BOOK);
      const dearer = JSON.parse(text, (name, value) => (name === 'baseCents' ? raiseRates(value) : value));
      expect((await service.studio().post('/price-books', { book: dearer })).status).toBe(201);
      const dearOrder = await anOrder(trader.trade);
      expect(dearOrder.totalCents).toBe(order.totalCents + 5000);
      for (const id of [order.orderId, dearOrder.orderId])
        expect((await change({ shippingAddress: NEW_ADDRESS }, { id })).status).toBe(200);
      expect((await service.studio().post('/price-books', { book: FIRST_PRICE_BOOK })).status).toBe(201);
    });

    test.each(['production_started', 'held', 'cancelled'])('after %s it is ORDER_NOT_CHANGEABLE with the status', async (milestone) => {
      await sendMilestone(service.studio(), order.orderId, milestone);
      const refused = await change({ specialInstructions: 'too late' });
      expectRefusal(refused, 409, 'ORDER_NOT_CHANGEABLE');
      expect(refused.json.error?.message).toMatch(/the order is (in_production|on_hold|cancelled)/);
      expect(await readChangeEntries()).toEqual([]);
    });

    it('with a live parcel it is ORDER_NOT_CHANGEABLE, and after voiding the label it is accepted', async () => {
      const parcel = { parcelId: 'p1', trackingNumber: 'T1' };
      await service.studio().post(`/orders/${order.orderId}/parcels`, parcel);
      expectRefusal(await change({ shippingAddress: NEW_ADDRESS }), 409, 'ORDER_NOT_CHANGEABLE');
      await service.studio().send('DELETE', `/orders/${order.orderId}/parcels/p1`);
      expect((await change({ shippingAddress: NEW_ADDRESS })).status).toBe(200);
    });

    it('a change during the start of production is either applied before it or refused', async () => {
      const [changed] = await Promise.all([
        change({ shippingAddress: NEW_ADDRESS }),
        sendMilestone(service.studio(), order.orderId, 'production_started'),
      ]);
      const { job, timeline } = await readAsStudio();
      const types = timeline.map(({ type }: { type: string }) => type);
      if (changed.status === 200) expect(types).toEqual(['changed', 'production_started']);
      else expectRefusal(changed, 409, 'ORDER_NOT_CHANGEABLE');
      expect(job.shippingAddress.name).toBe(changed.status === 200 ? 'Grace Newhome' : 'Ada Customer');
    });

    test.each<[string, unknown, string[]]>([
      ['nothing', {}, ['']],
      ['only unknown fields', { name: 'x' }, ['']],
      ['no address', { shippingAddress: null }, ['shippingAddress']],
      [
        'a part of an address',
        { shippingAddress: { line2: 'Flat 7' } },
        ['name', 'line1', 'city', 'state', 'postcode', 'country', 'email'].map((part) => `shippingAddress.${part}`),
      ],
      ['no lines', { lines: [] }, ['lines']],
      ['a line without its reference', { lines: [{ line: 0 }] }, ['lines.0.externalReference']],
      ['an unknown line', { lines: [{ line: 1, externalReference: 'x' }] }, ['lines.0.line']],
      [
        'a line twice',
        {
          lines: [
            { line: 0, externalReference: 'x' },
            { line: 0, externalReference: 'y' },
          ],
        },
        ['lines.1.line'],
      ],
      ['a long reference', { lines: [{ line: 0, externalReference: 'x'.repeat(129) }] }, ['lines.0.externalReference']],
      ['long instructions', { specialInstructions: 'x'.repeat(2001) }, ['specialInstructions']],
    ])('%s is VALIDATION_ERROR at its field', async (_title, body, paths) => {
      expectValidationPaths(await change(body), paths);
      expect(await readChanges()).toEqual([]);
    });

    it('an undeliverable address is SHIPPING_ADDRESS_INCOMPLETE', async () => {
      expectRefusal(await change({ shippingAddress: { ...NEW_ADDRESS, postcode: '305' } }), 400, 'SHIPPING_ADDRESS_INCOMPLETE', {
        path: 'shippingAddress.postcode',
      });
    });

    it('requires orders:write and an order of this account and environment', async () => {
      const reader = await anotherKey(service, trader.accountId, { scopes: scopesWithout('orders:write') });
      expectRefusal(await change({ specialInstructions: 'x' }, { trade: reader }), 403, 'FORBIDDEN');
      const others: HttpClient[] = [(await aTrader(service)).trade, service.trade(trader.liveKey)];
      for (const trade of others) expectRefusal(await change({ specialInstructions: 'x' }, { trade }), 404, 'NOT_FOUND');
      for (const id of [newId('ord'), 'x']) expectRefusal(await change({ specialInstructions: 'x' }, { id }), 404, 'NOT_FOUND');
    });

    it('the texts of all changes of an order are bounded, and parcels are still accepted', async () => {
      await change({ specialInstructions: 'first' });
      await sql(
        service,
        `UPDATE order_changes SET content = jsonb_build_object('specialInstructions', repeat('x', 262000)) WHERE account_id = $1`,
        [trader.accountId],
      );
      const refused = await change({ specialInstructions: 'x'.repeat(200) });
      expectRefusal(refused, 409, 'ORDER_NOT_CHANGEABLE');
      expect(refused.json.error?.message).toContain('of 262144 bytes');
      expect((await service.studio().post(`/orders/${order.orderId}/parcels`, { parcelId: 'p1', trackingNumber: 'T1' })).status).toBe(200);
    });

    it('a signal or an external update changes nothing', async () => {
      const stored = newId('chg');
      await sql(
        service,
        `INSERT INTO order_changes (id, order_id, account_id, idempotency_key, fingerprint, content, created_at) VALUES ($1, $2, $3, 'k', 'f', '{"specialInstructions":"forged"}', now())`,
        [stored, order.orderId, trader.accountId],
      );
      const run = await startedOrder(service, order.orderId);
      const forged = { type: 'changed', changeId: stored };
      await run.signal('milestone', forged);
      await expect(run.executeUpdate('applyMessage', { args: [forged] })).rejects.toThrow();
      await waitFor('the result of both', async () =>
        (await readChangeEntries()).some(({ outcome }: { outcome: string }) => outcome === 'refused'),
      );
      expect((await readChangeEntries()).every(({ outcome }: { outcome: string }) => outcome === 'refused')).toBe(true);
      expect((await readAsStudio()).job.specialInstructions).toBeNull();
    });
  });
});

/** Another book with every rate of a kind of parcel changed. */
const raiseRates = (rates: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(rates).map(([kind, cents]) => [kind, cents + 5000]));
