import type { Locator, Page } from 'playwright-core';
import { OrderFactory, sendMilestone } from '../../service/http/studio/support';
import { uploadArtwork } from '../../support/baskets';
import { describeInBrowser, useBrowser } from '../../support/browser';
import type { HttpClient } from '../../support/client';
import { anEndpoint } from '../../support/endpoints';
import { useService } from '../../support/fixtures';
import {
  performAction,
  openActionDialog,
  regionNamed,
  type Person,
  waitForText,
  seriousFindings,
  openSignedIn,
  overflowPx,
} from './support/studio';
import { expectSoon } from '../../support/wait-for';

describeInBrowser('reversals, rejected artwork and chosen events at the console', () => {
  const service = useService();
  const browser = useBrowser();
  let maker: OrderFactory;
  let office: HttpClient;
  let person: Person;
  let page: Page;
  let account: string;
  beforeAll(async () => {
    maker = new OrderFactory(service);
    office = service.studio();
    ({ accountId: account } = service.account);
    person = await openSignedIn(browser, service);
    ({ page } = person);
  });
  afterAll(() => expect(person.complaints()).toEqual([]));

  interface Placed {
    orderId: string;
    orderNumber: string;
  }
  const placeAndOpenOrder = async (): Promise<Placed> => {
    const order: Placed = await maker.place();
    await person.goTo(`/orders/${order.orderNumber}`);
    return order;
  };
  const fetchOrder = async ({ orderId }: Placed): Promise<any> => (await office.get(`/orders/${orderId}`)).json.data;
  const postToStudio = async (path: string, body: object): Promise<any> => {
    const { status, json, text } = await office.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    return json.data;
  };
  const openAccountTab = (tab: string): Promise<void> => person.goTo(`/accounts/${account}?tab=${tab}`);
  const untilHidden = (where: Page | Locator, name: string | RegExp): Promise<void> =>
    where.getByRole('button', { name }).waitFor({ state: 'hidden' });
  const expectGoodLayout = async (): Promise<void> => {
    expect([await seriousFindings(page), await overflowPx(page)]).toEqual([[], 0]);
  };

  describe('artwork', () => {
    it('is rejected at its line, and the client and the order show the reason until the client sends other artwork', async () => {
      const order = await placeAndOpenOrder();
      const dialog = await openActionDialog(page, 'Reject artwork of line 1');
      await expectSoon(() => dialog.getByRole('button', { name: 'Reject artwork' }).isDisabled()).toBe(true);
      await dialog.getByLabel('Reason for the client').fill('the left edge is cut off');
      await dialog.getByRole('button', { name: 'Reject artwork' }).click();
      await dialog.waitFor({ state: 'hidden' });
      const issues = page.getByRole('group', { name: 'Shown to the client' });
      await waitForText(issues, 'Artwork rejected: line 1: the artwork was rejected: the left edge is cut off');
      await waitForText(page.getByRole('group', { name: 'Artwork rejected', exact: true }), 'Ends when the client replaces the artwork');
      const happened = regionNamed(page, 'Timeline');
      for (const words of ['Artwork rejected', 'Line 1', 'Reason: the left edge is cut off']) await waitForText(happened, words);
      await expectGoodLayout();
      const trade = service.trade(service.account.liveKey);
      const seen = (await trade.get(`/orders/${order.orderId}`)).json.data.issues;
      expect(seen).toEqual([{ code: 'ARTWORK_REJECTED', line: 0, message: expect.stringContaining('the left edge is cut off') }]);
      const { status, text } = await trade.post(`/orders/${order.orderId}/lines/0/artwork`, { imageUrl: await uploadArtwork(trade) });
      expect([status, text]).toEqual([200, expect.anything()]);
      await issues.waitFor({ state: 'hidden' });
      await waitForText(happened, 'Artwork replaced');
    });

    it('cannot be rejected after printing', async () => {
      const order = await placeAndOpenOrder();
      await page.getByRole('button', { name: 'Reject artwork of line 1' }).waitFor();
      await sendMilestone(office, order.orderId, 'printed');
      await untilHidden(page, 'Reject artwork of line 1');
    });
  });

  it('the client sees the reason of a hold', async () => {
    const order = await placeAndOpenOrder();
    await performAction(page, 'Hold', {
      fill: (dialog) => dialog.getByLabel('Reason for the client').fill('the oak moulding arrives on Friday'),
    });
    await waitForText(page.getByRole('group', { name: 'Shown to the client' }), 'On hold: the oak moulding arrives on Friday');
    expect((await fetchOrder(order)).issues).toEqual([{ code: 'ON_HOLD', line: null, message: 'the oak moulding arrives on Friday' }]);
  });

  it('an order cancelled after shipping shows the cancel and stays shipped', async () => {
    const order = await placeAndOpenOrder();
    await postToStudio(`/orders/${order.orderId}/parcels`, { parcelId: 'p', trackingNumber: 'AP1' });
    await waitForText(regionNamed(page, 'Parcels'), 'AP1');
    const said = await performAction(page, 'Cancel order', {
      fill: (dialog) => dialog.getByLabel('Reason').fill('sent to the wrong street'),
    });
    expect(said).toContain('The order stays shipped. The client sees that it is cancelled.');
    await waitForText(page, 'Cancelled after shipping');
    expect(await fetchOrder(order)).toMatchObject({ status: 'shipped', cancelledAt: expect.any(String) });
  });

  it('a parcel is marked as delivered, at a typed time, and the delivery is undone', async () => {
    const order = await placeAndOpenOrder();
    await postToStudio(`/orders/${order.orderId}/parcels`, { parcelId: 'p', trackingNumber: 'AP2', shippedAt: '2026-03-01T09:00:00Z' });
    const parcels = regionNamed(page, 'Parcels');
    const said = await performAction(parcels, 'Mark as delivered', {
      fill: (dialog) => dialog.getByLabel('Delivered', { exact: true }).fill('4 Mar 2026, 10:15'),
    });
    expect(said).toContain('the client is not notified');
    await waitForText(parcels, 'Undo delivery');
    await waitForText(parcels, /^4 Mar/);
    expect((await fetchOrder(order)).shipments).toMatchObject([{ deliveredAt: expect.stringMatching(/^2026-03-0[34]T/) }]);
    await performAction(parcels, 'Undo delivery', {});
    await expect(parcels.getByRole('button', { name: 'Mark as delivered' }).waitFor()).resolves.toBeUndefined();
    expect(await fetchOrder(order)).toMatchObject({ status: 'shipped', shipments: [{ deliveredAt: null }] });
    await expectGoodLayout();
  });

  describe('money', () => {
    it('a credit note can be reversed, also if a part became credit, and shows the reason', async () => {
      const order = await placeAndOpenOrder();
      const { invoice } = await fetchOrder(order);
      await postToStudio(`/orders/${order.orderId}/payments`, { paymentId: 'bank-1', amountCents: invoice.amountCents - 500 });
      await postToStudio(`/invoices/${invoice.invoiceNumber}/credit-notes`, { creditNoteId: 'n-1', amountCents: 800, reason: 'a scratch' });
      const money = regionNamed(page, 'Payment');
      const said = await performAction(money, 'Reverse credit note CN-10001', {
        confirm: 'Reverse',
        fill: (dialog) => dialog.getByLabel('Reason').fill('it was another order'),
      });
      expect(said).toMatch(/AUD 5\.00 becomes due again on INV-\d+\.\s+AUD 3\.00 is taken from the credit/);
      await waitForText(money, /a scratch.+reversed.+: it was another order/);
      await untilHidden(money, /^Reverse credit note/);
      await expectGoodLayout();
      expect((await fetchOrder(order)).invoice).toMatchObject({ creditedCents: 0, paidCents: invoice.amountCents - 500 });
      const { live } = (await office.get(`/accounts/${account}`)).json.data;
      expect(live.creditCents).toBe(0);
    });

    it('a reversed refund becomes credit again, and the list shows the reason', async () => {
      await postToStudio(`/accounts/${account}/payments`, { paymentId: 'bank-2', environment: 'live', amountCents: 2000, invoices: [] });
      await openAccountTab('payments');
      await performAction(page, 'Refund credit', { fill: (dialog) => dialog.getByLabel('Amount').fill('12.50') });
      const refunds = page.getByRole('table', { name: 'Refunds' });
      await refunds.getByRole('button', { name: /^Reverse refund of AUD 12\.50/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Reverse refund of AUD 12.50' });
      await dialog.getByLabel('Reason').fill('their account is closed');
      await dialog.getByRole('button', { name: 'Reverse' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await waitForText(refunds, /: their account is closed$/);
      await untilHidden(refunds, /^Reverse/);
      await waitForText(page.getByRole('main'), 'AUD 20.00');
      await expectGoodLayout();
    });

    it('the “Refund credit” dialog updates when the credit is used, and a reversed payment shows the debt', async () => {
      await openAccountTab('payments');
      const dialog = await openActionDialog(page, 'Refund credit');
      await dialog.getByLabel('Reference').fill('to their bank');
      await postToStudio(`/accounts/${account}/refunds`, { refundId: 'r-2', environment: 'live', amountCents: 2000 });
      const bounced = await office.post(`/accounts/${account}/payments/bank-2/reverse`, { reason: 'bounced' });
      expect(bounced.status).toBe(200);
      await waitForText(page.getByRole('main'), 'owed for used credit');
      await dialog.getByRole('button', { name: 'Refund credit' }).and(page.locator(':disabled')).waitFor();
      await expectSoon(() => dialog.getByLabel('Reference').inputValue()).toBe('to their bank');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await untilHidden(page, 'Refund credit');
      await performAction(page, 'Record payment', {
        fill: async (form) => {
          await form.getByLabel('Amount').fill('20');
          await form.getByLabel('Pay no invoices: add all of it to the account’s credit').check();
        },
      });
      await page.getByText('owed for used credit').waitFor({ state: 'hidden' });
      expect((await office.get(`/accounts/${account}`)).json.data.live.creditCents).toBe(0);
    });

    it('two payments of one bank line suggest the next step', async () => {
      const orders = [await maker.place(), await maker.place()] as [Placed, Placed];
      const line = { paymentId: 'NAB-1', amountCents: 100, receivedAt: new Date().toISOString() };
      for (const { orderId } of orders) await postToStudio(`/orders/${orderId}/payments`, line);
      await person.goTo(`/orders/${orders[0].orderNumber}`);
      const group = page.getByRole('group', { name: 'Payment recorded twice' });
      await waitForText(group, 'If both are the same bank line, reverse one payment. Otherwise resolve this.');
      await person.goTo(`/orders/${orders[1].orderNumber}`);
      await performAction(regionNamed(page, 'Payment'), 'Reverse payment of AUD 1.00', {
        confirm: 'Reverse',
        fill: (dialog) => dialog.getByLabel('Reason').fill('recorded twice'),
      });
      await group.waitFor({ state: 'hidden' });
    });
  });

  it('an endpoint shows and changes its events, and a dialog names endpoints that do not get an event', async () => {
    const { id } = await anEndpoint(service.deps.database, account, 'https://shop.invalid/hooks', 'live');
    await openAccountTab('endpoints');
    const endpoint = page.getByRole('region', { name: 'Endpoint https://shop.invalid/hooks' });
    await waitForText(endpoint, 'All');
    const dialog = await openActionDialog(endpoint, 'Edit');
    await dialog.getByLabel('Selected events').first().check();
    for (const type of ['received', 'in production', 'on hold', 'completed', 'cancelled'])
      await dialog.getByLabel(`Order ${type}`, { exact: true }).uncheck();
    await expectGoodLayout();
    await dialog.getByLabel('Order shipped', { exact: true }).uncheck();
    await waitForText(dialog, 'Select at least one event');
    await expectSoon(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Order shipped', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await waitForText(endpoint, 'Order shipped');
    expect((await office.get(`/webhook-endpoints/${id}`)).json.data.eventTypes).toEqual(['order.shipped']);
    await placeAndOpenOrder();
    expect(await performAction(page, 'Start production')).toContain('is not notified: no webhook endpoint receives order.in_production.');
    await waitForText(await openActionDialog(page, 'Add parcel'), /is notified: order\.shipped to 1 webhook endpoint\./);
  });
});
