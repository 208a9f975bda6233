import { formatCents } from '../../../../src/domain/money';
import { aTrader, waitForLockWaiters, type Trader } from '../support';
import { aQuote, placeOrder } from '../../../support/baskets';
import type { Reply } from '../../../support/client';
import { copyQuote } from '../../../support/row-copies';
import { useFixture, useSharedService } from '../../../support/fixtures';
import { aToken, findAuditEntries, findEventTypes, validationPathsOf, sendMilestone } from './support';

interface PlacedOrder {
  orderId: string;
  invoiceNumber: string;
  invoiceId: string;
  totalCents: number;
}

describe('payments on account, refunds and statements', () => {
  const service = useSharedService();
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Books' })));
  let first: any;
  beforeAll(async () => {
    first = await aQuote(service.trade(service.account.testKey));
  });

  const sql = <T = any>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows<T>(text, parameters);

  /** Test orders of the account with the same total, oldest first. */
  async function place(trader: Trader, count: number): Promise<PlacedOrder[]> {
    const quotes = await copyQuote(service.deps.database, first.quoteId, count, { account_id: trader.accountId });
    const placed: PlacedOrder[] = [];
    for (const quoteId of quotes) {
      const { orderId, totalCents } = (await placeOrder(trader.trade, quoteId)).json.data;
      const [invoice] = await sql(`SELECT id, invoice_number FROM invoices WHERE order_id = $1`, [orderId]);
      placed.push({ orderId, totalCents, invoiceId: invoice.id, invoiceNumber: invoice.invoice_number });
    }
    return placed;
  }
  const pay = (trader: Trader, fields: Record<string, unknown>): Promise<Reply> =>
    office.post(`/accounts/${trader.accountId}/payments`, { paymentId: 'bank-1', environment: 'test', ...fields });
  const reverse = (trader: Trader, paymentId = 'bank-1') =>
    office.post(`/accounts/${trader.accountId}/payments/${paymentId}/reverse`, { reason: 'bounced' });
  const reverseRefund = (trader: Trader, fields: Record<string, unknown> = {}, refundId = 'back-1') =>
    office.post(`/accounts/${trader.accountId}/refunds/${refundId}/reverse`, {
      reversalId: 'r-1',
      reason: 'their account is closed',
      ...fields,
    });
  const refund = (trader: Trader, fields: Record<string, unknown>) =>
    office.post(`/accounts/${trader.accountId}/refunds`, { refundId: 'back-1', environment: 'test', ...fields });
  const readBalances = async (trader: Trader) => {
    const { outstandingCents, creditCents } = (await office.get(`/accounts/${trader.accountId}`)).json.data.test;
    return [outstandingCents, creditCents];
  };
  /** The statement of every day, because a day or a month can end during a test. */
  const statement = async (trader: Trader) =>
    (await office.get(`/accounts/${trader.accountId}/statement?environment=test&from=2020-01-01&to=2999-12-31`)).json.data;
  const sharesOf = (reply: Reply): [string, number][] =>
    reply.json.data.invoices.map(({ invoiceNumber, amountCents }: any) => [invoiceNumber, amountCents]);
  const refusalOf = ({ status, json }: Reply) => [status, json.error?.code, json.error?.message];

  it('a payment or refund with an id that cannot be in a URL is refused', async () => {
    const trader = await aTrader(service);
    expect(validationPathsOf(await pay(trader, { paymentId: '..', amountCents: 1 }))).toEqual(['paymentId']);
    expect(validationPathsOf(await refund(trader, { refundId: '.', amountCents: 1 }))).toEqual(['refundId']);
  });

  describe('the same bank line twice (ruling 70)', () => {
    const LINE = { paymentId: 'line-9', amountCents: 400, receivedAt: '2026-03-05T00:00:00Z' };
    const payOrder = async (order: PlacedOrder, fields: Record<string, unknown> = {}) =>
      expect((await office.post(`/orders/${order.orderId}/payments`, { ...LINE, ...fields })).status).toBe(200);
    const reverseOrderPayment = async (order: PlacedOrder) =>
      expect((await office.post(`/orders/${order.orderId}/payments/${LINE.paymentId}/reverse`, { reason: 'bounced' })).status).toBe(200);
    const payOnAccount = async (trader: Trader, fields: Record<string, unknown> = {}) =>
      expect((await pay(trader, { ...LINE, ...fields })).status).toBe(200);
    const readRepeatedAttention = async (...orders: PlacedOrder[]): Promise<string[][]> => {
      const shown = await Promise.all(orders.map(({ orderId }) => office.get(`/orders/${orderId}`)));
      return shown.map(({ json }) =>
        json.data.attention
          .filter(({ code }: { code: string }) => code === 'PAYMENT_REPEATED')
          .map(({ message }: { message: string }) => message),
      );
    };
    const places = ([message = '']: string[] = []): string => /times: (.*);/.exec(message)?.[1] ?? message;

    it('on two orders and on account is accepted, and each needs attention until one of two is reversed', async () => {
      const trader = await aTrader(service);
      const [one, two, three] = (await place(trader, 3)) as [PlacedOrder, PlacedOrder, PlacedOrder];
      const numbers = await sql('SELECT order_number FROM orders WHERE account_id = $1 ORDER BY order_number', [trader.accountId]);
      const [onOne, onTwo] = numbers.map(({ order_number: number }) => `on order ${number}`);
      await payOrder(one);
      expect(await readRepeatedAttention(one)).toEqual([[]]);
      await payOnAccount(trader, { invoices: [{ invoiceId: three.invoiceId, amountCents: 400 }] });
      const [onFirst, onThird, onSecond] = await readRepeatedAttention(one, three, two);
      expect([places(onFirst), places(onThird), onSecond]).toEqual([`${onOne}, on account`, `${onOne}, on account`, []]);
      expect(onFirst).toEqual([expect.stringContaining('payment line-9 of 4.00, received on 2026-03-05, is recorded 2 times')]);
      await payOrder(two);
      expect((await readRepeatedAttention(one, two, three)).map(places)).toEqual(Array(3).fill(`${onOne}, on account, ${onTwo}`));
      await reverse(trader, LINE.paymentId);
      expect((await readRepeatedAttention(one, two, three)).map(places)).toEqual([`${onOne}, ${onTwo}`, `${onOne}, ${onTwo}`, '']);
      await reverseOrderPayment(one);
      expect(await readRepeatedAttention(one, two, three)).toEqual([[], [], []]);
      expect((await office.get(`/attention?environment=test&code=PAYMENT_REPEATED&accountId=${trader.accountId}`)).json.data).toEqual([]);
    });

    it('raises attention on at most 20 orders', async () => {
      const trader = await aTrader(service);
      const placed = await place(trader, 22);
      for (const order of placed) await payOrder(order);
      const shown = await readRepeatedAttention(...placed);
      expect(shown.map(({ length }) => length)).toEqual([...Array<number>(20).fill(1), 0, 0]);
      expect(shown[0]).toEqual([expect.stringMatching(/is recorded 20 or more times: (on order \S+, ){5}and many more;/)]);
    });

    it('is resolved on all its orders, and a third payment raises it on all again', async () => {
      const trader = await aTrader(service);
      const [one, two, three] = (await place(trader, 3)) as [PlacedOrder, PlacedOrder, PlacedOrder];
      await payOrder(one);
      await payOrder(two);
      const resolved = await office.post(`/orders/${two.orderId}/attention/PAYMENT_REPEATED/resolve`, {
        note: 'two pictures, two payments',
      });
      expect(resolved.status).toBe(200);
      expect(await readRepeatedAttention(one, two)).toEqual([[], []]);
      const kept = await sql(`SELECT cleared_by, note FROM order_attention WHERE order_id = $1`, [one.orderId]);
      expect(kept).toEqual([{ cleared_by: 'Books', note: 'two pictures, two payments' }]);
      await payOrder(three);
      expect((await readRepeatedAttention(one, two, three)).map(({ length }) => length)).toEqual([1, 1, 1]);
    });

    it('requires the same day, amount, reference, account and environment, excludes payments from credit, and uses the studio’s day', async () => {
      const [trader, other] = [await aTrader(service), await aTrader(service)];
      const [one, two] = (await place(trader, 2)) as [PlacedOrder, PlacedOrder];
      const [theirs] = (await place(other, 1)) as [PlacedOrder];
      await payOrder(one);
      await payOrder(theirs);
      await payOnAccount(trader, { environment: 'live' });
      await payOrder(two, { amountCents: 401 });
      await reverseOrderPayment(two);
      await payOrder(two, { paymentId: 'line-10' });
      const [four, five] = (await place(trader, 2)) as [PlacedOrder, PlacedOrder];
      await payOrder(four, { receivedAt: '2026-03-05T13:00:00Z' }); // 6 March in Melbourne
      expect(await readRepeatedAttention(one, two, theirs, four)).toEqual([[], [], [], []]);
      await payOrder(five, { receivedAt: '2026-03-04T13:00:00Z' }); // 5 March in Melbourne
      expect((await readRepeatedAttention(one, four, five)).map(({ length }) => length)).toEqual([1, 0, 1]);
    });

    it('is on the order, and is shown with the payment on account that paid no invoice', async () => {
      const trader = await aTrader(service);
      const [one] = (await place(trader, 1)) as [PlacedOrder];
      await payOnAccount(trader, { invoices: [] });
      await payOrder(one);
      expect((await readRepeatedAttention(one)).map(places)).toEqual([expect.stringMatching(/^on account, on order T-/)]);
      const shown = async () => (await office.get(`/accounts/${trader.accountId}/payments/${LINE.paymentId}`)).json.data.attention;
      const [[message] = []] = await readRepeatedAttention(one);
      expect(await shown()).toEqual([{ code: 'PAYMENT_REPEATED', since: expect.any(String), message }]);
      await reverseOrderPayment(one);
      expect([await shown(), await readRepeatedAttention(one)]).toEqual([[], [[]]]);
    });

    it('is not raised by a repeated payment', async () => {
      const trader = await aTrader(service);
      const [one, two] = (await place(trader, 2)) as [PlacedOrder, PlacedOrder];
      await Promise.all([payOrder(one), payOrder(two), payOrder(one), payOrder(two)]);
      expect((await readRepeatedAttention(one, two)).map(({ length }) => length)).toEqual([1, 1]);
    });
  });

  describe('a payment', () => {
    it('pays the oldest invoices first by default, and the rest is credit', async () => {
      const trader = await aTrader(service);
      const [one, two, three] = (await place(trader, 3)) as [PlacedOrder, PlacedOrder, PlacedOrder];
      const part = await pay(trader, { amountCents: one.totalCents + 100, reference: 'March', receivedAt: '2026-03-05T00:00:00Z' });
      expect(part.json.data).toMatchObject({
        source: 'money',
        unappliedCents: 0,
        reference: 'March',
        receivedAt: '2026-03-05T00:00:00.000Z',
      });
      expect(sharesOf(part)).toEqual([
        [one.invoiceNumber, one.totalCents],
        [two.invoiceNumber, 100],
      ]);
      expect(await readBalances(trader)).toEqual([two.totalCents * 2 - 100, 0]);
      const rest = await pay(trader, { paymentId: 'bank-2', amountCents: two.totalCents * 2 });
      expect(sharesOf(rest)).toEqual([
        [two.invoiceNumber, two.totalCents - 100],
        [three.invoiceNumber, three.totalCents],
      ]);
      expect(rest.json.data).toMatchObject({ unappliedCents: 100, invoiceCount: 2 });
      expect(await readBalances(trader)).toEqual([0, 100]);
      expect((await office.get(`/invoices/${two.invoiceNumber}`)).json.data).toMatchObject({
        state: 'paid',
        dueCents: 0,
        payments: [
          { paymentId: 'account:bank-1', amountCents: 100 },
          { paymentId: 'account:bank-2', amountCents: two.totalCents - 100 },
        ],
      });
    });

    it('pays the listed invoices, by id or number, and with an empty list none', async () => {
      const trader = await aTrader(service);
      const [one, two] = (await place(trader, 2)) as [PlacedOrder, PlacedOrder];
      const named = await pay(trader, {
        amountCents: 1000,
        invoices: [
          { invoiceId: two.invoiceNumber, amountCents: 300 },
          { invoiceId: one.invoiceId, amountCents: 200 },
        ],
      });
      expect(sharesOf(named)).toEqual([
        [one.invoiceNumber, 200],
        [two.invoiceNumber, 300],
      ]);
      expect((await pay(trader, { paymentId: 'deposit', amountCents: 70, invoices: [] })).json.data).toMatchObject({
        unappliedCents: 70,
        invoices: [],
      });
      expect(await readBalances(trader)).toEqual([one.totalCents + two.totalCents - 500, 570]);
    });

    it('is atomic: 409 names each invoice that refuses its share, with its open amount', async () => {
      const [trader, other] = [await aTrader(service), await aTrader(service)];
      const [good, small, gone] = (await place(trader, 3)) as [PlacedOrder, PlacedOrder, PlacedOrder];
      const [theirs] = (await place(other, 1)) as [PlacedOrder];
      await pay(trader, { paymentId: 'before', amountCents: 10, invoices: [{ invoiceId: small.invoiceId, amountCents: 10 }] });
      await sendMilestone(office, gone.orderId, 'cancelled');
      const before = await statement(trader);
      const open = small.totalCents - 10;
      const names = [good.invoiceNumber, small.invoiceNumber, gone.invoiceNumber, theirs.invoiceNumber, 'TINV-999999', 'nonsense'];
      const reply = await pay(trader, {
        amountCents: 1_000_000,
        invoices: names.map((invoiceId) => ({ invoiceId, amountCents: small.totalCents })),
      });
      expect([reply.status, reply.json.error?.code]).toEqual([409, 'PAYMENT_REFUSED']);
      expect(reply.json.error?.message).toContain(
        `${small.invoiceNumber}: its share is ${formatCents(small.totalCents)}, but only ${formatCents(open)} is open`,
      );
      expect(reply.json.error?.details.invoices).toEqual([
        { invoiceId: small.invoiceNumber, dueCents: open, reason: expect.stringContaining(`${formatCents(open)} is open`) },
        { invoiceId: gone.invoiceNumber, dueCents: 0, reason: 'it is void' },
        { invoiceId: theirs.invoiceNumber, dueCents: theirs.totalCents, reason: 'it belongs to another account' },
        { invoiceId: 'TINV-999999', dueCents: null, reason: 'the invoice does not exist' },
        { invoiceId: 'nonsense', dueCents: null, reason: 'the invoice does not exist' },
      ]);
      const live = await pay(trader, { environment: 'live', amountCents: 5, invoices: [{ invoiceId: good.invoiceId, amountCents: 5 }] });
      expect(refusalOf(live)).toEqual([409, 'PAYMENT_REFUSED', expect.stringContaining('it is a test invoice, but the payment is live')]);
      expect(await statement(trader)).toEqual(before);
      expect((await office.get(`/accounts/${trader.accountId}/payments`)).json.data).toHaveLength(1);
    });

    it('is returned unchanged if repeated, and other content under its id is 409', async () => {
      const trader = await aTrader(service);
      await place(trader, 1);
      const sent = { amountCents: 100, reference: 'EFT 9' };
      const made = await pay(trader, sent);
      expect((await pay(trader, { ...sent, source: 'money', receivedAt: null })).json).toEqual(made.json);
      for (const other of [{ amountCents: 101 }, { reference: null }, { environment: 'live' }, { invoices: [] }])
        expect(refusalOf(await pay(trader, { ...sent, ...other }))).toEqual([409, 'PAYMENT_ID_REUSED', expect.stringContaining('bank-1')]);
      expect((await findAuditEntries(service, trader.accountId)).map(({ actor, action, after }) => [actor, action, after])).toEqual([
        ['Books', 'account-payment.record', expect.objectContaining({ paymentId: 'bank-1', amountCents: 100, unappliedCents: 0 })],
      ]);
    });

    it('is a repeat at the same instant, with an empty or no reference, and with the same invoices by id or number', async () => {
      const trader = await aTrader(service);
      const [one, two] = (await place(trader, 2)) as [PlacedOrder, PlacedOrder];
      const share = (invoiceId: string, amountCents: number) => ({ invoiceId, amountCents });
      const sent = { amountCents: 500, receivedAt: '2026-03-05T10:00:00+10:00', reference: '' };
      const made = await pay(trader, { ...sent, invoices: [share(one.invoiceNumber, 100), share(two.invoiceId, 200)] });
      expect(made.json.data).toMatchObject({ receivedAt: '2026-03-05T00:00:00.000Z', reference: null });
      const same = { ...sent, receivedAt: '2026-03-05T00:00:00Z', invoices: [share(two.invoiceNumber, 200), share(one.invoiceId, 100)] };
      expect((await pay(trader, same)).json).toEqual(made.json);
      expect((await pay(trader, { ...same, reference: undefined })).json).toEqual(made.json);
      for (const other of [[share(one.invoiceId, 200), share(two.invoiceId, 100)], [share(one.invoiceId, 100)], [], undefined])
        expect(refusalOf(await pay(trader, { ...same, invoices: other }))[1]).toBe('PAYMENT_ID_REUSED');
    });

    it('repeated after its reversal is 409 and asks for a new id', async () => {
      const trader = await aTrader(service);
      await pay(trader, { amountCents: 100 });
      await reverse(trader);
      const again = await pay(trader, { amountCents: 100 });
      expect(refusalOf(again)).toEqual([409, 'PAYMENT_REFUSED', 'the payment bank-1 was reversed; send a new id']);
      expect(refusalOf(await pay(trader, { amountCents: 101 }))[1]).toBe('PAYMENT_ID_REUSED');
      expect(await readBalances(trader)).toEqual([0, 0]);
      expect((await pay(trader, { paymentId: 'bank-2', amountCents: 100 })).status).toBe(200);
    });

    it('from credit is fully allocated and limited to the credit', async () => {
      const trader = await aTrader(service);
      const [one] = (await place(trader, 1)) as [PlacedOrder];
      await pay(trader, { paymentId: 'deposit', amountCents: one.totalCents + 50, invoices: [] });
      const from = (fields: Record<string, unknown>) => pay(trader, { paymentId: 'use', source: 'credit', ...fields });
      expect(refusalOf(await from({ amountCents: one.totalCents + 1 }))).toEqual([
        409,
        'PAYMENT_REFUSED',
        expect.stringContaining(`send ${formatCents(one.totalCents)}, or add`),
      ]);
      expect(refusalOf(await from({ amountCents: 10, invoices: [] }))[1]).toBe('PAYMENT_REFUSED');
      expect((await from({ amountCents: one.totalCents })).json.data).toMatchObject({
        source: 'credit',
        unappliedCents: 0,
        invoiceCount: 1,
      });
      expect(await readBalances(trader)).toEqual([0, 50]);
      const { entries, closingCents } = await statement(trader);
      expect(entries.at(-1)).toMatchObject({
        type: 'payment',
        amountCents: 0,
        outstandingCents: -one.totalCents,
        creditCents: -one.totalCents,
      });
      expect(closingCents).toBe(-50);
      await place(trader, 1);
      expect(refusalOf(await pay(trader, { paymentId: 'more', source: 'credit', amountCents: 51 }))).toEqual([
        409,
        'CREDIT_INSUFFICIENT',
        expect.stringContaining('0.50'),
      ]);
      await reverse(trader, 'use');
      expect(await readBalances(trader)).toEqual([one.totalCents * 2, one.totalCents + 50]);
    });

    it('with invoices that exceed the amount is refused', async () => {
      const reply = await pay(await aTrader(service), { amountCents: 100, invoices: [{ invoiceId: 'TINV-1', amountCents: 101 }] });
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, ['invoices']]);
    });

    it('lists an invoice once, by id or number', async () => {
      const trader = await aTrader(service);
      const [one] = (await place(trader, 1)) as [PlacedOrder];
      const invoices = [one.invoiceId, one.invoiceNumber].map((invoiceId) => ({ invoiceId, amountCents: 1 }));
      expect(validationPathsOf(await pay(trader, { amountCents: 2, invoices }))).toEqual(['invoices.1.invoiceId']);
    });

    it('of an unknown account is 404, and so is an unknown payment', async () => {
      const trader = await aTrader(service);
      const nobody = { ...trader, accountId: 'acc_00' };
      const replies = [await pay(nobody, { amountCents: 1 }), await reverse(nobody), await reverse(trader), await reverse(trader, '%00')];
      expect(replies.map(({ json }) => json.error?.code)).toEqual(Array(4).fill('NOT_FOUND'));
      expect((await office.get(`/accounts/${trader.accountId}/payments/bank-1`)).status).toBe(404);
    });
  });

  describe('an order paid on account', () => {
    it("refuses the client's cancel because of the payment, and allows it after the reversal", async () => {
      const trader = await aTrader(service);
      const [one] = (await place(trader, 1)) as [PlacedOrder];
      await sendMilestone(office, one.orderId, 'production_started'); // its workflow runs without the payment
      await pay(trader, { amountCents: 500 });
      const shown = (await office.get(`/orders/${one.orderId}`)).json.data;
      expect(shown).toMatchObject({
        cancellable: { now: false, blockers: ['money'] },
        facts: { paidCents: 500 },
        invoice: { state: 'part_paid' },
      });
      expect(shown.timeline.at(-1)).toMatchObject({ type: 'payment_recorded', milestoneId: 'payment:account:bank-1', actor: 'Books' });
      const refused = await trader.trade.post(`/orders/${one.orderId}/cancel`);
      expect([refused.status, refused.json.error?.message]).toEqual([409, expect.stringContaining('(money)')]);
      await reverse(trader);
      expect((await office.get(`/orders/${one.orderId}`)).json.data).toMatchObject({
        cancellable: { now: true },
        payments: [{ paymentId: 'account:bank-1', reversedAt: expect.any(String) }],
      });
      expect((await trader.trade.post(`/orders/${one.orderId}/cancel`)).json.data.status).toBe('cancelled');
      expect(await findEventTypes(service, one.orderId)).toEqual(['order.received', 'order.in_production', 'order.cancelled']);
    });

    it('refuses to reverse only its share, and 409 says to reverse the payment on account', async () => {
      const trader = await aTrader(service);
      const [one] = (await place(trader, 1)) as [PlacedOrder];
      await pay(trader, { paymentId: 'bank/7', amountCents: 500 });
      const share = await office.post(`/orders/${one.orderId}/payments/${encodeURIComponent('account:bank/7')}/reverse`, {
        reason: 'bounced',
      });
      expect(refusalOf(share)).toEqual([409, 'MILESTONE_REFUSED', expect.stringContaining('reverse payment bank/7 of the account')]);
      const own = await office.post(`/orders/${one.orderId}/payments`, { paymentId: 'account:x', amountCents: 1 });
      expect(validationPathsOf(own)).toEqual(['paymentId']);
      expect(await readBalances(trader)).toEqual([one.totalCents - 500, 0]);
    });

    it('leaves credit when the studio cancels it, and reversing the payment removes the credit and PAID_BUT_VOID', async () => {
      const trader = await aTrader(service);
      const [one] = (await place(trader, 1)) as [PlacedOrder];
      await pay(trader, { amountCents: one.totalCents });
      const cancelled = await sendMilestone(office, one.orderId, 'cancelled');
      expect(cancelled.json.data.attention).toMatchObject([{ code: 'PAID_BUT_VOID' }]);
      expect(await readBalances(trader)).toEqual([0, one.totalCents]);
      expect((await reverse(trader)).json.data.reversedAt).toEqual(expect.any(String));
      expect((await reverse(trader)).status).toBe(200);
      expect(await readBalances(trader)).toEqual([0, 0]);
      expect((await office.get(`/orders/${one.orderId}`)).json.data.attention).toEqual([]);
      expect((await findAuditEntries(service, trader.accountId)).map(({ action }) => action)).toEqual([
        'account-payment.record',
        'account-payment.reverse',
      ]);
    });

    it('PAID_BUT_VOID shows the remaining paid amount and ends when it is zero', async () => {
      const trader = await aTrader(service);
      const [one] = (await place(trader, 1)) as [PlacedOrder];
      await pay(trader, { amountCents: 300 });
      await pay(trader, { paymentId: 'bank-2', amountCents: 200 });
      await office.post(`/orders/${one.orderId}/payments`, { paymentId: 'own', amountCents: 70 });
      await sendMilestone(office, one.orderId, 'cancelled');
      const open = async () => (await office.get(`/orders/${one.orderId}`)).json.data.attention;
      expect(await open()).toMatchObject([{ code: 'PAID_BUT_VOID', message: expect.stringContaining(' 5.70 ') }]);
      await reverse(trader, 'bank-2');
      expect(await open()).toMatchObject([{ code: 'PAID_BUT_VOID', message: expect.stringContaining(' 3.70 ') }]);
      await office.post(`/orders/${one.orderId}/payments/own/reverse`, { reason: 'bounced' });
      expect(await open()).toMatchObject([{ code: 'PAID_BUT_VOID', message: expect.stringContaining(' 3.00 ') }]);
      await reverse(trader);
      expect(await open()).toEqual([]);
    });

    it('delays the payment while a message to it is being stored, and both count', async () => {
      const trader = await aTrader(service);
      const [one] = (await place(trader, 1)) as [PlacedOrder];
      let paid: Promise<Reply> | undefined;
      await service.deps.database.transaction(async (other) => {
        await other.run('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [one.orderId]);
        paid = pay(trader, { amountCents: 100 });
        await waitForLockWaiters(service);
        await other.run('UPDATE orders SET version = version + 1 WHERE id = $1', [one.orderId]);
      });
      expect((await paid)?.status).toBe(200);
      expect(await sql('SELECT version FROM orders WHERE id = $1', [one.orderId])).toEqual([{ version: 3 }]);
    });
  });

  it('concurrent payments pay each invoice once, and a concurrent repeat is one payment', async () => {
    const trader = await aTrader(service);
    const [one, two] = (await place(trader, 2)) as [PlacedOrder, PlacedOrder];
    const replies = await Promise.all([
      ...[1, 2, 3, 4].map((n) => pay(trader, { paymentId: `p${n % 3}`, amountCents: one.totalCents })),
      office.post(`/orders/${two.orderId}/payments`, { paymentId: 'own', amountCents: 100 }),
    ]);
    const paid = replies.slice(0, 4).map(({ json }) => json.data.paymentId);
    expect(paid.toSorted()).toEqual(['p0', 'p1', 'p1', 'p2']);
    const owed = one.totalCents + two.totalCents - 3 * one.totalCents - (replies[4]?.status === 200 ? 100 : 0);
    expect(await readBalances(trader)).toEqual([0, -owed]);
  });

  describe('refunds', () => {
    it('pay back credit up to the available amount, and a repeat is one refund', async () => {
      const trader = await aTrader(service);
      await pay(trader, { amountCents: 900 });
      expect(refusalOf(await refund(trader, { amountCents: 901 }))).toEqual([409, 'CREDIT_INSUFFICIENT', expect.any(String)]);
      const made = await refund(trader, { amountCents: 600, reference: 'EFT back' });
      expect(made.json.data).toMatchObject({ refundId: 'back-1', amountCents: 600, reference: 'EFT back' });
      expect((await refund(trader, { amountCents: 600, reference: 'EFT back' })).json).toEqual(made.json);
      expect(refusalOf(await refund(trader, { amountCents: 100 }))[1]).toBe('PAYMENT_ID_REUSED');
      expect(await readBalances(trader)).toEqual([0, 300]);
      const listed = async (what: string) => (await office.get(`/accounts/${trader.accountId}/${what}`)).json.data;
      for (const query of ['', '?environment=test']) {
        expect(await listed(`refunds${query}`)).toEqual([made.json.data]);
        expect(await listed(`payments${query}`)).toHaveLength(1);
      }
      for (const list of ['refunds', 'payments']) expect(await listed(`${list}?environment=live`)).toEqual([]);
      const audit = (await findAuditEntries(service, trader.accountId)).map(({ action, after }) => [action, after.amountCents]);
      expect(audit).toEqual([
        ['account-payment.record', 900],
        ['refund.record', 600],
      ]);
    });

    it('a payment can be reversed after its refund, and the credit is negative until it is paid', async () => {
      const trader = await aTrader(service);
      await office.send('PATCH', `/accounts/${trader.accountId}`, { creditLimitCents: 10_000 });
      await pay(trader, { amountCents: 900 });
      await refund(trader, { amountCents: 600 });
      expect((await reverse(trader)).json.data.reversedAt).toEqual(expect.any(String));
      expect(await readBalances(trader)).toEqual([0, -600]);
      expect((await statement(trader)).closingCents).toBe(600);
      expect(refusalOf(await refund(trader, { refundId: 'more', amountCents: 1 }))).toEqual([
        409,
        'CREDIT_INSUFFICIENT',
        expect.any(String),
      ]);
      expect(refusalOf(await pay(trader, { paymentId: 'use', source: 'credit', amountCents: 1, invoices: [] }))[0]).toBe(409);
      await pay(trader, { paymentId: 'bank-2', amountCents: 600, invoices: [] });
      expect(await readBalances(trader)).toEqual([0, 0]);
    });

    it('become credit again when reversed, once per reversal id', async () => {
      const trader = await aTrader(service);
      await pay(trader, { amountCents: 900 });
      await refund(trader, { amountCents: 600, reference: '' });
      expect((await refund(trader, { amountCents: 600 })).json.data).toMatchObject({ reference: null, reversedAt: null });
      for (const id of ['back-2', '..%2F', '%00']) expect((await reverseRefund(trader, {}, id)).status).toBe(404);
      const reversed = await reverseRefund(trader);
      expect(reversed.json.data).toMatchObject({
        refundId: 'back-1',
        amountCents: 600,
        reversedAt: expect.any(String),
        reversalReason: 'their account is closed',
      });
      expect((await reverseRefund(trader)).json).toEqual(reversed.json);
      expect(await readBalances(trader)).toEqual([0, 900]);
      expect(refusalOf(await reverseRefund(trader, { reason: 'another' }))[1]).toBe('PAYMENT_ID_REUSED');
      expect(refusalOf(await reverseRefund(trader, { reversalId: 'r-2' }))).toEqual([
        409,
        'PAYMENT_REFUSED',
        expect.stringContaining('already reversed'),
      ]);
      const again = await refund(trader, { amountCents: 600 });
      expect(refusalOf(again)).toEqual([409, 'PAYMENT_REFUSED', 'the refund back-1 was reversed; send a new id']);
      expect(
        (await statement(trader)).entries.map((entry: any) => [entry.type, entry.amountCents, entry.refundId, entry.reference]),
      ).toEqual([
        ['payment', -900, null, null],
        ['refund', 600, 'back-1', null],
        ['reversal', -600, 'back-1', 'their account is closed'],
      ]);
      expect(
        (await findAuditEntries(service, trader.accountId)).map(({ action, before, after }) => [
          action,
          before?.reversedAt,
          after.reversalId,
        ]),
      ).toEqual([
        ['account-payment.record', undefined, undefined],
        ['refund.record', undefined, null],
        ['refund.reverse', null, 'r-1'],
      ]);
    });
  });

  describe('the statement', () => {
    it('has opening balance, entries and closing balance to the cent, with names', async () => {
      const trader = await aTrader(service);
      const [one] = (await place(trader, 1)) as [PlacedOrder];
      await office.post(`/orders/${one.orderId}/payments`, { paymentId: 'own', amountCents: 100, reference: 'EFT 1' });
      await pay(trader, { amountCents: one.totalCents, reference: 'EFT 2' });
      await refund(trader, { amountCents: 100, reference: 'EFT 3' });
      const read = await statement(trader);
      const line = (entry: any) => [
        entry.type,
        entry.amountCents,
        entry.balanceCents,
        entry.invoiceNumber,
        entry.paymentId ?? entry.refundId,
        entry.reference,
      ];
      const { invoiceNumber, totalCents } = one;
      expect(read.entries.map(line)).toEqual([
        ['invoice', totalCents, totalCents, invoiceNumber, null, null],
        ['payment', -100, totalCents - 100, invoiceNumber, 'own', 'EFT 1'],
        ['payment', 100 - totalCents, 0, invoiceNumber, 'bank-1', 'EFT 2'],
        ['payment', -100, -100, null, 'bank-1', 'EFT 2'],
        ['refund', 100, 0, null, 'back-1', 'EFT 3'],
      ]);
      expect(read).toMatchObject({
        accountId: trader.accountId,
        environment: 'test',
        openingCents: 0,
        closingCents: 0,
        now: { outstandingCents: 0, creditCents: 0, availableCents: null, usedBps: null },
      });
      const readToday = () => service.deps.calendar.today(service.deps.database, new Date());
      const days = [await readToday()];
      const byDefault = (await office.get(`/accounts/${trader.accountId}/statement`)).json.data;
      days.push(await readToday()); // midnight may pass
      expect(days).toContain(byDefault.to);
      expect(byDefault).toMatchObject({ environment: 'live', from: `${byDefault.to.slice(0, 7)}-01`, entries: [] });
    });

    it('has the due amount of each open invoice and the credit as of its last day', async () => {
      const trader = await aTrader(service);
      const [one, two, three] = (await place(trader, 3)) as [PlacedOrder, PlacedOrder, PlacedOrder];
      await pay(trader, { amountCents: one.totalCents + 100, invoices: [{ invoiceId: one.invoiceId, amountCents: one.totalCents - 30 }] });
      await office.post(`/invoices/${two.invoiceNumber}/credit-notes`, { creditNoteId: 'c', amountCents: 20, reason: 'late' });
      await sendMilestone(office, three.orderId, 'cancelled');
      const due = ({ openInvoices }: any) => openInvoices.map(({ invoiceNumber, dueCents }: any) => [invoiceNumber, dueCents]);
      const now = await statement(trader);
      expect(due(now)).toEqual([
        [one.invoiceNumber, 30],
        [two.invoiceNumber, two.totalCents - 20],
      ]);
      expect(now.openInvoices[0]).toMatchObject({ invoiceId: one.invoiceId, orderId: one.orderId, amountCents: one.totalCents });
      expect(now).toMatchObject({
        closingOutstandingCents: two.totalCents + 10,
        closingCreditCents: 130,
        closingCents: two.totalCents - 120,
      });

      // Moves today's entries after the statement's last day.
      await sql(`UPDATE ledger_entries SET booked_on = '2026-01-02' WHERE account_id = $1 AND type = 'invoice'`, [trader.accountId]);
      await sql(`UPDATE ledger_entries SET booked_on = '2026-01-03' WHERE account_id = $1 AND type <> 'invoice'`, [trader.accountId]);
      const of = async (to: string) =>
        (await office.get(`/accounts/${trader.accountId}/statement?environment=test&from=2026-01-01&to=${to}`)).json.data;
      const before = await of('2026-01-02');
      expect(due(before)).toEqual([one, two, three].map(({ invoiceNumber, totalCents }) => [invoiceNumber, totalCents]));
      expect(before).toMatchObject({ closingOutstandingCents: one.totalCents * 3, closingCreditCents: 0 });
      expect(due(await of('2026-01-01'))).toEqual([]);
      expect(due(await of('2026-01-03'))).toEqual(due(now));
    });

    it('of a period with too many entries is refused with a shorter one, and a single day is never refused', async () => {
      const trader = await aTrader(service);
      await sql(
        `INSERT INTO ledger_entries (account_id, environment, booked_on, type, amount_cents, outstanding_cents, credit_cents, created_at)
         SELECT $1, 'test', '2026-01-01'::date + n / 6000, 'invoice', 1, 1, 0, now() FROM generate_series(0, 16199) n`,
        [trader.accountId],
      );
      await sql(`INSERT INTO account_balances VALUES ($1, 'test', 16200, 0, '2026-01-03')`, [trader.accountId]);
      const of = async (query: string) => (await office.get(`/accounts/${trader.accountId}/statement?environment=test&${query}`)).json;
      const refused = await of('from=2026-01-01&to=2026-01-31');
      expect(refused.error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('to=2026-01-01') });
      expect((await of('from=2026-01-01&to=2026-01-01')).data).toMatchObject({ openingCents: 0, closingCents: 6000 });
      expect((await of('from=2026-01-03&to=2026-01-31')).data).toMatchObject({ openingCents: 12000, closingCents: 16200 });
      expect((await of('from=2026-02-01&to=2026-02-01')).data).toMatchObject({ openingCents: 16200, closingCents: 16200, entries: [] });
    });

    it.each(['from=2026-02-30', 'from=2026-03-02&to=2026-03-01', 'from=9000-01-01', 'to=now', 'environment=both'])(
      '%s is refused',
      async (query) => {
        const reply = await office.get(`/accounts/${service.account.accountId}/statement?${query}`);
        expect([reply.status, validationPathsOf(reply)]).toEqual([400, [`query.${query.split('=')[0]}`]]);
      },
    );
  });
});
