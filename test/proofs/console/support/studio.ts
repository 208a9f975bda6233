import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openPage } from '../../../support/browser';
import type { TestService } from '../../../support/service';

/** Somebody at the console. */
export interface Person {
  page: Page;
  /** Where the console is, without the slash at the end. */
  root: string;
  /** What the browser complained of that no refusal explains. */
  complaints(): string[];
  /** How often the page has been loaded since it was opened; going from screen to screen loads nothing. */
  loads(): number;
  /** Loads a screen by its address. */
  goTo(path: string): Promise<void>;
}

/** A refusal is part of a day's work; the browser notes it by itself. */
const REFUSAL_MESSAGE = /^(?:error: Failed to load resource|4\d\d http)/;
/** On a busy machine; what takes as long is a fault. */
const TIMEOUT_MS = 15_000;

type OpenOptions = { at?: string; root?: string } & BrowserContextOptions;

/** Opens the console at a screen, signed in nowhere; by another address than the listener's own where `root` says so. */
export async function openConsole(
  browser: Browser,
  service: TestService,
  { at = '/', root, ...options }: OpenOptions = {},
): Promise<Person> {
  const own = root ?? `http://127.0.0.1:${service.api.studioPort}`;
  const { page, problems: complaints } = await openPage(browser, `${own}${at}`, options);
  page.setDefaultTimeout(TIMEOUT_MS);
  let loads = 0;
  page.on('load', () => (loads += 1));
  return {
    page,
    root: own,
    complaints: () => complaints.filter((complaint) => !REFUSAL_MESSAGE.test(complaint)),
    loads: () => loads,
    goTo: async (path) => {
      await page.goto(`${own}${path}`);
      await waitUntilLoaded(page);
    },
  };
}

/** Opens the console and signs in with a token (the admin's unless given) at a screen. */
export async function openSignedIn(
  browser: Browser,
  service: TestService,
  { token = service.adminToken, ...where }: { token?: string } & OpenOptions = {},
): Promise<Person> {
  const person = await openConsole(browser, service, where);
  await signIn(person.page, token);
  return person;
}

/** Fills in the sign-in and waits for the screen behind it. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Your token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor({ state: 'attached' });
}

/** Until the screen has its heading and nothing is being read any more. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.getByRole('status').filter({ hasText: /…$/ }).first().waitFor({ state: 'hidden' });
}

/** Goes to a screen by the navigation. */
export async function navigateTo(page: Page, screen: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: screen === 'Deliveries' ? 'Webhook deliveries' : screen, exact: true }).waitFor();
}

/** A part of a screen, by its heading. */
export const regionNamed = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** Until a text stands there. */
export const waitForText = (where: Page | Locator, text: string | RegExp): Promise<void> => where.getByText(text).first().waitFor();

interface ActionOptions {
  /** On the button that confirms, where the one that asks says more. */
  confirm?: string;
  /** What is put in before. */
  fill?: (dialog: Locator) => Promise<unknown>;
}

/** Opens the dialog of an action. */
export async function openActionDialog(where: Page | Locator, label: string): Promise<Locator> {
  await where.getByRole('button', { name: label, exact: true }).click();
  const page = 'page' in where ? where.page() : where;
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

/** Does an action as a person does: fills it in, confirms, and waits until its dialog is gone. @returns what its dialog said */
export async function performAction(where: Page | Locator, label: string, { confirm = label, fill }: ActionOptions = {}): Promise<string> {
  const dialog = await openActionDialog(where, label);
  await fill?.(dialog);
  const said = await dialog.innerText();
  await dialog.getByRole('button', { name: confirm, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  return said;
}

/** Does an action that shows a secret once, and leaves without a copy of it. @returns what it shows */
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
  await waitForText(dialog.getByRole('alert'), 'It is not shown again. Close without it?');
  await dialog.getByRole('button', { name: 'Close without it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return text;
}

/** What is behind a link, asked for by the page itself, so with its session and under its policy: `200 application/pdf %PDF`. */
export async function describeTarget(link: Locator): Promise<string> {
  const href = (await link.getAttribute('href')) ?? '';
  return link
    .page()
    .evaluate<string>(
      `fetch(${JSON.stringify(href)}).then(async (answer) => [answer.status, answer.headers.get('content-type'), (await answer.text()).slice(0, 4)].join(' '))`,
    );
}

/** What every document of the studio is. */
export const PDF_TARGET = '200 application/pdf %PDF';

/** The cells of a table's rows, as they read, without its headings. */
export async function cellsOf(table: Locator): Promise<string[][]> {
  const rows = await table
    .getByRole('row')
    .filter({ has: table.page().getByRole('cell') })
    .all();
  return Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds on a page that is serious or critical, one line for each: rule, words, where. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.slice(0, 5).map(({ target }) => id + ': ' + help + ' (' + target.join(' ') + ')')))`);
}

/** How many pixels the page is wider than its window. */
export const overflowPx = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
