import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const executablePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** Describes what needs a real browser. A skipped test names what it lacks. */
export function inBrowser(title: string, tests: () => void): void {
  if (executablePath === undefined) describe.skip(`${title} (no \`chromium\` on the PATH)`, tests);
  else describe(title, tests);
}

/** Debian's Chromium. Its own sandbox cannot be set up by root, nor in most containers; it opens nothing but our pages. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: ['--no-sandbox'] });
}

export interface Opened {
  page: Page;
  /** What the browser complained of so far: breaches of the page's policy, errors, refused requests, and those to other listeners. */
  complaints: string[];
}

/** A page that reaches nothing but its own listener, in a browser of its own: signed in nowhere. */
export async function opened(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const page = await (await browser.newContext(options)).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  await page.route('**', (route) => {
    const asked = route.request().url();
    if (new URL(asked).origin === new URL(url).origin || asked.startsWith('data:')) return route.continue();
    complaints.push(`asks for ${asked}`);
    return route.abort();
  });
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (one) => console.error(one.violatedDirective, one.blockedURI))",
  );
  await page.goto(url);
  return { page, complaints };
}
