import type { Page } from 'playwright-core';
import { anAccount, type TestAccount } from '../../support/accounts';
import { anOrder } from '../../support/baskets';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { startMailServer } from '../../support/smtp-server';
import { useService, useFixture } from '../../support/fixtures';
import { expectSoon } from '../../support/wait-for';
import { openActionDialog, openSignedIn, type Person, seriousFindings, waitForText } from './support/studio';

describeInBrowser('mails at the console', () => {
  const mail = useFixture(startMailServer, (server) => server.stop());
  const service = useService(() => ({ env: { SMTP_URL: mail.url } }));
  const browser = useBrowser();
  let person: Person;
  let page: Page;
  let account: TestAccount;
  beforeAll(async () => {
    account = await anAccount(service.deps.database);
    await anOrder(service.trade(account.liveKey));
    person = await openSignedIn(browser, service, { viewport: { width: 1280, height: 900 } });
    ({ page } = person);
  });
  afterAll(() => expect(person.complaints()).toEqual([]));

  const countClicks = () => page.evaluate('window.clicks = 0; addEventListener("pointerdown", () => (window.clicks += 1), true)');
  const clicks = () => page.evaluate('window.clicks');
  const dialog = () => page.getByRole('dialog');
  const attachments = () => mail.received.map(({ text }) => /filename=([\w-]+)/.exec(text)?.[1]);

  it('a statement is mailed in three clicks from the account, after a preview', async () => {
    await person.goTo(`/accounts/${account.accountId}`);
    await waitForText(page.getByRole('banner'), 'Connected');
    await countClicks();
    await page.getByRole('tab', { name: 'Statement' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await waitForText(dialog(), /statement-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.pdf/);
    await expectSoon(() => dialog().getByLabel('Text').inputValue()).toContain('Dear Gallery North');
    expect(await seriousFindings(page)).toEqual([]);
    const notice = waitForText(page, 'On its way to gallery@example.com');
    await Promise.all([notice, dialog().getByRole('button', { name: 'Send', exact: true }).click()]);
    await expectSoon(clicks).toBe(3);
    await expectSoon(async () => attachments()).toEqual([expect.stringMatching(/^statement-/)]);
    await page.getByRole('tab', { name: 'Mails' }).click();
    await waitForText(page.getByRole('table', { name: 'Sent documents' }), 'gallery@example.com');
  });

  it('an address that is not one of the account needs a confirmation', async () => {
    const { data } = (await service.studio().get(`/invoices?accountId=${account.accountId}`)).json;
    await person.goTo(`/invoices/${data[0].invoiceNumber}`);
    await openActionDialog(page, 'Send');
    await dialog().getByLabel('To').selectOption('other');
    await dialog().getByLabel('Email').fill('bos@elsewhere.example');
    await dialog().getByRole('checkbox').check();
    await dialog().getByLabel('Email').fill('boss@elsewhere.example'); // the confirmation was for the other address
    const send = dialog().getByRole('button', { name: 'Send', exact: true });
    await waitForText(dialog(), 'Confirm the address');
    await expectSoon(() => send.isDisabled()).toBe(true);
    await dialog().getByRole('checkbox').check();
    await Promise.all([waitForText(page, 'On its way to boss@elsewhere.example'), send.click()]);
  });

  it('all statements are mailed in three clicks from any page, with their progress', async () => {
    await person.goTo('/');
    await countClicks();
    await page.getByRole('link', { name: 'Mails' }).click();
    await page.getByRole('button', { name: 'Send statements' }).click();
    await dialog().getByRole('button', { name: 'Send statements' }).click();
    await waitForText(page, 'Completed: 1 of 1 account sent, 0 refused, 0 pending');
    await expectSoon(clicks).toBe(3);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('reminders are turned on with the day of the next, and an admin edits their texts', async () => {
    await person.goTo(`/accounts/${account.accountId}`);
    const panel = page.getByRole('region', { name: 'Reminders' });
    await waitForText(panel, 'None planned');
    await openActionDialog(panel, 'Turn on reminders');
    await dialog().getByRole('button', { name: 'Turn on reminders' }).click();
    await waitForText(panel, /Step 1/);
    await person.goTo('/settings');
    await openActionDialog(page, 'Edit reminders');
    await dialog().getByLabel('Subject').first().fill('A friendly reminder');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await waitForText(page.getByRole('table', { name: 'Steps of reminders' }), 'A friendly reminder');
  });

  it('billing details and contacts of an account are edited', async () => {
    await person.goTo(`/accounts/${account.accountId}`);
    await openActionDialog(page, 'Edit billing');
    await dialog().getByLabel('Street').fill('4 Wharf Road');
    await waitForText(dialog(), 'Complete the address, or leave it empty');
    for (const [label, text] of [
      ['City', 'Sydney'],
      ['State', 'NSW'],
      ['Postcode', '2000'],
      ['ABN', '53 004 085 616'],
    ] as const)
      await dialog().getByLabel(label).fill(text);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await waitForText(page.getByRole('region', { name: 'Billing' }), '53 004 085 616');
    await page.getByRole('button', { name: 'Add contact' }).click();
    await dialog().getByLabel('Name').fill('Mia Chen');
    await dialog().getByLabel('Email').fill('mia@harbour.example');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await waitForText(page.getByRole('table', { name: 'Contacts' }), 'mia@harbour.example');
  });
});
