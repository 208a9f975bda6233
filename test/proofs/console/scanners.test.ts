import type { Locator, Page } from 'playwright-core';
import { hashKey } from '../../../src/security/api-keys';
import { aToken, OrderFactory } from '../../service/http/studio/support';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useFixture, useService } from '../../support/fixtures';
import { expectSoon } from '../../support/wait-for';
import { pressKeys } from './support/keys';
import { waitUntilArmed } from './support/station';
import { countClicks, openActionDialog, openSignedIn, seriousFindings, waitForText, waitUntilLoaded } from './support/studio';

const ENDINGS = { Enter: ['Enter'], Tab: ['Tab'], none: [] } as const;
type Ending = keyof typeof ENDINGS;
const PACES_MS = [5, 30, 60];
/** Each way in which scanners send keys. */
const SCANNERS = PACES_MS.flatMap((paceMs) => (Object.keys(ENDINGS) as Ending[]).map((ending) => ({ paceMs, ending })));
type Scanner = (typeof SCANNERS)[number];
const FAST: Scanner = { paceMs: 5, ending: 'Enter' };

/** Counts tones. */
const COUNT_TONES = `window.tones = 0; const Real = window.OscillatorNode;
  window.OscillatorNode = function (...args) { window.tones += 1; return new Real(...args); };`;

/** Inserted texts get times at the pace of `window.paceMs`, because a busy machine may not keep it. */
const KEEP_PACE = `addEventListener('beforeinput', (event) => {
  if (window.paceMs === undefined) return;
  window.lastInput = (window.lastInput ?? event.timeStamp) + window.paceMs;
  Object.defineProperty(event, 'timeStamp', { value: window.lastInput });
}, true);`;

/** Presses keys that a scanner typed 5 ms apart since a time, however late the page handles them. */
const PRESS_KEYS = `(keys, fromMs) => [...keys].forEach((key, index) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  Object.defineProperty(event, 'timeStamp', { value: fromMs + 5 * index });
  document.activeElement.dispatchEvent(event);
})`;

describeInBrowser('scanners at the console', () => {
  const service = useService(() => ({ streamRecheckMs: 30_000 }));
  const browser = useBrowser();
  const orders = useFixture(() => new OrderFactory(service));
  let token: string;
  let page: Page;
  let goTo: (path: string) => Promise<void>;
  let order: { orderId: string; orderNumber: string };
  let posts: string[];

  beforeEach(async () => {
    order = await orders.place();
    token = await aToken(service, 'floor', { name: `Bench ${order.orderNumber}` });
    ({ page, goTo } = await openSignedIn(browser, service, { token, at: '/station' }));
    await waitUntilLoaded(page);
    posts = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname));
  });
  afterEach(() => page.context().close());

  const scan = (text: string, { paceMs, ending }: Scanner = FAST): Promise<void> =>
    pressKeys(page, paceMs, [...text, ...ENDINGS[ending]], 2000);
  const shownOrder = (number = order.orderNumber): Locator => page.getByRole('region', { name: number, exact: true });
  const scanField = (): Locator => page.getByRole('textbox', { name: 'Scan', exact: true });
  const numberField = (): Locator => page.getByRole('textbox', { name: 'Order number' });
  const isFocused = (field: Locator): Promise<boolean> => field.evaluate((element) => element === document.activeElement);
  const studio = () => service.studio();
  const send = (orderId: string, type: string) => studio().post(`/orders/${orderId}/milestones`, { milestoneId: type, type });
  const stateOf = async (orderId: string) => (await studio().get(`/orders/${orderId}`)).json.data;
  /** Begins before the scan, because the message lasts three seconds. */
  const isRefused = (text: string): Promise<void> => waitForText(page, `“${text}” is not an order number. Scan a job sheet.`);

  it('loads an order with every scanner, from a field too, and confirms its step', async () => {
    for (const [index, scanner] of SCANNERS.entries()) {
      const { orderNumber } = await orders.place();
      await numberField().click();
      await scan(orderNumber, scanner);
      await shownOrder(orderNumber).waitFor();
      await expectSoon(() => numberField().inputValue()).toBe('');
      await waitForText(shownOrder(orderNumber), 'Scan again or press Enter to confirm.');
      await expectSoon(() => isFocused(scanField())).toBe(true);
      await scan(orderNumber, scanner);
      await waitForText(page.getByRole('status'), `${orderNumber} started`);
      expect(posts).toHaveLength(index + 1);
    }
  });

  it('says at once that a text is no code, with sound', async () => {
    await page.evaluate(COUNT_TONES);
    for (const [index, scanner] of SCANNERS.entries()) {
      const before = await page.evaluate<number>('window.tones');
      await Promise.all([isRefused(`gbx/471${index}`), scan(`gbx/471${index}`, scanner)]);
      expect(await page.evaluate('window.tones')).toBeGreaterThan(before);
      expect(new URL(page.url()).pathname).toBe('/station'); // `g b` opens the board
      await expectSoon(() => scanField().inputValue()).toBe('');
    }
  });

  it('reads a number with any hyphen or none, and after any mark of the scanner', async () => {
    const other = await orders.place();
    const digits = order.orderNumber.slice(2);
    const hyphens = ['\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\u00ad', '\uff0d', ''];
    const fullwidth = [...digits].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
    const texts = [
      ...hyphens.map((hyphen) => `P${hyphen}${digits}`),
      `p-${digits}`,
      `\uff30\uff0d${fullwidth}`,
      `~P-${digits}`,
      `]C1P-${digits}`,
      `*P-${digits}*`,
    ];
    for (const text of texts) {
      await scan(text, { paceMs: 30, ending: 'none' });
      await shownOrder().waitFor();
      await scan(other.orderNumber);
      await shownOrder(other.orderNumber).waitFor();
    }
  });

  it('reads a scan whole whose end a busy page handles after a pause', async () => {
    const handleLate = page.evaluate(`(async (text) => {
      const press = ${PRESS_KEYS};
      const at = performance.now();
      press(text.slice(0, 4), at);
      await new Promise((resolve) => setTimeout(resolve, 200));
      press(text.slice(4), at + 20);
    })(${JSON.stringify(`]C1${order.orderNumber}`)})`);
    await Promise.all([isRefused('P'), handleLate]);
    await shownOrder().waitFor();
  });

  it('ends a scan before the next key, also if a busy page handles that key before its timer', async () => {
    const handleLate = page.evaluate(`((text) => {
      const press = ${PRESS_KEYS};
      const at = performance.now();
      press('parcel 7', at);
      for (; performance.now() < at + 200; );
      press([...text, 'Enter'], at + 200);
    })(${JSON.stringify(order.orderNumber)})`);
    await Promise.all([isRefused('parcel 7'), handleLate]);
    await shownOrder().waitFor();
  });

  describe('inserted text', () => {
    const insert = async (text: string): Promise<void> => page.keyboard.insertText(text);
    /** The Enter has the time before the text was sent, so it follows at once, however late the page handles it. */
    const insertWithEnter = async (text: string): Promise<void> => {
      const session = await page.context().newCDPSession(page);
      const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r', timestamp: Date.now() / 1000 };
      await Promise.all([
        session.send('Input.insertText', { text }),
        session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...enter }),
        session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter }),
      ]);
      await session.detach();
    };
    const COMPOSE = 'Input.imeSetComposition';

    it('arrives as a whole, with an ending or none', async () => {
      for (const ending of ['', '\n', '\t']) {
        await goTo('/station');
        await insert(order.orderNumber + ending);
        await shownOrder().waitFor();
      }
      await Promise.all([isRefused('parcel 7'), insert('parcel 7')]);
    });

    const keepPace = async (paceMs: number): Promise<void> => {
      await page.addInitScript(KEEP_PACE); // before the listeners of the page
      await goTo('/station');
      await page.evaluate(`window.paceMs = ${paceMs}`);
    };

    it('arrives in a composition', async () => {
      await keepPace(5);
      const session = await page.context().newCDPSession(page);
      for (const text of [order.orderNumber.slice(0, 4), order.orderNumber])
        await session.send(COMPOSE, { text, selectionStart: text.length, selectionEnd: text.length });
      await insert(order.orderNumber);
      await shownOrder().waitFor();
      await expectSoon(() => scanField().inputValue()).toBe('');
    });

    it.each(PACES_MS)('arrives letter by letter, %d ms apart', async (paceMs) => {
      await keepPace(paceMs);
      for (const letter of order.orderNumber) await insert(letter);
      await waitUntilArmed(page, order.orderNumber, 'Start');
      await expectSoon(() => page.evaluate<number>('performance.now() - window.lastInput')).toBeGreaterThan(300);
      await page.keyboard.press('Enter'); // a person's
      await waitForText(page.getByRole('status'), `${order.orderNumber} started`);
    });

    it.each(['AP81234567', 'BADGE-7K3M9QTX2A'])('%s with the Enter of its scanner is no name', async (text) => {
      const { orderId, orderNumber } = await new OrderFactory(service, 'live', { shippingMethodId: 'studio-collection' }).place();
      for (const type of ['production_started', 'printed']) await send(orderId, type);
      await goTo(`/station?order=${orderNumber}`);
      const name = page.getByLabel('Collected by');
      await name.fill('Ada');
      posts.length = 0;
      await insertWithEnter(text);
      await expectSoon(() => name.inputValue()).toBe('Ada');
      expect(posts).toEqual([]);
    });

    it('does not stay in a field for something else, and the scanner’s own Enter confirms nothing', async () => {
      await goTo('/station');
      posts.length = 0;
      await numberField().click();
      await insertWithEnter(order.orderNumber);
      await shownOrder().waitFor();
      await expectSoon(() => numberField().inputValue()).toBe('');
      expect(posts).toEqual([]);
    });
  });

  it('a scan never stays in a field of a dialog, whatever its ending', async () => {
    await goTo(`/orders/${order.orderNumber}`);
    const dialog = await openActionDialog(page, 'Hold');
    const note = dialog.getByLabel('Note');
    await note.fill('the glass');
    for (const ending of ['Enter', 'Tab', 'none'] as const) {
      await note.focus();
      await Promise.all([waitForText(page, 'Close the dialog to open P-99999.'), scan('P-99999', { paceMs: 60, ending })]);
      await expectSoon(() => note.inputValue()).toBe('the glass');
    }
    await Promise.all([isRefused('badge-0815'), scan('badge-0815', { paceMs: 60, ending: 'Tab' })]);
    await expectSoon(() => note.inputValue()).toBe('the glass');
    expect(posts).toEqual([]);
  });

  it('the label of a carrier reaches its field from every other field', async () => {
    await goTo(`/orders/${order.orderNumber}`);
    const dialog = await openActionDialog(page, 'Add parcel');
    const tracking = dialog.getByLabel('Tracking number');
    for (const [at, { paceMs, ending }] of SCANNERS.entries()) {
      await dialog.getByLabel('Carrier').fill('');
      await dialog.getByLabel(ending === 'none' ? 'Tracking number' : 'Carrier').focus();
      await scan(`AP70010${at}`, { paceMs, ending });
      await expectSoon(() => tracking.inputValue()).toBe(`AP70010${at}`);
      await expectSoon(() => dialog.getByLabel('Carrier').inputValue()).toBe('');
    }
    expect(posts).toEqual([]);
  });

  it('a person types as before: into fields, to the next field, and shortcuts', async () => {
    await goTo(`/orders/${order.orderNumber}`);
    const dialog = await openActionDialog(page, 'Hold');
    const reason = dialog.getByLabel('Reason for the client');
    await reason.focus();
    await pressKeys(page, 'person', [...'P-10001 t5', 'Enter', ...'fine'], 2000);
    await pressKeys(page, 70, [...'tion', 'Tab'], 200); // a fast person
    await expectSoon(() => reason.inputValue()).toBe('P-10001 t5\nfinetion');
    await expectSoon(() => isFocused(dialog.getByLabel('Note'))).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await pressKeys(page, 'person', ['g', 'b'], 2000);
    await page.getByRole('heading', { name: 'Board' }).waitFor();
    await pressKeys(page, 'person', ['g', 't'], 2000);
    await page.getByRole('heading', { name: 'Station' }).waitFor();
    await expectSoon(() => isFocused(scanField())).toBe(true);
    await pressKeys(page, 'person', ['b'], 2000); // a letter begins a barcode here
    await scan(order.orderNumber);
    await shownOrder().waitFor();
    expect(new URL(page.url()).pathname).toBe('/station');
  });

  it('after the session has ended, a scan does not stay in the field of the sign-in', async () => {
    const expire = (): Promise<unknown> =>
      service.deps.database.run(
        "UPDATE studio_sessions SET expires_at = now() - interval '1 second' WHERE token_id = (SELECT id FROM studio_tokens WHERE token_hash = $1)",
        [hashKey(token)],
      );
    const field = page.getByLabel('Your token');
    const expectRefusals = async (): Promise<void> => {
      for (const text of [order.orderNumber, 'badge-0815'])
        for (const scanner of SCANNERS) {
          await field.focus();
          await scan(text, scanner);
          await waitForText(page.getByRole('alert'), 'The scan did nothing. Sign in first, then scan again.');
          await expectSoon(() => field.inputValue()).toBe('');
        }
    };
    await goTo(`/orders/${order.orderNumber}`);
    await (await openActionDialog(page, 'Hold')).getByLabel('Note').fill('the glass');
    await expire();
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.getByRole('dialog', { name: 'Your sign-in has ended' }).waitFor();
    await expectRefusals();
    await page.context().clearCookies();
    await page.goto(page.url().replace(/\/orders.*/, '/station'));
    await field.waitFor();
    await expectRefusals();
    expect(await seriousFindings(page)).toEqual([]);
    await scan(token); // a scanned token signs in
    await page.getByRole('heading', { name: 'Station' }).waitFor();
  });

  it('packs twenty orders without a mouse, with every scanner', async () => {
    const placed: (typeof order)[] = [];
    for (let count = 0; count < 20; count += 1) placed.push(await orders.place());
    for (const type of ['production_started', 'printed']) for (const { orderId } of placed) await send(orderId, type);
    const clicks = await countClicks(page);
    for (const [at, { orderNumber }] of placed.entries()) {
      const scanner = SCANNERS[at % SCANNERS.length] ?? FAST;
      const tracking = page.getByLabel('Tracking number');
      await scan(orderNumber, scanner);
      await shownOrder(orderNumber).waitFor();
      await expectSoon(() => isFocused(tracking)).toBe(true);
      await scan(`AP81${orderNumber.slice(2)}`, scanner);
      await expectSoon(() => tracking.inputValue()).toBe(`AP81${orderNumber.slice(2)}`);
      if (at % 2 === 0) await pressKeys(page, 'person', ['Enter'], 2000);
      else await scan(orderNumber, scanner);
      await waitForText(page.getByRole('status'), `${orderNumber} packed`);
    }
    expect(await clicks()).toBe(0);
    for (const { orderId, orderNumber } of placed)
      expect((await stateOf(orderId)).parcels.map(({ trackingNumber }: { trackingNumber: string }) => trackingNumber)).toEqual([
        `AP81${orderNumber.slice(2)}`,
      ]);
  });

  it('a hostile badge or label does nothing', async () => {
    const other = await orders.place();
    for (const type of ['production_started', 'printed']) await send(order.orderId, type);
    const hostile = [
      '<script>document.title = "taken"</script>',
      '"><img src=x onerror="document.title=1">',
      'A'.repeat(300),
      '../../orders',
      `${other.orderNumber}; ${order.orderNumber}`,
    ];
    await page.evaluate(COUNT_TONES);
    for (const text of hostile) await scan(text);
    await scan('A'.repeat(10_000));
    await expectSoon(() => page.evaluate('window.tones')).toBeGreaterThanOrEqual(2 * hostile.length);
    await scan(order.orderNumber);
    const tracking = page.getByLabel('Tracking number');
    await expectSoon(() => isFocused(tracking)).toBe(true);
    for (const ending of ['Enter', 'Tab', 'none'] as const)
      for (const text of hostile.filter((one) => one !== '../../orders')) {
        const notice = waitForText(page, `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}” is not an order number.`);
        await Promise.all([notice, scan(text, { paceMs: 5, ending })]);
        await expectSoon(() => tracking.inputValue()).toBe('');
      }
    await scan('AP9300');
    await expectSoon(() => tracking.inputValue()).toBe('AP9300');
    const notice = waitForText(page, `Pack ${order.orderNumber} first, or clear its tracking number.`);
    await Promise.all([notice, scan(other.orderNumber)]);
    await expectSoon(() => tracking.inputValue()).toBe('AP9300');
    expect([posts, await page.title(), (await stateOf(other.orderId)).status]).toEqual([[], 'Station · Studio', 'received']);
  });
});
