import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { DEFAULT_CARRIERS } from '../../../src/domain/carriers';
import { OrderFactory } from '../../service/http/studio/support';
import { describeInBrowser, useBrowser } from '../../support/browser';
import type { HttpClient } from '../../support/client';
import { anOrder, uploadArtwork } from '../../support/baskets';
import { anItem } from '../../unit/domain/pricing/basket';
import { useService } from '../../support/fixtures';
import { expectSoon } from '../../support/wait-for';
import { openActionDialog, openSignedIn, performAction, type Person, regionNamed, seriousFindings, waitForText } from './support/studio';

describeInBrowser('catalogue, prices and settings at the console', () => {
  const service = useService();
  const browser = useBrowser();
  let admin: HttpClient;
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    admin = service.studio();
    person = await openSignedIn(browser, service);
    ({ page } = person);
  });
  afterAll(() => expect(person.complaints()).toEqual([]));

  it('a moulding is added with its measures and color, withdrawn and restored', async () => {
    await person.goTo('/catalogue?section=mouldings');
    const dialog = await openActionDialog(page, 'Add moulding');
    const values = { ID: 'moulding-cherry-22', Name: 'Cherry', 'Width (mm)': '22', Colour: 'cherry', 'Screen colour': '#7a2f1d' };
    for (const [name, text] of Object.entries(values)) await dialog.getByRole('textbox', { name, exact: true }).fill(text);
    await dialog.getByRole('button', { name: 'Add moulding' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const row = page.getByRole('row').filter({ hasText: 'moulding-cherry-22' });
    await row.waitFor();
    const { json } = await admin.get('/catalogue/mouldings');
    expect(json.data.find(({ id }: { id: string }) => id === 'moulding-cherry-22')).toMatchObject({
      name: 'Cherry',
      widthMm: 22,
      depthMm: null,
      colour: 'cherry',
      colourHex: '#7a2f1d',
      qualityTierIds: null,
    });
    await performAction(page, 'Withdraw Cherry', { confirm: 'Withdraw' });
    await row.filter({ hasText: 'Withdrawn' }).waitFor();
    await performAction(page, 'Restore Cherry', { confirm: 'Restore' });
    await row.getByText('Withdrawn').waitFor({ state: 'hidden' });
  });

  it('a material is marked out of stock, and its orders show the day until it is in stock again', async () => {
    const trade = service.trade(service.account.liveKey);
    const item = { ...anItem('custom-framing', {}), imageUrl: await uploadArtwork(trade) };
    const { orderNumber } = await anOrder(trade, { items: [item] });
    await person.goTo('/catalogue?section=mouldings');
    const row = page.getByRole('row').filter({ hasText: 'moulding-oak-natural-20' });
    const setDay = async (day: string) => {
      const dialog = await openActionDialog(page, 'Stock Oak, natural');
      await dialog.getByLabel('Out of stock until').fill(day);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    await setDay('31 Mar 2099');
    await row.filter({ hasText: 'Out of stock until' }).filter({ hasText: '31 Mar 2099' }).waitFor();
    await performAction(page, 'Withdraw Oak, natural', { confirm: 'Withdraw' });
    await row.filter({ hasText: 'Withdrawn' }).waitFor();
    await row.getByRole('link', { name: '1 open order with Oak, natural' }).click();
    await page.getByRole('link', { name: 'Needs moulding-oak-natural-20' }).waitFor();
    await page.getByRole('link', { name: orderNumber, exact: true }).first().click();
    await waitForText(page.getByRole('article', { name: 'Line 1' }), 'Oak, natural is out of stock until');
    await person.goTo('/catalogue?section=mouldings');
    await performAction(page, 'Restore Oak, natural', { confirm: 'Restore' });
    await setDay('');
    await row.getByText('Out of stock').waitFor({ state: 'hidden' });
  });

  it('a price draft with the rate of the new moulding shows its change and is published as the current book', async () => {
    await person.goTo('/prices?view=draft');
    await page.getByRole('button', { name: 'Use book' }).click();
    const changes = regionNamed(page, 'Changes from book 1');
    await waitForText(changes, 'No differences');
    const draft = page.getByRole('textbox', { name: 'Draft' });
    const book = JSON.parse(await draft.inputValue());
    book.mouldings.centsPerMetreById['moulding-cherry-22'] = 4200;
    await draft.fill(JSON.stringify(book));
    await waitForText(changes, '1 difference');
    await changes.getByRole('row').filter({ hasText: 'Cherry' }).filter({ hasText: 'AUD 42.00 per m' }).waitFor();
    await page.getByRole('button', { name: 'Use book' }).click();
    await waitForText(changes, 'No differences');
    await page.getByRole('button', { name: 'Restore previous draft' }).click();
    await waitForText(changes, '1 difference');
    await performAction(page, 'Publish draft');
    await page.getByRole('heading', { level: 2, name: 'Book 2' }).waitFor();
    await waitForText(page, 'Current');
    expect((await admin.get('/price-books/2')).json.data.book.mouldings).toEqual(book.mouldings);
  });

  it('an open page shows that a scheduled price book has become the current one', async () => {
    const { book } = (await admin.get('/price-books/2')).json.data; // of the test above
    let version = 0;
    await expectSoon(async () => {
      const published = await admin.post('/price-books', { book, effectiveAt: new Date(Date.now() + 5000).toISOString() });
      version = published.json.data?.version;
      return published.status; // 400 if it took longer
    }).toBe(201);
    await person.goTo(`/prices?view=books&book=${version}`);
    await page.getByRole('heading', { level: 2, name: `Book ${version}` }).waitFor();
    await page.getByText('Current', { exact: true }).waitFor();
  });

  it('a wrong ABN is reported at its field, and the corrected business details are saved', async () => {
    await person.goTo('/settings');
    const dialog = await openActionDialog(page, 'Edit business details');
    const details = { Name: 'Print Studio', ABN: '51 824 753 557', Address: '3 Press Street', 'Bank account': 'BSB 083-004' };
    for (const [label, text] of Object.entries(details)) await dialog.getByLabel(label).fill(text);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'ABN' }).and(page.locator('[aria-invalid=true]')).waitFor();
    await dialog.getByLabel('ABN').fill('51 824 753 556');
    await dialog.getByRole('button', { name: /^Save/ }).click();
    await dialog.waitFor({ state: 'hidden' });
    await waitForText(regionNamed(page, 'Business details'), '51 824 753 556');
  });

  it('a carrier is added with its page and the form of its numbers, proposed for a label, and removed', async () => {
    await person.goTo('/settings');
    const dialog = await openActionDialog(page, 'Add carrier');
    await dialog.getByLabel('Carrier').fill('Wombat');
    await dialog.getByLabel('Services').fill('Overnight\n\nSlow');
    await dialog.getByLabel('Tracking page').fill('javascript:alert(1)');
    await dialog.getByLabel('Tracking numbers').fill('(a+)+$');
    await waitForText(dialog, 'Enter a URL such as');
    await waitForText(dialog, '“(a+)+$” is no form of a number');
    await expectSoon(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Tracking page').fill('https://wombat.example/{trackingNumber}');
    await dialog.getByLabel('Tracking numbers').fill('WOM#*');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await waitForText(regionNamed(page, 'Carriers'), 'Overnight, Slow');

    const order = await new OrderFactory(service).place();
    await person.goTo(`/orders/${order.orderNumber}`);
    await performAction(page, 'Add parcel', {
      fill: async (parcel) => {
        await parcel.getByLabel('Tracking number').fill('wom 77/');
        await parcel.getByLabel('Tracking number').fill('wom 77');
        await expectSoon(() => parcel.getByLabel('Carrier').inputValue()).toBe('Wombat');
      },
    });
    expect((await admin.get(`/orders/${order.orderId}`)).json.data.shipments).toMatchObject([
      { carrier: 'Wombat', trackingNumber: 'WOM77', trackingUrl: 'https://wombat.example/WOM77' },
    ]);
    await person.goTo('/settings');
    await performAction(page, 'Remove Wombat', { confirm: 'Remove' });
    await expectSoon(async () => (await admin.get('/carriers')).json.data.carriers.map(({ name }: { name: string }) => name)).toEqual(
      DEFAULT_CARRIERS.map(({ name }) => name),
    );
  });

  it('tracking numbers of a label program are previewed by row and recorded once, with the headings of the settings', async () => {
    await person.goTo('/settings');
    await performAction(page, 'Edit label program', {
      confirm: 'Save',
      fill: async (dialog) => {
        await dialog.getByLabel('Columns of packed orders').fill('Ref: orderNumber\nZip: postcode');
        await dialog.getByLabel('Heading: order').fill('Ref');
      },
    });
    await waitForText(regionNamed(page, 'Label program'), 'Ref, Zip');
    const order = await new OrderFactory(service).place();
    for (const type of ['production_started', 'printed'])
      await admin.post(`/orders/${order.orderId}/milestones`, { milestoneId: type, type });
    await person.goTo('/labels');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download packed orders (CSV)' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain(`"Ref","Zip"\r\n${order.orderNumber},3000\r\n`);
    const file = {
      name: 'shipped.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`Ref;Tracking Number\n${order.orderNumber};LP7\nP-9;<b>x1</b>\n`),
    };
    await page.locator('input[type=file]').setInputFiles(file);
    await waitForText(page, 'shipped.csv: preview of 1 added, 0 delivered, 0 unchanged, 1 refused');
    const table = page.getByRole('table', { name: 'Rows of the file' });
    await waitForText(table, 'there is no such order');
    await waitForText(table, '<b>x1</b>');
    expect(await seriousFindings(page)).toEqual([]);
    await performAction(page, 'Record rows');
    await waitForText(page, 'shipped.csv: 1 added, 0 delivered, 0 unchanged, 1 refused');
    expect((await admin.get(`/orders/${order.orderId}`)).json.data.shipments).toMatchObject([{ trackingNumber: 'LP7' }]);
    await page.locator('input[type=file]').setInputFiles(file);
    await waitForText(page, 'shipped.csv: preview of 0 added, 0 delivered, 1 unchanged, 1 refused');
    await expectSoon(() => page.getByRole('button', { name: 'Record rows' }).count()).toBe(0);
  });
});
