import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useReceiver, useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
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

/** docs/studio-day.md by clicking, in one page that is loaded once: each test continues where the previous one ended. */
describeInBrowser('a day at the studio, at the console', () => {
  const receiver = useReceiver();
  const service = useService(() => ({
    inspector: true,
    // No retry falls into the day: the only attempts are the first one and the resent one.
    env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin, WEBHOOK_RETRY_SCHEDULE: '1h,1h,1h,1h,1h,1h' },
  }));
  const browser = useBrowser();
  let studio: Person;
  let page: Page;
  let key: string;
  beforeAll(() => receiver.respondWith((_, response) => void response.writeHead(500).end('disk full')));

  let failed = '';
  /** A step of the day. After a failed step the others are skipped. */
  const step = (title: string, does: () => Promise<void>): void =>
    it(`${title}`, async () => {
      if (failed !== '') throw new Error(`"${failed}" failed before`);
      failed = title;
      await does();
      failed = '';
    });

  /** The table row that contains this name. */
  const row = (name: string | RegExp): Locator => page.getByRole('row').filter({ hasText: name });
  const expectStatus = (words: string): Promise<void> => page.getByRole('main').getByText(words, { exact: true }).first().waitFor();
  const open = async (order: string): Promise<void> => {
    await page.getByRole('link', { name: order, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: order, exact: true }).waitFor();
  };
  /** Whether the action is the suggested next step. */
  const isProposed = async (action: string): Promise<boolean> =>
    (await page.getByRole('button', { name: action, exact: true }).getAttribute('data-variant')) === 'filled';
  const tab = (name: string): Promise<void> => page.getByRole('tab', { name }).click();

  step('in the morning no order needs attention and none is late', async () => {
    studio = await openSignedIn(browser, service);
    page = studio.page;
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await waitForText(regionNamed(page, 'Needs attention'), 'Nothing needs attention.');
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Late\s*0$/ })
      .waitFor();
    await regionNamed(page, 'No live orders yet').getByRole('link', { name: 'Create an account' }).waitFor();
    await waitForText(page.getByRole('alert').or(page.getByRole('status')), 'Invoices are no tax invoices yet');
  });

  step('an account is opened, with 20 % and 5,000.00 of credit', async () => {
    await navigateTo(page, 'Accounts');
    await performAction(page, 'Create account', {
      fill: async (dialog) => {
        await dialog.getByLabel('Name').fill('Gallery North');
        await dialog.getByLabel('Email').fill('orders@north.example');
        await dialog.getByLabel('Trade discount').fill('20');
        await dialog.getByLabel('Credit limit').fill('$5,000.00');
      },
    });
    await page.getByRole('heading', { level: 1, name: 'Gallery North' }).waitFor();
    for (const fact of ['20%', 'AUD 5,000.00', 'orders@north.example', '30 days']) await waitForText(page, fact);
  });

  step('the account gets a key for live orders, which is shown once', async () => {
    await tab('API keys');
    const fill = async (dialog: Locator) => {
      await dialog.getByLabel('Environment').selectOption({ label: 'Live: orders are printed and charged' });
      await dialog.getByLabel('Name').fill('web shop');
    };
    key = await performActionAndReadSecret(page, 'Create key', fill, /^lpk_live_/);
    expect(key).toMatch(/^lpk_live_\w{40,}$/);
    await row('web shop').filter({ hasText: 'Live' }).waitFor();
    expect(await page.content()).not.toContain(key);
  });

  step('the account gets an endpoint, which shows its webhook events', async () => {
    await tab('Endpoints');
    const secret = await performActionAndReadSecret(
      page,
      'Add endpoint',
      (dialog) => dialog.getByLabel('URL').fill(receiver.url),
      /^whsec_/,
    );
    expect(secret).toMatch(/^whsec_/);
    await page
      .getByRole('region', { name: `Endpoint ${receiver.url}` })
      .getByText('Idle')
      .waitFor();
  });

  step('new orders appear on the board automatically', async () => {
    await navigateTo(page, 'Board');
    await waitForText(page, /^No live orders yet/);
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
    const picture = page.getByRole('button', { name: 'Enlarge S-1.jpg of line 1' });
    await picture.waitFor();
    const widths = await page.evaluate<number[]>(
      'Promise.all([...document.images].map((image) => image.decode().then(() => image.naturalWidth)))',
    );
    expect(widths.filter((width) => width > 100)).toHaveLength(2);
    await picture.click();
    await page.getByRole('dialog').getByRole('link', { name: 'Open the artwork' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const workflow = await page.getByRole('link', { name: /^Open in Temporal/ }).getAttribute('href');
    expect(decodeURIComponent(workflow ?? '')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/order\/ord_\w+$/);
  });

  step('an order with too small a file shows its attention', async () => {
    const raised = `SELECT 1 FROM order_attention WHERE code = 'ARTWORK_LOW_RESOLUTION'`;
    await waitFor('the inspection', () => service.deps.database.row(raised));
    await navigateTo(page, 'Today');
    const attention = regionNamed(page, 'Needs attention');
    await attention.getByRole('button', { name: /^Artwork resolution too low/ }).click();
    await attention
      .getByRole('row')
      .filter({ hasText: 'P-10002' })
      .filter({ hasText: 'that is 50 dpi, below the minimum of 150' })
      .waitFor();
    for (const figure of [/^To start\s*3$/, /^On hold\s*0$/]) await page.getByRole('main').getByRole('link', { name: figure }).waitFor();
  });

  step('the floor prints the job sheet, starts production, prints by mistake, undoes it and prints again', async () => {
    await navigateTo(page, 'Board');
    await open('P-10001');
    expect(await describeTarget(page.getByRole('link', { name: 'Job sheet (PDF)' }))).toBe(PDF_TARGET);
    expect(await performAction(page, 'Start production')).toContain(
      'Gallery North is notified: order.in_production to 1 webhook endpoint.',
    );
    await expectStatus('In production');
    expect(await performAction(page, 'Mark printed')).toContain('The client can no longer cancel it.');
    await page.getByRole('button', { name: 'Add parcel', exact: true }).waitFor();
    const said = await performAction(page, 'Undo printed', {
      confirm: 'Undo',
      fill: (dialog) => dialog.getByLabel('Reason').fill('the sheet of P-10003 was meant'),
    });
    expect(said).toMatch(/The order is no longer printed\.\s+The client can cancel it again\.\s+The client is not notified/);
    const happened = regionNamed(page, 'Timeline');
    await happened.getByText('Undone: printed').waitFor();
    await happened.getByRole('button', { name: 'Undo production started' }).waitFor();
    await performAction(page, 'Mark printed');
    await happened.getByText('Reason: the sheet of P-10003 was meant').waitFor();
    await happened.getByText('Printed (undone)').waitFor();
    await page.getByRole('button', { name: 'Add parcel', exact: true }).waitFor();
  });

  step('the order ships in two parcels with a slip each, and one label is voided', async () => {
    const parcel = (tracking: string, more: (dialog: Locator) => Promise<unknown> = async () => {}) =>
      performAction(page, 'Add parcel', {
        fill: async (dialog) => {
          await dialog.getByLabel('Tracking number').fill(tracking);
          await dialog.getByLabel('Carrier').fill('Australia Post');
          await more(dialog);
        },
      });
    await parcel('AP1001', (dialog) => dialog.getByLabel('Line 2: Fine art print').fill('0'));
    await expectStatus('Partly shipped');
    await waitForText(regionNamed(page, 'Parcels'), 'Not in a parcel: 1 × line 2.');
    await expectStatus('2 of 3 pieces shipped');
    expect(await isProposed('Add parcel')).toBe(true);
    const complete = await openActionDialog(page, 'Complete');
    await waitForText(complete, /Not in a parcel: 1 × line 2\. If you still ship them, add a parcel first\./);
    await complete.getByRole('button', { name: 'Cancel' }).click();
    expect(await parcel('AP1002')).toContain('The order already has a parcel.');
    await waitForText(regionNamed(page, 'Webhook events'), /^order\.shipped · AP1002/);
    await waitForText(regionNamed(page, 'Parcels'), 'All pieces are in a parcel.');
    expect(await isProposed('Complete')).toBe(true);
    await row('AP1001').filter({ hasText: '2 × line 1' }).waitFor();
    await row('AP1002').filter({ hasText: '1 × line 2' }).waitFor();
    expect(await describeTarget(page.getByRole('link', { name: 'Packing slip of AP1001 (PDF)' }))).toBe(PDF_TARGET);
    expect(await performAction(row('AP1002'), 'Void parcel')).toContain('The order stays shipped');
    await row('AP1002').filter({ hasText: 'Voided' }).waitFor();
    expect(await isProposed('Add parcel')).toBe(true);
    await navigateTo(page, 'Today');
    await regionNamed(page, 'Needs attention')
      .getByRole('button', { name: /^Partly shipped/ })
      .click();
    await page.getByRole('link', { name: 'View orders' }).click();
    await row('P-10001').filter({ hasText: '2 of 3 pieces shipped' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
  });

  step('on a phone rows have no headings, a card opens by touch, and buttons are large enough for a finger', async () => {
    const desk = page.viewportSize();
    await page.setViewportSize({ width: 320, height: 700 });
    await page.getByLabel('Sort by').selectOption({ label: 'Due date, unshipped only' });
    await row('P-10001').waitFor({ state: 'hidden' });
    await page.getByLabel('Sort by').selectOption({ label: 'Newest first' });
    await row('P-10001')
      .getByRole('cell')
      .filter({ hasText: '2 of 3 pieces shipped' })
      .click({ position: { x: 10, y: 10 }, force: true }); // the order's link covers the card
    await page.getByRole('heading', { level: 1, name: 'P-10001', exact: true }).waitFor();
    for (const name of ['Add parcel', 'Complete', 'More actions'])
      expect((await page.getByRole('button', { name, exact: true }).boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await page.setViewportSize(desk ?? { width: 1280, height: 800 });
  });

  step('the board sorts unshipped orders by due date, says so, and does not sort shipped orders by it', async () => {
    await navigateTo(page, 'Board');
    const byDay = page.getByRole('columnheader', { name: 'Due' }).getByRole('button');
    await byDay.click();
    await page.getByRole('link', { name: 'All unshipped' }).waitFor();
    await row('P-10001').waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: /^Shipped/ }).click();
    await row('P-10001').waitFor();
    await byDay.waitFor({ state: 'hidden' });
    await open('P-10001');
  });

  step('a crushed print is remade without charge as a separate order', async () => {
    const dialog = await openActionDialog(page, 'Remake');
    await dialog.getByLabel('Line 1: Fine art print').fill('1');
    await dialog.getByLabel('Reason').fill('corner crushed in transit');
    await dialog.getByRole('button', { name: 'Remake', exact: true }).click();
    await dialog.getByRole('link', { name: 'P-10001-R1' }).click();
    await page.getByRole('heading', { level: 1, name: 'P-10001-R1' }).waitFor();
    await waitForText(page, 'corner crushed in transit');
    await waitForText(regionNamed(page, 'Payment'), 'A remake is free of charge. It has no invoice.');
    expect(await describeTarget(page.getByRole('link', { name: 'Job sheet (PDF)' }))).toBe(PDF_TARGET);
  });

  step('one payment pays three invoices', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Gallery North' }).first().click();
    await tab('Invoices');
    const due = (rows: string[][]) => rows.map(([number, order, state, , toPay]) => [number, order, state, toPay]);
    await row('INV-10001').waitFor();
    expect(due(await cellsOf(page.getByRole('table', { name: 'Invoices' })))).toEqual([
      ['INV-10003', 'P-10003', 'Open', '34.50'],
      ['INV-10002', 'P-10002', 'Open', '34.50'],
      ['INV-10001', 'P-10001', 'Open', '71.65'],
    ]);
    await tab('Payments');
    const said = await performAction(page, 'Record payment', {
      fill: async (dialog) => {
        await dialog.getByLabel('Amount').fill('140.65');
        await dialog.getByLabel('Reference').fill('Gallery North');
        await waitForText(dialog, 'AUD 140.65 pays 3 invoices');
      },
    });
    expect(said).toMatch(/INV-10001.+\s+pays AUD 71\.65/);
    await row('Gallery North').filter({ hasText: '140.65' }).waitFor();
    await tab('Invoices');
    for (const invoice of ['INV-10001', 'INV-10002', 'INV-10003']) await row(invoice).filter({ hasText: '0.00' }).waitFor();
  });

  step('a credit note on a paid invoice becomes credit', async () => {
    await page.getByRole('link', { name: 'INV-10001' }).click();
    await page.getByRole('heading', { name: 'Invoice INV-10001' }).waitFor();
    const told = waitForText(page, 'Credit note for INV-10001 issued'); // it disappears after three seconds
    await performAction(page, 'Issue credit note', {
      fill: async (dialog) => {
        await dialog.getByLabel('Amount').fill('10');
        await dialog.getByLabel('Reason').fill('a crushed corner');
        await waitForText(dialog, 'AUD 10.00 becomes credit of the account.');
      },
    });
    await told;
    await row('CN-10001').filter({ hasText: 'a crushed corner' }).waitFor();
    await waitForText(page.getByRole('main'), 'Added to account credit');
    expect(await describeTarget(page.getByRole('link', { name: 'PDF of CN-10001' }))).toBe(PDF_TARGET);
  });

  step('one click from the order shows the reason of a failed delivery, and another sends it again', async () => {
    await page.getByRole('main').getByRole('link', { name: 'P-10001', exact: true }).click();
    const received = regionNamed(page, 'Webhook events').getByRole('listitem').filter({ hasText: 'order.received' });
    await received.getByRole('link', { name: 'View attempts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhook “Order received” for P-10001' }).waitFor();
    for (const words of [/^Last error: HTTP 500/, 'disk full', /^Attempt 1 of/]) await waitForText(page, words);
    await page.getByRole('navigation', { name: 'Screens' }).getByText('Test', { exact: true }).click();
    await waitForText(page, 'This is a live order.');
    await page.getByRole('button', { name: 'Back to live orders' }).click();
    receiver.respondWith((_, response) => void response.writeHead(204).end());
    await performAction(page, 'Resend');
    await expectStatus('Delivered');
    await waitForText(page, '✓ HTTP 204');
    await waitForText(page, /on attempt 1 after a resend/);
  });

  let waited = 0;
  step('while deliveries wait, every screen shows that, and one action sends them all', async () => {
    await navigateTo(page, 'Today');
    const attention = regionNamed(page, 'Needs attention');
    await attention.getByRole('button', { name: /^Webhooks not delivered/ }).click();
    await attention.getByRole('cell', { name: 'Waiting' }).waitFor();
    await navigateTo(page, 'Webhooks', 'Webhook deliveries');
    await page.getByRole('table', { name: 'Endpoints' }).getByRole('cell', { name: 'Waiting' }).waitFor();
    const dialog = await openActionDialog(page, 'Send pending now');
    waited = Number.parseInt(await dialog.getByText(/^\d+ webhooks$/).innerText(), 10);
    expect(waited).toBeGreaterThan(1);
    await dialog.getByRole('button', { name: 'Send pending now' }).click();
    await waitForText(page, 'No endpoint has problems.');
  });

  step('the statement adds up', async () => {
    await navigateTo(page, 'Accounts');
    await row('orders@north.example').getByRole('link', { name: 'Gallery North' }).click();
    await tab('Statement');
    const from = page.getByRole('textbox', { name: 'From', exact: true });
    await from.fill('1/1/2020'); // the month may have ended during the day
    await from.press('Enter');
    const table = page.getByRole('table', { name: 'Statement entries' });
    await expectSoon(async () => (await cellsOf(table)).map(([, , what, order, reference]) => [what, order, reference])).toEqual([
      ['Invoice INV-10001', 'P-10001', ''],
      ['Invoice INV-10002', 'P-10002', ''],
      ['Invoice INV-10003', 'P-10003', ''],
      [expect.stringMatching(/^Payment [\w-]+$/), '', 'Gallery North'],
      ['INV-10001', 'P-10001', ''],
      ['INV-10002', 'P-10002', ''],
      ['INV-10003', 'P-10003', ''],
      ['Credit note CN-10001 for INV-10001', 'P-10001', 'a crushed corner'],
    ]);
    const entries = await cellsOf(table);
    expect([entries[3]?.[0], entries[3]?.[5]]).toEqual([entries[3]?.[1], '−140.65']); // received on the day of recording
    const lines = entries.filter(([day]) => day !== '');
    expect(lines.map((entry) => entry[6])).toEqual(runningBalances(lines.map((entry) => entry[5] ?? '')));
    await waitForText(page, /^−AUD 10\.00 in the client’s favor$/);
    await waitForText(page, 'Now: AUD 0.00 outstanding · AUD 10.00 in credit');
    await waitForText(page, 'No open invoices');
    await waitForText(page, /^Credit of AUD 10\.00 is not applied automatically\./);
    expect(await describeTarget(page.getByRole('link', { name: 'PDF' }))).toBe(PDF_TARGET);
  });

  step('in the evening the attention is resolved, and the lists are the same as in the morning', async () => {
    await navigateTo(page, 'Today');
    const needs = regionNamed(page, 'Needs attention');
    await needs.getByRole('button', { name: /^Artwork resolution too low/ }).click();
    await performAction(needs.getByRole('row').filter({ hasText: 'P-10002' }), 'Resolve “Artwork resolution too low” of P-10002', {
      confirm: 'Resolve',
      fill: (dialog) => dialog.getByLabel('Note').fill('they want it so, said Iris'),
    });
    await needs.getByRole('button', { name: /^Artwork resolution too low/ }).waitFor({ state: 'hidden' });
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Late\s*0$/ })
      .waitFor();
  });

  step('the audit log has every action, and the browser reported no problem', async () => {
    await navigateTo(page, 'Audit');
    await row('Signed in').first().waitFor();
    const entries = await cellsOf(page.getByRole('table', { name: 'Audit log' }));
    expect(entries.map(([, , what]) => what)).toEqual(expectedAuditLog(waited).toReversed());
    expect(studio.loads()).toBe(0);
    expect(studio.complaints()).toEqual([]);
  });
});

/** The expected audit log after the day, with this number of webhooks sent together. */
const expectedAuditLog = (waited: number): string[] => [
  'Signed in',
  'Account created',
  'API key created',
  'Endpoint added',
  'Production started',
  'Printed',
  'Milestone undone',
  'Printed',
  'Parcel added',
  'Parcel added',
  'Parcel voided',
  'Order remade',
  'Account payment recorded',
  'Credit note issued',
  ...Array.from({ length: waited + 1 }, () => 'Webhook resent'),
  'Attention resolved',
];

/** The balance after each amount, in the format of the page. */
function runningBalances(amounts: readonly string[]): string[] {
  let cents = 0;
  return amounts.map((amount) => {
    cents += Number(amount.replaceAll(/[^\d]/g, '')) * (amount.startsWith('−') ? -1 : 1);
    return `${cents < 0 ? '−' : ''}${(Math.abs(cents) / 100).toFixed(2)}`;
  });
}
