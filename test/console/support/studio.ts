import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { opened } from '../../support/browser';
import type { TestService } from '../../support/service';

/** Somebody at the console. */
export interface Person {
  page: Page;
  /** What the browser complained of that no refusal explains. */
  complaints(): string[];
  /** Goes to a screen as a link of the console would. */
  goTo(path: string): Promise<void>;
}

/** A refusal is part of a day's work; the browser notes it by itself. */
const REFUSED = /^(?:error: Failed to load resource|4\d\d http)/;

/** Opens the console and signs in with a token (the admin's unless given) at a screen. */
export async function signedIn(
  browser: Browser,
  service: TestService,
  { token = service.adminToken, at = '/', ...options }: { token?: string; at?: string } & BrowserContextOptions = {},
): Promise<Person> {
  const root = `http://127.0.0.1:${service.api.studioPort}`;
  const { page, complaints } = await opened(browser, `${root}${at}`, options);
  await page.getByLabel('Your token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor({ state: 'attached' });
  return {
    page,
    complaints: () => complaints.filter((complaint) => !REFUSED.test(complaint)),
    goTo: async (path) => {
      await page.goto(`${root}${path}`);
      await settled(page);
    },
  };
}

/** Until the screen has its heading and nothing is being read any more. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction("document.querySelectorAll('[role=status] .mantine-Loader-root, .mantine-Skeleton-root').length === 0");
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
export const tooWide = (page: Page): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
