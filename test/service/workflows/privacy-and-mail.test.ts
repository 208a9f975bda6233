import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { orderWorkflowId, quoteWorkflowId } from '../../../workflows/messages';
import { anIdempotencyKeyHeader, aLine, anAddress, aQuote, placeOrder, uploadArtwork } from '../../support/baskets';
import { useFixture, useSharedService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { historyText } from './history-text';
import { aMilestone, aParcel, OrderDriver } from './order-driver';

describe('data that leaves an order', () => {
  const service = useSharedService();
  const desk = useFixture(() => new OrderDriver(service));

  const listOutbox = () => readdir(service.deps.config.mailOutboxDir).catch(() => [] as string[]);

  it("a live order in the studio's packaging sends its customer one mail", async () => {
    const ref = await desk.placeOrder('live', false);
    await waitFor('the mail is marked as sent', async () => (await desk.row(ref)).confirmation_sent_at);
    await desk.handle(ref).terminate('lost');
    await desk.apply(ref, aMilestone('printed'));
    const mails = (await listOutbox()).filter((name) => name.includes(ref.orderId));
    expect(mails).toEqual([`confirmation-${ref.orderId}.eml`]);
    expect(await readFile(path.join(service.deps.config.mailOutboxDir, mails[0] ?? ''), 'utf8')).toContain('ada@example.com');
    expect(historyText(await desk.handle(ref).fetchHistory())).not.toContain('sendConfirmation');
  });

  it.each([
    ['live', true],
    ['test', false],
    ['test', true],
  ] as const)('an order that is %s and white-labelled %s sends none', async (environment, whiteLabel) => {
    const ref = await desk.placeOrder(environment, whiteLabel);
    await desk.apply(ref, aMilestone('cancelled'));
    await desk.waitUntilIdle(ref);
    expect(historyText(await desk.handle(ref).fetchHistory())).not.toContain('sendConfirmation');
    expect((await listOutbox()).filter((name) => name.includes(ref.orderId))).toEqual([]);
  });

  it('histories have ids and facts, and no data of the customer or the artwork', async () => {
    const trade = service.trade(service.account.liveKey);
    const imageUrl = await uploadArtwork(trade);
    const secrets = {
      name: 'Wilhelmina Q',
      company: 'Quuxworks',
      line1: '77 Zebra Parade',
      line2: 'Flat Yellow',
      city: 'Melbourne',
      postcode: '3000',
      email: 'wilhelmina@quux.example',
      phone: '0400 987 654',
    };
    const { quoteId } = await aQuote(trade, {
      items: [aLine(imageUrl, { externalReference: 'REF-HUSH-1' })],
      shippingAddress: anAddress(secrets),
      whiteLabel: false,
    });
    const placed = await placeOrder(trade, quoteId, anIdempotencyKeyHeader(), { specialInstructions: 'leave it behind the aspidistra' });
    expect(placed.status).toBe(201);
    const { orderId, orderNumber } = placed.json.data;
    const ref = { orderId, orderNumber, accountId: service.account.accountId, environment: 'live' as const };
    await waitFor('the mail is sent', async () => (await desk.row(ref)).confirmation_sent_at);
    await desk.apply(ref, aMilestone('production_started'));
    await desk.signal(ref, aParcel('p1'));
    await waitFor('shipped', async () => (await desk.row(ref)).status === 'shipped');
    const { client } = desk;
    const read = async (workflowId: string) =>
      historyText([
        await client.workflow.getHandle(workflowId).fetchHistory(),
        await client.workflow
          .getHandle(workflowId)
          .describe()
          .then(({ raw }) => raw),
      ]);
    const text = `${await read(orderWorkflowId(orderId))}\n${await read(quoteWorkflowId(quoteId))}`;
    expect(text).toContain(orderId);
    const forbidden = [
      ...Object.values({ ...secrets, postcode: `"${secrets.postcode}"` }), // an id or a time can contain its four digits
      imageUrl,
      new URL(imageUrl).pathname,
      'dunes.jpg',
      'REF-HUSH-1',
      'aspidistra',
      'Gallery North',
      'gallery@example.com',
    ];
    expect(forbidden.filter((secret) => text.includes(secret))).toEqual([]);
  });
});
