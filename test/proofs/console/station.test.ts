import type { Locator, Page, Request, Route } from 'playwright-core';
import { aToken, OrderFactory } from '../../service/http/studio/support';
import { anAddress } from '../../support/baskets';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { getAhead, pressKeys } from './support/keys';
import { waitForAnimations } from './support/layout';
import { waitUntilArmed } from './support/station';
import { openActionDialog, openSignedIn, seriousFindings, waitForText, waitUntilLoaded } from './support/studio';

/** Taps each of these buttons once, at the moment when it appears. */
const TAP_AT_ONCE = `
  window.tapped = [];
  new MutationObserver(() => {
    for (const button of document.querySelectorAll('button')) {
      const label = button.innerText.trim();
      if (!['Printed', 'Undo'].includes(label) || window.tapped.includes(label)) continue;
      window.tapped = [...window.tapped, label].sort();
      button.click();
    }
  }).observe(document.body, { childList: true, subtree: true });`;

describeInBrowser('station mode', () => {
  const service = useService();
  const browser = useBrowser();
  let orders: OrderFactory;
  let order: { orderId: string; orderNumber: string };
  let page: Page;
  let goTo: (path: string) => Promise<void>;
  beforeAll(async () => {
    orders = new OrderFactory(service);
    const token = await aToken(service, 'floor');
    ({ page, goTo } = await openSignedIn(browser, service, { token, at: '/station' }));
    await waitUntilLoaded(page);
  });
  beforeEach(async () => {
    order = await orders.place();
  });

  const scan = (text = order.orderNumber, pauseMs = 2000): Promise<void> => pressKeys(page, 'scanner', [...text, 'Enter'], pauseMs);
  /** A scanner reads the label in front of it again. */
  const scanTwice = async (text = order.orderNumber): Promise<void> => {
    getAhead(page);
    await scan(text);
    await scan(text, 200);
  };
  const pressEnter = (): Promise<void> => pressKeys(page, 'person', ['Enter']);
  /** A busy browser can lose a click on a page that was just loaded. */
  const clickUntilFocused = (field: Locator): Promise<unknown> =>
    waitFor('the focus on the field', async () => {
      await field.click();
      return field.evaluate((element) => element === document.activeElement);
    });
  /** Waits for the notice of a step and presses its Undo. It stays for ten seconds, so this begins before the step. */
  const undo = (step: string): Promise<void> =>
    page
      .getByRole('status')
      .filter({ hasText: `${order.orderNumber} ${step}` })
      .getByRole('button', { name: 'Undo' })
      .click();
  const button = (name: string) => page.getByRole('region', { name: order.orderNumber }).getByRole('button', { name, exact: true });
  const isArmed = (step: string): Promise<void> => waitUntilArmed(page, order.orderNumber, step);
  const state = async (): Promise<{ status: string; baseStatus: string; facts: { printed: boolean; liveParcels: number } }> =>
    (await service.studio().get(`/orders/${order.orderId}`)).json.data;
  /** The types of what was recorded, also after it was undone. */
  const recorded = async (): Promise<string[]> =>
    (await service.studio().get(`/orders/${order.orderId}`)).json.data.timeline.map(({ type }: { type: string }) => type);
  const send = (type: string) => service.studio().post(`/orders/${order.orderId}/milestones`, { milestoneId: type, type });

  it('one scan and one Enter mark an order as printed', async () => {
    await send('production_started');
    await scan();
    await isArmed('Printed');
    expect((await state()).facts.printed).toBe(false);
    await pressEnter();
    await waitForText(page.getByRole('status'), `${order.orderNumber} printed`);
    expect((await state()).facts.printed).toBe(true);
  });

  it('a second scan confirms, and undo reverses the step', async () => {
    await scan();
    await isArmed('Start');
    await Promise.all([undo('started'), scan()]);
    await button('Start').waitFor();
    expect([(await state()).status, await recorded()]).toEqual(['received', ['production_started', 'corrected']]);
    await waitForAnimations(page);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('a label that the scanner reads twice at once confirms nothing', async () => {
    const other = await orders.place();
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname));
    await scanTwice();
    await isArmed('Start');
    await scan(order.orderNumber, 1000);
    await scanTwice(other.orderNumber);
    await waitUntilArmed(page, other.orderNumber, 'Start');
    expect(posts).toEqual([]);
    await scan(other.orderNumber);
    await waitForText(page.getByRole('status'), `${other.orderNumber} started`);
  });

  it('a scan before the answer of a step confirms nothing, and the page does not call the step a change by others', async () => {
    const held: Route[] = [];
    await page.route('**/milestones', (route) => void held.push(route));
    await scan();
    await isArmed('Start');
    await scan();
    await waitFor('the request', async () => held.length === 1);
    await scan();
    await held[0]?.continue();
    await page.unroute('**/milestones');
    await waitForText(page.getByRole('status'), `${order.orderNumber} started`);
    await button('Printed').waitFor();
    await waitForText(page.getByRole('region', { name: order.orderNumber }), 'Press the button, or scan the job sheet.');
    expect(await page.getByText('was changed elsewhere').count()).toBe(0);
    await scan();
    await isArmed('Printed');
  });

  it('an Enter after a step does not confirm the next one', async () => {
    await scan();
    await isArmed('Start');
    await pressEnter();
    await button('Printed').waitFor();
    await pressEnter();
    await scan();
    await isArmed('Printed');
    expect((await state()).facts.printed).toBe(false);
  });

  it('a second scan confirms only the step that the first one showed', async () => {
    await scan();
    await isArmed('Start');
    await send('held');
    await page.getByRole('alert').getByText('was changed elsewhere').waitFor();
    await pressEnter();
    await scan();
    await button('Release').waitFor();
    expect((await state()).baseStatus).toBe('on_hold');
  });

  it('shows recipient, city, method, carrier and the client’s references', async () => {
    const { orderNumber, orderId } = await new OrderFactory(service, 'live', {
      shippingAddress: anAddress({ name: 'Ada Moreau', city: 'Fremantle' }),
    }).place({
      reference: 'PO 4711',
    });
    await service.studio().post(`/orders/${orderId}/parcels`, { parcelId: 'one', trackingNumber: 'AP9200', carrier: 'Blue Mail' });
    await scan(orderNumber);
    const shown = page.getByRole('region', { name: orderNumber });
    for (const text of ['Ada Moreau', /^Fremantle /, 'Standard parcel', 'Blue Mail', 'PO 4711']) await waitForText(shown, text);
  });

  /** Scans until the order is shown and again. @returns whether anything was sent */
  const isPassedByScans = async (refusal: string): Promise<boolean> => {
    const posts: string[] = [];
    const note = (request: Request): void => void (request.method() === 'POST' && posts.push(request.url()));
    page.on('request', note);
    await scan();
    await page.getByRole('region', { name: order.orderNumber, includeHidden: true }).waitFor({ state: 'attached' });
    await waitFor('the refusal of a scan', async () => {
      await scan();
      return (await page.getByText(`${order.orderNumber}: ${refusal}`).count()) > 0;
    });
    await scan();
    await pressEnter();
    page.off('request', note);
    return posts.length > 0;
  };

  it('a second scan does not release a hold; the button does, after its reason was shown in red', async () => {
    await service.studio().post(`/orders/${order.orderId}/milestones`, { milestoneId: 'stop', type: 'held', reason: 'the mat is cracked' });
    expect(await isPassedByScans('Read why it is on hold, then press the button.')).toBe(false);
    await waitForText(page.getByRole('region', { name: 'On hold' }), 'the mat is cracked');
    expect(await seriousFindings(page)).toEqual([]);
    await button('Release').click();
    await waitForText(page.getByRole('status'), `${order.orderNumber} released`);
  });

  it('a second scan does not start or print rejected artwork', async () => {
    await service
      .studio()
      .post(`/orders/${order.orderId}/milestones`, { milestoneId: 'dark', type: 'artwork_rejected', line: 0, reason: 'too dark' });
    expect(await isPassedByScans('Read its problems, then press the button.')).toBe(false);
    await waitForText(page.getByRole('region', { name: 'Artwork rejected' }), 'too dark');
    await button('Start').click();
    await button('Printed').waitFor();
    expect(await isPassedByScans('Read its problems, then press the button.')).toBe(false);
    expect((await state()).facts.printed).toBe(false);
  });

  it('an order to collect ends with the name of a person, without a parcel, and no scan confirms it', async () => {
    const toCollect = new OrderFactory(service, 'live', { shippingMethodId: 'studio-collection' });
    for (const screen of ['station', 'order']) {
      order = await toCollect.place();
      for (const type of ['production_started', 'printed']) await send(type);
      if (screen === 'station') {
        expect(await isPassedByScans('Enter who collects it, then press the button.')).toBe(false);
        await waitFor('the focus on the field', () =>
          page.evaluate<boolean>(`document.activeElement.placeholder === 'Name of the person'`),
        );
        await pressKeys(page, 'person', [...'Ada Moreau'], 2000);
        await scan();
        await expectSoon(() => page.getByLabel('Collected by').inputValue()).toBe('Ada Moreau');
        await pressKeys(page, 'person', ['Enter'], 2000);
        await waitForText(page.getByRole('status'), `${order.orderNumber} collected`);
      } else {
        await goTo(`/orders/${order.orderNumber}`);
        const dialog = await openActionDialog(page, 'Collected');
        await dialog.getByLabel('Collected by').fill('Ada Moreau');
        await Promise.all([waitForText(page, 'Confirm with the button.'), scan()]);
        await dialog.getByRole('button', { name: 'Collected', exact: true }).click();
        await dialog.waitFor({ state: 'hidden' });
        await waitForText(page.getByRole('region', { name: 'Timeline' }), 'Collected by Ada Moreau');
        await goTo('/station');
      }
      const { status, timeline, parcels } = (await service.studio().get(`/orders/${order.orderId}`)).json.data;
      expect([status, parcels, timeline.at(-1).carried]).toEqual(['completed', [], { signedBy: 'Ada Moreau' }]);
    }
  });

  it('a cancelled order covers the screen, and a scan confirms nothing on it', async () => {
    await service
      .studio()
      .post(`/orders/${order.orderId}/milestones`, { milestoneId: 'end', type: 'cancelled', note: 'the client called' });
    expect(await isPassedByScans('The order is cancelled.')).toBe(false);
    const cover = page.getByRole('dialog', { name: `${order.orderNumber} is cancelled` });
    await cover.waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(await cover.isVisible()).toBe(true); // Enter has not closed it
    const other = await orders.place();
    await scan(other.orderNumber);
    await page.getByRole('region', { name: other.orderNumber }).waitFor();
    await cover.waitFor({ state: 'hidden' });
  });

  it('a second tap neither records the next step nor undoes the first', async () => {
    await goTo(`/station?order=${order.orderNumber}`);
    await button('Start').waitFor();
    await page.evaluate(TAP_AT_ONCE);
    await button('Start').click();
    await waitForText(page.getByRole('status'), `${order.orderNumber} started`);
    await expectSoon(() => page.evaluate('window.tapped')).toEqual(['Printed', 'Undo']);
    await expectSoon(() => button('Printed').isEnabled()).toBe(true);
    expect(await recorded()).toEqual(['production_started']);
    await button('Printed').click();
    await waitForText(page.getByRole('status'), `${order.orderNumber} printed`);
  });

  it.each(['is sent then', 'is not sent if another label replaces it'])(
    'a confirmed label waits for the carriers, and %s',
    async (what) => {
      for (const type of ['production_started', 'printed']) await send(type);
      const held: Route[] = [];
      const { page: other } = await openSignedIn(browser, service, { token: await aToken(service, 'floor'), at: '/station' });
      await waitUntilLoaded(other);
      await other.route('**/v1/carriers', (route) => void held.push(route));
      await pressKeys(other, 'scanner', [...order.orderNumber, 'Enter'], 2000);
      await waitFor('the focus on the field', () => other.evaluate<boolean>(`document.activeElement.placeholder?.startsWith('Scan')`));
      const checked = other.waitForResponse(/\/orders\?.*q=/);
      await pressKeys(other, 'scanner', [...squareBarcode('JDQ019457301000930304'), 'Enter'], 2000);
      await waitFor('the label in the field', async () => (await other.getByLabel('Tracking number').inputValue()) !== '');
      await pressKeys(other, 'person', ['Enter']);
      await checked; // nothing else is missing
      await waitFor('the request for the carriers', async () => held.length > 0);
      const isReplaced = what !== 'is sent then';
      if (isReplaced) {
        await pressKeys(other, 'scanner', [...squareBarcode('JDQ019457401000930302'), 'Enter'], 2000);
        await waitFor('the other label', async () => (await other.getByLabel('Tracking number').inputValue()).includes('0194574'));
      }
      await Promise.all(held.map((route) => route.continue()));
      const shipments = async () => (await service.studio().get(`/orders/${order.orderId}`)).json.data.shipments;
      if (isReplaced) {
        await expectSoon(() => other.getByLabel('Carrier').inputValue()).toBe('Australia Post');
        await expectSoon(() => other.getByRole('button', { name: 'Pack', exact: true }).isEnabled()).toBe(true);
        expect(await shipments()).toEqual([]);
        await pressKeys(other, 'person', ['Enter']);
      }
      await waitForText(other.getByRole('status'), `${order.orderNumber} packed`);
      const trackingNumber = isReplaced ? 'JDQ019457401000930302' : 'JDQ019457301000930304';
      expect(await shipments()).toMatchObject([{ carrier: 'Australia Post', trackingNumber }]);
      await other.context().close();
    },
  );

  it('the number of another order that a slow scanner sends loads it', async () => {
    const other = await orders.place();
    await scan();
    await isArmed('Start');
    await pressKeys(page, 'person', [...other.orderNumber, 'Enter']);
    await page.getByRole('region', { name: other.orderNumber }).waitFor();
    expect((await state()).status).toBe('received');
  });

  it('reads a number after the kind of its barcode, and says what is no number', async () => {
    await Promise.all([waitForText(page, '“INV-10001” is not an order number. Scan a job sheet.'), scan('INV-10001')]);
    await scan(`]C1${order.orderNumber}`);
    await isArmed('Start');
  });

  it('packs with the label of the carrier, and undo voids the parcel', async () => {
    await send('production_started');
    await send('printed');
    await scan();
    await page.getByLabel('Tracking number').waitFor();
    await waitFor('the focus on the field', () => page.evaluate<boolean>(`document.activeElement.placeholder?.startsWith('Scan')`));
    await expectSoon(() => button('Pack').isDisabled()).toBe(true);
    await scan('AP9000');
    await scan('AP9001');
    await expectSoon(() => page.getByLabel('Tracking number').inputValue()).toBe('AP9001');
    getAhead(page);
    await pressKeys(page, 'scanner', [...'AP90']);
    await pressKeys(page, 'scanner', ['0', '2', 'Enter']); // a pause in the scan
    await expectSoon(() => page.getByLabel('Tracking number').inputValue()).toBe('AP9002');
    expect((await state()).facts.liveParcels).toBe(0);
    await Promise.all([undo('packed'), pressEnter()]);
    await button('Pack').waitFor();
    expect((await recorded()).slice(-2)).toEqual(['parcel_added', 'parcel_voided']);
    expect((await state()).facts.liveParcels).toBe(0);
  });

  const startPacking = async (label: string): Promise<void> => {
    for (const type of ['production_started', 'printed']) await send(type);
    await scan();
    await waitFor('the focus on the field', () => page.evaluate<boolean>(`document.activeElement.placeholder?.startsWith('Scan')`));
    await scan(label);
    await expectSoon(() => page.getByLabel('Tracking number').inputValue()).toBe(label);
  };

  const squareBarcode = (article: string): string => `]d2019931265099999891${article}\u001d4202190\u001d8008250609142233`;
  it('a label proposes its carrier with its tracking page, and the next label without one proposes the last', async () => {
    await startPacking('AP9200');
    await page.getByLabel('Carrier').selectOption('No carrier');
    await scan(']C11Z999AA10123456784');
    await expectSoon(() => page.getByLabel('Tracking number').inputValue()).toBe('1Z999AA10123456784');
    await page.getByLabel('Carrier').selectOption('StarTrack Premium');
    await pressKeys(page, 'person', ['Tab']);
    await button('Pack').click();
    await waitForText(page.getByRole('status'), `${order.orderNumber} packed`);
    const shipments = async () => (await service.studio().get(`/orders/${order.orderId}`)).json.data.shipments;
    expect(await shipments()).toMatchObject([
      { carrier: 'StarTrack Premium', trackingUrl: 'https://startrack.com.au/track/details/1Z999AA10123456784' },
    ]);
    order = await orders.place();
    await startPacking('AP9201');
    await expectSoon(() => page.getByLabel('Carrier').inputValue()).toBe('StarTrack Premium');
    await scan('1Z999AA10123456785');
    await expectSoon(() => page.getByLabel('Carrier').inputValue()).toBe('UPS');
    await pressEnter();
    await waitForText(page.getByRole('status'), `${order.orderNumber} packed`);
    expect(await shipments()).toMatchObject([
      { carrier: 'UPS', trackingNumber: '1Z999AA10123456785', trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA10123456785' },
    ]);
    order = await orders.place();
    await startPacking('AP9202');
    await scan(squareBarcode('JDQ019457101000930308'));
    await expectSoon(() => page.getByLabel('Carrier').inputValue()).toBe('Australia Post');
    await pressEnter();
    await waitForText(page.getByRole('status'), `${order.orderNumber} packed`);
    expect(await shipments()).toMatchObject([{ carrier: 'Australia Post', trackingNumber: 'JDQ019457101000930308' }]);
    order = await orders.place();
    await startPacking('AP9203');
    await page.getByLabel('Tracking number').fill('');
    await pressKeys(page, 'scanner', [...squareBarcode('JDQ019457201000930306')], 2000); // without an ending
    await expectSoon(() => page.getByLabel('Carrier').inputValue()).toBe('Australia Post');
    await pressEnter();
    await waitForText(page.getByRole('status'), `${order.orderNumber} packed`);
    expect(await shipments()).toMatchObject([{ carrier: 'Australia Post', trackingNumber: 'JDQ019457201000930306' }]);
  });

  it('loads the next order while a parcel is recorded. If that fails, its label returns with the order', async () => {
    const next = await orders.place();
    await startPacking('AP9100');
    const sent: Route[] = [];
    await page.route('**/parcels', (route) => (sent.push(route) === 1 ? undefined : route.continue()));
    await pressEnter();
    await waitFor('the request', async () => sent.length === 1);
    await scan(next.orderNumber);
    await page.getByRole('region', { name: next.orderNumber }).waitFor();
    await sent[0]?.abort();
    await page.getByText(`${order.orderNumber} was not packed with AP9100`).waitFor();
    await scan();
    await expectSoon(() => page.getByLabel('Tracking number').inputValue()).toBe('AP9100');
    await button('Pack').click();
    await waitForText(page.getByRole('status'), `${order.orderNumber} packed`);
    const ids = sent.map((route) => route.request().postDataJSON().parcelId as string);
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  it('a label that was not sent keeps its order, for a typed number as for a scanned one', async () => {
    const next = await orders.place();
    await startPacking('AP9101');
    const field = page.getByRole('textbox', { name: 'Order number' });
    await clickUntilFocused(field);
    const notice = waitForText(page, `Pack ${order.orderNumber} first, or clear its tracking number.`);
    await Promise.all([notice, pressKeys(page, 'person', [...next.orderNumber, 'Enter'], 2000)]);
    await expectSoon(() => field.inputValue()).toBe(next.orderNumber);
    await expectSoon(() => page.getByRole('dialog').count()).toBe(0);
    await expectSoon(() => page.getByLabel('Tracking number').inputValue()).toBe('AP9101');
    await page.getByLabel('Tracking number').fill('');
    await field.click();
    await pressKeys(page, 'person', ['Enter'], 2000);
    await page.getByRole('region', { name: next.orderNumber }).waitFor();
    await expectSoon(() => field.inputValue()).toBe('');
  });

  it('a scan also confirms if the address has the id or another spelling of the number', async () => {
    const isAt = (path: string): Promise<void> => expectSoon(async () => page.url()).toMatch(new RegExp(`${path}$`));
    await goTo(`/station?order=${order.orderNumber.slice(2)}`);
    await isAt(`/station\\?order=${order.orderNumber}`);
    await button('Start').waitFor();
    await scan();
    await isArmed('Start');
    await scan();
    await waitForText(page.getByRole('status'), `${order.orderNumber} started`);
    for (const named of [order.orderId, order.orderNumber.replace('-', '').toLowerCase()]) {
      await goTo(`/orders/${named}`);
      await isAt(`/orders/${order.orderNumber}`);
    }
    await page.getByRole('button', { name: 'Mark printed' }).click();
    await page.getByRole('dialog').waitFor();
    await scan();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await state()).facts.printed).toBe(true);
    await goTo('/station');
  });

  it('shows the problems of the order, and completed instead of shipped', async () => {
    await service
      .studio()
      .post(`/orders/${order.orderId}/milestones`, { milestoneId: 'dark', type: 'artwork_rejected', line: 0, reason: 'too dark' });
    await scan();
    await page.getByRole('region', { name: order.orderNumber }).getByText('too dark').waitFor();
    for (const type of ['production_started', 'printed']) await send(type);
    await service.studio().post(`/orders/${order.orderId}/parcels`, { parcelId: 'box', trackingNumber: 'AP9004' });
    await send('completed');
    expect((await state()).status).toBe('shipped');
    await page.getByRole('region', { name: order.orderNumber }).getByText('Completed', { exact: true }).waitFor();
  });

  it('releases a shipped order that was on hold, and the next Enter does not complete it', async () => {
    for (const type of ['production_started', 'printed']) await send(type);
    await service.studio().post(`/orders/${order.orderId}/parcels`, { parcelId: 'box', trackingNumber: 'AP9003' });
    await send('held');
    await scan();
    expect(await state()).toMatchObject({ status: 'shipped', baseStatus: 'on_hold' });
    await button('Release').click();
    await waitForText(page.getByRole('status'), `${order.orderNumber} released`);
    await button('Complete').waitFor();
    await pressEnter();
    await scan();
    await isArmed('Complete');
    expect(await state()).toMatchObject({ status: 'shipped', baseStatus: 'in_production' });
  });

  it('the undo stays while its request is pending', async () => {
    const at = `/station?order=${order.orderNumber}`;
    const { page: tablet } = await openSignedIn(browser, service, { token: await aToken(service, 'floor'), at });
    await tablet.clock.install();
    const pending: Route[] = [];
    await tablet.route('**/correct', (route) => void pending.push(route));
    await Promise.all([
      tablet.getByRole('button', { name: 'Undo' }).click(), // stays for ten seconds
      tablet.getByRole('button', { name: 'Start', exact: true }).click(),
    ]);
    await waitFor('the request', async () => pending.length === 1);
    await tablet.clock.fastForward(11_000);
    await expectSoon(() => tablet.getByText(`${order.orderNumber} started`).isVisible()).toBe(true);
    await pending[0]?.continue();
    await tablet.getByRole('button', { name: 'Start', exact: true }).waitFor();
    expect((await state()).status).toBe('received');
    await tablet.context().close();
  });

  it('a typed number loads its order with any hyphen or none', async () => {
    const digits = order.orderNumber.slice(2);
    const field = page.getByRole('textbox', { name: 'Order number' });
    for (const typed of [digits, `p${digits}`, `P ${digits}`, `P‑${digits}`, `p–${digits}`]) {
      await goTo('/station');
      await clickUntilFocused(field);
      await pressKeys(page, 'person', [...typed], 2000);
      await expectSoon(() => field.inputValue()).toBe(typed);
      await pressKeys(page, 'person', ['Enter']);
      await button('Start').waitFor();
    }
    await goTo('/station');
    await page.getByRole('heading', { name: 'Station' }).waitFor();
    await pressKeys(page, 'person', [...`p${digits}`, 'Enter'], 2000);
    await button('Start').waitFor();
  });

  it('loads an order again whose first answer was an error', async () => {
    const url = `**/orders/${order.orderNumber}`;
    const error = { code: 'NOT_FOUND', message: 'there is no such order' };
    // Live updates load it again, too, so it is away until the click.
    await page.evaluate(`addEventListener('click', () => (window.isClicked = true), true)`);
    await page.route(url, async (route) =>
      (await page.evaluate('window.isClicked === true'))
        ? route.fallback()
        : route.fulfill({ status: 404, json: { data: null, error, requestId: 'r' } }),
    );
    await scan();
    await page.getByRole('button', { name: 'Try again' }).click();
    await button('Start').waitFor();
  });

  it('a step that was undone can be repeated', async () => {
    for (const type of ['production_started', 'printed']) await send(type);
    await service.studio().post(`/orders/${order.orderId}/parcels`, { parcelId: 'box', trackingNumber: 'AP9002' });
    await scan();
    await Promise.all([undo('completed'), button('Complete').click()]);
    await page
      .getByRole('status')
      .filter({ hasText: `${order.orderNumber} completed` })
      .waitFor({ state: 'hidden' });
    await button('Complete').click();
    await waitForText(page.getByRole('status'), `${order.orderNumber} completed`);
    expect((await state()).baseStatus).toBe('completed');
    expect((await recorded()).slice(-3)).toEqual(['completed', 'corrected', 'completed']);
  });
});

describeInBrowser('a station that reads badges', () => {
  const service = useService();
  const browser = useBrowser();
  let page: Page;
  let orders: OrderFactory;
  beforeAll(async () => {
    orders = new OrderFactory(service);
    const { token } = (await service.studio().post('/tokens', { name: 'Packing 1', role: 'floor', kind: 'station' })).json.data;
    ({ page } = await openSignedIn(browser, service, { token, at: '/station' }));
    await waitUntilLoaded(page);
  });
  const scan = (text: string): Promise<void> => pressKeys(page, 'scanner', [...text, 'Enter'], 2000);
  const createBadge = async (name: string): Promise<{ id: string; code: string }> =>
    (await service.studio().post('/badges', { name })).json.data;
  const timelineOf = async (orderId: string) => (await service.studio().get(`/orders/${orderId}`)).json.data.timeline;
  const badge = () => page.getByRole('group', { name: 'Badge' });

  it('names the person in the timeline, also after another one; a label is no badge, and a badge no label', async () => {
    const [mia, bob] = [await createBadge('Mia Chen'), await createBadge('Bob Lee')];
    const { orderId, orderNumber } = await orders.place();
    const isArmed = (step: string): Promise<void> => waitUntilArmed(page, orderNumber, step);
    await page.getByText('Scan your badge').waitFor();
    await scan(mia.code);
    await waitForText(badge(), 'Mia Chen');
    await scan(orderNumber);
    await isArmed('Start');
    await scan(orderNumber);
    await waitForText(page.getByRole('status'), `${orderNumber} started`);
    await scan(bob.code);
    await waitForText(badge(), 'Bob Lee');
    await scan(orderNumber);
    await isArmed('Printed');
    await scan(orderNumber);
    await waitForText(page.getByRole('status'), `${orderNumber} printed`);
    await scan(orderNumber);
    await page.getByLabel('Tracking number').waitFor();
    await scan(mia.code);
    await waitForText(badge(), 'Mia Chen');
    await expectSoon(() => page.getByLabel('Tracking number').inputValue()).toBe('');
    const timeline = await timelineOf(orderId);
    expect(timeline.map(({ actor }: { actor: string }) => actor)).toEqual(['Packing 1 (Mia Chen)', 'Packing 1 (Bob Lee)']);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('forgets a revoked badge with its next request, and says what an unknown one is', async () => {
    const eve = await createBadge('Eve Marsh');
    const { orderId, orderNumber } = await orders.place();
    await scan(eve.code);
    await waitForText(badge(), 'Eve Marsh');
    await scan(orderNumber);
    const start = page.getByRole('region', { name: orderNumber }).getByRole('button', { name: 'Start', exact: true });
    await start.waitFor();
    const held: Route[] = [];
    await page.route('**/milestones', (route) => void held.push(route));
    await start.click(); // with the badge, which any other request may forget first
    await waitFor('the request', async () => held.length === 1);
    await service.studio().send('DELETE', `/badges/${eve.id}`);
    await held[0]?.continue();
    await page.unroute('**/milestones');
    await page.getByText('this badge is unknown or revoked').waitFor();
    await badge().waitFor({ state: 'detached' });
    expect(await timelineOf(orderId)).toEqual([]);
    await Promise.all([page.getByText('This badge is unknown or revoked. Scan another badge.').waitFor(), scan(eve.code)]);
    await start.click();
    await waitForText(page.getByRole('status'), `${orderNumber} started`);
    expect((await timelineOf(orderId)).map(({ actor }: { actor: string }) => actor)).toEqual(['Packing 1']);
  });

  it('records no step while it reads a badge, and the last of two scanned badges counts', async () => {
    const [ann, ben, cleo] = [await createBadge('Ann Roy'), await createBadge('Ben Ito'), await createBadge('Cleo Park')];
    const { orderId, orderNumber } = await orders.place();
    await scan(ann.code);
    await waitForText(badge(), 'Ann Roy');
    await scan(orderNumber);
    const start = page.getByRole('region', { name: orderNumber }).getByRole('button', { name: 'Start', exact: true });
    await start.waitFor();
    const held: Route[] = [];
    await page.route('**/badge-holders/*', (route) => void held.push(route));
    await scan(ben.code);
    await badge().waitFor({ state: 'detached' });
    await scan(cleo.code);
    await waitFor('both requests', async () => held.length === 2);
    await expectSoon(() => start.isDisabled()).toBe(true);
    for (const route of held.toReversed()) await route.continue();
    await page.unroute('**/badge-holders/*');
    await waitForText(badge(), 'Cleo Park');
    await start.click();
    await waitForText(page.getByRole('status'), `${orderNumber} started`);
    await waitForText(badge(), 'Cleo Park');
    expect((await timelineOf(orderId)).map(({ actor }: { actor: string }) => actor)).toEqual(['Packing 1 (Cleo Park)']);
    await page.route('**/badge-holders/*', (route) => route.abort());
    await Promise.all([waitForText(page, 'Scan the badge again.'), scan(ben.code)]);
  });

  it('takes a step whose answer was lost for recorded', async () => {
    const { orderNumber } = await orders.place();
    await scan(orderNumber);
    const start = page.getByRole('region', { name: orderNumber }).getByRole('button', { name: 'Start', exact: true });
    await start.waitFor();
    await page.route('**/milestones', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await start.click();
    await waitForText(page.getByRole('status'), `${orderNumber} started`);
  });

  it('offers no step before it knows the stages', async () => {
    const { orderNumber } = await orders.place();
    await page.route('**/stage-settings', (route) => route.abort());
    await page.reload();
    await waitUntilLoaded(page);
    await scan(orderNumber);
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByRole('region', { name: orderNumber }).count()).toBe(0);
    await page.unroute('**/stage-settings');
    await page.reload();
    await page.getByRole('region', { name: orderNumber }).waitFor();
  });

  it('has no way to sign out', async () => {
    await expectSoon(() => page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
  });
});
