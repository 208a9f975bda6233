import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { anEndpoint } from '../../support/endpoints';
import { useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { OrderFactory } from '../../service/http/studio/support';
import { pressKeys } from './support/keys';
import { describeTarget, openSignedIn, PDF_TARGET, waitForText, waitUntilLoaded, type Person } from './support/studio';

const LONG_NAME = 'Gallery North & Daughters Fine Art Printing and Framing Pty Ltd';
const ORDERS = 24;

describeInBrowser('the board of a busy studio', () => {
  const service = useService();
  const browser = useBrowser();
  let person: Person;
  let page: Page;
  let numbers: string[];
  let clicks = 0;
  beforeAll(async () => {
    const { accountId } = service.account;
    await service.studio().send('PATCH', `/accounts/${accountId}`, { name: LONG_NAME });
    await anEndpoint(service.deps.database, accountId, 'https://receiver.invalid/', 'live');
    const orders = new OrderFactory(service);
    numbers = [];
    for (let placed = 0; placed < ORDERS; placed += 1) numbers.push(((await orders.place()) as { orderNumber: string }).orderNumber);
    numbers.reverse();
    person = await openSignedIn(browser, service, { viewport: { width: 1280, height: 900 }, at: '/board' });
    page = person.page;
    await waitUntilLoaded(page);
  });

  const click = async (target: Locator, options?: Parameters<Locator['click']>[0]): Promise<void> => {
    clicks += 1;
    await target.click(options);
  };
  const checkbox = (number: string | undefined): Locator => page.getByRole('checkbox', { name: `Select ${number}`, exact: true });
  const bar = (): Locator => page.getByRole('region', { name: 'Selected rows' });
  const statusOf = async (number: string | undefined): Promise<unknown> =>
    ((await service.studio().get(`/orders/${number}`)).json.data as { status: string }).status;
  const dialogNamed = (name: RegExp): Locator => page.getByRole('dialog', { name });
  const closeDialog = async (dialog: Locator): Promise<void> => {
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
  };

  it('shows at least 14 rows of one line each at 1280 × 900', async () => {
    await checkbox(numbers[0]).waitFor();
    const boxes = await Promise.all((await page.locator('table[aria-label="Orders"] tbody tr').all()).map((row) => row.boundingBox()));
    expect(boxes.filter((box) => box !== null && box.y + box.height <= 900).length).toBeGreaterThanOrEqual(14);
    expect(boxes.filter((box) => box !== null && box.height > 42)).toEqual([]);
    await waitForText(page.getByRole('status'), `${ORDERS} orders`);
  });

  /** The address changes before the page, and the new filter clears the selection. */
  const untilFiltered = (label: string): Promise<void> =>
    page.getByRole('group', { name: 'Orders by status' }).locator('a[data-variant=filled]').filter({ hasText: label }).waitFor();

  it('starts 20 orders in 5 clicks, with one confirmation and a result for each', async () => {
    await click(page.getByRole('group', { name: 'Orders by status' }).getByRole('link', { name: `Received ${ORDERS}` }));
    await untilFiltered('Received');
    await click(checkbox(numbers[0]));
    await click(checkbox(numbers[19]), { modifiers: ['Shift'] });
    await waitForText(bar(), '20 selected');
    await click(bar().getByRole('button', { name: 'Start production' }));
    const dialog = dialogNamed(/^Start production/);
    await waitForText(dialog, '20 orders, 1 client notified');
    await click(dialog.getByRole('button', { name: 'Start production' }));
    await waitForText(dialog, '20 orders started');
    expect(clicks).toBe(5);
    await expectSoon(() => dialog.getByRole('cell', { name: 'Started' }).count()).toBe(20);
    expect(await Promise.all(numbers.slice(0, 20).map(statusOf))).toEqual(numbers.slice(0, 20).map(() => 'in_production'));
    expect(await statusOf(numbers[20])).toBe('received');
    await closeDialog(dialog);
    await bar().waitFor({ state: 'detached' });
  });

  it('keeps refused orders and those that it did not try selected, and shows the reason', async () => {
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await untilFiltered('All');
    await page.getByRole('row').filter({ hasText: numbers[0] }).getByRole('cell', { name: 'In production' }).waitFor();
    await checkbox(numbers[0]).click(); // already started
    await checkbox(numbers[20]).click();
    await checkbox(numbers[21]).click();
    await bar().getByRole('button', { name: 'Start production' }).click();
    const dialog = dialogNamed(/^Start production/);
    await waitForText(dialog, '2 orders, 1 client notified');
    const cancelled = await service
      .studio()
      .send('POST', `/orders/${numbers[21]}/milestones`, { milestoneId: 'm-1', type: 'cancelled', note: 'Twice.' });
    expect(cancelled.status).toBe(200);
    await dialog.getByRole('button', { name: 'Start production' }).click();
    await waitForText(dialog, '1 order started, 1 not started and still selected');
    await waitForText(dialog.getByRole('row').filter({ hasText: numbers[21] }), /cancelled/);
    await person.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitForText(bar(), '2 selected');
    expect(await statusOf(numbers[20])).toBe('in_production');
    for (const number of [numbers[0], numbers[21]]) await checkbox(number).click();
  });

  it('a repeat after a lost request has the same milestone ids, and a scan does not leave the dialog', async () => {
    const sentIds: string[] = [];
    await page.route('**/milestone-batches', async (route) => {
      sentIds.push(route.request().postDataJSON().items[0].milestoneId);
      await (sentIds.length === 1 ? route.abort() : route.continue());
    });
    await checkbox(numbers[22]).check();
    const openDialog = async (): Promise<Locator> => {
      await bar().getByRole('button', { name: 'Hold' }).click();
      return dialogNamed(/^Hold/);
    };
    const first = await openDialog();
    const notice = waitForText(page, `Close the dialog to open ${numbers[23]}.`);
    await Promise.all([notice, pressKeys(page, 'scanner', [...(numbers[23] ?? ''), 'Enter'])]);
    await first.getByRole('button', { name: 'Hold' }).click();
    await waitForText(first.getByRole('alert'), 'Sending again is safe');
    await first.getByRole('button', { name: 'Cancel' }).click();
    const second = await openDialog();
    await second.getByRole('button', { name: 'Hold' }).click();
    await waitForText(second, '1 order put on hold');
    expect([sentIds.length, new Set(sentIds).size]).toEqual([2, 1]);
    await closeDialog(second);
  });

  it('selects all orders of the filter, marks them printed without notifying clients, and prints their job sheets', async () => {
    await page.getByRole('link', { name: /^In production/ }).click();
    await untilFiltered('In production');
    await checkbox(numbers[20]).check();
    await bar().getByRole('button', { name: 'Select all 21' }).click();
    await waitForText(bar(), '21 selected');
    const sheets = bar().getByRole('link', { name: 'Print job sheets' });
    const { searchParams } = new URL((await sheets.getAttribute('href')) ?? '', page.url());
    expect(searchParams.get('orders')?.split(',').toSorted()).toEqual(numbers.slice(0, 21).toSorted());
    expect(await describeTarget(sheets)).toBe(PDF_TARGET);
    await bar().getByRole('button', { name: 'Mark printed' }).click();
    const dialog = dialogNamed(/^Mark printed/);
    await waitForText(dialog, '21 orders, no clients notified');
    await dialog.getByRole('button', { name: 'Mark printed' }).click();
    await waitForText(dialog, '21 orders marked printed');
    await closeDialog(dialog);
    await waitFor('no order left to mark', async () => (await page.getByRole('cell', { name: /Printed/ }).count()) === 21);
  });

  it('ignores unknown parameters of the address', async () => {
    await person.goTo('/board?unknown=1&status=in_production&q=');
    await waitForText(page.getByRole('status'), '21 orders');
    expect(new URL(page.url()).search).toBe('?status=in_production');
  });

  it('shows an order as completed, also after shipping', async () => {
    const number = numbers[0] ?? '';
    const studio = service.studio();
    await studio.send('POST', `/orders/${number}/parcels`, { parcelId: 'p-1', trackingNumber: 'T-1', carrier: 'Post' });
    expect((await studio.send('POST', `/orders/${number}/milestones`, { milestoneId: 'done', type: 'completed' })).status).toBe(200);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByRole('row').filter({ hasText: number }).getByRole('cell', { name: 'Completed', exact: true }).waitFor();
    expect(person.complaints()).toEqual([]);
  });

  it('on a phone, an order is a card of two lines', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await checkbox(numbers[1]).waitFor();
    const box = await page.locator('table[aria-label="Orders"] tbody tr').nth(2).boundingBox();
    expect(box?.height).toBeLessThanOrEqual(72);
  });
});
