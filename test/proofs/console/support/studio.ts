import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { openPage } from '../../../support/browser';
import type { TestService } from '../../../support/service';
import { waitFor } from '../../../support/wait-for';

/** A user at the console. */
export interface Person {
  page: Page;
  /** URL of the console without a final slash. */
  root: string;
  /** Browser errors that no refusal explains. */
  complaints(): string[];
  /** How often the page has been loaded since it was opened or signed in. Navigation loads no page. */
  loads(): number;
  /** Loads a screen by its address. */
  goTo(path: string): Promise<void>;
}

/** The browser logs every refused request as an error. */
const REFUSAL_MESSAGE = /^(?:error: Failed to load resource|4\d\d http)/;

type OpenOptions = { at?: string; root?: string } & BrowserContextOptions;

const open = async (
  browser: Browser,
  service: TestService,
  { at = '/', root, token, ...options }: OpenOptions & { token?: string },
): Promise<Person> => {
  const own = root ?? `http://127.0.0.1:${service.api.studioPort}`;
  const { page, problems } = await openPage(
    browser,
    `${own}${at}`,
    options,
    token === undefined ? undefined : (context) => startSession(context, own, token),
  );
  let loads = 0;
  page.on('load', () => (loads += 1));
  return {
    page,
    root: own,
    complaints: () => problems.filter((complaint) => !REFUSAL_MESSAGE.test(complaint)),
    loads: () => loads,
    goTo: async (path) => {
      await page.goto(`${own}${path}`);
      await waitUntilLoaded(page);
    },
  };
};

/** Opens the console at a screen without signing in, at the address `root` or the listener's own. */
export const openConsole = (browser: Browser, service: TestService, where: OpenOptions = {}): Promise<Person> =>
  open(browser, service, where);

/** Opens the console at a screen with the session of a token (default: the admin's). `signIn` signs in by the page. */
export async function openSignedIn(
  browser: Browser,
  service: TestService,
  { token = service.adminToken, ...where }: { token?: string } & OpenOptions = {},
): Promise<Person> {
  const person = await open(browser, service, { token, ...where });
  await waitUntilSignedIn(person.page);
  return person;
}

/** The browser keeps the session's cookie. */
async function startSession({ request }: BrowserContext, root: string, token: string): Promise<void> {
  const response = await request.post(`${root}/studio/v1/session`, { data: { token }, headers: { origin: root } });
  if (!response.ok()) throw new Error(`signing in: ${response.status()} ${await response.text()}`);
}

const waitUntilSignedIn = (page: Page): Promise<void> => page.getByRole('navigation', { name: 'Screens' }).waitFor({ state: 'attached' });

/** Fills in the sign-in and waits for the screen behind it. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Your token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await waitUntilSignedIn(page);
}

/** Waits until the screen has its heading and no request is pending. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.getByRole('status').filter({ hasText: /…$/ }).first().waitFor({ state: 'hidden' });
}

/** Goes to a screen by the navigation. */
export async function navigateTo(page: Page, screen: string, heading = screen): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Screens' })
    .getByRole('link', { name: new RegExp(`^${screen}[\\d,+ ]*$`) })
    .click();
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
}

/** Types into the command palette. @returns its dialog */
export async function search(page: Page, text: string): Promise<Locator> {
  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await palette.getByRole('searchbox').fill(text);
  return palette;
}

/** Opens the sole hit of the command palette, or an order by its number. */
export async function searchAndOpen(page: Page, text: string): Promise<void> {
  const palette = await search(page, text);
  await palette.getByRole('searchbox').press('Enter');
  await palette.waitFor({ state: 'hidden' });
}

/** A part of a screen, by its heading. */
export const regionNamed = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Waits until the text is visible. */
export const waitForText = (where: Page | Locator, text: string | RegExp): Promise<void> => where.getByText(text).first().waitFor();

/**
 * Runs `meanwhile` while the requests of `send` have not arrived at the service. If `meanwhile` ends the session, the page may otherwise
 * notice it by its event stream before the click.
 */
export async function holdRequests(
  where: Page | BrowserContext,
  { method, url }: { method: 'GET' | 'POST'; url: RegExp },
  send: () => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const held: Route[] = [];
  let isHolding = true;
  const hold = (route: Route) => (isHolding && route.request().method() === method ? void held.push(route) : route.fallback());
  await where.route(url, hold);
  await send();
  await waitFor(`a request ${method} ${url}`, async () => held.length > 0);
  await meanwhile();
  isHolding = false;
  await Promise.all(held.map((route) => route.fallback()));
  await where.unroute(url, hold); // lets go of held requests, so it comes last
}

interface ActionOptions {
  /** Label of the button that confirms, if it differs from the action's. */
  confirm?: string;
  /** Steps before the confirmation. */
  fill?: (dialog: Locator) => Promise<unknown>;
}

/** A click on what has moved is tried again after this time. */
const CLICK_TIMEOUT_MS = 5_000;

/** Opens the dialog of an action by its button or, if it has none, by the menu "More actions". */
export async function openActionDialog(where: Page | Locator, label: string): Promise<Locator> {
  const page = 'page' in where ? where.page() : where;
  const [button, menu] = [where.getByRole('button', { name: label, exact: true }), where.getByRole('button', { name: 'More actions' })];
  await button.or(menu).first().waitFor();
  const item = page.getByRole('menuitem', { name: label, exact: true });
  const dialog = page.getByRole('dialog');
  // After a change, the page may move an action at any moment, and so take it from under the pointer, also during a click.
  const click = (target: Locator): Promise<unknown> => target.click({ timeout: CLICK_TIMEOUT_MS }).catch(() => undefined);
  const opens = async (target: Locator): Promise<boolean> => {
    await click(target);
    return dialog.waitFor({ timeout: CLICK_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
  };
  await waitFor(`the action ${label}`, async () => {
    if ((await dialog.count()) > 0) return true;
    if ((await button.count()) > 0) return opens(button);
    if ((await menu.count()) > 0) await click(menu);
    if ((await item.count()) > 0) return opens(item);
    await page.keyboard.press('Escape');
    return false;
  });
  await dialog.waitFor();
  return dialog;
}

/** Runs an action like a user: fills it in, confirms, and waits until its dialog is gone. @returns the text of its dialog */
export async function performAction(where: Page | Locator, label: string, { confirm = label, fill }: ActionOptions = {}): Promise<string> {
  const dialog = await openActionDialog(where, label);
  await fill?.(dialog);
  const said = await dialog.innerText();
  await dialog.getByRole('button', { name: confirm, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  return said;
}

/** Runs an action that shows a secret once, and leaves without a copy. @returns the shown text */
export async function performActionAndReadSecret(
  where: Page | Locator,
  label: string,
  fill: ActionOptions['fill'],
  pattern: RegExp,
): Promise<string> {
  const dialog = await openActionDialog(where, label);
  await fill?.(dialog);
  await dialog.getByRole('button', { name: label, exact: true }).click();
  const text = await dialog.getByText(pattern).first().innerText();
  await dialog.press('Escape');
  await waitForText(dialog.getByRole('alert'), 'It is not shown again. Close without copying?');
  await dialog.getByRole('button', { name: 'Close without copying' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return text;
}

/** The response behind a link, requested by the page itself with its session and policy: `200 application/pdf %PDF`. */
export async function describeTarget(link: Locator): Promise<string> {
  const href = (await link.getAttribute('href')) ?? '';
  return link
    .page()
    .evaluate<string>(
      `fetch(${JSON.stringify(href)}).then(async (answer) => [answer.status, answer.headers.get('content-type'), (await answer.text()).slice(0, 4)].join(' '))`,
    );
}

/** The response of every document of the studio. */
export const PDF_TARGET = '200 application/pdf %PDF';

/** The visible cells of a table's rows, without its headings. */
export async function cellsOf(table: Locator): Promise<string[][]> {
  const rows = await table
    .getByRole('row')
    .filter({ has: table.page().getByRole('cell') })
    .all();
  return Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
}

/** Counts the clicks on this page from now on. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate("window.clicks = 0; addEventListener('pointerdown', () => (window.clicks += 1), true)");
  return () => page.evaluate<number>('window.clicks');
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical findings of axe-core on a page, one line each: rule, text, element. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.slice(0, 5).map(({ target }) => id + ': ' + help + ' (' + target.join(' ') + ')')))`);
}

/** Pixels by which the page is wider than its window. */
export const overflowPx = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
