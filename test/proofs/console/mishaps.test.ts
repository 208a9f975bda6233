import type { Locator, Page, Route } from 'playwright-core';
import { parseLocalTime } from '../../../packages/console/src/shared/local-time';
import { hashKey } from '../../../src/security/api-keys';
import { aToken, OrderFactory } from '../../service/http/studio/support';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { anEndpoint } from '../../support/endpoints';
import { useFixture, useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { pressKeys } from './support/keys';
import { waitForAnimations } from './support/layout';
import {
  holdRequests,
  performAction,
  openActionDialog,
  navigateTo,
  regionNamed,
  type Person,
  waitForText,
  seriousFindings,
  openSignedIn,
  signIn,
} from './support/studio';

/** The dialogs in the middle and at the lower edge of the window. */
const VISIBLE_DIALOG_TEXTS = `[innerHeight / 2, innerHeight - 10].map((y) => document.elementFromPoint(innerWidth / 2, y).closest('[role=dialog]')?.innerText)`;

describeInBrowser('mishaps at the console', () => {
  // Between heartbeats the stream does not notice the end of a session.
  const service = useService(() => ({ streamRecheckMs: 30_000 }));
  const browser = useBrowser();
  const maker = useFixture(() => new OrderFactory(service));
  let token: string;
  let person: Person;
  let page: Page;
  let order: { orderId: string; orderNumber: string };
  beforeEach(async () => {
    order = await maker.place();
    token = await aToken(service, 'admin', { name: 'Ines' });
    person = await openSignedIn(browser, service, { token, at: `/orders/${order.orderNumber}` });
    ({ page } = person);
    await waitForText(page.getByRole('banner'), 'Connected');
  });
  afterEach(() => page.context().close());

  const timeline = async (): Promise<string[]> =>
    (await service.studio().get(`/orders/${order.orderId}`)).json.data.timeline.map(({ type }: { type: string }) => type);
  const expireSession = (): Promise<unknown> =>
    service.deps.database.run(
      "UPDATE studio_sessions SET expires_at = now() - interval '1 second' WHERE token_id = (SELECT id FROM studio_tokens WHERE token_hash = $1)",
      [hashKey(token)],
    );
  const confirm = (dialog: Locator, label: string): Promise<void> => dialog.getByRole('button', { name: label, exact: true }).click();

  describe('a lost network', () => {
    it('is shown at once, and a dismissed action is not sent later', async () => {
      const dialog = await openActionDialog(page, 'Cancel order');
      await dialog.getByLabel('Reason').fill('the client has called');
      await page.context().setOffline(true);
      await waitForText(page.getByRole('banner'), 'Offline');
      await waitForText(dialog.getByRole('alert'), 'Offline');
      await confirm(dialog, 'Cancel order');
      await waitForText(dialog.getByRole('alert'), 'No answer');
      await confirm(dialog, 'Keep order');
      await dialog.waitFor({ state: 'hidden' });
      await page.context().setOffline(false);
      await waitForText(page.getByRole('banner'), 'Connected');
      await performAction(page, 'Hold');
      expect(await timeline()).toEqual(['held']);
    });

    it('a dialog stays open while its request is pending, and a request without an answer ends', async () => {
      await page.clock.install();
      const held: Route[] = [];
      await page.route('**/milestones', (route) => void held.push(route));
      const dialog = await openActionDialog(page, 'Hold');
      await confirm(dialog, 'Hold');
      for (const name of ['Cancel', 'Close']) await dialog.getByRole('button', { name, disabled: true }).waitFor();
      await page.keyboard.press('Escape');
      await waitFor('the request', async () => held.length === 1);
      await page.clock.fastForward(61_000);
      await waitForText(dialog.getByRole('alert'), 'No answer');
      await page.unroute('**/milestones');
      await confirm(dialog, 'Hold: send again');
      await dialog.waitFor({ state: 'hidden' });
      expect([held.length, await timeline()]).toEqual([1, ['held']]);
    });
  });

  it('a payment whose response was lost is sent again and counts once', async () => {
    const dialog = await openActionDialog(page, 'Record payment');
    await dialog.getByLabel('Reference').fill('NAB 4712');
    let sent = 0;
    await page.route('**/payments', async (route) => {
      sent += 1;
      if (sent > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await confirm(dialog, 'Record payment');
    await waitForText(dialog.getByRole('alert'), 'Sending again is safe');
    await waitForText(regionNamed(page, 'Payment'), 'Paid'); // the page already shows it
    await confirm(dialog, 'Record payment: send again');
    await dialog.waitFor({ state: 'hidden' });
    await page.unroute('**/payments');
    const { payments } = (await service.studio().get(`/orders/${order.orderId}`)).json.data;
    expect([sent, payments.length]).toEqual([2, 1]);
    await regionNamed(page, 'Payment').getByRole('link', { name: 'View payment' }).click();
    await page.getByRole('heading', { name: /^Payment console-/ }).waitFor();
    await performAction(page, `Reverse payment of AUD ${(payments[0].amountCents / 100).toFixed(2)}`, {
      confirm: 'Reverse',
      fill: (form) => form.getByLabel('Reason').fill('returned by the bank'),
    });
    await waitForText(page.getByRole('main'), /Reversed .+: returned by the bank/);
  });

  describe('a filled form', () => {
    const fillNote = async (): Promise<Locator> => {
      const dialog = await openActionDialog(page, 'Hold');
      await dialog.getByLabel('Note').fill('the glass is cracked');
      return dialog;
    };
    const signInDialog = (): Locator => page.getByRole('dialog', { name: 'Your sign-in has ended' });

    it('stays open after a click outside of it', async () => {
      const dialog = await fillNote();
      await page.mouse.click(5, 5);
      await page.mouse.click(5, 400);
      await confirm(dialog, 'Hold');
      await dialog.waitFor({ state: 'hidden' });
      await waitForText(regionNamed(page, 'Timeline'), 'Note: the glass is cracked');
    });

    it('survives the end of the session: the user signs in again and sends it', async () => {
      const dialog = await fillNote();
      const checks: number[] = [];
      page.on('response', (response) => response.url().endsWith('/session') && checks.push(response.status()));
      const reads = `**/studio/v1/orders/${order.orderNumber}`;
      await page.route(reads, (route) => route.abort()); // the page reads its order every three seconds
      await holdRequests(page, { method: 'POST', url: /\/milestones$/ }, () => confirm(dialog, 'Hold'), expireSession);
      await signInDialog().getByLabel('Your token').press('Escape');
      await signInDialog().getByLabel('Your token').fill(token);
      await signInDialog().getByRole('button', { name: 'Sign in' }).click();
      await signInDialog().waitFor({ state: 'hidden' });
      await page.unroute(reads);
      await waitForText(page.getByRole('banner'), 'Connected');
      // One of the request, and perhaps one of the stream. More would use up the limit of failures.
      expect(checks.filter((status) => status === 401).length).toBeLessThanOrEqual(2);
      expect([await timeline(), person.loads()]).toEqual([[], 0]);
      await confirm(dialog, 'Hold: send again');
      await dialog.waitFor({ state: 'hidden' });
      await waitForText(regionNamed(page, 'Timeline'), 'Note: the glass is cracked');
      expect(await timeline()).toEqual(['held']);
    });

    it('is hidden until then, and removed when another user signs in', async () => {
      await fillNote();
      await expireSession();
      await page.evaluate(`dispatchEvent(new Event('online'))`); // reads everything again
      await signInDialog().waitFor();
      // The dialog covers the form when it has faded in.
      await waitFor('the sign-in over the whole form', async () => {
        const [covered, lowest] = await page.evaluate<(string | null)[]>(VISIBLE_DIALOG_TEXTS);
        return covered?.includes('Your sign-in has ended') === true && lowest === covered;
      });
      expect(await seriousFindings(page)).toEqual([]);
      await signInDialog()
        .getByLabel('Your token')
        .fill(await aToken(service, 'office', { name: 'Desk 4' }));
      await signInDialog().getByRole('button', { name: 'Sign in' }).click();
      await waitForText(page, 'Desk 4 (Office)');
      await page.getByRole('heading', { level: 1, name: order.orderNumber }).waitFor();
      await expectSoon(async () => [await page.getByRole('dialog').count(), await timeline()]).toEqual([0, []]);
    });

    it('is removed when the user signs out in another tab', async () => {
      await fillNote();
      const other = await page.context().newPage();
      await other.goto(person.root);
      await other.getByRole('button', { name: 'Sign out' }).click();
      await waitForText(page, 'Your sign-in has ended. Sign in again to go on where you were.');
      await signIn(page, token);
      await page.getByRole('heading', { level: 1, name: order.orderNumber }).waitFor();
      await expectSoon(() => page.getByRole('dialog').count()).toBe(0);
    });
  });

  describe('a barcode scanner', () => {
    const scanBarcode = (text: string): Promise<void> => pressKeys(page, 'scanner', [...text, 'Enter']);
    const trackingField = (dialog: Locator): Locator => dialog.getByLabel('Tracking number');

    it('triggers no button and no shortcut, but typing does', async () => {
      await page.getByRole('button', { name: 'Start production' }).focus();
      await scanBarcode(order.orderNumber);
      await scanBarcode('bag');
      await scanBarcode('b');
      await pressKeys(page, 'person', ['Enter']);
      await page.getByRole('dialog', { name: /^Start production/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 120))'); // after the timer of a shortcut
      expect([new URL(page.url()).pathname, await timeline()]).toEqual([`/orders/${order.orderNumber}`, []]);
      await pressKeys(page, 'person', ['b']);
      await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
    });

    it('confirms no payment', async () => {
      const dialog = await openActionDialog(page, 'Record payment');
      await dialog.getByRole('button', { name: 'Record payment', exact: true, disabled: false }).waitFor();
      // While the dialog looks for duplicates, the refusal says so.
      await waitFor('the refusal', async () => {
        await pressKeys(page, 'scanner', [...order.orderNumber, 'Enter'], 2000);
        return page.getByText('Confirm with the button.').first().isVisible();
      });
      expect(await timeline()).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    });

    it('submits no form: an order number is no tracking number, and a label waits for confirmation', async () => {
      const dialog = await openActionDialog(page, 'Add parcel');
      await trackingField(dialog).fill('AP');
      await Promise.all([waitForText(page, 'Close the dialog to open P-99999.'), scanBarcode('P-99999')]);
      await expectSoon(() => trackingField(dialog).inputValue()).toBe('AP');
      await trackingField(dialog).fill('');
      await scanBarcode('AP7001');
      await expectSoon(() => trackingField(dialog).inputValue()).toBe('AP7001');
      expect(await timeline()).toEqual([]);
      await confirm(dialog, 'Add parcel');
      await dialog.waitFor({ state: 'hidden' });
      expect(await timeline()).toEqual(['parcel_added']);
    });

    it('confirms a dialog by a second scan of its order', async () => {
      const dialog = await openActionDialog(page, 'Start production');
      await scanBarcode(order.orderNumber);
      await dialog.waitFor({ state: 'hidden' });
      expect(await timeline()).toEqual(['production_started']);
    });

    it('confirms no dialog whose time is not understood', async () => {
      const dialog = await openActionDialog(page, 'Start production');
      await dialog.getByRole('textbox', { name: 'Time' }).fill('three');
      await Promise.all([waitForText(page, 'Confirm with the button.'), scanBarcode(order.orderNumber)]);
      expect(await timeline()).toEqual([]);
    });

    it('takes a parcel that is shipped tomorrow, and on no later day', async () => {
      const dialog = await openActionDialog(page, 'Add parcel');
      await trackingField(dialog).fill('AP7002');
      const field = dialog.getByRole('textbox', { name: 'Shipped' });
      await field.fill('31 Dec 2099, 10:00');
      await field.press('Tab');
      await waitForText(dialog, 'Enter a day up to');
      const tomorrow = new Date(Date.now() + 86_400_000);
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Australia/Melbourne' }).format(tomorrow);
      await field.fill(`${day} 10:00`);
      await confirm(dialog, 'Add parcel');
      await dialog.waitFor({ state: 'hidden' });
      const [parcel] = (await service.studio().get(`/orders/${order.orderId}`)).json.data.shipments;
      expect(parcel.shippedAt).toBe(parseLocalTime(`${day}T10:00`, 'Australia/Melbourne'));
    });

    it('takes no time on a later day for a step that is done', async () => {
      const dialog = await openActionDialog(page, 'Start production');
      const field = dialog.getByRole('textbox', { name: 'Time' });
      await field.fill('31 Dec 2099, 10:00');
      await field.press('Tab');
      await waitForText(dialog, 'Enter a day up to');
      await dialog.getByRole('button', { name: 'Start production', exact: true }).click();
      expect(await field.evaluate((input) => (input as HTMLInputElement).validationMessage)).toContain('Enter a day up to');
      expect(await timeline()).toEqual([]);
    });

    it('does not change a focused filter', async () => {
      await navigateTo(page, 'Board');
      await page.locator('main select').first().focus();
      await scanBarcode(order.orderNumber); // P selects "Production and shipping"
      await page.getByRole('heading', { level: 1, name: order.orderNumber }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
      expect(new URL(page.url()).search).not.toContain('attention');
    });

    it('opens an order from any screen and any field', async () => {
      const other = await maker.place();
      await navigateTo(page, 'Settings');
      await scanBarcode(other.orderNumber);
      await page.getByRole('heading', { level: 1, name: other.orderNumber }).waitFor();
      await navigateTo(page, 'Accounts');
      await page.locator('main input:is([type=search], [type=text])').first().focus();
      await scanBarcode(order.orderNumber);
      await page.getByRole('heading', { level: 1, name: order.orderNumber }).waitFor();
    });
  });

  it('a tracking number of another live parcel gives a warning before sending', async () => {
    const other = await maker.place();
    const parcel = (parcelId: string, trackingNumber: string) =>
      service.studio().post(`/orders/${other.orderId}/parcels`, { parcelId, trackingNumber });
    for (const [id, trackingNumber] of [
      ['p1', 'AP8001'],
      ['p2', 'AP8002'],
    ] as const)
      expect((await parcel(id, trackingNumber)).status).toBe(200);
    await service.studio().send('DELETE', `/orders/${other.orderId}/parcels/p2`);
    const dialog = await openActionDialog(page, 'Add parcel');
    await dialog.getByLabel('Tracking number').fill('ap8001');
    await waitForText(dialog.getByRole('alert'), `A parcel of ${other.orderNumber} already has this tracking number.`);
    await expectSoon(() => dialog.getByRole('button', { name: 'Add parcel', exact: true }).isDisabled()).toBe(true);
    await waitForAnimations(page);
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByLabel('Tracking number').fill('AP8002');
    await dialog.getByRole('alert').waitFor({ state: 'hidden' });
    await dialog.getByLabel('Tracking number').fill('AP8001');
    await dialog.getByLabel('The number is correct').check();
    await confirm(dialog, 'Add parcel');
    await dialog.waitFor({ state: 'hidden' });
    await navigateTo(page, 'Board');
    await page.goBack();
    const next = await openActionDialog(page, 'Add parcel');
    await next.getByLabel('Tracking number').fill('AP8001');
    await waitForText(next.getByRole('alert'), /this order/);
  });

  it('a delivery has the time of the service, not of a wrong browser clock', async () => {
    const parcel = { parcelId: 'p1', trackingNumber: 'AP8003' };
    expect((await service.studio().post(`/orders/${order.orderId}/parcels`, parcel)).status).toBe(200);
    await page.clock.install({ time: Date.now() + 15 * 60_000 }); // the API refuses a time in the future
    await person.goTo(`/orders/${order.orderNumber}`);
    const dialog = await openActionDialog(page, 'Mark as delivered');
    await confirm(dialog, 'Mark as delivered');
    await dialog.waitFor({ state: 'hidden' });
    const [{ deliveredAt }] = (await service.studio().get(`/orders/${order.orderId}`)).json.data.parcels;
    expect(deliveredAt).toEqual(expect.any(String));
  });

  it('a payment recorded a minute ago gives a warning, although a hundred others were received later', async () => {
    const { accountId } = service.account;
    const line = { paymentId: 'old-line', environment: 'live', amountCents: 4321, receivedAt: '2026-01-05T01:00:00Z', invoices: [] };
    const paid = await service.studio().post(`/accounts/${accountId}/payments`, line);
    expect([paid.status, paid.json.error]).toEqual([200, null]);
    const changes = `'id', 'later-' || n, 'payment_id', 'later-' || n, 'received_at', now() - interval '1 hour', 'created_at', now() - interval '1 hour'`;
    await service.deps.database.run(
      `INSERT INTO account_payments SELECT (jsonb_populate_record(p, jsonb_build_object(${changes}))).*
         FROM account_payments p, generate_series(1, 150) n WHERE p.account_id = $1 AND p.payment_id = 'old-line'`,
      [accountId],
    );
    try {
      await page.clock.install({ time: Date.now() + 15 * 60_000 }); // the clock of the browser is wrong
      await person.goTo(`/accounts/${accountId}?tab=payments`);
      const dialog = await openActionDialog(page, 'Record payment');
      await dialog.getByLabel('Amount').fill('43.21');
      await waitForText(dialog.getByRole('alert'), 'A payment of this amount was recorded within the last ten minutes.');
    } finally {
      await service.deps.database.run(`DELETE FROM account_payments WHERE account_id = $1 AND id LIKE 'later-%'`, [accountId]);
    }
  });

  it('a recorded bank line gives a warning, on the account and on an order, until it is reversed', async () => {
    const { accountId } = service.account;
    const line = { amountCents: 2500, reference: 'NAB 4711', receivedAt: '2026-03-02T01:00:00Z' };
    const office = service.studio();
    const paid = await office.post(`/orders/${order.orderId}/payments`, { ...line, paymentId: 'bank-1' });
    expect(paid.status).toBe(200);
    const dialog = await openActionDialog(page, 'Record payment');
    await dialog.getByLabel('Amount').fill('$25.00');
    await dialog.getByLabel('Received').fill('2026-03-02');
    await dialog.getByLabel('Reference').fill('nab 4711');
    await waitForText(dialog.getByRole('alert'), `A payment with the same day, amount and reference is recorded on ${order.orderNumber}.`);
    await expectSoon(() => dialog.getByRole('button', { name: 'Record payment', exact: true }).isDisabled()).toBe(true);
    for (const [field, other, same] of [
      ['Amount', '25.01', '25'],
      ['Received', '2026-03-03', '2026-03-02'],
      ['Reference', '', 'NAB 4711'],
    ] as const) {
      await dialog.getByLabel(field).fill(other);
      await page.keyboard.press('Tab'); // a day is read when the person leaves its field
      await dialog.getByText('A payment with the same day').waitFor({ state: 'hidden' });
      await dialog.getByLabel(field).fill(same);
      await page.keyboard.press('Tab');
      await dialog.getByText('A payment with the same day').waitFor();
    }
    await dialog.getByLabel('Reference').fill('another reference');
    await waitForText(dialog.getByRole('alert'), 'A payment of this amount was recorded within the last ten minutes.');
    await dialog.getByLabel('Reference').fill('NAB 4711');
    await dialog.getByText('A payment with the same day').waitFor();
    await dialog.getByLabel('This is another payment').check();
    await confirm(dialog, 'Record payment');
    await dialog.waitFor({ state: 'hidden' });
    expect((await office.post(`/orders/${order.orderId}/payments/bank-1/reverse`, { reason: 'bounced' })).status).toBe(200);
    await person.goTo(`/accounts/${accountId}?tab=payments`);
    const taking = await openActionDialog(page, 'Record payment');
    await taking.getByLabel('Amount').fill('AUD 25.00');
    await taking.getByLabel('Received').fill('2026-03-02');
    await taking.getByLabel('Reference').fill('NAB 4711');
    await waitForText(taking.getByRole('alert'), 'A payment with the same day, amount and reference is recorded on the account.');
    await taking.getByLabel('This is another payment').check();
    await confirm(taking, 'Record payment');
    await taking.waitFor({ state: 'hidden' });
  });

  it('the filter by account takes no account that was found for an earlier text', async () => {
    const terms = { tradeDiscountBps: 0, creditLimitCents: 0, paymentTermsDays: 14 };
    const { json } = await service.studio().post('/accounts', { name: 'Zinc Editions', email: 'orders@zinc.example', ...terms });
    const accountName: string = (await service.studio().get(`/accounts/${service.account.accountId}`)).json.data.name;
    await person.goTo('/board');
    const field = page.getByPlaceholder('Any', { exact: true }).first();
    const held: Route[] = [];
    await page.route(/\/accounts\?.*q=Zinc/, (route) => void held.push(route));
    await field.click();
    await page.getByRole('option', { name: accountName, exact: true }).waitFor();
    await field.fill('Zinc');
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
    await waitFor('the search', async () => held.length > 0);
    expect(new URL(page.url()).search).toBe('');
    for (const route of held) await route.continue();
    await page.getByRole('option', { name: 'Zinc Editions' }).waitFor();
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(`**/board?accountId=${json.data.id}`);
  });

  it('a confirmed erasure is confirmed again for another day', async () => {
    const { accountId } = service.account;
    await service.studio().post(`/accounts/${accountId}/notes`, { noteId: 'paper', text: 'prefers matt paper' });
    await person.goTo(`/accounts/${accountId}`);
    const dialog = await openActionDialog(page, 'Erase personal data');
    const enter = async (day: string): Promise<void> => {
      await dialog.getByLabel('Placed before').fill(day);
      await page.keyboard.press('Tab');
      await waitForText(dialog.getByRole('status'), /1 note/);
    };
    const erase = dialog.getByRole('button', { name: 'Erase personal data', exact: true });
    await enter('2998-01-01');
    await dialog.getByLabel('Erase all of it').check();
    await expectSoon(() => erase.isEnabled()).toBe(true);
    await enter('2999-01-01');
    await expectSoon(() => dialog.getByLabel('Erase all of it').isChecked()).toBe(false);
    await expectSoon(() => erase.isEnabled()).toBe(false);
  });

  it('a dialog stays with what was typed if its button goes meanwhile', async () => {
    const { accountId } = service.account;
    const { id } = await anEndpoint(service.deps.database, accountId, 'https://receiver.invalid/', 'live');
    await person.goTo(`/accounts/${accountId}?tab=endpoints`);
    const dialog = await openActionDialog(page, 'Disable');
    await dialog.getByLabel('Reason').fill('the shop moves');
    expect((await service.studio().post(`/webhook-endpoints/${id}/disable`, {})).status).toBe(200);
    await page.getByRole('button', { name: 'Enable', includeHidden: true }).waitFor({ state: 'attached' });
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('the shop moves');
    await service.studio().send('DELETE', `/webhook-endpoints/${id}`);
  });
});
