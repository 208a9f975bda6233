import { hashKey } from '../../../src/security/api-keys';
import { aToken, OrderFactory } from '../../service/http/studio/support';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { waitForAnimations } from './support/layout';
import { holdRequests, openSignedIn, performAction, waitForText, waitUntilLoaded } from './support/studio';

const IS_IN_MENU = `document.activeElement.closest('nav[aria-label="Screens"]') !== null`;

describeInBrowser('the frame of the console', () => {
  const service = useService(() => ({ streamRecheckMs: 30_000 }));
  const browser = useBrowser();
  let orders: OrderFactory;
  beforeAll(async () => {
    orders = new OrderFactory(service);
  });

  it('a document opened after the session has ended asks to sign in, and then opens', async () => {
    const { orderNumber } = await orders.place();
    const token = await aToken(service, 'floor');
    const { page } = await openSignedIn(browser, service, { token, at: `/orders/${orderNumber}` });
    const link = page.getByRole('link', { name: /job sheet/i });
    await link.waitFor();
    await page.route(`**/studio/v1/orders/${orderNumber}`, (route) => route.abort()); // the page would notice first
    const expireSession = () =>
      service.deps.database.run(
        "UPDATE studio_sessions SET expires_at = now() - interval '1 second' WHERE token_id = (SELECT id FROM studio_tokens WHERE token_hash = $1)",
        [hashKey(token)],
      );
    const opened = page.context().waitForEvent('page');
    await holdRequests(page.context(), { method: 'GET', url: /\/job-sheet\.pdf$/ }, () => link.click(), expireSession);
    const tab = await opened;
    await waitForText(tab, /Your sign-in has ended/);
    const document = tab.waitForResponse((response) => response.url().endsWith('/job-sheet.pdf') && response.status() === 200);
    // The tab shows a PDF afterwards, not the menu.
    await tab.getByLabel('Your token').fill(token);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    expect((await document).headers()['content-type']).toBe('application/pdf');
    await page.context().close();
  });

  it('the menu highlights the page that is open', async () => {
    const { page } = await openSignedIn(browser, service, { at: '/board' });
    await waitUntilLoaded(page);
    const colorOf = (path: string): Promise<string> =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('nav[aria-label="Screens"] a[href="${path}"]')).backgroundColor`);
    expect(await colorOf('/board')).not.toBe(await colorOf('/catalogue'));
    await page.context().close();
  });

  it('the closed menu of a phone takes no focus, and the open one does', async () => {
    const { page } = await openSignedIn(browser, service, { viewport: { width: 390, height: 844 } });
    await waitUntilLoaded(page);
    const menuStops = async (): Promise<number> => {
      await page.getByRole('button', { name: /the menu$/ }).focus();
      let stops = 0;
      for (let count = 0; count < 8; count += 1) {
        await page.keyboard.press('Tab');
        stops += Number(await page.evaluate<boolean>(IS_IN_MENU));
      }
      return stops;
    };
    expect(await menuStops()).toBe(0);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await waitForAnimations(page);
    expect(await menuStops()).toBeGreaterThan(3);
    await page.context().close();
  });

  it('an order is read again for its own events only', async () => {
    const shown = await orders.place();
    const { page } = await openSignedIn(browser, service, { at: `/orders/${shown.orderNumber}` });
    await waitForText(page.getByRole('banner'), 'Connected');
    await waitUntilLoaded(page);
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    const start = (id: string) => service.studio().post(`/orders/${id}/milestones`, { milestoneId: 'm-1', type: 'production_started' });
    // No reads every three seconds, because on a slow machine each round would have one.
    await page.evaluate('const real = setInterval; window.setInterval = (run, ms, ...rest) => (ms === 3000 ? 0 : real(run, ms, ...rest));');
    await waitFor('a change of another order that does not read this one', async () => {
      const { orderId } = await orders.place();
      paths.length = 0;
      const counted = page.waitForResponse('**/orders/counts**');
      await start(orderId);
      await counted;
      return !paths.some((path) => path.endsWith(shown.orderNumber));
    });
    const reread = page.waitForResponse(`**/orders/${shown.orderNumber}`);
    await start(shown.orderId);
    await reread;
    await page.context().close();
  });

  it('a toast covers neither the heading nor the status of the order', async () => {
    const { orderNumber } = await orders.place();
    const { page } = await openSignedIn(browser, service, { at: `/orders/${orderNumber}`, viewport: { width: 1280, height: 900 } });
    const toast = page.locator('.mantine-Notification-root').first();
    const [box] = await Promise.all([toast.boundingBox(), performAction(page, 'Hold')]); // it disappears after ten seconds
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(box?.y).toBeGreaterThan(450);
    expect(heading?.y).toBeLessThan(450);
    await page.context().close();
  });
});
