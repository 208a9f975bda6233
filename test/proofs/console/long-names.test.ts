import type { Page } from 'playwright-core';
import { aKey } from '../../support/accounts';
import { aLine, anAddress, anOrder, uploadArtwork } from '../../support/baskets';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useReceiver, useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { waitForAnimations } from './support/layout';
import { cellsOf, openActionDialog, openSignedIn, overflowPx, type Person, waitUntilLoaded } from './support/studio';

/** A name of this many letters without a space. */
const long = (letters: number, start: string): string => start.padEnd(letters, 'Wandsworthandcompany');
const NAME = long(190, 'Gallery');
const REFERENCE = long(128, 'Reference');
const WIDTHS = [390, 1000, 1280, 1920] as const;

/** Visible elements whose text is cut off, or ends outside of the window. */
const CUT_OFF = `[...document.querySelectorAll('main *, [role=dialog] *')].filter((one) => {
  const own = [...one.childNodes].filter(({ nodeType, data }) => nodeType === Node.TEXT_NODE && /Wandsworth/.test(data));
  if (own.length === 0 || one.closest('textarea, input, select, svg') !== null || one.offsetParent === null) return false;
  const range = document.createRange();
  range.selectNodeContents(one);
  const { left, right } = range.getBoundingClientRect();
  const scroller = one.closest('.list-scroll');
  const end = scroller === null ? window.innerWidth : scroller.getBoundingClientRect().left + scroller.scrollWidth;
  for (let at = one; at !== null && at !== scroller; at = at.parentElement)
    if (getComputedStyle(at).overflowX === 'hidden' && at.scrollWidth > at.clientWidth + 1) return true;
  return left < -1 || right > end + 1;
}).map((one) => one.tagName + ' ' + one.className + ': ' + one.textContent.slice(0, 40))`;

/** Tables whose first column leaves its place when they are scrolled to their end. */
const LOST_FIRST_COLUMNS = `[...document.querySelectorAll('.list-scroll')].filter((scroller) => {
  scroller.scrollLeft = 100_000;
  const { left } = scroller.getBoundingClientRect();
  const cells = [...scroller.querySelectorAll(':is(th, td):first-child')];
  return cells.some((cell) => Math.abs(cell.getBoundingClientRect().left - left) > 1);
}).map((scroller) => scroller.querySelector('table').getAttribute('aria-label'))`;

describeInBrowser('names of 190 letters without a space', () => {
  const receiver = useReceiver();
  const service = useService(() => ({ worker: true, env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin } }));
  const browser = useBrowser();
  let person: Person;
  let page: Page;
  let account: string;
  let order: { orderId: string; orderNumber: string };

  const studio = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object): Promise<any> => {
    const { status, json, text } = await service.studio().send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json.data;
  };

  beforeAll(async () => {
    const terms = { tradeDiscountBps: 0, creditLimitCents: 500_000, paymentTermsDays: 14 };
    ({ id: account } = await studio('POST', '/accounts', { name: NAME, email: `${long(60, 'orders')}@gallery.example`, ...terms }));
    const trade = service.trade(await aKey(service.deps.database, account, { environment: 'live' }));
    await studio('POST', `/accounts/${account}/keys`, {
      environment: 'live',
      scopes: ['price:read', 'orders:read'],
      name: long(100, 'key'),
    });
    await studio('POST', '/tokens', { name: long(100, 'Press'), role: 'floor' });
    await studio('POST', `/accounts/${account}/webhook-endpoints`, { environment: 'live', url: `${receiver.url}/${long(190, 'hook')}` });
    const walnut = (await service.studio().get('/catalogue/mouldings')).json.data.find(({ id }: any) => id === 'moulding-walnut-20');
    await studio('PUT', '/catalogue/mouldings/moulding-walnut-20', { ...walnut, withdrawn: undefined, name: NAME });
    await studio('PUT', '/catalogue/mouldings/oak_20', { ...walnut, withdrawn: undefined, id: 'oak_20', name: 'Oak 20' });
    const items = [aLine(await uploadArtwork(trade), { externalReference: REFERENCE }), aLine(await uploadArtwork(trade))];
    order = await anOrder(trade, { items, shippingAddress: anAddress({ name: NAME, company: NAME, line1: NAME }) });
    await service.deps.database.run(`UPDATE uploads SET filename = $1`, [`${NAME}.jpg`]);
    await studio('POST', `/orders/${order.orderId}/milestones`, { milestoneId: 'm-1', type: 'production_started', note: NAME });
    await studio('POST', `/orders/${order.orderId}/parcels`, {
      parcelId: 'p-1',
      trackingNumber: NAME,
      carrier: long(100, 'Courier'),
      lines: [{ line: 0, quantity: 1 }],
    });
    await studio('POST', `/orders/${order.orderId}/remakes`, { remakeId: 'r-1', lines: [{ line: 0, quantity: 1 }], reason: NAME });
    const payment = { paymentId: long(64, 'pay'), environment: 'live', amountCents: 500, reference: NAME, invoices: [] };
    await studio('POST', `/accounts/${account}/payments`, payment);
    await studio('POST', `/accounts/${account}/refunds`, {
      refundId: long(64, 'ref'),
      environment: 'live',
      amountCents: 100,
      reference: NAME,
    });
    await studio('PATCH', '/settings', { studio: { name: NAME, abn: '51 824 753 556', address: NAME, bank: NAME } });
    await waitFor('a delivery', () => service.deps.database.row('SELECT 1 FROM webhook_deliveries'));
    person = await openSignedIn(browser, service);
    page = person.page;
  });

  const tab = (name: string): string => `/accounts/${account}?tab=${name}`;
  const SCREENS: readonly [string, () => string][] = [
    ['today', () => '/'],
    ['the board', () => '/board'],
    ['the station', () => `/station?order=${order.orderNumber}`],
    ['an order', () => `/orders/${order.orderNumber}`],
    ['accounts', () => '/accounts'],
    ['an account', () => `/accounts/${account}`],
    ...['invoices', 'payments', 'statement', 'endpoints', 'keys'].map((name): [string, () => string] => [name, () => tab(name)]),
    ['invoices of all', () => '/invoices'],
    ['webhooks', () => '/deliveries'],
    ['the catalogue', () => '/catalogue?section=mouldings'],
    ['products', () => '/catalogue'],
    ['prices', () => '/prices'],
    ['a price book', () => '/prices?book=1'],
    ['the audit log', () => '/audit'],
    ['settings', () => '/settings'],
  ];

  it.each(SCREENS)('%s: they wrap, the page is no wider than its window, and tables keep their first column', async (name, path) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await person.goTo(path());
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await waitForAnimations(page);
      // A row of the board has one line; its tooltip has the whole name.
      const cutOff = (): Promise<string[]> => (name === 'the board' ? Promise.resolve([]) : page.evaluate<string[]>(CUT_OFF));
      await expectSoon(async () => [width, await overflowPx(page), await cutOff()]).toEqual([width, 0, []]);
      if (width > 992) await expectSoon(async () => [width, await page.evaluate<string[]>(LOST_FIRST_COLUMNS)]).toEqual([width, []]);
    }
  });

  it('they wrap in dialogs', async () => {
    await person.goTo(`/orders/${order.orderNumber}`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const dialog = await openActionDialog(page, 'Record payment');
      await waitForAnimations(page);
      await expectSoon(async () => [width, await overflowPx(page), await page.evaluate<string[]>(CUT_OFF)]).toEqual([width, 0, []]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
  });

  it('the audit log names its objects and links to them, and settings name tasks and results in words', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await person.goTo('/audit');
    const objects = (await cellsOf(page.getByRole('table', { name: 'Audit log' }))).map((cells) => cells[3]);
    expect(objects).toEqual(
      expect.arrayContaining([
        order.orderNumber,
        `Account ${NAME}`,
        `API key ${long(100, 'key')}`,
        `Token ${long(100, 'Press')}`,
        `Endpoint ${new URL(receiver.origin).host}`,
        NAME,
        'Settings',
      ]),
    );
    await page.getByRole('link', { name: order.orderNumber, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: order.orderNumber }).waitFor();
    await person.goTo('/audit');
    await page.getByRole('link', { name: 'Oak 20', exact: true }).click();
    await expectSoon(() => page.getByText('1 moulding').or(page.getByText('oak_20')).first().isVisible()).toBe(true);
    await expectSoon(async () => new URL(page.url()).search).toBe('?section=mouldings&q=oak_20');
    await service.deps.temporal.ensureSchedules('UTC');
    await service.deps.temporal.client.schedule.getHandle('sweeper').trigger();
    await waitFor('a run that ended', async () =>
      (await service.studio().get('/schedules')).json.data.some(({ runs }: any) => runs[0]?.status === 'completed'),
    );
    await person.goTo('/settings');
    await waitUntilLoaded(page);
    const tasks = page.getByRole('table', { name: 'Scheduled tasks' });
    await expectSoon(async () => (await cellsOf(tasks)).map(([name]) => name)).toEqual([
      'Repair and clean-up',
      'Deletion of old data',
      'Morning mail',
      'Reminders',
    ]);
    const text = await tasks.innerText();
    expect(text).toMatch(/Completed, (nothing to do|\d)/);
    expect(text).not.toMatch(/sweep|looked|rate windows|idempotency|orphans/i);
  });
});
