import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useService } from '../../support/fixtures';
import { expectSoon } from '../../support/wait-for';
import { pressKeys } from './support/keys';
import { openActionDialog, openSignedIn, type Person, waitForText } from './support/studio';

/** Days and times typed with real keys. A text that is not understood whole is an error, and sends nothing. */
describeInBrowser('typed days and numbers', () => {
  const service = useService();
  const browser = useBrowser();
  let person: Person;
  let page: Page;
  let account: string;
  beforeAll(async () => {
    ({ accountId: account } = service.account);
    person = await openSignedIn(browser, service);
    ({ page } = person);
  });

  const typeInto = async (dialog: Locator, label: string, text: string): Promise<Locator> => {
    const field = dialog.getByRole('textbox', { name: label });
    await field.click();
    await field.press('Control+a');
    if (text === '') await field.press('Backspace');
    await pressKeys(page, 'person', [...text]);
    return field;
  };
  const openPayment = async (amount = '1.00'): Promise<Locator> => {
    await person.goTo(`/accounts/${account}?tab=payments`);
    const dialog = await openActionDialog(page, 'Record payment');
    await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByLabel('Pay no invoices: add all of it to the account’s credit').check();
    return dialog;
  };
  const receivedDays = async (): Promise<string[]> =>
    (await service.studio().get(`/accounts/${account}/payments?environment=live`)).json.data.map(({ receivedAt }: any) =>
      receivedAt.slice(0, 10),
    );

  it.each([
    ['28/12/25', '28 Dec 2025', '2025-12-28', '1.01'],
    ['30.10.2026', '30 Oct 2026', '2026-10-30', '1.02'],
    ['1 Sept 2026', '1 Sep 2026', '2026-09-01', '1.03'],
  ])('a payment received on %s is recorded on that day', async (typed, shown, day, amount) => {
    const dialog = await openPayment(amount);
    const field = await typeInto(dialog, 'Received', typed);
    await pressKeys(page, 'person', ['Enter']); // reads the day and sends nothing
    await expectSoon(() => field.inputValue()).toBe(shown);
    expect(await receivedDays()).not.toContain(day);
    await dialog.getByRole('button', { name: 'Record payment', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await receivedDays()).toContain(day);
  });

  it.each([
    ['12/28/25', 'Enter it like'],
    ['30.10.2026x', 'Enter it like'],
    ['soon', 'Enter it like'],
    ['', 'Enter a day like'],
    ['31 Dec 2099', 'Enter a day up to'],
  ])('%j is an error at the field, and the payment is not sent', async (typed, problem) => {
    const before = await receivedDays();
    const dialog = await openPayment();
    const field = await typeInto(dialog, 'Received', typed);
    await dialog.getByRole('button', { name: 'Record payment', exact: true }).click();
    await waitForText(dialog, problem);
    expect([await field.inputValue(), await receivedDays()]).toEqual([typed, before]);
  });

  it('a time with "3:00 pm" keeps its hour, and an expiry that is not understood creates no token', async () => {
    await person.goTo('/settings?tab=tokens');
    const dialog = await openActionDialog(page, 'Create token');
    await dialog.getByLabel('Name').fill('press-7');
    const field = await typeInto(dialog, 'Expires', '31.12.2099 at three');
    await dialog.getByRole('button', { name: 'Create token', exact: true }).click();
    await waitForText(dialog, 'Enter it like');
    await typeInto(dialog, 'Expires', '31/12/2099 3:00 pm');
    await field.press('Tab');
    await expectSoon(() => field.inputValue()).toBe('31 Dec 2099, 15:00');
    await dialog.getByRole('button', { name: 'Create token', exact: true }).click();
    await waitForText(dialog, 'shown only once');
    const [token] = (await service.studio().get('/tokens')).json.data.filter(({ name }: any) => name === 'press-7');
    expect(token.expiresAt).toBe('2099-12-31T04:00:00.000Z');
  });

  it('a time is shown as typed, also in the hour that the time zone of the browser skips', async () => {
    const traveller = await openSignedIn(browser, service, { timezoneId: 'Europe/Berlin', at: '/settings?tab=tokens' });
    const dialog = await openActionDialog(traveller.page, 'Create token');
    const field = dialog.getByRole('textbox', { name: 'Expires' });
    await field.fill('29/3/2026 2:30');
    await field.press('Tab');
    await expectSoon(() => field.inputValue()).toBe('29 Mar 2026, 02:30');
    await traveller.page.context().close();
  });

  it('a percentage of 150 is an error, not 15', async () => {
    await person.goTo('/accounts');
    const dialog = await openActionDialog(page, 'Create account');
    const field = await typeInto(dialog, 'Trade discount (%)', '150');
    await expectSoon(() => field.inputValue()).toBe('150');
    await waitForText(dialog, 'Enter a number from 0 to 100');
    await expectSoon(() => dialog.getByRole('button', { name: 'Create account', exact: true }).isDisabled()).toBe(true);
  });

  it('Escape closes the calendar and leaves the dialog open; a picked day is taken', async () => {
    const dialog = await openPayment();
    await dialog.getByRole('button', { name: 'Open calendar' }).click();
    const calendar = page.locator('table').filter({ has: page.getByRole('button', { name: /^1 / }) });
    await calendar.first().waitFor();
    await page.keyboard.press('Escape');
    await calendar.first().waitFor({ state: 'hidden' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Open calendar' }).click();
    await calendar.getByRole('button', { name: /^1 / }).first().click();
    await expectSoon(() => dialog.getByRole('textbox', { name: 'Received' }).inputValue()).toMatch(/^1 \w{3} \d{4}$/);
  });
});
