import type { Browser, Locator, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../../support/browser';
import { startService, type TestService } from '../../support/service';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';
import { Shop } from './support/shop';
import {
  PDF_TARGET,
  performAction,
  performActionAndReadSecret,
  openActionDialog,
  describeTarget,
  cellsOf,
  navigateTo,
  regionNamed,
  type Person,
  waitForText,
  openSignedIn,
} from './support/studio';

/** docs/studio-day.md by clicking, in one page that is never loaded again: each test goes on where the one before has ended. */
describeInBrowser('a day at the studio, at the console', () => {
  let service: TestService;
  let receiver: WebhookReceiver;
  let browser: Browser;
  let studio: Person;
  let page: Page;
  let key: string;
  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.respondWith((_, response) => void response.writeHead(500).end('disk full'));
    service = await startService({ inspector: true, env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin } });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await receiver.close();
  });

  let failed = '';
  /** A step of the day; after one that failed there is nothing to go on from. */
  const step = (title: string, does: () => Promise<void>): void =>
    it(`${title}`, async () => {
      if (failed !== '') throw new Error(`"${failed}" failed before`);
      failed = title;
      await does();
      failed = '';
    });

  /** The row of a table that names something. */
  const row = (name: string | RegExp): Locator => page.getByRole('row').filter({ hasText: name });
  const expectStatus = (words: string): Promise<void> => page.getByRole('main').getByText(words, { exact: true }).first().waitFor();
  const open = async (order: string): Promise<void> => {
    await page.getByRole('link', { name: order, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: order, exact: true }).waitFor();
  };
  /** Whether it is what one mostly does next. */
  const isProposed = async (action: string): Promise<boolean> =>
    (await page.getByRole('button', { name: action, exact: true }).getAttribute('data-variant')) === 'filled';
  const tab = (name: string): Promise<void> => page.getByRole('tab', { name }).click();

  step('before the first coffee, nothing needs a person and nothing is late', async () => {
    studio = await openSignedIn(browser, service);
    page = studio.page;
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await waitForText(regionNamed(page, 'Needs a person'), 'Nothing needs a person.');
    await waitForText(regionNamed(page, 'Late'), 'Nothing is late.');
    await waitForText(regionNamed(page, 'To be made'), 'No live order has come in yet.');
    await regionNamed(page, 'To be made').getByRole('link', { name: 'Open an account' }).waitFor();
    await waitForText(page.getByRole('alert').or(page.getByRole('status')), 'Invoices are no tax invoices yet');
    await waitForText(regionNamed(page, 'Webhooks that failed'), /^No webhook has failed/);
  });

  step('an account is opened, with 20 % and 5,000.00 of credit', async () => {
    await navigateTo(page, 'Accounts');
    await performAction(page, 'Open an account', {
      fill: async (dialog) => {
        await dialog.getByLabel('Name').fill('Gallery North');
        await dialog.getByLabel('E-mail').fill('orders@north.example');
        await dialog.getByLabel('Trade discount').fill('20%');
        await dialog.getByLabel('Credit limit').fill('$5,000.00');
      },
    });
    await page.getByRole('heading', { level: 1, name: 'Gallery North' }).waitFor();
    for (const fact of ['20 %', 'AUD 5,000.00', 'orders@north.example', '30 days']) await waitForText(page, fact);
  });

  step('it gets a key for live orders, which is shown once', async () => {
    await tab('Keys');
    const fill = async (dialog: Locator) => {
      await dialog.getByLabel('For', { exact: true }).selectOption({ label: 'Live orders: they are made and billed' });
      await dialog.getByLabel('Name').fill('web shop');
    };
    key = await performActionAndReadSecret(page, 'Make a key', fill, /^lpk_live_/);
    expect(key).toMatch(/^lpk_live_\w{40,}$/);
    await row('web shop').filter({ hasText: 'Live orders' }).waitFor();
    expect(await page.content()).not.toContain(key);
  });

  step('and an endpoint, where its shop hears what becomes of its orders', async () => {
    await tab('Endpoints');
    const secret = await performActionAndReadSecret(
      page,
      'Register an endpoint',
      (dialog) => dialog.getByLabel('Address').fill(receiver.url),
      /^whsec_/,
    );
    expect(secret).toMatch(/^whsec_/);
    await page
      .getByRole('region', { name: `Endpoint ${receiver.url}` })
      .getByText('Not used yet')
      .waitFor();
  });

  step('orders come in on the board by themselves', async () => {
    await navigateTo(page, 'Board');
    await waitForText(page, /^No order has come in yet/);
    const shop = new Shop(service, key);
    await shop.placeOrder('S-1', 2400, [
      [2, '300', '400'],
      [1, '210', '280'],
    ]);
    await shop.placeOrder('S-2', 600, [[1, '300', '400']]);
    await shop.placeOrder('S-3', 2400, [[1, '210', '280']]);
    for (const order of ['P-10001', 'P-10002', 'P-10003']) await row(order).filter({ hasText: 'Received' }).waitFor();
  });

  step('an order shows its pictures, and its selections in words', async () => {
    await open('P-10001');
    const line = page.getByRole('article', { name: 'Line 1' });
    await line.getByRole('heading', { name: 'Line 1: 2 × Fine art print' }).waitFor();
    for (const words of ['300 mm wide × 400 mm high', /Cotton rag/i, /203 dpi/, /Ada Customer/]) await waitForText(page, words);
    await waitForText(page.getByRole('article', { name: 'Line 2' }), /290 dpi/);
    const picture = page.getByRole('button', { name: 'Enlarge: S-1.jpg, as it is printed on line 1' });
    await picture.waitFor();
    const widths = await page.evaluate<number[]>(
      'Promise.all([...document.images].map((image) => image.decode().then(() => image.naturalWidth)))',
    );
    expect(widths.filter((width) => width > 100)).toHaveLength(2);
    await picture.click();
    await page.getByRole('dialog').getByRole('link', { name: 'Open the artwork itself' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const workflow = await page.getByRole('link', { name: /^Its workflow in Temporal/ }).getAttribute('href');
    expect(decodeURIComponent(workflow ?? '')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/order\/ord_\w+$/);
  });

  step('the one with too small a file says so by itself', async () => {
    await navigateTo(page, 'Today');
    const needs = regionNamed(page, 'Needs a person').getByRole('row').filter({ hasText: 'P-10002' });
    await needs.filter({ hasText: 'Artwork low resolution' }).filter({ hasText: 'that is 50 dpi, below the minimum of 150' }).waitFor();
    const toBeMade = regionNamed(page, 'To be made');
    for (const count of ['Received: 3', 'In production: 0', 'On hold: 0']) await toBeMade.getByRole('link', { name: count }).waitFor();
    for (const order of ['P-10001', 'P-10002', 'P-10003']) await toBeMade.getByRole('link', { name: order }).waitFor();
  });

  step('the floor prints its job sheet, starts, says printed by mistake, takes it back and prints it', async () => {
    await navigateTo(page, 'Board');
    await open('P-10001');
    expect(await describeTarget(page.getByRole('link', { name: 'Job sheet (PDF)' }))).toBe(PDF_TARGET);
    expect(await performAction(page, 'Start production')).toContain(
      'Gallery North will be told: the order is in production (order.in_production), at one endpoint.',
    );
    await expectStatus('In production');
    expect(await performAction(page, 'Mark as printed')).toContain('The client can no longer cancel it.');
    await expectStatus('Printed, waits for packing');
    const said = await performAction(page, 'Take back: printed', {
      fill: (dialog) => dialog.getByLabel('Why').fill('the sheet of P-10003 was meant'),
    });
    expect(said).toMatch(/It is not printed any more\.\s+The client can cancel it again\.\s+Gallery North is told nothing/);
    await page.getByRole('button', { name: 'Take back this entry: production started' }).waitFor();
    await performAction(page, 'Mark as printed');
    const happened = regionNamed(page, 'What happened');
    await happened.getByText('Taken back: printed').waitFor();
    await happened.getByText('Because: the sheet of P-10003 was meant').waitFor();
    await happened.getByText('Printed (taken back later)').waitFor();
    await happened.getByText('Printed', { exact: true }).last().waitFor();
    await waitForText(regionNamed(page, 'Facts'), 'yes');
  });

  step('it goes in two parcels, each with its slip; one label is voided', async () => {
    const parcel = (tracking: string, more: (dialog: Locator) => Promise<unknown> = async () => {}) =>
      performAction(page, 'Add a parcel', {
        fill: async (dialog) => {
          await dialog.getByLabel('Tracking number').fill(tracking);
          await dialog.getByLabel('Carrier').fill('Australia Post');
          await more(dialog);
        },
      });
    await parcel('AP1001', (dialog) => dialog.getByLabel('Line 2: Fine art print').fill('0'));
    await expectStatus('Shipped');
    await waitForText(regionNamed(page, 'Parcels'), 'In no parcel yet: 1 of line 2.');
    await expectStatus('2 of 3 pieces shipped');
    expect(await isProposed('Add a parcel')).toBe(true);
    const complete = await openActionDialog(page, 'Complete');
    await waitForText(complete, /In no parcel yet: 1 of line 2\. .* if that is still to be sent/);
    await complete.getByRole('button', { name: 'Not now' }).click();
    expect(await parcel('AP1002')).toContain('The order reads shipped already, by another parcel.');
    await waitForText(regionNamed(page, 'What the client was told'), /^(Is being told|Not told yet): the order has been shipped: AP1002/);
    await waitForText(regionNamed(page, 'Parcels'), 'Every piece is in a parcel.');
    expect(await isProposed('Complete')).toBe(true);
    await row('AP1001').filter({ hasText: '2 of line 1' }).filter({ hasText: 'valid' }).waitFor();
    await row('AP1002').filter({ hasText: '1 of line 2' }).waitFor();
    expect(await describeTarget(page.getByRole('link', { name: 'Packing slip of AP1001 (PDF)' }))).toBe(PDF_TARGET);
    expect(await performAction(row('AP1002'), 'Void')).toContain('The order reads shipped still');
    await row('AP1002').filter({ hasText: 'voided' }).waitFor();
    expect(await isProposed('Add a parcel')).toBe(true);
    await navigateTo(page, 'Today');
    await page.getByRole('table', { name: 'Orders sent in part' }).getByText('2 of 3 pieces shipped').waitFor();
    await navigateTo(page, 'Board');
    await row('P-10001').filter({ hasText: '2 of 3 pieces shipped' }).waitFor();
  });

  step('on a phone rows are put in order without headings, a card opens by touch, and buttons are as large as a finger', async () => {
    const desk = page.viewportSize();
    await page.setViewportSize({ width: 320, height: 700 });
    await page.getByLabel('Order of rows').selectOption({ label: 'Still to be shipped, the soonest due first' });
    await row('P-10001').waitFor({ state: 'hidden' });
    await page.getByLabel('Order of rows').selectOption({ label: 'The newest first' });
    await row('P-10001')
      .getByRole('cell')
      .filter({ hasText: '2 of 3 pieces shipped' })
      .click({ position: { x: 10, y: 10 } });
    await page.getByRole('heading', { level: 1, name: 'P-10001', exact: true }).waitFor();
    for (const name of ['Add a parcel', 'Hold', 'Cancel the order'])
      expect((await page.getByRole('button', { name, exact: true }).boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await page.setViewportSize(desk ?? { width: 1280, height: 800 });
  });

  step('the board sorts by the day what is still to be shipped, says so, and offers it of nothing that was', async () => {
    await navigateTo(page, 'Board');
    const byDay = page.getByRole('columnheader', { name: 'Due' }).getByRole('button');
    await byDay.click();
    await waitForText(page, 'Only orders still to be shipped, the soonest due first.');
    await row('P-10001').waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: /^Shipped/ }).click();
    await row('P-10001').waitFor();
    await byDay.waitFor({ state: 'hidden' });
    await open('P-10001');
  });

  step('a crushed print is made again at no charge, as an order of its own', async () => {
    const dialog = await openActionDialog(page, 'Make again');
    await dialog.getByLabel('Line 1: Fine art print').fill('1');
    await dialog.getByLabel('Why').fill('corner crushed in transit');
    await dialog.getByRole('button', { name: 'Make again', exact: true }).click();
    await dialog.getByRole('link', { name: 'P-10001-R1' }).click();
    await page.getByRole('heading', { level: 1, name: 'P-10001-R1' }).waitFor();
    await waitForText(page, 'corner crushed in transit');
    await waitForText(regionNamed(page, 'Money'), 'There is no invoice: nothing is charged for a remake.');
    expect(await describeTarget(page.getByRole('link', { name: 'Job sheet (PDF)' }))).toBe(PDF_TARGET);
  });

  step('one sum pays three invoices', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Gallery North' }).first().click();
    await tab('Invoices');
    const due = (rows: string[][]) => rows.map(([number, order, state, , toPay]) => [number, order, state, toPay]);
    await row('INV-10001').waitFor();
    expect(due(await cellsOf(page.getByRole('table', { name: 'Invoices' })))).toEqual([
      ['INV-10003', 'P-10003', 'Open', 'AUD 34.50'],
      ['INV-10002', 'P-10002', 'Open', 'AUD 34.50'],
      ['INV-10001', 'P-10001', 'Open', 'AUD 71.65'],
    ]);
    await tab('Payments');
    const said = await performAction(page, 'Take a payment', {
      fill: async (dialog) => {
        await dialog.getByLabel('Amount').fill('140.65');
        await dialog.getByLabel('Reference').fill('Gallery North');
        await waitForText(dialog, 'Nothing is left over.');
      },
    });
    expect(said).toContain('INV-10001: AUD 71.65, which pays it');
    await row('Gallery North').filter({ hasText: 'AUD 140.65' }).waitFor();
    await tab('Invoices');
    for (const invoice of ['INV-10001', 'INV-10002', 'INV-10003']) await row(invoice).filter({ hasText: 'AUD 0.00' }).waitFor();
  });

  step('what is credited of a paid invoice becomes credit', async () => {
    await page.getByRole('link', { name: 'INV-10001' }).click();
    await page.getByRole('heading', { name: 'Invoice INV-10001' }).waitFor();
    const said = await performAction(page, 'Write a credit note', {
      fill: async (dialog) => {
        await dialog.getByLabel('Amount').fill('10');
        await dialog.getByLabel('Reason').fill('a crushed corner');
      },
    });
    expect(said).toContain('AUD 10.00 becomes credit of the account.');
    await row('CN-10001').filter({ hasText: 'a crushed corner' }).waitFor();
    await waitForText(page, 'INV-10001 has a credit note: AUD 10.00 went to the account’s credit');
    await waitForText(page.getByRole('main'), 'Went to the account’s credit');
    expect(await describeTarget(page.getByRole('link', { name: 'PDF of CN-10001' }))).toBe(PDF_TARGET);
  });

  step('from the order it is one click to why the shop heard nothing, and one more to send it again', async () => {
    await page.getByRole('main').getByRole('link', { name: 'P-10001', exact: true }).click();
    const received = regionNamed(page, 'What the client was told').getByRole('listitem').filter({ hasText: 'order.received' });
    await received.getByRole('link', { name: 'Why, and send it again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Order received, P-10001' }).waitFor();
    for (const words of [/^Why: their server answered 500/, 'disk full', /^Tried 1 of/]) await waitForText(page, words);
    await page.getByRole('navigation', { name: 'Screens' }).getByText('Test', { exact: true }).click();
    await waitForText(page, 'This webhook tells of a live order, which is made and charged.');
    await page.getByRole('button', { name: 'Back to live orders' }).click();
    receiver.respondWith((_, response) => void response.writeHead(204).end());
    await performAction(page, 'Resend');
    await expectStatus('Delivered');
    await waitForText(page, '✓ Arrived');
    await waitForText(page, /with attempt \d+, the first after it was sent again/);
  });

  let waited = 0;
  step('while others wait, no screen says that all is well, and they are sent with one action', async () => {
    await navigateTo(page, 'Today');
    await waitForText(regionNamed(page, 'Webhooks that failed'), /^\d+ webhooks wait$/);
    await waitForText(regionNamed(page, 'Webhooks that failed'), /their server answered 500/);
    await regionNamed(page, 'Endpoints with trouble').getByRole('row').filter({ hasText: 'Waiting' }).waitFor();
    await navigateTo(page, 'Deliveries');
    await page.getByRole('heading', { name: / has \d+ webhooks waiting$/ }).waitFor();
    const dialog = await openActionDialog(page, 'Send all waiting now');
    waited = Number.parseInt(await dialog.getByText(/^\d+ webhooks will be sent\.$/).innerText(), 10);
    expect(waited).toBeGreaterThan(1);
    await dialog.getByRole('button', { name: 'Send all waiting now' }).click();
    await page.getByRole('heading', { name: 'Every endpoint works' }).waitFor();
  });

  step('the statement adds up', async () => {
    await navigateTo(page, 'Accounts');
    await row('orders@north.example').getByRole('link', { name: 'Gallery North' }).click();
    await tab('Statement');
    const table = page.getByRole('table', { name: 'Entries of the statement' });
    await table.waitFor();
    const entries = await cellsOf(table);
    expect(entries.map(([, what, order, reference]) => [what, order, reference])).toEqual([
      ['Invoice INV-10001', 'P-10001', ''],
      ['Invoice INV-10002', 'P-10002', ''],
      ['Invoice INV-10003', 'P-10003', ''],
      [expect.stringMatching(/^Payment [\w-]+$/), '', 'Gallery North'],
      ['INV-10001', 'P-10001', ''],
      ['INV-10002', 'P-10002', ''],
      ['INV-10003', 'P-10003', ''],
      ['Credit note CN-10001 of INV-10001', 'P-10001', 'a crushed corner'],
    ]);
    expect(entries[3]?.[4]).toBe('−AUD 140.65');
    const lines = entries.filter(([day]) => day !== '');
    expect(lines.map((entry) => entry[5])).toEqual(runningBalances(lines.map((entry) => entry[4] ?? '')));
    await waitForText(page, /^−AUD 10\.00, which the studio owes$/);
    await waitForText(page, 'Now AUD 0.00 outstanding, AUD 10.00 in credit.');
    await waitForText(page, 'No invoice was open.');
    await waitForText(page, /^Credit of AUD 10\.00 is not applied automatically\./);
    expect(await describeTarget(page.getByRole('link', { name: 'PDF' }))).toBe(PDF_TARGET);
  });

  step('in the evening the small file is seen to, and the lists are as they were in the morning', async () => {
    await navigateTo(page, 'Today');
    const needs = regionNamed(page, 'Needs a person');
    await performAction(needs.getByRole('row').filter({ hasText: 'P-10002' }), 'Resolve', {
      fill: (dialog) => dialog.getByLabel('What was done about it').fill('they want it so, said Iris'),
    });
    await waitForText(needs, 'Nothing needs a person.');
    await waitForText(regionNamed(page, 'Late'), 'Nothing is late.');
    await waitForText(regionNamed(page, 'Webhooks that failed'), /^No webhook has failed/);
  });

  step('the audit log has all of it, and the browser had nothing to complain of', async () => {
    await navigateTo(page, 'Audit');
    await row('Signed in').first().waitFor();
    // What changed is a table in a table, of three columns.
    const entries = (await cellsOf(page.getByRole('table', { name: 'Audit log' }))).filter((cells) => cells.length > 4);
    expect(entries.map(([, , what]) => what)).toEqual(expectedAuditLog(waited).toReversed());
    expect(studio.loads()).toBe(0);
    expect(studio.complaints()).toEqual([]);
  });
});

/** What the audit log says after the day, of which so many webhooks were sent together. */
const expectedAuditLog = (waited: number): string[] => [
  'Signed in',
  'Opened an account',
  'Made an API key',
  'Registered an endpoint',
  'Production started',
  'Printed',
  'Took a milestone back',
  'Printed',
  'Shipped a parcel',
  'Shipped a parcel',
  "Voided a parcel's label",
  'Had an order made again',
  'Recorded a payment on account',
  'Wrote a credit note',
  ...Array.from({ length: waited + 1 }, () => 'Resent a webhook'),
  'Saw to what needed a person',
];

/** The balance after each of these amounts, as the page writes it. */
function runningBalances(amounts: readonly string[]): string[] {
  let cents = 0;
  return amounts.map((amount) => {
    cents += Number(amount.replaceAll(/[^\d]/g, '')) * (amount.startsWith('−') ? -1 : 1);
    return `${cents < 0 ? '−' : ''}AUD ${(Math.abs(cents) / 100).toFixed(2)}`;
  });
}
