import type { Locator, Page } from 'playwright-core';
import { isFullRun, skipWithTodo } from './support/full-run';
import { describeInBrowser, useBrowser, openPage, type OpenedPage } from '../../support/browser';
import { anOrder } from '../../support/baskets';
import { useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { pressKeys } from './support/keys';
import { waitUntilLoaded } from './support/studio';

/** The focused element as a screen reader announces it: its name or its text. */
const FOCUSED_NAME = `(() => {
  const at = document.activeElement;
  if (at === document.body) return '';
  const named = at?.getAttribute('aria-label') ?? at?.labels?.[0]?.innerText ?? at?.innerText ?? '';
  return named.trim().split('\\n')[0];
})()`;
/** Whether the focused element shows its focus: an outline, or a border for text fields. */
const HAS_VISIBLE_FOCUS = `(() => {
  const of = getComputedStyle(document.activeElement);
  const around = getComputedStyle(document.activeElement.parentElement);
  return [of, around].some((one) => (one.outlineStyle !== 'none' && parseFloat(one.outlineWidth) > 0)) || document.activeElement.matches('input, textarea, select');
})()`;
const MAX_TABS = 60;

(isFullRun ? describeInBrowser : skipWithTodo)('the console without a mouse', () => {
  const service = useService();
  const browser = useBrowser();
  let numbers: string[];
  let seen: OpenedPage;
  let page: Page;
  beforeAll(async () => {
    const trade = service.trade(service.account.liveKey);
    const placed = [await anOrder(trade), await anOrder(trade)] as { orderNumber: string }[];
    numbers = placed.map(({ orderNumber }) => orderNumber);
    seen = await openPage(browser, `http://127.0.0.1:${service.api.studioPort}/`, { viewport: { width: 1280, height: 800 } });
    page = seen.page;
  });

  const focusedName = (): Promise<string> => page.evaluate<string>(FOCUSED_NAME);
  const press = (key: string): Promise<void> =>
    key.length === 1 || key === 'Enter' ? pressKeys(page, 'person', [key]) : page.keyboard.press(key);
  const hasVisibleFocus = (): Promise<boolean> => page.evaluate<boolean>(HAS_VISIBLE_FOCUS);
  const isInDialog = (): Promise<boolean> => page.evaluate<boolean>(`document.activeElement.closest('[role=dialog]') !== null`);
  const untilInDialog = (): Promise<boolean> => waitFor('the focus to be in the dialog', isInDialog);
  /** Presses tab until the element of this name has the focus. @returns the elements on the way */
  const tabTo = async (name: string | RegExp): Promise<string[]> => {
    const passed: string[] = [];
    while (passed.length < MAX_TABS) {
      await press('Tab');
      const at = await focusedName();
      if (typeof name === 'string' ? at === name : name.test(at)) return passed;
      passed.push(at);
    }
    throw new Error(`tab does not lead to ${name}: ${passed.join(', ')}`);
  };

  it('signs in with the focus on the token field', async () => {
    await waitUntilLoaded(page);
    expect(await focusedName()).toMatch(/^Your token/);
    await page.keyboard.type(service.adminToken);
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  });

  it('the first tab stop skips the navigation', async () => {
    await page.reload();
    await waitUntilLoaded(page);
    await tabTo('To the content');
    expect(await page.getByRole('link', { name: 'To the content' }).boundingBox()).toMatchObject({ x: expect.any(Number) });
    expect((await page.getByRole('link', { name: 'To the content' }).boundingBox())?.x).toBeGreaterThanOrEqual(0);
    await press('Enter');
    await expectSoon(() => page.evaluate<string>('document.activeElement.id')).toBe('main');
    await press('Tab');
    await expectSoon(() => page.evaluate<boolean>(`document.activeElement.closest('#main') !== null`)).toBe(true);
  });

  it('`?` shows one row for each shortcut, and escape closes them', async () => {
    await press('Shift+?');
    const dialog = page.getByRole('dialog', { name: 'Shortcuts' });
    await dialog.waitFor();
    const rows = await dialog.getByRole('row').allInnerTexts();
    expect(rows).toEqual(expect.arrayContaining(['b\tGo to Board', 'd\tGo to Webhooks']));
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('every control in the frame shows its focus', async () => {
    await page.evaluate('document.activeElement.blur(); window.scrollTo(0, 0)');
    const hidden: string[] = [];
    for (let count = 0; count < 15; count += 1) {
      await press('Tab');
      const at = await focusedName();
      if (at !== '' && !(await hasVisibleFocus())) hidden.push(at);
    }
    expect(hidden).toEqual([]);
  });

  it('`b` opens the board, where `j`, `k` and enter select and open', async () => {
    await page.evaluate('document.activeElement.blur()');
    await press('b');
    await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
    await page.getByRole('link', { name: numbers[0] ?? '', exact: true }).waitFor();
    const chosen = page.locator('tr[data-chosen=true]');
    await press('j');
    await page.emulateMedia({ forcedColors: 'active' });
    const outlineOf = (element: Locator): Promise<string> => element.evaluate((each) => getComputedStyle(each).outlineStyle);
    expect(await outlineOf(chosen.locator('td').first())).toBe('solid');
    expect(await outlineOf(page.locator('.mantine-SegmentedControl-indicator').first())).toBe('solid');
    await page.emulateMedia({ forcedColors: null });
    const first = await chosen.innerText();
    const isFirstChosen = async (): Promise<boolean> => (await chosen.innerText()) === first;
    await press('j');
    await waitFor('the next row', async () => !(await isFirstChosen()));
    await press('k');
    await waitFor('the row before', isFirstChosen);
    // The keys of a fast person: each acts on the row of the one before.
    await pressKeys(page, 90, ['j', 'x'], 2000);
    await page.getByRole('region', { name: 'Selected rows' }).getByText('1 selected').waitFor();
    expect(await chosen.getByRole('checkbox').isChecked()).toBe(true);
    await press('x');
    await page.getByRole('region', { name: 'Selected rows' }).waitFor({ state: 'hidden' });
    await press('Enter');
    await page.waitForURL(/\/orders\/P-/);
    expect(numbers.map((number) => `/orders/${number}`)).toContain(new URL(page.url()).pathname);
  });

  it('`/` opens the search, and enter opens the order', async () => {
    await press('/');
    await waitFor('the focus to be in the search', async () => (await focusedName()) === 'Search');
    await page.keyboard.type(numbers[0] ?? '');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: numbers[0] ?? '' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('a dialog traps the focus, and escape closes it and restores the focus', async () => {
    await tabTo('Start production');
    expect(await hasVisibleFocus()).toBe(true);
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: /^Start production/ });
    await dialog.waitFor();
    await untilInDialog();
    const outside: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      await press('Tab');
      if (!(await isInDialog())) outside.push(await focusedName());
      if (!(await hasVisibleFocus())) outside.push(`${await focusedName()} does not show the focus`);
    }
    expect(outside).toEqual([]);
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await waitFor('the focus to be back', async () => (await focusedName()) === 'Start production');
  });

  it('starts production through a dialog, and returns to the board', async () => {
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await untilInDialog();
    await tabTo('Start production');
    await press('Enter');
    await page.getByRole('button', { name: 'Mark printed' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { json } = await service.studio().get(`/orders/${numbers[0]}`);
    expect(json.data).toMatchObject({ status: 'in_production' });
    await press('b');
    await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
    expect(seen.problems.filter((complaint) => !/401/.test(complaint))).toEqual([]);
  });
});
