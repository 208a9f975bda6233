import type { Page, Route } from 'playwright-core';
import { hashKey } from '../../../src/security/api-keys';
import { OrderFactory, aToken } from '../../service/http/studio/support';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useService } from '../../support/fixtures';
import { selectForRun } from './support/full-run';
import { pressKeys } from './support/keys';
import {
  holdRequests,
  openConsole,
  openActionDialog,
  cellsOf,
  navigateTo,
  waitForText,
  waitUntilLoaded,
  searchAndOpen,
  signIn,
  openSignedIn,
} from './support/studio';
import { expectSoon } from '../../support/wait-for';

const OFFICE = ['Today', 'Board', 'Station', 'Labels', 'Accounts', 'Invoices', 'Payments', 'Mails', 'Webhooks', 'Catalogue', 'Settings'];
const SCREENS = {
  floor: ['Today', 'Board', 'Station', 'Labels'],
  office: OFFICE,
  admin: [
    'Today',
    'Board',
    'Station',
    'Labels',
    'Accounts',
    'Invoices',
    'Payments',
    'Mails',
    'Webhooks',
    'Catalogue',
    'Prices',
    'Audit',
    'Settings',
  ],
} as const;
const HIDDEN_FROM_FLOOR: readonly [at: string, title: string, words: string | RegExp][] = [
  ['/accounts', 'Accounts', 'Only the office can see accounts and money.'],
  ['/catalogue', 'Catalogue', /office/],
  ['/audit', 'Audit', 'Only admins can see the audit log.'],
  ['/accounts/acc_1?tab=payments', 'Account', 'Only the office can see accounts and money.'],
  ['/invoices', 'Invoices', 'Only the office can see accounts and money.'],
  ['/deliveries', 'Webhook deliveries', 'Only the office can see webhook deliveries.'],
  ['/deliveries/dlv_1', 'Webhook delivery', 'Only the office can see webhook deliveries.'],
  ['/prices', 'Prices', /admin/],
  ['/settings', 'Settings', /office/],
];
const INHERITED_PROPERTY_VALUES: readonly [at: string, title: string][] = [
  ['/deliveries?state=toString&error=toString&endpoint=toString&sort=toString&account=toString', 'Webhook deliveries'],
  ['/audit?action=__proto__', 'Audit'],
  ['/audit?action=toString', 'Audit'],
  ['/prices?view=constructor', 'Prices'],
  ['/catalogue?section=toString', 'Catalogue'],
  ['/board?status=toString&attention=toString&sort=__proto__', 'Board'],
];
const STORED_DRAFTS = ['{"text":"{}","from":"","isEdited":true}', 'null', '5', '[]', '{', '{"text":5,"earlier":[null]}'];
/** A browser reads a backslash as a slash, and ignores tabs. */
const EXTERNAL_TARGETS = [
  '//evil.test',
  '/\t/evil.test',
  'https://evil.test/board',
  String.raw`/\evil.test`,
  '/board/..//evil.test',
  'javascript:alert(1)',
];
/** Everything that a script of the page could read of a token. */
const SCRIPT_READABLE_TEXT = `[location.href, document.documentElement.outerHTML, document.cookie, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }),
  JSON.stringify(history.state), ...[...document.querySelectorAll('input')].map(({ value }) => value)].join(' ')`;

/** Sends no message to other tabs. */
const MUTE_BROADCASTS = 'BroadcastChannel.prototype.postMessage = () => {}';

/** Records the navigation of every screen that is drawn from now on. */
const RECORD_NAVIGATION = `window.drawn = []; new MutationObserver(() => {
  const found = document.querySelector('nav[aria-label="Screens"]'); if (found) window.drawn.push(found.innerText);
}).observe(document, { childList: true, subtree: true })`;

describeInBrowser('who is signed in at the console', () => {
  const service = useService(() => ({ worker: false, streamRecheckMs: 30_000 }));
  const browser = useBrowser();
  let order: string;
  beforeAll(async () => {
    order = (await new OrderFactory(service).place()).orderNumber;
  });

  const at = (page: Page): string => page.url().slice(`http://127.0.0.1:${service.api.studioPort}`.length);
  const expectSignInEnded = (page: Page): Promise<void> =>
    waitForText(page, 'Your sign-in has ended. Sign in again to go on where you were.');
  const revoke = (token: string): Promise<unknown> =>
    service.deps.database.run('UPDATE studio_tokens SET revoked_at = now() WHERE token_hash = $1', [hashKey(token)]);
  const expireSession = (token: string): Promise<unknown> =>
    service.deps.database.run(
      "UPDATE studio_sessions SET expires_at = now() - interval '1 second' WHERE token_id = (SELECT id FROM studio_tokens WHERE token_hash = $1)",
      [hashKey(token)],
    );

  describe.each(['floor', 'office', 'admin'] as const)('the %s', (role) => {
    it('sees only links to allowed screens, and how many orders need work', async () => {
      const { page, complaints } = await openSignedIn(browser, service, { token: await aToken(service, role) });
      const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
      await links.getByText('To start').waitFor();
      const [today, board, ...others] = SCREENS[role];
      await expectSoon(() => links.allInnerTexts()).toEqual([today, board, 'To start\n1', ...others, 'Your sessions']);
      const headings: Readonly<Record<string, string>> = { Webhooks: 'Webhook deliveries' };
      for (const screen of selectForRun(SCREENS[role], 2)) await navigateTo(page, screen, headings[screen]);
      await waitUntilLoaded(page);
      expect(complaints()).toEqual([]);
      await page.close();
    });
  });

  it('a forbidden screen names the required role to the floor, without API requests', async () => {
    const { page, goTo, complaints } = await openSignedIn(browser, service, { token: await aToken(service, 'floor') });
    const refused: string[] = [];
    page.on('response', (response) => void (response.status() === 403 && refused.push(response.url())));
    for (const [to, title, words] of selectForRun(HIDDEN_FROM_FLOOR, 3)) {
      await goTo(to);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await waitForText(page.getByRole('main'), words);
      expect(at(page)).toBe(to);
    }
    expect([refused, complaints()]).toEqual([[], []]);
    await page.close();
  });

  it('the floor sees no amounts on an order and the board, and the office does', async () => {
    const [floor, office] = [
      await openSignedIn(browser, service, { token: await aToken(service, 'floor'), at: `/orders/${order}` }),
      await openSignedIn(browser, service, { token: await aToken(service, 'office'), at: `/orders/${order}` }),
    ];
    for (const path of [`/orders/${order}`, '/board', '/']) {
      await floor.goTo(path);
      expect(await floor.page.getByRole('main').innerText()).not.toMatch(/AUD|\$|paid|invoice|credit note/i);
    }
    await waitUntilLoaded(office.page);
    await expectSoon(() => office.page.getByRole('main').innerText()).toMatch(/AUD \d/);
    expect([...floor.complaints(), ...office.complaints()]).toEqual([]);
    await Promise.all([floor.page.close(), office.page.close()]);
  });

  it('special instructions appear verbatim below the head of the order, also for the floor', async () => {
    const { orderNumber } = await new OrderFactory(service).place({ specialInstructions: '<b>No tape</b>\nring the bell' });
    const { page, complaints } = await openSignedIn(browser, service, {
      token: await aToken(service, 'floor'),
      at: `/orders/${orderNumber}`,
    });
    const wish = page.getByRole('note', { name: 'Special instructions' });
    await wish.waitFor();
    await expectSoon(() => wish.innerText()).toBe('Special instructions: <b>No tape</b>\nring the bell');
    await expectSoon(() => page.getByRole('main').innerText()).toMatch(/^P-\d+[^]*Start production[^]*Special instructions: /);
    await page.goto(page.url().replace(orderNumber, order));
    await waitUntilLoaded(page);
    await expectSoon(async () => [await wish.count(), complaints()]).toEqual([0, []]);
    await page.close();
  });

  it('an order screen shows its own environment for any list setting, and shortcuts still work after changing it', async () => {
    const tried = (await new OrderFactory(service, 'test').place()).orderNumber;
    const { page, complaints, goTo } = await openSignedIn(browser, service, { at: '/' });
    const main = page.getByRole('main');
    const find = async (number: string): Promise<string> => {
      await searchAndOpen(page, number);
      await page.getByRole('heading', { level: 1, name: number }).waitFor();
      return main.innerText();
    };
    expect(await find(tried)).toMatch(/^Test order\. Not printed or charged\./);
    await page.getByRole('navigation', { name: 'Screens' }).getByText('Test', { exact: true }).click();
    expect(await find(order)).toMatch(/^This is a live order\./);
    expect(await main.innerText()).not.toMatch(/Not printed or charged/);
    await page.getByRole('navigation', { name: 'Screens' }).getByText('Live', { exact: true }).click();
    await page.getByRole('navigation', { name: 'Screens' }).getByText('Test', { exact: true }).click();
    await pressKeys(page, 'person', ['b']);
    await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
    await pressKeys(page, 'person', ['/']);
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('b12');
    await expectSoon(() => page.locator('input[type=search]:focus').inputValue()).toBe('b12');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'hidden' });
    expect(await find(tried)).toMatch(/Not printed or charged\. Back to live orders/);
    await goTo('/board');
    await expectSoon(() => main.innerText()).toMatch(/^Test orders\./);
    expect(complaints()).toEqual([]);
    await page.close();
  });

  it('no URL with a property name of objects, no stored tab data and no missing file breaks a screen', async () => {
    const { page, goTo, complaints } = await openSignedIn(browser, service);
    for (const [to, title] of selectForRun(INHERITED_PROPERTY_VALUES, 1)) {
      await goTo(to);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    }
    await goTo('/prices?view=draft');
    for (const kept of selectForRun(STORED_DRAFTS, 1)) {
      await page.getByRole('textbox', { name: /^Draft/ }).fill('{}');
      const all = `Object.keys(sessionStorage).filter((key) => key.startsWith('studio-kept'))`;
      const count = await page.evaluate<number>(`${all}.map((key) => sessionStorage.setItem(key, ${JSON.stringify(kept)})).length`);
      expect(count).toBeGreaterThan(0);
      await goTo('/prices?view=draft');
      await page.getByRole('textbox', { name: /^Draft/ }).waitFor();
    }
    const deep = {
      name: 'deep.json',
      mimeType: 'application/json',
      buffer: Buffer.from(`{"media":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
    };
    await page.setInputFiles('input[type=file]', deep);
    await waitForText(page, /nested levels/);
    // Browsers report no change if the file that is in the input is chosen again.
    await expectSoon(() => page.locator('input[type=file]').inputValue()).toBe('');
    expect(complaints()).toEqual([]);
    await page.close();
  });

  it('a wrong token is refused with a message, and can be corrected', async () => {
    const { page } = await openConsole(browser, service, { at: '/board' });
    await page.getByLabel('Your token').fill('lps_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const refusal = page.getByRole('alert');
    await waitForText(refusal, 'That was refused');
    await expectSoon(() => refusal.innerText()).toMatch(/token/);
    await signIn(page, service.adminToken);
    await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
    await page.close();
  });

  it('a session cookie that the browser does not return gives a message, and sign-in works after clearing cookies', async () => {
    const { page } = await openConsole(browser, service);
    const token = await aToken(service, 'floor');
    const plantCookie = (path: string) => page.context().addCookies([{ name: 'studio_session', value: 'x', domain: '127.0.0.1', path }]);
    await plantCookie('/studio/v1/session');
    await page.getByLabel('Your token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await waitForText(page.getByRole('alert'), /the browser did not return the cookie/);
    await waitForText(page.getByRole('alert'), /clear the cookies of this site/);
    await page.context().clearCookies();
    // The API reads this cookie.
    await plantCookie('/studio');
    await signIn(page, token);
    await page.close();
  });

  it('the page stores no part of the token, during the session or after it', async () => {
    const token = await aToken(service, 'admin');
    const { page, complaints } = await openConsole(browser, service);
    await signIn(page, token);
    await navigateTo(page, 'Board');
    await waitUntilLoaded(page);
    const secret = token.replace('lps_', '');
    expect(await page.evaluate<string>(SCRIPT_READABLE_TEXT)).not.toContain(secret);
    const [cookie, ...others] = await page.context().cookies();
    expect([cookie?.httpOnly, cookie?.sameSite, cookie?.value.includes(secret), others]).toEqual([true, 'Strict', false, []]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate<string>(SCRIPT_READABLE_TEXT)).not.toContain(secret);
    expect([await page.context().cookies(), complaints()]).toEqual([[], []]);
    await page.goBack();
    await page.getByLabel('Your token').waitFor();
    await page.close();
  });

  it('a failed sign-out says that the session is still open, and can be repeated', async () => {
    const { page } = await openSignedIn(browser, service, { token: await aToken(service, 'floor') });
    const session = '**/studio/v1/session';
    const failSignOut = (how: (route: Route) => Promise<void>) =>
      page.route(session, (route) => (route.request().method() === 'DELETE' ? how(route) : route.continue()));
    await failSignOut((route) => route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    const dialog = page.getByRole('dialog', { name: 'You are not signed out' });
    await waitForText(dialog, /Your sign-in is still open/);
    await waitForText(dialog, 'No answer');
    await failSignOut((route) => route.fulfill({ status: 503, body: 'the proxy is away' }));
    await dialog.getByRole('button', { name: 'Sign out: send again' }).click();
    await waitForText(dialog, /503/);
    expect([at(page), await page.context().cookies()]).toEqual(['/', [expect.anything()]]);
    await page.unroute(session);
    await dialog.getByRole('button', { name: 'Sign out: send again' }).click();
    await page.getByLabel('Your token').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.close();
  });

  it.each([
    ['whose token was revoked', revoke],
    ['whose session expired', expireSession],
  ])('a user %s during work sees a message, and returns to the same screen and filters', async (_title, ends) => {
    const token = await aToken(service, 'office');
    const { page } = await openSignedIn(browser, service, { token, at: '/board?status=received&sort=dueDate' });
    await page.getByRole('link', { name: order }).waitFor();
    // A connected page reads everything again and would notice.
    await waitForText(page.getByRole('banner'), 'Connected');
    await page.evaluate("fetch('/studio/v1/session').then((answer) => answer.text())");
    const orders = { method: 'GET', url: /\/studio\/v1\/orders\?.*attention=any/ } as const;
    const click = (): Promise<void> => page.getByRole('link', { name: /^Needs attention/ }).click();
    await holdRequests(page, orders, click, () => ends(token));
    await expectSignInEnded(page);
    await signIn(page, await aToken(service, 'office'));
    await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
    expect([...new URL(page.url()).searchParams].toSorted()).toEqual([
      ['attention', 'any'],
      ['sort', 'dueDate'],
      ['status', 'received'],
    ]);
    await page.close();
  });

  it('a link to another site opens today after the sign-in, and a link to the console opens its screen', async () => {
    // From elsewhere the console would go to its sign-in a moment later.
    const { page, root, complaints } = await openConsole(browser, service, { at: '/sign-in' });
    const followSignIn = async (to: string): Promise<string> => {
      await page.goto(`${root}/sign-in?to=${encodeURIComponent(to)}`);
      await signIn(page, service.adminToken);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return at(page);
    };
    expect(await followSignIn('/board?status=received')).toBe('/board?status=received');
    for (const to of selectForRun(EXTERNAL_TARGETS, 2)) expect([to, await followSignIn(to)]).toEqual([to, '/']);
    expect(complaints()).toEqual([]);
    await page.close();
  });

  it('a file after the sign-in is saved, and the page does not wait for it', async () => {
    const { page } = await openConsole(browser, service, { at: `/sign-in?to=${encodeURIComponent('/studio/v1/accounts.csv')}` });
    await page.getByLabel('Your token').fill(service.adminToken);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Sign in' }).click()]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    await waitForText(page.getByRole('status'), 'You are signed in');
    await page.getByRole('link', { name: 'Go to Today' }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await page.close();
  });

  it('creating a token long after signing in asks for the own token first, and cancelling says that no token was created', async () => {
    const token = await aToken(service, 'admin');
    const { page, complaints } = await openSignedIn(browser, service, { token, at: '/settings' });
    await service.deps.database.run(
      `UPDATE studio_sessions SET authenticated_at = now() - interval '1 hour' WHERE token_id = (SELECT id FROM studio_tokens WHERE token_hash = $1)`,
      [hashKey(token)],
    );
    const findCreatedTokens = () => service.deps.database.rows("SELECT role FROM studio_tokens WHERE name = 'Press 70'");
    await openActionDialog(page, 'Create token');
    const action = page.getByRole('dialog', { name: 'Create token' });
    const asking = page.getByRole('dialog', { name: 'Enter your token again' });
    await action.getByLabel('Name').fill('Press 70');
    await action.getByRole('button', { name: 'Create token', exact: true }).click();
    await asking.getByLabel('Your token').press('Escape');
    await waitForText(action.getByRole('alert'), 'You did not enter your token, so nothing was done.');
    expect(await findCreatedTokens()).toEqual([]);
    await action.getByRole('button', { name: 'Create token: send again' }).click();
    await asking.getByLabel('Your token').fill('lps_no');
    await asking.getByRole('button', { name: 'Continue' }).click();
    await waitForText(asking.getByRole('alert'), 'UNAUTHORIZED');
    await asking.getByLabel('Your token').fill(token);
    await asking.getByRole('button', { name: 'Continue' }).click();
    await waitForText(action, /^lps_[0-9a-f]{64}$/);
    await asking.waitFor({ state: 'detached' });
    expect([await findCreatedTokens(), await page.evaluate<string>(SCRIPT_READABLE_TEXT)]).toEqual([
      [{ role: 'floor' }],
      expect.not.stringContaining(token),
    ]);
    expect(complaints()).toEqual([]);
    await page.close();
  });

  it('a user sees their sessions and ends one, which must sign in again', async () => {
    const token = await aToken(service, 'floor');
    const [here, there] = [await openSignedIn(browser, service, { token }), await openSignedIn(browser, service, { token, at: '/board' })];
    await navigateTo(here.page, 'Your sessions');
    const table = here.page.getByRole('table', { name: 'Your sessions' });
    await waitForText(table, 'This browser');
    await expectSoon(async () => (await cellsOf(table)).map(([name, address]) => [name, address])).toEqual([
      ['Chrome on Linux', '127.0.0.1'],
      ['Chrome on Linux', '127.0.0.1'],
    ]);
    await here.page.getByRole('button', { name: /^End Chrome on Linux/ }).click();
    await here.page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await here.page.getByRole('button', { name: /^End Chrome on Linux/ }).waitFor({ state: 'detached' });
    await there.page.reload();
    await there.page.getByLabel('Your token').waitFor();
    await navigateTo(here.page, 'Board');
    expect([here.complaints(), there.complaints()]).toEqual([[], []]);
    await here.page.close();
    await there.page.close();
  });

  it('a price draft belongs to one user: it survives the end of the session, is hidden from others, and is deleted by signing out', async () => {
    const [mine, others] = [await aToken(service, 'admin'), await aToken(service, 'admin', { name: 'Ines' })];
    const { page } = await openSignedIn(browser, service, { token: mine, at: '/prices?view=draft' });
    const draft = page.getByRole('textbox', { name: /^Draft/ });
    const signInAgain = async (token: string): Promise<string> => {
      await signIn(page, token);
      return draft.inputValue();
    };
    const expireAndReload = async (token: string): Promise<void> => {
      await expireSession(token);
      await page.reload();
    };
    await draft.fill('{ "mine": 1 }');
    await expireAndReload(mine);
    expect(await signInAgain(others)).toBe('');
    await expireAndReload(others);
    expect(await signInAgain(mine)).toBe('{ "mine": 1 }');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Your token').waitFor();
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('mine');
    await page.goto(`${new URL(page.url()).origin}/prices?view=draft`);
    expect(await signInAgain(mine)).toBe('');
    await page.close();
  });

  it('two tabs share a session: signing out in one signs out the other at once, and going back shows nothing', async () => {
    const { page, root } = await openSignedIn(browser, service, { token: await aToken(service, 'floor') });
    const other = await page.context().newPage();
    await other.goto(`${root}/orders/${order}`);
    await navigateTo(other, 'Board');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Your token').waitFor();
    await expectSignInEnded(other);
    await other.addInitScript(RECORD_NAVIGATION);
    await other.goBack();
    await other.waitForURL(/sign-in\?to=%2Forders/);
    await other.getByLabel('Your token').waitFor();
    await expectSoon(() => other.evaluate('window.drawn')).toEqual([]);
    await page.context().close();
  });

  const TOLD: readonly [how: string, isMute: boolean][] = [
    ['after a refusal by the API, without a message of the other tab', true],
    ['at once, with a message of the other tab', false],
  ];
  it.each(selectForRun(TOLD, 1))('a page does nothing as another user who signs in in another tab: %s', async (_title, isMute) => {
    const office = await aToken(service, 'office', { name: 'Desk 4' });
    const { page, root } = await openSignedIn(browser, service, { token: office, at: `/orders/${order}` });
    const other = await page.context().newPage();
    if (isMute) await other.addInitScript(MUTE_BROADCASTS);
    await other.goto(`${root}/sign-in`);
    const dialog = await openActionDialog(page, 'Hold');
    await signIn(other, await aToken(service, 'admin', { name: 'Ines' }));
    const isTold = waitForText(page.getByRole('alert'), 'Somebody else has signed in in this browser');
    // Another refused request of the page may close the dialog first.
    if (isMute) await Promise.race([dialog.getByRole('button', { name: 'Hold', exact: true }).click(), isTold]);
    await isTold;
    await dialog.waitFor({ state: 'hidden' });
    const { timeline } = (await service.studio().get(`/orders/${order}`)).json.data;
    expect(timeline.filter(({ type }: { type: string }) => type === 'held')).toEqual([]);
    await page.getByRole('button', { name: 'Continue as Ines (Admin)' }).click();
    await waitForText(page, 'Ines (Admin)');
    expect(at(page)).toBe(`/orders/${order}`);
    await page.context().close();
  });
});
