import { request } from 'undici';
import { anOrder } from '../../support/baskets';
import { useSharedService, useFixture } from '../../support/fixtures';
import { PdfReader } from '../documents/support';
import { aTrader, expectRefusal, sql, type Trader } from './support';

describe('GET /orders/{id}/invoice and /orders/{id}/invoice.pdf', () => {
  const service = useSharedService();
  const reader = useFixture(
    async () => new PdfReader(),
    (opened) => opened.close(),
  );

  async function anInvoicedOrder() {
    const trader = await aTrader(service);
    const order = await anOrder(trader.trade);
    const [stored] = await sql<{ invoice_number: string; issued_at: Date }>(
      service,
      'SELECT invoice_number, issued_at FROM invoices WHERE order_id = $1',
      [order.orderId],
    );
    if (stored === undefined) throw new Error('no invoice');
    return { ...trader, order, stored };
  }

  const pdfOf = async ({ testKey }: Pick<Trader, 'testKey'>, orderId: string) => {
    const reply = await request(`http://127.0.0.1:${service.api.tradePort}/v1/orders/${orderId}/invoice.pdf`, {
      headers: { authorization: `Bearer ${testKey}` },
    });
    return { status: reply.statusCode, headers: reply.headers, bytes: Buffer.from(await reply.body.arrayBuffer()) };
  };

  it('shows number, state, due date and amounts, and follows payments, credit notes and a cancel', async () => {
    const { trade, order, stored } = await anInvoicedOrder();
    const open = {
      invoiceNumber: stored.invoice_number,
      orderId: order.orderId,
      orderNumber: order.orderNumber,
      reference: null,
      environment: 'test',
      state: 'open',
      currency: 'AUD',
      amountCents: order.totalCents,
      gstCents: order.gstCents,
      paidCents: 0,
      creditedCents: 0,
      dueCents: order.totalCents,
      buyer: { name: 'Gallery North', email: 'gallery@example.com', abn: null, address: null },
      issuedAt: stored.issued_at.toISOString(),
      dueDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      overdue: false,
      voidedAt: null,
    };
    const invoice = async () => (await trade.get(`/orders/${order.orderId}/invoice`)).json.data;
    expect(await invoice()).toEqual(open);
    const studio = service.studio();
    await studio.post(`/orders/${order.orderId}/payments`, { paymentId: 'p-1', amountCents: 1000 });
    expect(await invoice()).toEqual({ ...open, state: 'part_paid', paidCents: 1000, dueCents: order.totalCents - 1000 });
    await studio.post(`/invoices/${stored.invoice_number}/credit-notes`, {
      creditNoteId: 'c-1',
      amountCents: order.totalCents - 1000,
      reason: 'goodwill',
    });
    expect(await invoice()).toEqual({ ...open, state: 'paid', paidCents: 1000, creditedCents: order.totalCents - 1000, dueCents: 0 });
  });

  it('is void once the order is cancelled, and overdue after its day', async () => {
    const { trade, order } = await anInvoicedOrder();
    const invoice = async () => (await trade.get(`/orders/${order.orderId}/invoice`)).json.data;
    await sql(service, "UPDATE invoices SET due_at = now() - interval '3 days' WHERE order_id = $1", [order.orderId]);
    expect(await invoice()).toMatchObject({ state: 'open', overdue: true });
    await trade.post(`/orders/${order.orderId}/cancel`);
    expect(await invoice()).toMatchObject({
      state: 'void',
      gstCents: order.gstCents,
      dueCents: 0,
      overdue: false,
      voidedAt: expect.any(String),
    });
  });

  it('is a PDF with number and amount, which requests no payment for a test order', async () => {
    const { testKey, order, stored } = await anInvoicedOrder();
    const { status, headers, bytes } = await pdfOf({ testKey }, order.orderId);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${stored.invoice_number}.pdf"`,
      'cache-control': 'private, no-store',
    });
    const text = (await reader.textOf(bytes)).join(' ');
    expect(text).toContain(`Test invoice ${stored.invoice_number}`);
    expect(text).toContain(`Total $${(order.totalCents / 100).toFixed(2)}`);
    expect(text).not.toMatch(/how to pay/i);
  });

  it.each(['invoice', 'invoice.pdf'])("%s of another account's or an unknown order is 404", async (path) => {
    const { liveKey, trade, order } = await anInvoicedOrder();
    const target = `/orders/${order.orderId}/${path}`;
    for (const other of [(await aTrader(service)).trade, service.trade(liveKey)]) expectRefusal(await other.get(target), 404, 'NOT_FOUND');
    for (const id of ['ord_00', 'x', '%00']) expectRefusal(await trade.get(`/orders/${id}/${path}`), 404, 'NOT_FOUND');
  });
});
