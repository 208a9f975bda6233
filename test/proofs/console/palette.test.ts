import type { Page, Route } from 'playwright-core';
import { OrderFactory } from '../../service/http/studio/support';
import { aLine, anAddress, uploadArtwork } from '../../support/baskets';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { openConsole, openSignedIn, search, searchAndOpen, seriousFindings, signIn, waitForText, waitUntilLoaded } from './support/studio';
import { waitForAnimations } from './support/layout';

describeInBrowser('the command palette', () => {
  const service = useService();
  const browser = useBrowser();
  let page: Page;
  let order: { orderId: string; orderNumber: string };
  let complaints: () => string[];
  let goTo: (path: string) => Promise<void>;
  beforeAll(async () => {
    order = await new OrderFactory(service).place();
    const parcel = await service.studio().post(`/orders/${order.orderId}/parcels`, { parcelId: 'p1', trackingNumber: 'AP-5501' });
    const terms = { tradeDiscountBps: 0, creditLimitCents: 0, paymentTermsDays: 14 };
    const account = await service.studio().post('/accounts', { name: 'Salt & Light', email: 'orders@salt.example', ...terms });
    expect([parcel.status, account.status]).toEqual([200, 201]);
    ({ page, complaints, goTo } = await openSignedIn(browser, service, { at: '/board' }));
    await waitUntilLoaded(page);
  });

  const expectHeading = (name: string | RegExp): Promise<void> => page.getByRole('heading', { name }).first().waitFor();

  it('is loaded at its first use, and lists the actions of the role', async () => {
    const scripts = () =>
      page.evaluate<number>(`performance.getEntriesByType('resource').filter(({ name }) => name.includes('Palette')).length`);
    expect(await scripts()).toBe(0);
    await page.getByRole('button', { name: /^Search/ }).click();
    const palette = page.getByRole('dialog', { name: 'Search' });
    for (const action of ['Board', 'Audit', 'Create account', 'Switch to test orders'])
      await palette.getByRole('button', { name: action }).waitFor();
    expect(await scripts()).toBeGreaterThan(0);
    await waitForAnimations(page);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden' });
  });

  it('says that it could not be loaded, as after an update of the console, and keeps the page', async () => {
    const other = await openSignedIn(browser, service, { at: '/board' });
    await waitUntilLoaded(other.page);
    await other.page.route('**/assets/Palette*.js', (route) => route.fulfill({ status: 404 }));
    await other.page.getByRole('button', { name: /^Search/ }).click();
    await waitForText(other.page.getByRole('alert'), 'This part could not be loaded.');
    expect(await other.page.getByRole('heading', { name: 'Board', level: 1 }).count()).toBe(1);
    await other.page.context().close();
  });

  it.each([
    [
      'without a network',
      async (other: Page) => {
        await other.context().setOffline(true);
        await waitForText(other.getByRole('banner'), 'Offline');
      },
    ],
    ['while the proxy answers 502', (other: Page) => other.route('**/*', (route) => route.fulfill({ status: 502 }))],
  ])('a screen that cannot be loaded %s does not reload the page', async (_, interrupt) => {
    const other = await openSignedIn(browser, service, { at: '/board' });
    await waitUntilLoaded(other.page);
    await other.page.evaluate('window.kept = true');
    await interrupt(other.page);
    await other.page.getByRole('link', { name: 'Payments', exact: true }).click();
    await waitForText(other.page.getByRole('alert'), 'The studio API did not answer');
    expect(await other.page.evaluate('window.kept')).toBe(true);
    await other.page.context().close();
  });

  it.each(['css', 'js'])('a page whose frame cannot be loaded, because an update replaced its %s, is loaded again', async (kind) => {
    const other = await openConsole(browser, service, { at: '/board' });
    await other.page.waitForURL(/sign-in/);
    let loads = 0;
    other.page.on('request', (request) => void (loads += Number(request.isNavigationRequest())));
    await other.page.route(`**/assets/Frame*.${kind}`, (route) => (loads < 2 ? route.fulfill({ status: 404 }) : route.continue()));
    await signIn(other.page, service.adminToken);
    await other.page.getByRole('heading', { name: 'Board', level: 1 }).waitFor();
    expect(loads).toBe(2);
    await other.page.context().close();
  });

  it('Escape closes it above an open calendar of the page', async () => {
    await goTo('/audit');
    await page.getByRole('button', { name: 'Open calendar' }).first().click();
    await page.getByRole('button', { name: /^1 / }).first().waitFor();
    await page.keyboard.press('Control+K');
    const palette = page.getByRole('dialog', { name: 'Search' });
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden' });
  });

  it('a sole hit opens on Enter: tracking number, account, invoice, material', async () => {
    await searchAndOpen(page, 'AP-5501');
    await expectHeading(order.orderNumber);
    await searchAndOpen(page, 'salt & light');
    await expectHeading('Salt & Light');
    await searchAndOpen(page, 'inv-10001');
    await expectHeading(/INV-10001/);
    await searchAndOpen(page, 'pine, raw');
    await page.waitForURL(/\/catalogue\?section=mouldings/);
  });

  it('an order number opens its order, also of the other environment', async () => {
    const test = await new OrderFactory(service, 'test').place();
    await searchAndOpen(page, test.orderNumber.toLowerCase());
    await expectHeading(test.orderNumber);
    const palette = await search(page, test.orderNumber);
    await waitForText(palette, /Received/);
    await page.keyboard.press('Escape');
  });

  it('keys of a phone find the name and the reference, which the hits and the board show', async () => {
    const name = 'Siân O’Hara‑Wyn';
    const placed = await new OrderFactory(service, 'live', {
      items: [aLine(await uploadArtwork(service.trade(service.account.liveKey)), { externalReference: 'Ref–88' })],
      shippingAddress: anAddress({ name, line1: '4 Kelp Lane', phone: '+61 (0)400 111 222' }),
    }).place();
    for (const typed of ["wyn o'hara", 'o´hara ref-88', 'kelp lane 4', '0400 111 222']) {
      await page.keyboard.press('Control+K');
      const palette = page.getByRole('dialog', { name: 'Search' });
      await palette.getByRole('searchbox').pressSequentially(typed);
      await palette
        .getByRole('button', { name: `${placed.orderNumber} Received` })
        .filter({ hasText: `${name} · Ref–88` })
        .waitFor();
      await page.keyboard.press('Escape');
      await palette.waitFor({ state: 'hidden' });
    }
    await goTo(`/board?q=${encodeURIComponent('o´hara')}`);
    const row = page.getByRole('row').filter({ hasText: placed.orderNumber });
    await row.getByText(`${name} · Ref–88`, { exact: true }).waitFor();
    await expectSoon(() => page.getByRole('row').count()).toBe(2);
  });

  it('a number opens its order with any hyphen or none, and an invoice its page', async () => {
    const digits = order.orderNumber.slice(2);
    for (const typed of [digits, `p${digits}`, `P ${digits}`, `P‑${digits}`, `p–${digits}`]) {
      await goTo('/board');
      await page.keyboard.press('Control+K');
      await page.getByRole('dialog', { name: 'Search' }).getByRole('searchbox').pressSequentially(typed);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/orders/${order.orderNumber}`);
      await expectHeading(order.orderNumber);
    }
    await searchAndOpen(page, `inv ${digits}`);
    await expectHeading(`INV-${digits}`);
  });

  it('Enter opens the action that was found, whether it is typed slowly or fast', async () => {
    const palette = await search(page, 'create');
    await palette.getByRole('button', { name: 'Filter the board by “create”' }).waitFor();
    await palette.getByRole('searchbox').fill('create acc');
    await palette.getByRole('button', { name: 'Filter the board by “create acc”' }).waitFor();
    await waitForText(palette.getByRole('status'), '0 results');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create account' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('a row that an arrow key chose stays chosen when other results arrive', async () => {
    const terms = { tradeDiscountBps: 0, creditLimitCents: 0, paymentTermsDays: 14 };
    await service.studio().post('/accounts', { name: 'Create Prints', email: 'orders@create.example', ...terms });
    const held: Route[] = [];
    let isHeld = true;
    await page.route(/\/accounts\?.*q=create/, (route) => void (isHeld ? held.push(route) : route.continue()));
    for (const isSettled of [true, false]) {
      await goTo('/audit');
      isHeld = true;
      const palette = await search(page, 'create');
      await palette.getByRole('button', { name: 'Filter the board by “create”' }).waitFor();
      await waitFor('the search for accounts', async () => held.length > 0);
      await page.keyboard.press('ArrowDown');
      if (!isSettled) await page.keyboard.press('Enter');
      isHeld = false;
      for (const route of held.splice(0)) await route.continue();
      if (isSettled) {
        await palette.getByRole('button', { name: /^Create Prints/ }).waitFor();
        await waitForText(palette.getByRole('status'), '1 result');
        await page.keyboard.press('Enter');
      }
      await page.waitForURL(/\/board\?q=create/);
    }
  });

  it('opens screens and forms, and filters the board', async () => {
    await searchAndOpen(page, 'create account');
    await page.getByRole('dialog').getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await searchAndOpen(page, 'catalogue');
    await expectHeading('Catalogue');
    const palette = await search(page, 'AP-55');
    await palette.getByRole('button', { name: 'Filter the board by “AP-55”' }).click();
    await page.waitForURL(/\/board\?q=AP-55/);
    expect(complaints()).toEqual([]);
  });
});
