import { readdir } from 'node:fs/promises';
import { newId } from '../../../src/security/ids';
import { anAccount } from '../../support/accounts';
import { copyRow } from '../../support/row-copies';
import { useSharedService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { startOnDevServer, startOnTimeSkippingServer, type OwnEnvironment } from './environment';
import { historyText } from './history-text';
import { aMilestone, OrderDriver, type OrderRef } from './order-driver';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Time is skipped, but real time passes too: on a slow machine, seconds between two steps. */
const DELAY_MS = 60 * MINUTE_MS;

const eventCount = async (desk: OrderDriver, ref: OrderRef, type: string): Promise<number> =>
  ((await desk.handle(ref).fetchHistory()).events ?? []).filter((event) => Object.hasOwn(event, type)).length;
const countMails = async ({ service }: OrderDriver, { orderId }: OrderRef): Promise<number> =>
  (await readdir(service.deps.config.mailOutboxDir).catch(() => [])).filter((name) => name.includes(orderId)).length;

describe('the confirmation of a live order', () => {
  let environment: OwnEnvironment;
  let desk: OrderDriver;
  beforeAll(async () => {
    environment = await startOnTimeSkippingServer({ CONFIRMATION_DELAY: '1h' });
    desk = new OrderDriver(environment.service);
    await desk.createQuote('live', false); // priced once, before time is skipped
  });
  afterAll(() => environment?.stop());

  /** Placed at the server's time, which earlier tests have advanced. */
  const order = async (): Promise<OrderRef> => {
    const ahead = (await environment.temporal.currentTimeMs()) - Date.now();
    return desk.placeOrder('live', false, () => new Date(Date.now() + ahead));
  };
  const sleepUntilBefore = async (ref: OrderRef, ms: number): Promise<void> => {
    const { created_at } = await desk.row(ref);
    await environment.temporal.sleep(created_at.getTime() + DELAY_MS - ms - (await environment.temporal.currentTimeMs()));
  };

  it('is sent when the order is as old as the delay, for any number of messages, with one timer', async () => {
    const ref = await order();
    await desk.apply(ref, aMilestone('production_started'));
    await desk.apply(ref, aMilestone('held'));
    await sleepUntilBefore(ref, 20 * MINUTE_MS);
    await desk.apply(ref, aMilestone('released'));
    expect([(await desk.row(ref)).confirmation_sent_at, await countMails(desk, ref)]).toEqual([null, 0]);
    await sleepUntilBefore(ref, 0);
    await waitFor('the confirmation', async () => (await desk.row(ref)).confirmation_sent_at);
    expect(await countMails(desk, ref)).toBe(1);
    expect(await eventCount(desk, ref, 'timerStartedEventAttributes')).toBe(1);
    expect(await eventCount(desk, ref, 'activityTaskScheduledEventAttributes')).toBe(1);
  });

  it.each([
    ['the client', (ref: OrderRef) => desk.cancel(ref)],
    ['the studio', (ref: OrderRef) => desk.apply(ref, aMilestone('cancelled'))],
  ])('is not sent for an order that %s cancels before', async (_title, cancel) => {
    const ref = await order();
    await sleepUntilBefore(ref, 20 * MINUTE_MS);
    await cancel(ref);
    await environment.temporal.sleep(DELAY_MS);
    await desk.waitUntilIdle(ref);
    expect(historyText(await desk.handle(ref).fetchHistory())).not.toContain('sendConfirmation');
    expect(await eventCount(desk, ref, 'timerCanceledEventAttributes')).toBe(1);
    expect(await countMails(desk, ref)).toBe(0);
    await desk.handle(ref).terminate('lost');
    await desk.apply(ref, { milestoneId: 'late', type: 'parcel_added', parcelId: 'late', trackingNumber: 'T' }); // resumed from the database
    await desk.waitUntilIdle(ref);
    expect(await countMails(desk, ref)).toBe(0);
  });

  it('waits for the rest of the delay after its workflow was lost', async () => {
    const ref = await order();
    await sleepUntilBefore(ref, 30 * MINUTE_MS);
    await desk.handle(ref).terminate('lost');
    await desk.apply(ref, aMilestone('production_started'));
    await sleepUntilBefore(ref, 20 * MINUTE_MS);
    expect(await countMails(desk, ref)).toBe(0);
    await sleepUntilBefore(ref, 0);
    await waitFor('the confirmation', async () => (await desk.row(ref)).confirmation_sent_at);
  });
});

describe('the confirmation of an order that continues as new within its minute', () => {
  let environment: OwnEnvironment;
  let desk: OrderDriver;
  beforeAll(async () => {
    environment = await startOnDevServer(['limit.historyCount.suggestContinueAsNew=60'], { CONFIRMATION_DELAY: '10m' });
    desk = new OrderDriver(environment.service);
  });
  afterAll(() => environment?.stop());

  it('is sent by a later run, once', async () => {
    const isShown = async (restMs: number): Promise<boolean> => {
      const dueAt = Date.now() + restMs; // before the placing, so never later than the confirmation
      const ref = await desk.placeOrder('live', false, () => new Date(Date.now() - 10 * MINUTE_MS + restMs));
      const first = (await desk.handle(ref).describe()).runId;
      for (let index = 0; index < 60; index += 1) await desk.signal(ref, { milestoneId: `bad-${index}`, type: 'completed' });
      await waitFor('another run', async () => (await desk.handle(ref).describe()).runId !== first);
      const isInTime = Date.now() < dueAt;
      if (isInTime)
        expect(historyText(await desk.client.workflow.getHandle(`order/${ref.orderId}`, first).fetchHistory())).not.toContain(
          'sendConfirmation',
        );
      await waitFor('the confirmation', async () => (await desk.row(ref)).confirmation_sent_at, 10 * MINUTE_MS);
      expect(await countMails(desk, ref)).toBe(1);
      return isInTime;
    };
    // On a slow machine, the first run may last longer. Then the next order has more time.
    expect((await isShown(20 * SECOND_MS)) || (await isShown(80 * SECOND_MS)) || (await isShown(320 * SECOND_MS))).toBe(true);
  });
});

describe('confirmations of an account that orders and cancels', () => {
  const service = useSharedService();

  const untilConfirmed = (desk: OrderDriver, ref: OrderRef) =>
    waitFor('the confirmation', async () => (await desk.row(ref)).confirmation_sent_at ?? (await desk.row(ref)).confirmation_failed_at);
  const readAttention = async ({ orderId }: OrderRef) => (await service.studio().get(`/orders/${orderId}`)).json.data.attention;

  /** A new account with this many orders that were confirmed and then cancelled. */
  async function accountWithCancelledOrders(count: number): Promise<OrderDriver> {
    const desk = new OrderDriver({ ...service, account: await anAccount(service.deps.database) });
    const ref = await desk.placeOrder('live', false);
    await untilConfirmed(desk, ref);
    await desk.cancel(ref);
    const { quote_id: quoteId } = await desk.row(ref);
    for (let copy = 1; copy < count; copy += 1) {
      const quote = newId('quo');
      const id = newId('ord');
      await copyRow(service.deps.database, 'quotes', quoteId, [{ id: quote }]);
      await copyRow(service.deps.database, 'orders', ref.orderId, [{ id, quote_id: quote, order_number: `C-${id}` }]);
    }
    return desk;
  }

  it('beyond fifty in a day are replaced by attention until the order is cancelled, and other accounts get theirs', async () => {
    const desk = await accountWithCancelledOrders(50);
    const ref = await desk.placeOrder('live', false);
    await waitFor('the end of the confirmation', async () => (await desk.row(ref)).confirmation_failed_at);
    expect(await desk.row(ref)).toMatchObject({ confirmation_sent_at: null });
    expect(await readAttention(ref)).toEqual([
      { code: 'CONFIRMATION_WITHHELD', since: expect.any(String), message: expect.stringContaining('50 confirmed orders of this account') },
    ]);
    expect(await countMails(desk, ref)).toBe(0);
    await desk.cancel(ref);
    expect(await readAttention(ref)).toEqual([]);

    const other = new OrderDriver({ ...service, account: await anAccount(service.deps.database) });
    const theirs = await other.placeOrder('live', false);
    await waitFor('the confirmation', async () => (await other.row(theirs)).confirmation_sent_at);
  });

  it('are sent for forty-nine a day, and for fifty with one older than a day', async () => {
    const desk = await accountWithCancelledOrders(49);
    const ref = await desk.placeOrder('live', false);
    await waitFor('the confirmation', async () => (await desk.row(ref)).confirmation_sent_at);
    await desk.cancel(ref);
    await desk.sql(`UPDATE orders SET confirmation_sent_at = confirmation_sent_at - interval '24 hours' WHERE id = $1`, [ref.orderId]);
    const next = await desk.placeOrder('live', false);
    await waitFor('the confirmation', async () => (await desk.row(next)).confirmation_sent_at);
    expect(await readAttention(next)).toEqual([]);
  });
});
