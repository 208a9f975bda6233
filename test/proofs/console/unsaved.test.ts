import type { Locator, Page, Route } from 'playwright-core';
import { hashKey } from '../../../src/security/api-keys';
import { aToken, OrderFactory, sendMilestone } from '../../service/http/studio/support';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { pressKeys } from './support/keys';
import { holdRequests, navigateTo, openActionDialog, openSignedIn, performAction, type Person, waitForText } from './support/studio';

/** Words of the API that say nothing to the office. */
const TECHNICAL = /401|token|unauthori[sz]ed|SESSION_|\/studio\/v1|bearer/i;

const CREATE_ACCOUNT = { method: 'POST', url: /\/studio\/v1\/accounts$/ } as const;

describeInBrowser('typed input that was not sent', () => {
  const service = useService(() => ({ worker: true, streamRecheckMs: 30_000 }));
  const browser = useBrowser();
  let token: string;
  let person: Person;
  let page: Page;
  let reloadQuestions: number;

  beforeAll(async () => {
    token = await aToken(service, 'admin');
  });
  beforeEach(async () => {
    person = await openSignedIn(browser, service, { token, at: '/board' });
    page = person.page;
    reloadQuestions = 0;
    page.on('dialog', (question) => {
      reloadQuestions += 1;
      void question.dismiss();
    });
    await navigateTo(page, 'Accounts');
  });
  afterEach(() => page.context().close());

  const dialog = (): Locator => page.getByRole('dialog');
  const name = (): Locator => dialog().getByLabel('Name');
  const press = (label: string): Promise<void> => dialog().getByRole('button', { name: label, exact: true }).click();
  const isAt = (path: string): Promise<void> => expectSoon(async () => new URL(page.url()).pathname).toBe(path);
  const untilClosed = (): Promise<void> => dialog().waitFor({ state: 'hidden' });
  const fillTerms = async (form: Locator): Promise<void> => {
    await form.getByLabel('Email').fill('orders@gallery.example');
    await form.getByLabel('Trade discount (%)').fill('0');
    await form.getByLabel('Payment terms (days)').fill('30');
    await form.getByLabel('No credit').check();
  };
  const openCreate = (): Promise<Locator> => openActionDialog(page, 'Create account');
  const back = (): Promise<void> => page.evaluate('history.back()');
  const expireSession = (): Promise<unknown> =>
    service.deps.database.run(
      "UPDATE studio_sessions SET expires_at = now() - interval '1 second' WHERE token_id = (SELECT id FROM studio_tokens WHERE token_hash = $1)",
      [hashKey(token)],
    );

  const WAYS: readonly [string, () => Promise<unknown>][] = [
    ['Escape', () => page.keyboard.press('Escape')],
    ['the close button', () => press('Close')],
    ['Back', back],
  ];
  describe.each(WAYS)('%s', (_way, leave) => {
    it('asks before it discards a typed text, which stays until then', async () => {
      await openCreate();
      await name().fill('Gallery West');
      await leave();
      await waitForText(dialog().getByRole('alert'), 'Not saved yet');
      await press('Keep editing');
      await expectSoon(() => name().inputValue()).toBe('Gallery West');
      await isAt('/accounts');
      await leave();
      await press('Discard');
      await untilClosed();
      await isAt('/accounts');
      await openCreate();
      await expectSoon(() => name().inputValue()).toBe('');
    });

    it('does not ask if nothing was typed, or if the first value is back', async () => {
      await openCreate();
      await leave();
      await untilClosed();
      await isAt('/accounts');
      await openCreate();
      await name().fill('G');
      await name().fill('');
      await leave();
      await untilClosed();
      await isAt('/accounts');
    });
  });

  it('is kept by a click outside, and asks before a reload', async () => {
    await openCreate();
    await name().fill('Gallery West');
    await page.mouse.click(5, 400);
    await expectSoon(() => name().inputValue()).toBe('Gallery West');
    await page.evaluate('setTimeout(() => location.reload())');
    await expectSoon(async () => reloadQuestions).toBe(1);
    await expectSoon(() => name().inputValue()).toBe('Gallery West');
  });

  it('asks nothing after it was sent: Back leaves the page, and a reload reloads', async () => {
    await performAction(page, 'Create account', {
      fill: async (form) => {
        await form.getByLabel('Name').fill('Gallery East');
        await fillTerms(form);
      },
    });
    await page.reload();
    await openActionDialog(page, 'Edit details');
    await page.reload();
    expect(reloadQuestions).toBe(0);
    await back();
    await isAt('/accounts');
  });

  it('also counts while a date is not read yet, and after a choice', async () => {
    await navigateTo(page, 'Settings');
    await openActionDialog(page, 'Create token');
    await dialog().getByLabel('Expires').focus();
    await page.keyboard.type('31.12.');
    await page.keyboard.press('Escape');
    await waitForText(dialog().getByRole('alert'), 'Not saved yet');
    await press('Discard');
    await openActionDialog(page, 'Create token');
    await dialog().getByLabel('Office').check();
    await back();
    await waitForText(dialog().getByRole('alert'), 'Not saved yet');
    await press('Keep editing');
    await dialog().getByLabel('Floor').check();
    await back();
    await untilClosed();
    await isAt('/settings');
  });

  it('Escape closes an open list of colors only', async () => {
    await navigateTo(page, 'Catalogue');
    await page.getByRole('tab', { name: 'Mouldings' }).click();
    await page
      .getByRole('table', { name: 'Mouldings' })
      .getByRole('button', { name: /^Edit / })
      .first()
      .click();
    const colour = dialog().locator('input[class*="ColorInput"]').first();
    await colour.click();
    const choices = page.locator('[data-position][class*="-dropdown"]');
    await choices.waitFor();
    await page.keyboard.press('Escape');
    await choices.waitFor({ state: 'hidden' });
    await dialog().waitFor();
    await page.keyboard.press('Escape');
    await untilClosed();
  });

  it('at the station asks before another page or order replaces it, and the end of the session keeps it', async () => {
    const orders = new OrderFactory(service);
    const [order, other] = [await orders.place(), await orders.place()];
    for (const type of ['production_started', 'printed']) await sendMilestone(service.studio(), order.orderId, type);
    await navigateTo(page, 'Station');
    await pressKeys(page, 'scanner', [...order.orderNumber, 'Enter']);
    const label = page.getByLabel('Tracking number');
    await label.fill('AP-77');
    await page.getByRole('link', { name: 'Board', exact: true }).click();
    await waitForText(dialog(), 'Leave without sending?');
    await press('Stay');
    const notice = waitForText(page, `Pack ${order.orderNumber} first, or clear its tracking number.`); // it stays for three seconds
    await Promise.all([notice, pressKeys(page, 'scanner', [...other.orderNumber, 'Enter'])]);
    await back();
    await press('Stay');
    await expectSoon(() => label.inputValue()).toBe('AP-77');
    const reads = `**/studio/v1/orders/${order.orderNumber}`;
    await page.route(reads, (route) => route.abort()); // the page reads its order every three seconds
    const pack = page.getByRole('button', { name: 'Pack', exact: true });
    await holdRequests(page, { method: 'POST', url: /\/parcels$/ }, () => pack.click(), expireSession);
    const signIn = page.getByRole('dialog', { name: 'Your sign-in has ended' });
    await signIn.getByLabel('Your token').fill(token);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await signIn.waitFor({ state: 'hidden' });
    await page.unroute(reads);
    await expectSoon(() => label.inputValue()).toBe('AP-77');
    expect(await page.getByRole('main').innerText()).not.toMatch(TECHNICAL);
    await page.getByRole('link', { name: 'Board', exact: true }).click();
    await press('Leave');
    await isAt('/board');
    expect(person.loads()).toBe(0);
  });

  it('Leave after Back goes back and keeps what is ahead, and the skip link asks nothing', async () => {
    const orders = new OrderFactory(service);
    const order = await orders.place();
    for (const type of ['production_started', 'printed']) await sendMilestone(service.studio(), order.orderId, type);
    await navigateTo(page, 'Station');
    await pressKeys(page, 'scanner', [...order.orderNumber, 'Enter']);
    await page.getByLabel('Tracking number').fill('AP-78');
    await page.getByRole('link', { name: 'To the content' }).focus();
    await pressKeys(page, 'person', ['Enter']);
    await expectSoon(() => page.evaluate<string>('document.activeElement.id')).toBe('main');
    await expectSoon(() => dialog().count()).toBe(0);
    await back(); // the fragment is a step too
    await expectSoon(async () => new URL(page.url()).hash).toBe('');
    await back();
    await waitForText(dialog(), 'Leave without sending?');
    await isAt('/station');
    await press('Leave');
    await isAt('/accounts');
    await page.evaluate('history.forward()');
    await isAt('/station');
  });

  it('the question disappears while it is sent, and the secret is asked for by its own question', async () => {
    const { accountId } = service.account;
    await page.goto(`${person.root}/accounts/${accountId}?tab=keys`);
    await openActionDialog(page, 'Create key');
    await name().fill('Shop');
    await page.keyboard.press('Escape');
    await waitForText(dialog().getByRole('alert'), 'Not saved yet');
    const pending: Route[] = [];
    await page.route('**/keys', (route) => (route.request().method() === 'POST' ? void pending.push(route) : route.continue()));
    await press('Create key');
    await waitFor('the request', async () => pending.length === 1);
    await expectSoon(() => dialog().getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Escape');
    await pending[0]?.continue();
    await waitForText(dialog(), 'shown only once');
    await expectSoon(() => dialog().getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Escape');
    await waitForText(dialog().getByRole('alert'), 'Not copied yet');
    await press('Close without copying');
    await untilClosed();
  });

  it('a question that the input has outlived does not return, and a second Escape keeps the focus to return to', async () => {
    await openCreate();
    await name().fill('G');
    for (let time = 0; time < 2; time += 1) await page.keyboard.press('Escape');
    await page.keyboard.press('Enter'); // Keep editing
    await expectSoon(() => name().evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await name().fill('');
    await expectSoon(() => dialog().getByRole('alert').count()).toBe(0);
    await name().pressSequentially('Gallery');
    await expectSoon(() => dialog().getByRole('alert').count()).toBe(0);
    await expectSoon(() => name().inputValue()).toBe('Gallery');
  });

  it('the focus returns to the opener of the palette or menu that opened the dialog', async () => {
    const isFocused = (label: string | RegExp): Promise<void> =>
      expectSoon(() => page.getByRole('button', { name: label }).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: /^Search/ }).focus();
    await page.keyboard.press('Control+K');
    await page.keyboard.type('create acc');
    await dialog().getByRole('button', { name: 'Create account' }).waitFor();
    await page.keyboard.press('Enter');
    await name().waitFor();
    await expectSoon(() => name().evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await untilClosed();
    await isFocused(/^Search/);
    const order = await new OrderFactory(service).place();
    await page.goto(`${person.root}/orders/${order.orderId}`);
    await page.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Issue credit note' }).press('Enter');
    await dialog().waitFor();
    await page.keyboard.press('Escape');
    await untilClosed();
    await isFocused('More actions');
  });

  it('the end of the session is shown above the palette, and keeps its text', async () => {
    await page.keyboard.press('Control+K');
    await dialog().getByRole('searchbox').waitFor();
    await expireSession();
    await dialog().getByRole('searchbox').fill('Gallery West'); // at once: keys of a slow machine would follow the focus to the token
    const signIn = page.getByRole('dialog', { name: 'Your sign-in has ended' });
    await expectSoon(() => signIn.getByLabel('Your token').evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await signIn.getByLabel('Your token').click();
    await page.keyboard.type(token);
    await signIn.getByRole('button', { name: 'Sign in' }).click(); // an Enter at this pace is a scanner's
    await signIn.waitFor({ state: 'hidden' });
    await expectSoon(() => page.getByRole('dialog', { name: 'Search' }).getByRole('searchbox').inputValue()).toBe('Gallery West');
  });

  it('another person who signs in discards it, also after the skip link', async () => {
    await page.getByRole('link', { name: 'To the content' }).focus();
    await page.keyboard.press('Enter');
    await expectSoon(async () => new URL(page.url()).hash).toBe('#main');
    await openCreate();
    await name().fill('Gallery West');
    await fillTerms(dialog());
    await holdRequests(page, CREATE_ACCOUNT, () => press('Create account'), expireSession);
    const signIn = page.getByRole('dialog', { name: 'Your sign-in has ended' });
    await signIn.getByLabel('Your token').fill(await aToken(service, 'office'));
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await expectSoon(async () => person.loads()).toBe(1);
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    expect([await dialog().count(), reloadQuestions, new URL(page.url()).pathname]).toEqual([0, 0, '/accounts']);
  });

  it('survives the end of the session, and the console uses the words of the office', async () => {
    await openCreate();
    await name().fill('Gallery West');
    await fillTerms(dialog());
    await holdRequests(page, CREATE_ACCOUNT, () => press('Create account'), expireSession);
    const signIn = page.getByRole('dialog', { name: 'Your sign-in has ended' });
    await signIn.getByLabel('Your token').fill(token);
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await signIn.waitFor({ state: 'hidden' });
    await waitForText(dialog().getByRole('alert'), 'Your sign-in ended before this was done.');
    expect(await dialog().innerText()).not.toMatch(TECHNICAL);
    await press('Create account: send again');
    await untilClosed();
  });
});

describeInBrowser('keys that are typed quickly', () => {
  const service = useService(() => ({ worker: false }));
  const browser = useBrowser();
  let page: Page;
  beforeEach(async () => {
    ({ page } = await openSignedIn(browser, service, { at: '/accounts' }));
    await page.getByRole('button', { name: 'Create account' }).waitFor();
  });
  afterEach(() => page.context().close());

  const searched = (): Promise<string> => page.getByRole('dialog', { name: 'Search' }).getByRole('searchbox').inputValue();
  const isAt = (path: string): Promise<void> => expectSoon(async () => new URL(page.url()).pathname).toBe(path);
  /** Presses keys without waiting for the page between them. */
  const pressAtOnce = async (...keys: string[]): Promise<void> => {
    const session = await page.context().newCDPSession(page);
    const events = keys.flatMap((name) => {
      const key = name.replace('Control+', '');
      const press = {
        key,
        modifiers: key === name ? 0 : 2,
        ...(key.length === 1 ? { text: key } : { code: key, windowsVirtualKeyCode: 13, text: '\r' }),
      };
      return [
        { type: 'keyDown' as const, ...press },
        { type: 'keyUp' as const, ...press },
      ];
    });
    await Promise.all(events.map((event) => session.send('Input.dispatchKeyEvent', event)));
    await session.detach();
  };

  it('after Ctrl K are in the search and run no shortcut, also while its results are still loaded', async () => {
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/Palette-*.js', async (route) => {
      await isReleased;
      await route.continue();
    });
    await pressAtOnce('Control+k', ...'audit');
    await expectSoon(searched).toBe('audit');
    await page.keyboard.press('Enter');
    await isAt('/accounts');
    release();
    await isAt('/audit');
  });

  it('after a second Ctrl K are in the search too', async () => {
    for (const text of ['bgp', 'abi']) {
      await pressAtOnce('Control+k', ...text);
      await expectSoon(searched).toBe(text);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await isAt('/accounts');
  });

  it('after `/` are in the search', async () => {
    await pressAtOnce('/', ...'bg');
    await expectSoon(searched).toBe('bg');
    await isAt('/accounts');
  });

  it('while a dialog opens are in its first field, and run no shortcut', async () => {
    await page.getByRole('button', { name: 'Create account' }).focus();
    await pressAtOnce('Enter', ...'bgap');
    await expectSoon(() => page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('bgap');
    await page.keyboard.press('Control+K');
    await page.mouse.click(5, 400);
    await pressKeys(page, 'person', ['b', '/', 'g']);
    await isAt('/accounts');
    await expectSoon(() => page.getByRole('dialog').count()).toBe(1);
  });

  it('after `?` run no shortcut', async () => {
    await page.goto(page.url().replace('/accounts', '/board'));
    await page.getByRole('button', { name: /^Shortcuts/ }).waitFor();
    await pressKeys(page, 'person', ['?', 'a', 'i']);
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    await isAt('/board');
  });
});
