import type { Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { OrderFactory } from '../../service/http/studio/support';
import { insertManyOrders, type OrderTotals } from './support/many-orders';
import { navigateTo, waitUntilLoaded, openSignedIn, type Person } from './support/studio';
import { isFullRun, skipWithTodo } from './support/full-run';

const ORDERS = 100_000;
const ROWS = 'table[aria-label="Orders"] tbody tr';

/** Counts the pauses between typed letters, after which the console searches. A busy machine causes some. */
const COUNT_PAUSES = `window.pauses = 0; window.lastInput = Infinity; addEventListener('input', ({ timeStamp }) => {
  if (timeStamp - window.lastInput > 100) window.pauses += 1; window.lastInput = timeStamp; }, true);`;

/** It takes minutes: `npm run test:console`. */
const describeMany = isFullRun ? describeInBrowser : skipWithTodo;

describeMany('the console of a studio with 100,000 orders', () => {
  const service = useService(() => ({ worker: false }));
  const browser = useBrowser();
  let there: OrderTotals;
  let person: Person;
  let page: Page;
  let asked: string[];
  const figures: string[] = [];
  beforeAll(async () => {
    there = await insertManyOrders(service, ORDERS);
    person = await openSignedIn(browser, service, { viewport: { width: 1280, height: 800 } });
    page = person.page;
    await waitUntilLoaded(page);
    asked = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/studio/v1/') && !pathname.endsWith('/stream')) asked.push(pathname.slice('/studio/v1'.length) + search);
    });
  });
  afterAll(() => {
    // Times for the reader; no assertion uses them.
    process.stdout.write(`\n${figures.join('\n')}\n`);
  });

  /** Runs a step and records its duration, its requests and the size of the page. */
  async function measure(what: string, work: () => Promise<unknown>): Promise<{ requests: string[]; seconds: number }> {
    asked.length = 0;
    const startedAt = performance.now();
    await work();
    const ms = Math.round(performance.now() - startedAt);
    const heap = await page.evaluate<number>('Math.round(performance.memory.usedJSHeapSize / 1048576)');
    figures.push(`${what}: ${ms} ms, ${asked.length} requests, ${heap} MiB of heap`);
    return { requests: [...asked], seconds: ms / 1000 };
  }
  const rows = async (): Promise<number> => Number(await page.getByRole('table', { name: 'Orders' }).getAttribute('aria-rowcount')) - 1;
  const untilRows = (count: number): Promise<boolean> => waitFor(`${count} rows`, async () => (await rows()) === count);
  const status = (words: string) => page.getByRole('group', { name: 'Orders by status' }).getByRole('link', { name: words });

  it('today shows attention and failures without loading all of them', async () => {
    const { requests } = await measure('today', async () => {
      await person.goTo('/');
      await page
        .getByRole('region', { name: 'Needs attention' })
        .getByRole('heading', { name: /^Artwork resolution too low/ })
        .click();
      await page.getByRole('table', { name: 'Orders that need attention' }).locator('tbody tr').nth(9).waitFor();
    });
    expect(new Set(requests).size).toBeLessThanOrEqual(15);
    await expectSoon(() => page.getByRole('table', { name: 'Orders that need attention' }).locator('tbody tr').count()).toBe(10);
  });

  it('the board shows the newest fifty orders and the count of each status', async () => {
    const { requests } = await measure('board', async () => {
      await person.goTo('/board');
      await untilRows(50);
    });
    expect(new Set(requests).size).toBeLessThanOrEqual(6);
    await status(`Received ${there.received.toLocaleString('en-AU')}`).waitFor();
    await status(`In production ${there.inProduction.toLocaleString('en-AU')}`).waitFor();
    await status(`On hold ${there.onHold.toLocaleString('en-AU')}`).waitFor();
    await status('Completed 10,000+').waitFor();
    await status(`Needs attention ${there.attention}`).waitFor();
  });

  it.each(['Received', 'In production', 'On hold', 'Shipped', 'Completed', 'Cancelled'])(
    'orders %s are found by one click',
    async (words) => {
      const { requests } = await measure(`board, ${words.toLowerCase()}`, async () => {
        await status(words).click();
        await waitFor(`rows that are ${words}`, async () => {
          const shown = await page.locator(`${ROWS} td[data-label="Status"]`).allInnerTexts();
          const label = new RegExp(`${words}$`, 'i'); // also "Partly shipped"
          return shown.length === 50 && shown.every((text) => label.test(text.trim()));
        });
      });
      expect(requests.filter((path) => path.startsWith('/orders?'))).toHaveLength(1);
    },
  );

  it('search while typing sends no request for each letter', async () => {
    await status('All').click();
    await page.evaluate(COUNT_PAUSES);
    const { requests } = await measure('find recipient P-5077777', async () => {
      await page.keyboard.press('Control+K'); // `/` and the text at once would be a scan, as would an order number
      await page.locator('input[type=search]:focus').waitFor();
      await page.keyboard.type('recipient P-5077777', { delay: 30 });
      await page.getByRole('button', { name: 'Filter the board by “recipient P-5077777”' }).click();
      await page.waitForURL(/q=recipient/);
      await untilRows(1);
    });
    const pauses = await page.evaluate<number>('window.pauses');
    expect(requests.filter((path) => path.startsWith('/orders?')).length).toBeLessThanOrEqual(4 + pauses);
    await expectSoon(() => page.locator(ROWS).innerText()).toContain('P-5077777');
    await navigateTo(page, 'Board');
    await untilRows(50);
  });

  it('sorting by due date lists the earliest first', async () => {
    await measure('sorted by the day they are due', async () => {
      await page.getByRole('button', { name: /^Due/ }).click();
      await page.waitForURL(/sort=dueDate/);
      await waitFor('the earliest due', async () =>
        (await page.locator(`${ROWS} td[data-label="Due"]`).first().innerText()).includes('late'),
      );
    });
    await status('All unshipped').waitFor();
    await page.getByRole('button', { name: /^Placed/ }).click();
  });

  it('five more pages show 300 rows, each order once', async () => {
    const { requests } = await measure('five pages more', async () => {
      for (let pages = 2; pages <= 6; pages += 1) {
        await page.getByRole('button', { name: 'Show more' }).click();
        await untilRows(50 * pages);
      }
    });
    expect(requests.filter((path) => path.includes('cursor='))).toHaveLength(5);
    const drawn = (): Promise<string[]> => page.locator(`${ROWS} td[data-label="Order"]`).allInnerTexts();
    expect((await drawn()).length).toBeLessThan(100);
    const found = new Set<string>();
    await page.evaluate('window.scrollTo(0, 0)');
    await waitFor('300 different orders', async () => {
      for (const order of await drawn()) found.add(order);
      await page.evaluate('window.scrollBy(0, 600)');
      return found.size === 300;
    });
    await page.evaluate('window.scrollTo(0, 0)');
  });

  it('new orders appear automatically and are counted', async () => {
    await person.goTo('/board');
    await untilRows(50);
    const orders = new OrderFactory(service);
    const { requests, seconds } = await measure('twenty orders placed', async () => {
      let last = '';
      for (let placed = 0; placed < 20; placed += 1) last = ((await orders.place()) as { orderNumber: string }).orderNumber;
      await page.getByRole('link', { name: last, exact: true }).waitFor();
      await status(`Received ${(there.received + 20).toLocaleString('en-AU')}`).waitFor();
    });
    // At most once a second each, for any number of orders.
    const paths = [...new Set(requests)];
    const times = paths.map((path) => requests.filter((each) => each === path).length);
    expect(Math.max(...times)).toBeLessThanOrEqual(seconds + 2);
    expect(paths.length).toBeLessThanOrEqual(15);
  });

  it('the whole list downloads as CSV', async () => {
    let lines = 0;
    await measure('CSV of all', async () => {
      const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
      const answer = await page.request.get(new URL(href ?? '', page.url()).href, { timeout: 120_000 });
      expect(answer.status()).toBe(200);
      lines = (await answer.text()).trimEnd().split('\r\n').length;
    });
    expect(lines).toBe(there.orders + 20 + 1);
  });

  it('failed deliveries can be filtered', async () => {
    await measure('deliveries', async () => {
      await person.goTo('/deliveries?state=failed');
      await waitUntilLoaded(page);
    });
    await expectSoon(() => page.locator('tbody tr').count()).toBeGreaterThanOrEqual(25);
    expect(person.complaints()).toEqual([]);
  });
});
