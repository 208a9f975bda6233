import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { describeWithProgram, findProgram } from './programs';
import { useFixture } from './fixtures';
import { failureNotes } from './service-errors';

/** The shell has no windows, tabs and menus, so opening a page costs half the time. */
const program = ['chromium-headless-shell', 'chromium'].find((name) => findProgram(name) !== undefined) ?? 'chromium';
const executablePath = findProgram(program);

/** A `describe` for tests that need a real browser. */
export const describeInBrowser = (title: string, tests: () => void): void => describeWithProgram(program, title, tests);

/** Enough for a slow and busy machine. Longer is a fault. */
const TIMEOUT_MS = 120_000;

/** A request to another machine fails. Routes would do that too, but they switch off the cache. */
const ONLY_THIS_MACHINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

let launched: Promise<Browser> | undefined;

/**
 * Debian's Chromium without its sandbox, which root and most containers cannot set up. It opens only the tests' pages. The test files of a
 * process share it, so `close` closes only the caller's pages. It ends with the process.
 */
export async function openBrowser(): Promise<Browser> {
  launched ??= launch();
  const browser = await launched;
  const contexts: BrowserContext[] = [];
  const own: Pick<Browser, 'newContext' | 'contexts' | 'close'> = {
    contexts: () => browser.contexts().filter((context) => contexts.includes(context)),
    async newContext(options) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(TIMEOUT_MS);
      contexts.push(context);
      return context;
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()));
    },
  };
  return new Proxy(browser, { get: (target, name) => Reflect.get(name in own ? own : target, name) as unknown });
}

/** After a failure, the next caller launches again. */
async function launch(): Promise<Browser> {
  const executable = executablePath === undefined ? {} : { executablePath };
  try {
    const browser = await chromium.launch({ ...executable, args: ['--no-sandbox', ONLY_THIS_MACHINE], timeout: TIMEOUT_MS });
    failureNotes.push(() => describePages(browser));
    return browser;
  } catch (error) {
    launched = undefined;
    throw error;
  }
}

const PAGE_ANSWERS_WITHIN_MS = 5_000;

/** The address, focus and text of each open page. */
function describePages(browser: Browser): Promise<string[]> {
  const script = `[document.activeElement?.outerHTML.slice(0, 300), document.body.innerText.slice(0, 3000)].join(' | ')`;
  const pages = browser.contexts().flatMap((context) => context.pages());
  return Promise.all(
    pages.map(async (page) => {
      const text = page.evaluate<string>(script).catch((error: unknown) => String(error));
      return `page ${page.url()}\n${await Promise.race([text, delay(PAGE_ANSWERS_WITHIN_MS, 'did not answer')])}`;
    }),
  );
}

/** A test that fails leaves no route to the next one. */
export function useBrowser(): Browser {
  const browser = useFixture(openBrowser, (opened) => opened.close());
  afterEach(async () => {
    const pages = browser.contexts().flatMap((context) => [context, ...context.pages()]);
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
  });
  return browser;
}

export interface OpenedPage {
  page: Page;
  /** Problems that the browser reported: policy violations, errors, refused requests, and requests to other origins. */
  problems: string[];
}

/**
 * Opens a page in a new browser without a session or animations: a closing dialog is gone at once. `prepare` can put cookies into the browser
 * before.
 */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  prepare?: (context: BrowserContext) => Promise<void>,
): Promise<OpenedPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  await prepare?.(context);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith('data:'))
      problems.push(`asks for ${request.url()}`);
  });
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (one) => console.error(one.violatedDirective, one.blockedURI))",
  );
  takeRoutesAtOnce(page);
  await page.goto(url);
  return { page, problems };
}

/** For a moment, a busy page sends requests past a new route. With this, `page.route` resolves when that is over. */
function takeRoutesAtOnce(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...given) => {
    const added = await route(...given);
    const probe = (url: URL): boolean => url.search === '?is-routed';
    let isTaken = false;
    await route(probe, (taken) => {
      isTaken = true;
      return taken.fulfill({ status: 204 });
    });
    while (!isTaken) await page.evaluate(`fetch('?is-routed')`);
    await page.unroute(probe);
    return added;
  };
}
