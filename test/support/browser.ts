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

/** A `describe` for tests that need a real browser. Skipped tests name the missing program. */
export function describeInBrowser(title: string, tests: () => void): void {
  if (executablePath === undefined) describe.skip(`${title} (no \`chromium\` on the PATH)`, tests);
  else describe(title, tests);
}

/** Debian's Chromium. Its own sandbox cannot be set up by root, nor in most containers; it opens nothing but our pages. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: ['--no-sandbox'] });
}

export interface OpenedPage {
  page: Page;
  /** Problems that the browser reported: policy violations, errors, refused requests, and requests to other listeners. */
  problems: string[];
}

/** Opens a page in a new browser without a session. It can reach only its own listener. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const page = await (await browser.newContext(options)).newPage();
  const problems: string[] = [];
  page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  await page.route('**', (route) => {
    const requestedUrl = route.request().url();
    if (new URL(requestedUrl).origin === new URL(url).origin || requestedUrl.startsWith('data:')) return route.continue();
    problems.push(`asks for ${requestedUrl}`);
    return route.abort();
  });
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (one) => console.error(one.violatedDirective, one.blockedURI))",
  );
  await page.goto(url);
  return { page, problems };
}
