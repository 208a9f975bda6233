import type { Page } from 'playwright-core';
import { FIRST_PRICE_BOOK } from '../../../src/db/seed/price-book';
import { DAY_MS } from '../../../src/domain/duration';
import { localDate, nextDay } from '../../../src/domain/pricing/ready-date';
import { OrderFactory } from '../../service/http/studio/support';
import { describeInBrowser, useBrowser } from '../../support/browser';
import type { HttpClient } from '../../support/client';
import { useService } from '../../support/fixtures';
import {
  cellsOf,
  navigateTo,
  openActionDialog,
  openSignedIn,
  overflowPx,
  type Person,
  seriousFindings,
  waitForText,
} from './support/studio';
import { expectSoon } from '../../support/wait-for';

interface Invoice {
  invoiceNumber: string;
  orderNumber: string;
  dueCents: number;
  state: string;
}

describeInBrowser('invoices and payments at the console', () => {
  /** The tests count the payments of the month, so on its last day the service's clock is a day ahead. */
  const aheadMs = nextDay(localDate(FIRST_PRICE_BOOK.timeZone, new Date())).endsWith('-01') ? DAY_MS : 0;
  const service = useService(() => ({ clock: { now: () => new Date(Date.now() + aheadMs) } }));
  const browser = useBrowser();
  let office: HttpClient;
  let person: Person;
  let page: Page;
  beforeAll(async () => {
    office = service.studio();
    const orders = new OrderFactory(service);
    for (let count = 0; count < 5; count += 1) await orders.place();
    person = await openSignedIn(browser, service, { viewport: { width: 1280, height: 900 } });
    ({ page } = person);
  });
  afterAll(() => expect(person.complaints()).toEqual([]));

  const fetchInvoices = async (query = ''): Promise<Invoice[]> => (await office.get(`/invoices?sort=oldest${query}`)).json.data;
  const makeOverdue = ({ invoiceNumber }: Invoice, days: number): Promise<unknown> =>
    service.deps.database.run(
      `UPDATE invoices SET due_at = now() - $2 * interval '1 day', issued_at = now() - ($2 + 30) * interval '1 day' WHERE invoice_number = $1`,
      [invoiceNumber, days],
    );
  const tile = (name: string) => page.getByRole('group', { name: 'Amounts due by age' }).getByRole('button', { name });
  const table = () => page.getByRole('table', { name: 'Invoices' });
  const row = (invoice: Invoice) => table().getByRole('row').filter({ hasText: invoice.invoiceNumber });
  const decimal = (cents: number): string => (cents / 100).toLocaleString('en-AU', { minimumFractionDigits: 2 });

  it('three selected invoices fill in their sum, and the disabled button says why', async () => {
    const [first, second, third] = (await fetchInvoices()) as [Invoice, Invoice, Invoice];
    await person.goTo(`/accounts/${service.account.accountId}?tab=payments`);
    const dialog = await openActionDialog(page, 'Record payment');
    const submit = dialog.getByRole('button', { name: 'Record payment', exact: true });
    const amount = dialog.getByLabel('Amount');
    await expectSoon(async () => [await submit.isDisabled(), await amount.inputValue()]).toEqual([true, '']);
    await waitForText(dialog, 'Enter an amount or select invoices');
    for (const { invoiceNumber } of [first, second, third]) await dialog.getByRole('checkbox', { name: invoiceNumber }).check();
    const sumCents = first.dueCents + second.dueCents + third.dueCents;
    await expectSoon(() => amount.inputValue()).toBe(decimal(sumCents));
    await waitForText(dialog, `3 selected: AUD ${decimal(sumCents)}`);
    await waitForText(dialog, `AUD ${decimal(sumCents)} pays 3 invoices`);
    await dialog.getByRole('checkbox', { name: third.invoiceNumber }).uncheck();
    await expectSoon(() => amount.inputValue()).toBe(decimal(sumCents - third.dueCents));
    await dialog.getByLabel(`Payment for ${second.invoiceNumber}`).fill('');
    await waitForText(dialog, `Enter an amount for ${second.invoiceNumber}, up to its amount due`);
    await expectSoon(() => submit.isDisabled()).toBe(true);
    await dialog.getByLabel(`Payment for ${second.invoiceNumber}`).fill('5');
    await expectSoon(() => amount.inputValue()).toBe(decimal(first.dueCents + 500));
    expect([await seriousFindings(page), await overflowPx(page)]).toEqual([[], 0]);
    await submit.click();
    await dialog.waitFor({ state: 'hidden' });
    const paid = await fetchInvoices();
    expect(paid.slice(0, 3).map(({ dueCents }) => dueCents)).toEqual([0, second.dueCents - 500, third.dueCents]);
  });

  it('the dialog of a row keeps its input when the list changes, and when the row leaves it', async () => {
    const [, second, third] = (await fetchInvoices()) as [Invoice, Invoice, Invoice];
    await person.goTo('/invoices');
    await row(third).getByRole('button', { name: 'Record payment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reference').fill('NAB 4712');
    const { accountId } = service.account;
    const payment = {
      paymentId: 'bank-9',
      environment: 'live',
      amountCents: 100,
      invoices: [{ invoiceId: second.invoiceNumber, amountCents: 100 }],
    };
    expect((await office.post(`/accounts/${accountId}/payments`, payment)).status).toBe(200);
    await row(second)
      .filter({ hasText: decimal(second.dueCents - 100) })
      .waitFor();
    await expectSoon(() => dialog.getByLabel('Reference').inputValue()).toBe('NAB 4712');
    const discard = async (): Promise<void> => {
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    await discard();
    await person.goTo('/invoices?state=open');
    const last = (await fetchInvoices()).at(-1) as Invoice;
    await row(last).getByRole('button', { name: 'Record payment' }).click();
    await dialog.getByLabel('Reference').fill('NAB 4713');
    const another = { ...payment, paymentId: 'bank-10', invoices: [{ invoiceId: last.invoiceNumber, amountCents: 100 }] };
    expect((await office.post(`/accounts/${accountId}/payments`, another)).status).toBe(200);
    await row(last).waitFor({ state: 'detached' }); // it is partly paid now
    expect(await dialog.getByLabel('Reference').inputValue()).toBe('NAB 4713');
    await discard();
    expect((await office.post(`/accounts/${accountId}/payments/bank-10/reverse`, { reason: 'another client' })).status).toBe(200);
  });

  it('an overdue invoice is paid in four clicks from any page', async () => {
    const [invoice, other] = (await fetchInvoices('&state=open')) as [Invoice, Invoice];
    await makeOverdue(invoice, 70);
    await makeOverdue(other, 10);
    await person.goTo('/deliveries');
    await page.evaluate('window.clicks = 0; addEventListener("pointerdown", () => (window.clicks += 1), true)');
    await navigateTo(page, 'Invoices');
    await tile('61+ days overdue').click();
    await row(other).waitFor({ state: 'hidden' });
    await row(invoice).getByRole('button', { name: 'Record payment' }).click();
    const dialog = page.getByRole('dialog');
    await expectSoon(() => dialog.getByLabel('Amount').inputValue()).toBe(decimal(invoice.dueCents));
    await dialog.getByRole('button', { name: 'Record payment' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expectSoon(() => page.evaluate('window.clicks')).toBe(4);
    const { json } = await office.get(`/invoices/${invoice.invoiceNumber}`);
    expect(json.data).toMatchObject({ state: 'paid', dueCents: 0, payments: [{ amountCents: invoice.dueCents, reversedAt: null }] });
    await waitForText(page, 'No results. Clear the filters to see more.');
    await waitForText(tile('61+ days overdue'), '0 invoices');
  });

  it('the tiles add up, filter the table and its export, and the search finds numbers', async () => {
    const { buckets, paidThisMonth } = (await office.get('/invoices/ageing')).json.data;
    await person.goTo('/invoices?from=2020-01-01');
    await waitForText(tile('1–30 days overdue'), `AUD ${decimal(buckets.days1To30.dueCents)}`);
    await waitForText(tile('Payments this month'), `AUD ${decimal(paidThisMonth.paidCents)}`);
    await tile('Payments this month').click();
    const paid = await fetchInvoices('&bucket=paidThisMonth');
    expect(paid).toHaveLength(3);
    await waitForText(page.getByRole('status'), '3 invoices');
    await expectSoon(() => page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toContain('bucket=paidThisMonth');
    await page.getByLabel('Status').selectOption('open');
    await waitForText(tile('Payments this month'), '0 invoices');
    await page.getByLabel('Status').selectOption('');
    await waitForText(tile('Payments this month'), '3 invoices');
    await tile('Payments this month').click();
    const [first, second] = (await fetchInvoices()) as [Invoice, Invoice];
    await row(second).waitFor();
    await page.getByLabel('Search').fill(first.orderNumber);
    await row(second).waitFor({ state: 'hidden' });
    await expectSoon(() => cellsOf(table())).toEqual([expect.arrayContaining([first.invoiceNumber, first.orderNumber])]);
    expect([await seriousFindings(page), await overflowPx(page)]).toEqual([[], 0]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect([await seriousFindings(page), await overflowPx(page)]).toEqual([[], 0]);
  });

  it('payments, refunds and credit notes have filters, the sums of the filtered rows, and an export', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const { accountId } = service.account;
    const [, , open] = await fetchInvoices();
    const post = async (path: string, body: object): Promise<void> => expect((await office.post(path, body)).status).toBeLessThan(202);
    const pay = (paymentId: string, amountCents: number, reference: string, receivedAt: string): Promise<void> =>
      post(`/accounts/${accountId}/payments`, { environment: 'live', invoices: [], paymentId, amountCents, reference, receivedAt });
    await pay('march', 4000, 'NAB 88', '2026-03-05T02:00:00Z');
    await pay('bounces', 700, 'NAB 89', '2026-03-04T02:00:00Z');
    await post(`/accounts/${accountId}/payments/bounces/reverse`, { reason: 'returned by the bank' });
    await post(`/accounts/${accountId}/refunds`, {
      refundId: 'r-1',
      environment: 'live',
      amountCents: 900,
      refundedAt: '2026-03-06T02:00:00Z',
    });
    await post(`/invoices/${open?.invoiceNumber}/credit-notes`, { creditNoteId: 'n-1', amountCents: 100, reason: 'a scratch' });

    await person.goTo('/invoices');
    await navigateTo(page, 'Payments');
    const sums = (noun: string) => page.getByRole('group', { name: `Sums of these ${noun}` });
    await page.getByLabel('Received until').fill('31/03/2026');
    await page.getByLabel('Received until').press('Enter');
    await waitForText(sums('payments'), /From the bank\s*AUD 40\.00\s*1 payment/);
    await waitForText(sums('payments'), /Reversed\s*AUD 7\.00\s*1 payment/);
    const payments = page.getByRole('table', { name: 'Payments' });
    await expectSoon(async () => (await cellsOf(payments)).map((cells) => cells.includes('NAB 88'))).toEqual([true, false]);
    await waitForText(payments, /: returned by the bank/);
    await page.getByLabel('Status').selectOption('Reversed');
    await waitForText(sums('payments'), /From the bank\s*AUD 0\.00\s*0 payments/);
    await expectSoon(async () => (await cellsOf(payments)).length).toBe(1);
    expect(await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toMatch(
      /payments\.csv\?.*reversed=true.*to=2026-03-31/,
    );
    await page.getByRole('tab', { name: 'Refunds' }).click();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await waitForText(sums('refunds'), /Refunded\s*AUD 9\.00\s*1 refund/);
    await page.getByRole('tab', { name: 'Credit notes' }).click();
    await waitForText(sums('credit notes'), /Credited\s*AUD 1\.00\s*1 credit note/);
    await waitForText(page.getByRole('table', { name: 'Credit notes' }), 'a scratch');
    expect([await seriousFindings(page), await overflowPx(page)]).toEqual([[], 0]);
  });
});
