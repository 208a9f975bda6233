import type { Locator, Page } from 'playwright-core';
import { aToken, OrderFactory, sendMilestone } from '../../service/http/studio/support';
import { anAddress } from '../../support/baskets';
import { describeInBrowser, useBrowser } from '../../support/browser';
import type { HttpClient } from '../../support/client';
import { useService } from '../../support/fixtures';
import { pressKeys } from './support/keys';
import { findOverflowing, waitForAnimations } from './support/layout';
import {
  countClicks,
  openActionDialog,
  openSignedIn,
  performAction,
  type Person,
  regionNamed,
  seriousFindings,
  waitForText,
} from './support/studio';
import { expectSoon } from '../../support/wait-for';

interface Placed {
  orderId: string;
  orderNumber: string;
}

describeInBrowser('the order page', () => {
  const service = useService();
  const browser = useBrowser();
  let maker: OrderFactory;
  let office: HttpClient;
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    maker = new OrderFactory(service);
    office = service.studio();
    person = await openSignedIn(browser, service);
    ({ page } = person);
  });
  afterAll(() => expect(person.complaints()).toEqual([]));

  const fetchOrder = async ({ orderId }: Placed): Promise<any> => (await office.get(`/orders/${orderId}`)).json.data;
  const placeOrder = async (...milestones: string[]): Promise<Placed> => {
    const order: Placed = await maker.place();
    for (const type of milestones) expect((await sendMilestone(office, order.orderId, type)).status).toBe(200);
    return order;
  };
  const placeShippedOrder = async (): Promise<Placed> => {
    const order = await placeOrder('production_started', 'printed');
    const { status } = await office.post(`/orders/${order.orderId}/parcels`, { parcelId: 'p', trackingNumber: `AP-${order.orderNumber}` });
    expect(status).toBe(200);
    return order;
  };
  const openOrder = ({ orderNumber }: Placed): Promise<void> => person.goTo(`/orders/${orderNumber}`);
  const row = ({ orderNumber }: Placed): Locator => page.getByRole('row').filter({ hasText: orderNumber });
  /** The names of the steps that are done, and of the current step. */
  const progress = async (): Promise<[string[], string[]]> => {
    const labels = (selector: string): Promise<string[]> =>
      page.getByRole('list', { name: 'Progress' }).locator(`[role=listitem]${selector} .mantine-Stepper-stepLabel`).allInnerTexts();
    return [await labels('[data-completed]'), await labels('[aria-current]')];
  };

  it('shows the address in the order of its country', async () => {
    const shippingAddress = anAddress({ city: 'London', state: ' ', postcode: 'NW1 6XE', country: 'GB' });
    const abroad = new OrderFactory(service, 'live', { shippingAddress });
    await openOrder(await abroad.place());
    const lines = page.locator('address > div');
    await expectSoon(() => lines.allInnerTexts()).toEqual([
      'Ada Customer',
      '12 Hanging Lane',
      'London',
      'NW1 6XE',
      'United Kingdom',
      'ada@example.com',
    ]);
  });

  it('reads completed after completing a shipped order, and so do the board, its filter and its counts', async () => {
    const order = await placeShippedOrder();
    const shipped = await placeShippedOrder();
    await openOrder(order);
    await performAction(page, 'Complete');
    await page.getByRole('main').getByText('Completed', { exact: true }).first().waitFor();
    await expectSoon(() => progress()).toEqual([['Received', 'In production', 'Printed', 'Shipped', 'Completed'], []]);
    await person.goTo('/board?status=completed');
    await row(order).filter({ hasText: 'Completed' }).waitFor();
    await expectSoon(() => row(shipped).count()).toBe(0);
    await person.goTo('/board?status=shipped');
    await row(shipped).filter({ hasText: 'Shipped' }).waitFor();
    await expectSoon(() => row(order).count()).toBe(0);
    for (const count of ['Shipped 1', 'Completed 1']) await page.getByRole('link', { name: count, exact: true }).waitFor();
    expect(await fetchOrder(order)).toMatchObject({ status: 'shipped', baseStatus: 'completed' });
  });

  it('is changed before production in four clicks, and not if the price differs', async () => {
    const order = await placeOrder();
    await openOrder(order);
    await waitForText(page.getByRole('banner'), 'Connected');
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Change order' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address line 2').click();
    await pressKeys(page, 'person', [...'Flat 7']);
    await page.keyboard.press('Tab');
    await dialog.getByLabel('Client reference').fill('PO-4711');
    await waitForAnimations(page);
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await clicks()).toBe(4);
    await waitForText(regionNamed(page, 'Ship to'), 'Flat 7');
    await waitForText(page, 'Client reference PO-4711');
    await waitForText(regionNamed(page, 'Timeline'), 'Client reference: none → PO-4711');

    await openActionDialog(page, 'Change order');
    for (const [label, text] of [
      ['City', 'Darwin'],
      ['State', 'NT'],
      ['Postcode', '0800'],
    ] as const)
      await dialog.getByLabel(label).fill(text);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await waitForText(dialog.getByRole('alert'), / more\); cancel the order and place a new one/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await fetchOrder(order)).job.shippingAddress).toMatchObject({ line2: 'Flat 7', city: 'Melbourne', postcode: '3000' });

    await sendMilestone(office, order.orderId, 'production_started');
    await waitForText(regionNamed(page, 'Timeline'), 'Production started');
    await page.getByRole('button', { name: 'More actions' }).click();
    await waitForText(page.getByRole('menuitem', { name: /^Change order/ }), 'Only a received order can be changed');
    await page.keyboard.press('Escape');
  });

  it('gets a note in two clicks, which the floor sees, pins, finds and deletes', async () => {
    const order = await placeOrder();
    await openOrder(order);
    await waitForText(page.getByRole('banner'), 'Connected');
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'Add note' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.type('Wombat collects on Friday');
    await dialog.getByRole('button', { name: 'Add note' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await clicks()).toBe(2);
    await waitForText(regionNamed(page, 'Notes'), 'Wombat collects on Friday');
    expect(await seriousFindings(page)).toEqual([]);

    const floor = await openSignedIn(browser, service, { token: await aToken(service, 'floor'), at: `/board?q=wombat` });
    await floor.page.getByRole('link', { name: order.orderNumber, exact: true }).click();
    const notes = regionNamed(floor.page, 'Notes');
    await performAction(notes, 'Add note', { fill: (form) => form.getByRole('textbox').fill('a later note') });
    await performAction(notes.getByRole('listitem').filter({ hasText: 'Wombat' }), 'Pin note', { confirm: 'Pin' });
    await expectSoon(() => notes.getByRole('listitem').first().innerText()).toContain('Wombat');
    await waitForText(regionNamed(page, 'Notes'), 'a later note');
    await performAction(notes.getByRole('listitem').filter({ hasText: 'Wombat' }), 'Delete note', { confirm: 'Delete' });
    await regionNamed(page, 'Notes').getByText('Wombat').waitFor({ state: 'hidden' });
    expect(floor.complaints()).toEqual([]);
    await floor.page.context().close();
  });

  it('offers to cancel an order, but not a completed or paid one', async () => {
    const menu = async (): Promise<string> => {
      await page.getByRole('button', { name: 'More actions' }).click();
      return page.getByRole('menu').innerText();
    };
    const cancel = (): Locator => page.getByRole('menuitem', { name: /^Cancel order/ });
    const order = await placeOrder();
    await openOrder(order);
    await menu();
    await expectSoon(() => cancel().isEnabled()).toBe(true);
    await waitForAnimations(page);
    expect(await seriousFindings(page)).toEqual([]);
    const { invoice } = await fetchOrder(order);
    await office.post(`/orders/${order.orderId}/payments`, { paymentId: 'bank-1', amountCents: invoice.amountCents });
    await page.keyboard.press('Escape');
    await waitForText(regionNamed(page, 'Payment'), 'Paid');
    await openOrder(order);
    expect(await menu()).toContain('The invoice is paid. Reverse the payment first.');
    await expectSoon(() => cancel().isEnabled()).toBe(false);
    await openOrder(await placeOrder('production_started', 'completed'));
    expect(await menu()).toContain('The order is completed. Issue a credit note instead.');
    await expectSoon(() => cancel().isEnabled()).toBe(false);
  });

  it('shows skipped steps, the pieces that have shipped, and a hold', async () => {
    const order = await placeOrder();
    await openOrder(order);
    await expectSoon(() => progress()).toEqual([['Received'], ['In production']]);
    await sendMilestone(office, order.orderId, 'printed');
    await waitForText(page.getByRole('list', { name: 'Progress' }), 'Not recorded');
    await expectSoon(() => progress()).toEqual([['Received', 'In production', 'Printed'], ['Shipped']]);
    await sendMilestone(office, order.orderId, 'held');
    await waitForText(page.getByRole('list', { name: 'Progress' }), 'On hold');
    expect(await seriousFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectSoon(() => findOverflowing(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('the receipt of a partly paid order that was cancelled adds up', async () => {
    const order = await placeOrder();
    expect((await office.post(`/orders/${order.orderId}/payments`, { paymentId: 'part', amountCents: 1000 })).status).toBe(200);
    await sendMilestone(office, order.orderId, 'cancelled');
    await openOrder(order);
    const receipt = page.getByRole('table', { name: 'Receipt' });
    await waitForText(receipt, 'Became account credit');
    const rows = (await receipt.getByRole('row').allInnerTexts()).map((text) => text.split('\t').map((cell) => cell.trim()));
    const centsOf = (amount = ''): number => Math.round(Number(amount.replace('−', '-').replaceAll(',', '')) * 100);
    const total = rows.findIndex(([label]) => label === 'Total');
    const settled = rows.slice(total).filter(([label]) => label !== 'Includes GST');
    const due = centsOf(settled.at(-1)?.[1]);
    expect(settled.slice(0, -1).reduce((sum, [, amount]) => sum + centsOf(amount), 0)).toBe(due);
    expect(settled.map(([, amount]) => centsOf(amount))).toContain(-1000);
    expect(due).toBe(0);
  });

  it('the floor undoes its own step in the timeline, for a minute', async () => {
    const order = await placeOrder('production_started');
    const floor = await openSignedIn(browser, service, { token: await aToken(service, 'floor'), at: `/orders/${order.orderNumber}` });
    const undoButtons = regionNamed(floor.page, 'Timeline').getByRole('button');
    await floor.page.clock.install({ time: Date.now() + 120_000 }); // the clock of the tablet is wrong
    await floor.page.reload();
    await waitForText(regionNamed(floor.page, 'Timeline'), 'Production started');
    await expectSoon(() => undoButtons.count()).toBe(0);
    await performAction(floor.page, 'Mark printed');
    await service.deps.database.run(
      "UPDATE order_timeline SET created_at = created_at + interval '1 hour' WHERE order_id = $1 AND type = 'printed'", // a minute is short here
      [order.orderId],
    );
    await performAction(regionNamed(floor.page, 'Timeline'), 'Undo printed', {
      confirm: 'Undo',
      fill: (dialog) => dialog.getByLabel('Reason').fill('wrong sheet'),
    });
    await waitForText(regionNamed(floor.page, 'Timeline'), 'Undone: printed');
    expect((await fetchOrder(order)).facts.printed).toBe(false);
    await performAction(floor.page, 'Mark printed');
    await undoButtons.waitFor();
    await floor.page.clock.fastForward('01:00');
    await undoButtons.waitFor({ state: 'hidden' });
    expect(floor.complaints()).toEqual([]);
    await floor.page.context().close();
  });

  it.each(['office', 'floor'] as const)('the %s undoes a step from its toast', async (role) => {
    const order = await placeOrder('production_started');
    const other = await openSignedIn(browser, service, { token: await aToken(service, role), at: `/orders/${order.orderNumber}` });
    await Promise.all([
      other.page.getByRole('button', { name: 'Undo', exact: true }).click(), // stays for ten seconds
      performAction(other.page, 'Mark printed'),
    ]);
    await waitForText(regionNamed(other.page, 'Timeline'), 'Undone: printed');
    expect((await fetchOrder(order)).facts.printed).toBe(false);
    expect(other.complaints()).toEqual([]);
    await other.page.context().close();
  });

  it('steps through the list from which it was opened', async () => {
    const [first, second, third] = [await placeOrder(), await placeOrder(), await placeOrder()];
    await person.goTo('/board?status=received');
    await page.getByRole('link', { name: second.orderNumber, exact: true }).click();
    const heading = ({ orderNumber }: Placed): Promise<void> =>
      page.getByRole('heading', { level: 1, name: orderNumber, exact: true }).waitFor();
    await heading(second);
    await page.getByRole('button', { name: 'Next order' }).click();
    await heading(first);
    await page.getByRole('button', { name: 'Previous order' }).click();
    await heading(second);
    await page.keyboard.press('k');
    await heading(third);
    await expectSoon(() => page.getByRole('button', { name: 'Previous order' }).isDisabled()).toBe(true);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
  });
});
