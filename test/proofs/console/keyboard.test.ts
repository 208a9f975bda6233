import type { Browser, Page } from 'playwright-core';
import { isWhole, leftOut } from './support/whole';
import { inBrowser, openBrowser, opened, type Opened } from '../../support/browser';
import { anOrder } from '../../support/baskets';
import { startService, type TestService } from '../../support/service';
import { waitFor } from '../../support/wait-for';
import { pressKeys } from './support/keys';
import { settled } from './support/studio';

/** What has the focus, as somebody hears it: its name, or its words. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  if (at === document.body) return '';
  const named = at?.getAttribute('aria-label') ?? at?.labels?.[0]?.innerText ?? at?.innerText ?? '';
  return named.trim().split('\\n')[0];
})()`;
/** Whether what has the focus shows it, by a line around it; what one types into, by its border. */
const SHOWS_FOCUS = `(() => {
  const of = getComputedStyle(document.activeElement);
  const around = getComputedStyle(document.activeElement.parentElement);
  return [of, around].some((one) => (one.outlineStyle !== 'none' && parseFloat(one.outlineWidth) > 0)) || document.activeElement.matches('input, textarea, select');
})()`;
const MOST_TABS = 60;

(isWhole ? inBrowser : leftOut)('the console without a mouse', () => {
  let service: TestService;
  let browser: Browser;
  let numbers: string[];
  let seen: Opened;
  let page: Page;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), openBrowser()]);
    const trade = service.trade(service.account.liveKey);
    const placed = [await anOrder(trade), await anOrder(trade)] as { orderNumber: string }[];
    numbers = placed.map(({ orderNumber }) => orderNumber);
    seen = await opened(browser, `http://127.0.0.1:${service.api.studioPort}/`, { viewport: { width: 1280, height: 800 } });
    page = seen.page;
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const focused = (): Promise<string> => page.evaluate<string>(FOCUSED);
  const press = (key: string): Promise<void> =>
    key.length === 1 || key === 'Enter' ? pressKeys(page, 'person', [key]) : page.keyboard.press(key);
  const showsFocus = (): Promise<boolean> => page.evaluate<boolean>(SHOWS_FOCUS);
  const isInDialog = (): Promise<boolean> => page.evaluate<boolean>(`document.activeElement.closest('[role=dialog]') !== null`);
  const inDialog = (): Promise<boolean> => waitFor('the focus to be in the dialog', isInDialog);
  /** Goes on with tab until what is named so has the focus. @returns what had it on the way */
  const tabTo = async (name: string | RegExp): Promise<string[]> => {
    const passed: string[] = [];
    while (passed.length < MOST_TABS) {
      await press('Tab');
      const at = await focused();
      if (typeof name === 'string' ? at === name : name.test(at)) return passed;
      passed.push(at);
    }
    throw new Error(`tab does not lead to ${name}: ${passed.join(', ')}`);
  };

  it('signs in: the token has the focus already', async () => {
    await settled(page);
    expect(await focused()).toMatch(/^Your token/);
    await page.keyboard.type(service.adminToken);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  });

  it('the first tab leads past the navigation, to the content', async () => {
    await page.reload();
    await settled(page);
    await tabTo('To the content');
    expect(await page.getByRole('link', { name: 'To the content' }).boundingBox()).toMatchObject({ x: expect.any(Number) });
    expect((await page.getByRole('link', { name: 'To the content' }).boundingBox())?.x).toBeGreaterThanOrEqual(0);
    await press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('main');
    await press('Tab');
    expect(await page.evaluate<boolean>(`document.activeElement.closest('#main') !== null`)).toBe(true);
  });

  it('`?` tells the keys, and escape closes that', async () => {
    await press('Shift+?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('everything in the frame shows that it has the focus', async () => {
    await page.evaluate('document.activeElement.blur(); window.scrollTo(0, 0)');
    const hidden: string[] = [];
    for (let count = 0; count < 15; count += 1) {
      await press('Tab');
      const at = await focused();
      if (at !== '' && !(await showsFocus())) hidden.push(at);
    }
    expect(hidden).toEqual([]);
  });

  it('`b` leads to the board, where `j`, `k` and enter choose and open', async () => {
    await page.evaluate('document.activeElement.blur()');
    await press('b');
    await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
    await page.getByRole('link', { name: numbers[0] ?? '', exact: true }).waitFor();
    const chosen = page.locator('tr[data-chosen=true]');
    await press('j');
    const first = await chosen.innerText();
    const isAtFirst = async (): Promise<boolean> => (await chosen.innerText()) === first;
    await press('j');
    await waitFor('the next row', async () => !(await isAtFirst()));
    await press('k');
    await waitFor('the row before', isAtFirst);
    await press('Enter');
    await page.waitForURL(/\/orders\/P-/);
    expect(numbers.map((number) => `/orders/${number}`)).toContain(new URL(page.url()).pathname);
  });

  it('`/` finds an order as one types, and enter opens it', async () => {
    await press('/');
    await waitFor('the focus to be in the search', async () => (await focused()) === 'Find orders');
    await page.keyboard.type(numbers[0] ?? '');
    await page.getByText(`with “${numbers[0]}”`).waitFor();
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: numbers[0] ?? '' }).waitFor();
  });

  it('a dialog keeps the focus to itself; escape closes it and gives the focus back', async () => {
    await tabTo('Start production');
    expect(await showsFocus()).toBe(true);
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Start production/ });
    await dialog.waitFor();
    await inDialog();
    const outside: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      await press('Tab');
      if (!(await isInDialog())) outside.push(await focused());
      if (!(await showsFocus())) outside.push(`${await focused()} does not show the focus`);
    }
    expect(outside).toEqual([]);
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitFor('the focus to be back', async () => (await focused()) === 'Start production');
  });

  it('starts production through it, and goes back to the board', async () => {
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await inDialog();
    await tabTo('Start production');
    await press('Enter');
    await page.getByRole('button', { name: 'Mark as printed' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { json } = await service.studio().get(`/orders/${numbers[0]}`);
    expect(json.data).toMatchObject({ status: 'in_production' });
    await press('b');
    await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
    expect(seen.complaints.filter((complaint) => !/401/.test(complaint))).toEqual([]);
  });
});
