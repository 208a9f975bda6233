import { aQuote } from '../../support/baskets';
import { describeInBrowser, openPage, useBrowser } from '../../support/browser';
import { useService } from '../../support/fixtures';
import { expectSoon } from '../../support/wait-for';

describeInBrowser('the pages in a browser', () => {
  const service = useService(() => ({ worker: false }));
  const browser = useBrowser();

  const root = (api: 'trade' | 'studio'): string => `http://127.0.0.1:${service.api[`${api}Port`]}`;

  it.each([
    ['trade', 'GET', '/catalogue', () => service.account.testKey],
    ['studio', 'GET', '/accounts', () => service.adminToken],
  ] as const)(
    'the reference of the %s API lists every operation, and runs %s %s with a credential',
    async (api, _method, path, credential) => {
      const { page, problems } = await openPage(browser, `${root(api)}/docs`);
      const document = (await (await fetch(`${root(api)}/openapi.json`)).json()) as { paths: Record<string, object> };
      const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
      await expectSoon(() => page.locator('.opblock-tag-section:not(#webhooks) .opblock').count()).toBeGreaterThanOrEqual(
        operations.length,
      );

      await page.click('.btn.authorize');
      await page.fill('.modal-ux input', credential());
      await page.click('.modal-ux .auth-btn-wrapper .authorize');
      await page.click('.modal-ux .btn-done');
      const operation = page.locator('.opblock-get', { has: page.locator(`[data-path="${path}"]`) });
      await operation.locator('.opblock-summary-control').click();
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(path));
      await operation.locator('.execute').click();
      expect((await answered).status()).toBe(200);
      await expectSoon(() => operation.locator('.live-responses-table tbody .response-col_status').first().innerText()).toContain('200');

      expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it('every order from the reference is a new one, and no header has a prepared value', async () => {
    const trade = service.trade(service.account.testKey);
    const { page, problems } = await openPage(browser, `${root('trade')}/docs`);
    await page.waitForSelector('.opblock');
    await page.click('.btn.authorize');
    await page.fill('.modal-ux input', service.account.testKey);
    await page.click('.modal-ux .auth-btn-wrapper .authorize');
    await page.click('.modal-ux .btn-done');
    const open = async (method: string, path: string) => {
      const operation = page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) });
      await operation.locator('.opblock-summary-control').click();
      const fields = operation.locator('tr:has(.parameter__in:text("header")) input');
      await fields.first().waitFor();
      for (const field of await fields.all()) await expectSoon(() => field.inputValue()).toBe('');
      return operation;
    };
    await open('get', '/catalogue');
    await open('patch', '/orders/{id}');
    const operation = await open('post', '/orders');
    const placeOrder = async () => {
      const body = JSON.stringify({ quoteId: (await aQuote(trade)).quoteId });
      await operation.locator('textarea.body-param__text').fill(body);
      const answered = page.waitForResponse((response) => response.url().endsWith('/orders') && response.request().method() === 'POST');
      await operation.locator('.execute').click();
      const response = await answered;
      return { status: response.status(), key: response.request().headers()['idempotency-key'] };
    };
    const orders = [await placeOrder(), await placeOrder()];
    expect(orders.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(orders.map(({ key }) => key)).size).toBe(2);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('a guide copies its code, and the search of the guides opens a section', async () => {
    const { page, problems } = await openPage(browser, `${root('trade')}/docs/guides/quoting`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const block = page.locator('.code', { hasText: 'catalogue.json' }).first();
    await block.locator('button').click();
    await block.locator('button', { hasText: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await block.locator('pre').evaluate((pre) => pre.textContent));
    expect(copied).toContain('ETAG=$(curl');
    await expectSoon(() => page.locator('.hljs-string').count()).toBeGreaterThan(10);

    await page.fill('.search input', 'idempotency key');
    await page.locator('.search a').first().waitFor();
    await page.fill('.search input', 'change an orde');
    const hit = page.locator('.search a', { hasText: 'Place an order: Change an order' });
    await hit.click();
    await page.waitForURL('**/docs/guides/ordering#change-an-order');
    await page.fill('.search input', 'wordthatisnowhere');
    await page.locator('.search .found', { hasText: '0 sections found' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  it.each(['light', 'dark'] as const)('every guide fits a phone, %s', async (colorScheme) => {
    const { page, problems } = await openPage(browser, `${root('studio')}/docs/guides`, {
      viewport: { width: 390, height: 844 },
      colorScheme,
    });
    const links = await Promise.all((await page.locator('.contents a').all()).map((link) => link.getAttribute('href')));
    for (const link of links) {
      const url = new URL(link ?? '', `${root('studio')}/docs/guides`).href;
      await page.goto(url);
      expect([url, await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')]).toEqual([url, 0]);
    }
    expect(problems).toEqual([]);
    await page.close();
  });
});
