import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { startService, type TestService } from '../support/service';

const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

// A skipped test names what it lacks.
const inBrowser = executablePath === undefined ? describe.skip : describe;

inBrowser(`the pages in a browser${executablePath === undefined ? ' (no `chromium` on the PATH)' : ''}`, () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startService({ worker: false });
    // Chromium's own sandbox cannot be set up by root, nor in most containers; it opens nothing but our pages.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await service.stop();
  });

  const root = (api: 'trade' | 'studio'): string => `http://127.0.0.1:${service.api[`${api}Port`]}`;

  it.each([
    ['trade', 'GET', '/catalogue', () => service.account.testKey],
    ['studio', 'GET', '/accounts', () => service.adminToken],
  ] as const)(
    'the reference of the %s API lists every operation, and tries %s %s with a credential',
    async (api, _method, path, credential) => {
      const { page, complaints } = await opened(browser, `${root(api)}/docs`);
      const document = (await (await fetch(`${root(api)}/openapi.json`)).json()) as { paths: Record<string, object> };
      const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
      await page.waitForSelector('.opblock');
      expect(await page.locator('.opblock-tag-section:not(#webhooks) .opblock').count()).toBeGreaterThanOrEqual(operations.length);

      await page.click('.btn.authorize');
      await page.fill('.modal-ux input', credential());
      await page.click('.modal-ux .auth-btn-wrapper .authorize');
      await page.click('.modal-ux .btn-done');
      const operation = page.locator('.opblock-get', { has: page.locator(`[data-path="${path}"]`) });
      await operation.locator('.opblock-summary-control').click();
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(path));
      await operation.locator('.execute').click();
      expect((await answered).status()).toBe(200);
      expect(await operation.locator('.live-responses-table tbody .response-col_status').first().innerText()).toContain('200');

      expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  it.each(['light', 'dark'] as const)('every guide fits a phone, %s', async (colorScheme) => {
    const { page, complaints } = await opened(browser, `${root('studio')}/docs/guides`, {
      viewport: { width: 390, height: 844 },
      colorScheme,
    });
    const links = await Promise.all((await page.locator('.contents a').all()).map((link) => link.getAttribute('href')));
    for (const link of links) {
      const url = new URL(link ?? '', `${root('studio')}/docs/guides`).href;
      await page.goto(url);
      expect([url, await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')]).toEqual([url, 0]);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });
});

/** A page that reaches nothing but its own listener, and what the browser complained of. */
async function opened(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  await page.route('**', (route) => {
    const asked = route.request().url();
    if (new URL(asked).origin === new URL(url).origin || asked.startsWith('data:')) return route.continue();
    complaints.push(`asks for ${asked}`);
    return route.abort();
  });
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (one) => console.error(one.violatedDirective, one.blockedURI))",
  );
  await page.goto(url);
  return { page, complaints };
}
