import type { Locator, Page } from 'playwright-core';
import { aToken, OrderFactory } from '../../service/http/studio/support';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useService } from '../../support/fixtures';
import { expectSoon } from '../../support/wait-for';
import { openActionDialog, openSignedIn, type Person, waitForText } from './support/studio';

/** An action whose answer was lost must not be done twice. */
describeInBrowser('an action without an answer', () => {
  const service = useService();
  const browser = useBrowser();
  let maker: OrderFactory;
  let person: Person;
  let page: Page;
  let account: string;
  beforeAll(async () => {
    maker = new OrderFactory(service);
    ({ accountId: account } = service.account);
  });
  beforeEach(async () => {
    person = await openSignedIn(browser, service, { token: await aToken(service, 'office') });
    ({ page } = person);
  });
  afterEach(() => page.context().close());

  const office = () => service.studio();
  const fetchData = async (path: string): Promise<any> => (await office().get(path)).json.data;
  const addCredit = async (amountCents: number): Promise<void> => {
    const paymentId = `credit-${amountCents}`;
    const body = { paymentId, environment: 'live', amountCents, invoices: [] };
    expect((await office().post(`/accounts/${account}/payments`, body)).status).toBe(200);
  };
  /** Loses the answer of the next POST to this path. `process` says whether the API gets the request. */
  const loseNextAnswer = async (path: string, process: 'processed' | 'not processed'): Promise<void> => {
    let isLost = false;
    await page.route(`**${path}`, async (route) => {
      if (isLost || route.request().method() !== 'POST') return route.fallback();
      isLost = true;
      if (process === 'processed') await route.fetch();
      return route.abort();
    });
  };
  const click = (dialog: Locator, name: string): Promise<void> => dialog.getByRole('button', { name, exact: true }).click();
  const close = async (dialog: Locator): Promise<void> => {
    await click(dialog, 'Cancel');
    await dialog.waitFor({ state: 'hidden' });
  };
  const readRefunds = async (): Promise<number[]> =>
    (await fetchData(`/accounts/${account}/refunds?environment=live`)).map(({ amountCents }: any) => amountCents);
  const openPayments = (): Promise<void> => person.goTo(`/accounts/${account}?tab=payments`);

  async function refundWithoutAnswer(amount: string, process: 'processed' | 'not processed'): Promise<Locator> {
    const dialog = await openActionDialog(page, 'Refund credit');
    await dialog.getByLabel('Amount').fill(amount);
    await loseNextAnswer('/refunds', process);
    await click(dialog, 'Refund credit');
    await waitForText(dialog.getByRole('alert'), 'No answer');
    return dialog;
  }

  it('a refund that was done is not repeated after the dialog was closed, on another page too', async () => {
    await addCredit(10_000);
    await openPayments();
    const dialog = await refundWithoutAnswer('40.00', 'processed');
    await expectSoon(readRefunds).toEqual([4000]);
    // The figures stay those of the time of sending, although the credit is 60.00 now.
    await waitForText(page.getByRole('main'), 'AUD 60.00');
    await waitForText(dialog, 'AUD 100.00 in credit');
    await close(dialog);
    await page.getByRole('link', { name: 'Board' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
    await page.goBack();
    // The reopened dialog finds that it was done, and is for the next refund.
    const told = waitForText(page, /^Refund credit to .+: done before$/); // it disappears after three seconds
    const next = await openActionDialog(page, 'Refund credit');
    await told;
    expect([await readRefunds(), await next.getByLabel('Amount').isDisabled()]).toEqual([[4000], false]);
    // The same amount gives a warning.
    await next.getByLabel('Amount').fill('40');
    await waitForText(next.getByRole('alert'), 'A refund of this amount was recorded within the last ten minutes.');
    await next.getByLabel('This is another refund').check();
    await click(next, 'Refund credit');
    await next.waitFor({ state: 'hidden' });
    expect(await readRefunds()).toEqual([4000, 4000]);
  });

  it('“Check” finds a refund that was recorded, and lets one that was not be changed', async () => {
    await addCredit(5_000);
    await openPayments();
    const before = await readRefunds();
    const done = await refundWithoutAnswer('1.11', 'processed');
    await click(done, 'Check');
    await done.waitFor({ state: 'hidden' });
    expect(await readRefunds()).toEqual([111, ...before]);
    const dropped = await refundWithoutAnswer('2.22', 'not processed');
    await close(dropped);
    const dialog = await openActionDialog(page, 'Refund credit');
    await waitForText(dialog.getByRole('alert'), /This was sent at .+ and had no answer\. It may have been done\. Sending again is safe\./);
    expect([await dialog.getByLabel('Amount').inputValue(), await dialog.getByLabel('Amount').isDisabled()]).toEqual(['2.22', true]);
    await click(dialog, 'Check');
    await waitForText(dialog.getByRole('alert'), 'You can change it and send it.');
    expect(await dialog.getByLabel('Amount').inputValue()).toBe('2.22');
    await dialog.getByLabel('Amount').fill('3.33');
    await click(dialog, 'Refund credit');
    await dialog.waitFor({ state: 'hidden' });
    expect(await readRefunds()).toEqual([333, 111, ...before]);
  });

  it.each([
    [429, 'RATE_LIMITED'],
    [503, 'OVERLOADED'],
    [403, 'FORBIDDEN'],
  ])('a repeat that is refused with %d says nothing about the first request', async (status, code) => {
    await addCredit(status);
    await openPayments();
    const before = await readRefunds();
    const dialog = await refundWithoutAnswer((status / 100).toFixed(2), 'processed');
    const json = { data: null, error: { code, message: 'not now' } };
    await page.route('**/refunds', (route) => (route.request().method() === 'POST' ? route.fulfill({ status, json }) : route.fallback()), {
      times: 1,
    });
    await click(dialog, 'Refund credit: send again');
    await waitForText(dialog, 'not now');
    await waitForText(dialog, 'had no answer. It may have been done.');
    await close(dialog);
    const told = waitForText(page, /^Refund credit to .+: done before$/);
    await openActionDialog(page, 'Refund credit');
    await told;
    expect(await readRefunds()).toEqual([status, ...before]);
  });

  it('text that was typed after a reload stays when the lost request is found', async () => {
    await addCredit(600);
    await openPayments();
    await refundWithoutAnswer('0.06', 'processed');
    await page.reload();
    let answer: () => void = () => undefined;
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/refunds?*', async (route) => {
      await mayAnswer;
      return route.fallback();
    });
    const dialog = await openActionDialog(page, 'Refund credit');
    await dialog.getByLabel('Reference').fill('batch 7');
    const told = waitForText(page, /^Refund credit to .+: done before$/);
    answer();
    await told;
    expect(await dialog.getByLabel('Reference').inputValue()).toBe('batch 7');
  });

  it('a reload keeps the id: a remake with other content is refused if the first one was done', async () => {
    const order = await maker.place();
    await person.goTo(`/orders/${order.orderNumber}`);
    const fill = async (dialog: Locator, reason: string): Promise<void> => {
      await dialog.getByLabel(/^Line 1/).fill('1');
      await dialog.getByLabel('Reason').fill(reason);
    };
    const lost = await openActionDialog(page, 'Remake');
    await fill(lost, 'a corner is crushed');
    await loseNextAnswer('/remakes', 'processed');
    await click(lost, 'Remake');
    await waitForText(lost.getByRole('alert'), 'No answer');
    await page.reload();
    const dialog = await openActionDialog(page, 'Remake');
    await waitForText(dialog.getByRole('alert'), 'anything else is refused if it was done');
    await fill(dialog, 'another reason');
    await click(dialog, 'Remake');
    await waitForText(dialog.getByRole('alert'), 'That was refused');
    expect((await fetchData(`/orders/${order.orderId}`)).remakes).toHaveLength(1);
  });

  it('a credit note, a remake and a new account count once', async () => {
    const order = await maker.place();
    await person.goTo(`/orders/${order.orderNumber}`);
    const repeat = async (label: string, path: string, fill: (dialog: Locator) => Promise<unknown>): Promise<void> => {
      const dialog = await openActionDialog(page, label);
      await fill(dialog);
      await loseNextAnswer(path, 'processed');
      await click(dialog, label);
      await waitForText(dialog.getByRole('alert'), 'No answer');
      await close(dialog);
      const reopened = await openActionDialog(page, label);
      await reopened.getByRole('button', { name: 'Change it' }).waitFor();
      await click(reopened, `${label}: send again`);
      await reopened.getByRole('button', { name: `${label}: send again` }).waitFor({ state: 'hidden' });
    };
    await repeat('Remake', '/remakes', async (dialog) => {
      await dialog.getByLabel(/^Line 1/).fill('1');
      await dialog.getByLabel('Reason').fill('a corner is crushed');
    });
    const { remakes, invoice } = await fetchData(`/orders/${order.orderId}`);
    expect(remakes).toHaveLength(1);
    await person.goTo(`/invoices/${invoice.invoiceNumber}`);
    const crediting = await openActionDialog(page, 'Issue credit note');
    await crediting.getByLabel('Amount, with GST').fill('1.00');
    await crediting.getByLabel('Reason').fill('a scratch');
    await loseNextAnswer('/credit-notes', 'processed');
    await click(crediting, 'Issue credit note');
    await waitForText(crediting.getByRole('alert'), 'No answer');
    await click(crediting, 'Issue credit note: send again');
    await crediting.waitFor({ state: 'hidden' });
    expect((await fetchData(`/invoices/${invoice.invoiceNumber}`)).creditNotes).toHaveLength(1);
    await person.goTo('/accounts');
    await repeat('Create account', '/accounts', async (dialog) => {
      await dialog.getByLabel('Name').fill('Lost Answers Gallery');
      await dialog.getByLabel('Email').fill('books@lost-answers.example');
      await dialog.getByLabel('No credit').check();
    });
    expect(await fetchData('/accounts?q=Lost+Answers')).toHaveLength(1);
  });
});
