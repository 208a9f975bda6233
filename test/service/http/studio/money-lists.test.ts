import { request } from 'undici';
import type { Environment } from '../../../../src/domain/limits';
import { aQuote, placeOrder } from '../../../support/baskets';
import type { HttpClient, Reply } from '../../../support/client';
import { copyQuote } from '../../../support/row-copies';
import { useService } from '../../../support/fixtures';
import { aTrader, type Trader } from '../support';
import { aToken, validationPathsOf, sendMilestone } from './support';

interface PlacedOrder {
  orderId: string;
  orderNumber: string;
  invoiceNumber: string;
}

const QUARTER = { from: '2026-07-01', to: '2026-09-30' };
const DAY = '2026-08-20';

describe('accounting from the API alone', () => {
  const service = useService(() => ({ clock: { now: () => now }, env: { RATE_LIMIT_FACTOR: '100' } }));
  let office: HttpClient;
  let token: string;
  let quoteId: string;
  let now = new Date('2026-06-01T00:00:00Z');
  /** Recorded during the test: sales of the quarter in cents, and the bank's lines of the day. */
  let salesCents = 0;
  const bank: [reference: string, cents: number][] = [];
  let gallery: Trader;
  let museum: Trader;
  const placed: Record<string, PlacedOrder> = {};
  beforeAll(async () => {
    token = await aToken(service, 'office');
    office = service.studio(token);
    quoteId = (await aQuote(service.trade(service.account.testKey))).quoteId;
    [gallery, museum] = [await aTrader(service), await aTrader(service)];
    await createLedgerHistory();
  });

  async function expectData(sent: Promise<Reply>): Promise<any> {
    const reply = await sent;
    if (reply.status > 201) throw new Error(reply.text);
    return reply.json.data;
  }

  /** A total whose eleventh part is whole cents, so GST needs no rounding. */
  async function order({ accountId, ...trader }: Trader, totalCents: number, environment: Environment = 'live'): Promise<PlacedOrder> {
    const figures = { subtotal_cents: totalCents, discount_cents: 0, shipping_cents: 0, rush_fee_cents: 0, gst_cents: totalCents / 11 };
    const changes = { account_id: accountId, environment, ...figures, total_cents: totalCents, expires_at: '2027-01-01T00:00:00Z' };
    const [copy = ''] = await copyQuote(service.deps.database, quoteId, 1, changes);
    const { orderId, orderNumber } = await expectData(placeOrder(service.trade(trader[`${environment}Key`]), copy));
    const { invoiceNumber } = (await expectData(office.get(`/orders/${orderId}`))).invoice;
    return { orderId, orderNumber, invoiceNumber };
  }
  const pay = ({ orderId }: PlacedOrder, paymentId: string, amountCents: number, rest: Record<string, unknown> = {}) =>
    expectData(office.post(`/orders/${orderId}/payments`, { paymentId, amountCents, reference: paymentId, ...rest }));
  const payOnAccount = ({ accountId }: Trader, paymentId: string, rest: Record<string, unknown>) =>
    expectData(office.post(`/accounts/${accountId}/payments`, { paymentId, environment: 'live', reference: paymentId, ...rest }));
  const refund = ({ accountId }: Trader, refundId: string, amountCents: number, rest: Record<string, unknown> = {}) =>
    expectData(office.post(`/accounts/${accountId}/refunds`, { refundId, environment: 'live', amountCents, reference: refundId, ...rest }));
  const reversePayment = ({ orderId }: PlacedOrder, paymentId: string) =>
    expectData(office.post(`/orders/${orderId}/payments/${encodeURIComponent(paymentId)}/reverse`, { reason: 'returned by the bank' }));
  const credit = ({ invoiceNumber }: PlacedOrder, creditNoteId: string, amountCents: number) =>
    expectData(office.post(`/invoices/${invoiceNumber}/credit-notes`, { creditNoteId, amountCents, reason: creditNoteId }));
  const cancel = ({ orderId }: PlacedOrder) => expectData(sendMilestone(office, orderId, 'cancelled'));
  const reversal = { reversalId: 'back', reason: 'by mistake' };
  const reverseNote = ({ orderId }: PlacedOrder, creditNoteId: string) =>
    expectData(office.post(`/orders/${orderId}/credit-notes/${encodeURIComponent(creditNoteId)}/reverse`, reversal));
  const reverseRefund = ({ accountId }: Trader, refundId: string) =>
    expectData(office.post(`/accounts/${accountId}/refunds/${encodeURIComponent(refundId)}/reverse`, reversal));
  /** In the studio's time zone, which is ten hours ahead until October. */
  const setStudioTime = (local: string): void => void (now = new Date(`${local}:00+10:00`));

  async function createLedgerHistory(): Promise<void> {
    setStudioTime('2026-06-20T10:00');
    const [unpaid, credited, restored] = [await order(gallery, 11_000), await order(museum, 22_000), await order(gallery, 33_000)];
    await credit(restored, 'note of June', 1100);
    setStudioTime('2026-06-30T23:50');
    const june = await order(gallery, 5500);
    setStudioTime('2026-07-01T00:05');
    const july = await order(museum, 6600);
    salesCents += 6600;
    await order(museum, 110_000, 'test');
    setStudioTime('2026-07-15T10:00');
    await credit(credited, 'note of July', 2200);
    salesCents -= 2200;
    await reverseNote(restored, 'note of June');
    salesCents += 1100;
    setStudioTime('2026-08-10T10:00');
    await cancel(unpaid);
    salesCents -= 11_000;
    setStudioTime('2026-08-12T10:00');
    const partPaid = await order(gallery, 7700);
    salesCents += 7700;
    await pay(partPaid, 'EFT 12 August', 3300);
    setStudioTime('2026-08-13T10:00');
    await cancel(partPaid);
    salesCents -= 7700;
    setStudioTime('2026-08-18T10:00');
    await pay(credited, 'bounces', 1000);
    await refund(gallery, 'comes back', 400);
    setStudioTime('2026-08-19T23:30');
    await pay(june, 'late at night', 500);

    setStudioTime('2026-08-20T09:00');
    await pay(july, 'EFT 1', 1500);
    await payOnAccount(gallery, 'EFT.2/a', { amountCents: 35_000 });
    await payOnAccount(museum, 'EFT 3', { amountCents: 4000, invoices: [] });
    await payOnAccount(museum, 'from credit', { amountCents: 1000, source: 'credit' });
    await payOnAccount(gallery, 'of test orders', { amountCents: 5000, environment: 'test' });
    await pay(july, 'typed twice', 770);
    await reversePayment(july, 'typed twice');
    await refund(museum, 'BACK 1', 700);
    await reversePayment(credited, 'bounces');
    await reverseRefund(gallery, 'comes back');
    bank.push(['EFT 1', 1500], ['EFT.2/a', 35_000], ['EFT 3', 4000], ['typed twice', 770], ['typed twice', -770], ['BACK 1', -700]);
    bank.push(['bounces', -1000], ['comes back', 400]);
    setStudioTime('2026-08-21T09:00');
    await pay(july, 'EFT 4', 2000, { receivedAt: '2026-08-20T05:00:00Z' });
    await refund(museum, 'BACK 2', 100, { refundedAt: '2026-08-20T12:00:00+10:00' });
    bank.push(['EFT 4', 2000], ['BACK 2', -100]);

    setStudioTime('2026-09-30T23:59');
    const september = await order(museum, 8800);
    salesCents += 8800;
    setStudioTime('2026-10-01T00:01');
    await order(museum, 9900);
    setStudioTime('2026-10-02T10:00');
    await cancel(september);
    await credit(july, 'note of October', 1100);
    await reverseNote(credited, 'note of July');
    Object.assign(placed, { unpaid, partPaid, july, september });
  }

  /** Every page, two rows at a time. */
  async function readAllPages(path: string, query: Record<string, string> = {}): Promise<any[]> {
    const rows: unknown[] = [];
    for (let cursor: string | null = null; ;) {
      const asked = new URLSearchParams({ ...query, limit: '2', ...(cursor === null ? {} : { cursor }) });
      const { status, text, json } = await office.get(`${path}?${asked.toString()}`);
      if (status !== 200) throw new Error(text);
      rows.push(...json.data);
      cursor = json.nextCursor ?? null;
      if (cursor === null) return rows;
    }
  }
  /** The rows of a file by their headings. */
  async function readCsv(path: string, query: Record<string, string> = {}): Promise<Record<string, string>[]> {
    const url = `http://127.0.0.1:${service.api.studioPort}/studio/v1${path}.csv?${new URLSearchParams(query).toString()}`;
    const { statusCode, body } = await request(url, { headers: { authorization: `Bearer ${token}` } });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(text);
    const [headings = [], ...rows] = text
      .replace('\ufeff', '')
      .trimEnd()
      .split('\r\n')
      .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''));
    return rows.map((row) => Object.fromEntries(headings.map((heading, column) => [heading, row[column] ?? ''])));
  }
  const centsOf = (amount: string | undefined): number => Math.round(Number(amount) * 100);
  const sumOf = <R>(rows: readonly R[], of: (row: R) => number): number => rows.reduce((cents, row) => cents + of(row), 0);
  const voidedIn = { voidedFrom: QUARTER.from, voidedTo: QUARTER.to };
  const reversalFilter = ({ from, to }: { from: string; to: string }) => ({ reversedFrom: from, reversedTo: to });

  it('the GST of a quarter is issued invoices less voids and credit notes, plus reversed notes', async () => {
    const notes = await readAllPages('/credit-notes', QUARTER);
    const reversals = await readAllPages('/credit-notes', reversalFilter(QUARTER));
    const [issued, voids] = [await readAllPages('/invoices', QUARTER), await readAllPages('/invoices', voidedIn)];
    const sales =
      sumOf(issued, ({ amountCents }) => amountCents) -
      sumOf(voids, ({ voidedCents }) => voidedCents) -
      sumOf(notes, ({ amountCents }) => amountCents) +
      sumOf(reversals, ({ amountCents }) => amountCents);
    const gst =
      sumOf(issued, ({ gstCents, voidedGstCents }) => gstCents + voidedGstCents) -
      sumOf(voids, ({ voidedGstCents }) => voidedGstCents) -
      sumOf(notes, ({ gstCents }) => gstCents) +
      sumOf(reversals, ({ gstCents }) => gstCents);
    expect({ sales, gst }).toEqual({ sales: salesCents, gst: salesCents / 11 });

    const gstOf = (rows: Record<string, string>[], heading: string) => sumOf(rows, (row) => centsOf(row[heading]));
    const [ISSUED, VOIDS] = [await readCsv('/invoices', QUARTER), await readCsv('/invoices', voidedIn)];
    const [NOTES, REVERSALS] = [await readCsv('/credit-notes', QUARTER), await readCsv('/credit-notes', reversalFilter(QUARTER))];
    expect(
      gstOf(ISSUED, 'GST contained') +
        gstOf(ISSUED, 'GST of the void') -
        gstOf(VOIDS, 'GST of the void') -
        gstOf(NOTES, 'GST contained') +
        gstOf(REVERSALS, 'GST contained'),
    ).toBe(gst);
  });

  it('a void invoice contains only the GST of its credit notes', async () => {
    const rows = new Map((await readCsv('/invoices')).map((row) => [row.Invoice, row]));
    const shown = ({ invoiceNumber }: PlacedOrder) => {
      const { State, Amount, Void, ...row } = rows.get(invoiceNumber) ?? {};
      return [State, Amount, Void, row['GST contained'], row['GST of the void']];
    };
    const { unpaid, partPaid, july } = placed as Record<'unpaid' | 'partPaid' | 'july', PlacedOrder>;
    expect(shown(unpaid)).toEqual(['void', '110.00', '110.00', '0.00', '10.00']);
    expect(shown(partPaid)).toEqual(['void', '77.00', '44.00', '3.00', '4.00']);
    expect(shown(july)).toEqual(['part paid', '66.00', '0.00', '6.00', '0.00']);
  });

  it('the totals are the sums of the rows that the list has with the same filters', async () => {
    const sums = (rows: any[]) => ({ count: rows.length, amountCents: sumOf(rows, ({ amountCents }) => amountCents) });
    const valid = (rows: any[]) => rows.filter(({ reversedAt }) => reversedAt === null);
    const ofSource = (rows: any[], source: string) => sums(valid(rows).filter((row) => row.source === source));
    const filters: Record<string, string>[] = [
      {},
      QUARTER,
      reversalFilter(QUARTER),
      { from: DAY, to: DAY, reversed: 'false' },
      { reversed: 'true' },
      { accountId: museum.accountId },
      { environment: 'test' },
    ];
    const totals: Record<string, any> = {};
    for (const filter of filters)
      for (const path of ['/payments', '/refunds', '/credit-notes']) {
        const rows = await readAllPages(path, filter);
        const environment = filter.environment ?? 'live';
        const reversed = sums(rows.filter(({ reversedAt }) => reversedAt !== null));
        const expected =
          path === '/payments' ? { money: ofSource(rows, 'money'), credit: ofSource(rows, 'credit') } : { valid: sums(valid(rows)) };
        const found = await expectData(office.get(`${path}/totals?${new URLSearchParams(filter).toString()}`));
        expect([path, filter, found]).toEqual([path, filter, { environment, ...expected, reversed }]);
        totals[path] ??= found;
      }
    expect(totals['/payments']).toMatchObject({ credit: { count: 1, amountCents: 1000 }, reversed: { count: 2, amountCents: 1770 } });
    const fromCredit = await readAllPages('/payments', { source: 'credit' });
    expect(fromCredit.map(({ paymentId }) => paymentId)).toEqual(['from credit']);
    expect(await expectData(office.get('/payments/totals?source=credit'))).toMatchObject({ money: { count: 0 }, credit: { count: 1 } });
  });

  it('a refund is listed on the day on which it was sent, and booked on the day of recording', async () => {
    const recorded = { recordedFrom: '2026-08-21' };
    expect((await readAllPages('/refunds', { from: DAY, to: DAY, ...recorded })).map(({ refundId }) => refundId)).toEqual(['BACK 2']);
    const { entries } = await expectData(office.get(`/accounts/${museum.accountId}/statement?from=2026-08-20&to=2026-08-21`));
    const refunds = entries.filter(({ type }: { type: string }) => type === 'refund');
    expect(refunds.map(({ refundId, bookedOn, refundedOn }: any) => [refundId, bookedOn, refundedOn])).toEqual([
      ['BACK 1', DAY, DAY],
      ['BACK 2', '2026-08-21', DAY],
    ]);
  });

  it('a reversed payment shows its reason, and a repeated reversal needs the same one', async () => {
    const { july } = placed as Record<'july', PlacedOrder>;
    const [onOrder] = (await readAllPages('/payments')).filter(({ paymentId }) => paymentId === 'typed twice');
    expect(onOrder.reversalReason).toBe('returned by the bank');
    const { payments } = await expectData(office.get(`/invoices/${july.invoiceNumber}`));
    expect(payments.find(({ paymentId }: any) => paymentId === 'typed twice').reversalReason).toBe('returned by the bank');
    const path = `/orders/${july.orderId}/payments/${encodeURIComponent('typed twice')}/reverse`;
    expect((await office.post(path, { reason: 'returned by the bank' })).status).toBe(200);
    expect((await office.post(path, { reason: 'typed twice' })).json).toMatchObject({ error: { code: 'MILESTONE_ID_REUSED' } });
    expect(validationPathsOf(await office.post(path, {}))).toEqual(['reason']);
    expect((await readCsv('/payments')).map((row) => row['Reversed because'])).toContain('returned by the bank');
  });

  it('a day lists payments, reversals, refunds and reversed refunds for comparison with the bank', async () => {
    const day = { from: DAY, to: DAY };
    const lines = (rows: any[], sign: number): [string, number][] =>
      rows.filter(({ source }) => source !== 'credit').map(({ reference, amountCents }) => [reference, sign * amountCents]);
    const read = [
      ...lines(await readAllPages('/payments', day), 1),
      ...lines(await readAllPages('/payments', reversalFilter(day)), -1),
      ...lines(await readAllPages('/refunds', day), -1),
      ...lines(await readAllPages('/refunds', reversalFilter(day)), 1),
    ];
    const sorted = (rows: readonly [string, number][]) => rows.map((row) => row.join(' ')).toSorted();
    expect(sorted(read)).toEqual(sorted(bank));

    const paid = (await readCsv('/payments', day)).filter(({ Source }) => Source === 'money');
    const back = [...(await readCsv('/payments', reversalFilter(day))), ...(await readCsv('/refunds', day))];
    const again = await readCsv('/refunds', reversalFilter(day));
    const total = (rows: Record<string, string>[]) => sumOf(rows, ({ Amount }) => centsOf(Amount));
    expect(total(paid) - total(back) + total(again)).toBe(sumOf(bank, ([, cents]) => cents));
  });

  it('the ageing, the accounts and the figures of today agree on the outstanding amount', async () => {
    for (const environment of ['live', 'test'] as const) {
      const { buckets } = (await expectData(office.get(`/invoices/ageing?environment=${environment}`))) as {
        buckets: Record<string, { invoices: number; dueCents: number }>;
      };
      const accounts = await readAllPages('/accounts');
      const outstandingCents = sumOf(accounts, (account) => account[environment].outstandingCents);
      expect(outstandingCents).toBeGreaterThan(0);
      expect(sumOf(Object.values(buckets), ({ dueCents }) => dueCents)).toBe(outstandingCents);
      expect((await expectData(office.get(`/today?environment=${environment}`))).money.outstandingCents).toBe(outstandingCents);
    }
  });

  it('the payments of a month on invoices that are not void are those on the order pages', async () => {
    setStudioTime('2026-08-31T23:59');
    const { paidThisMonth } = await expectData(office.get('/invoices/ageing'));
    const rows = await readAllPages('/invoices', { bucket: 'paidThisMonth' });
    const paid = await Promise.all(
      (await readAllPages('/invoices')).map(async ({ invoiceNumber, state }) => {
        const { payments } = await expectData(office.get(`/invoices/${invoiceNumber}`));
        const counted = payments.filter(
          ({ receivedAt, reversedAt }: { receivedAt: string; reversedAt: string | null }) =>
            reversedAt === null && receivedAt >= '2026-07-31T14:00:00.000Z' && receivedAt < '2026-08-31T14:00:00.000Z',
        );
        return { invoiceNumber, cents: state === 'void' ? 0 : sumOf(counted, ({ amountCents }: { amountCents: number }) => amountCents) };
      }),
    );
    const expected = paid.filter(({ cents }) => cents > 0);
    expect(expected.length).toBeGreaterThan(2);
    expect(paidThisMonth).toEqual({ invoices: expected.length, paidCents: sumOf(expected, ({ cents }) => cents) });
    expect(rows.map(({ invoiceNumber }) => invoiceNumber).toSorted()).toEqual(
      expected.map(({ invoiceNumber }) => invoiceNumber).toSorted(),
    );
  });

  it('a credit-note number finds its order and its invoice, also after a reversal', async () => {
    const notes = await readAllPages('/credit-notes');
    expect(notes).toHaveLength(4);
    for (const { creditNoteNumber, orderId, invoiceNumber } of notes)
      for (const q of [creditNoteNumber, creditNoteNumber.toLowerCase(), ` ${creditNoteNumber} `]) {
        expect((await readAllPages('/orders', { q })).map((found) => found.orderId)).toEqual([orderId]);
        expect((await readAllPages('/invoices', { q })).map((found) => found.invoiceNumber)).toEqual([invoiceNumber]);
      }
    const credited = [...new Set(notes.map(({ invoiceNumber }) => invoiceNumber))].toSorted();
    const listed = (await readAllPages('/invoices', { q: 'CN-' })).map(({ invoiceNumber }) => invoiceNumber);
    expect(listed.toSorted()).toEqual(credited);
    expect(await readAllPages('/invoices', { q: 'TCN-', environment: 'test' })).toEqual([]);
  });

  it('lists name the subject of each row, show reversals, and filter by account and environment', async () => {
    const { july } = placed as Record<'july', PlacedOrder>;
    const payments = await readAllPages('/payments');
    expect(payments.map(({ receivedAt }) => receivedAt)).toEqual(
      payments
        .map(({ receivedAt }) => receivedAt)
        .toSorted()
        .toReversed(),
    );
    const named = (id: string) => payments.find(({ paymentId }) => paymentId === id);
    expect(named('EFT 1')).toMatchObject({ ...july, accountId: museum.accountId, currency: 'AUD', source: 'money', reversedAt: null });
    expect(named('EFT.2/a')).toMatchObject({ accountId: gallery.accountId, orderId: null, invoiceNumber: null, currency: 'AUD' });
    expect(named('typed twice').reversedAt).toBe('2026-08-19T23:00:00.000Z');
    expect(await readAllPages('/payments', { sort: 'oldest' })).toEqual(payments.toReversed());
    expect((await readAllPages('/payments', { environment: 'test' })).map(({ paymentId }) => paymentId)).toEqual(['of test orders']);
    const ofGallery = payments.filter(({ accountId }) => accountId === gallery.accountId);
    expect(await readAllPages('/payments', { accountId: gallery.accountId })).toEqual(ofGallery);
    const recordedOn21 = payments.filter(({ createdAt }) => createdAt >= '2026-08-20T14:00:00.000Z');
    expect(recordedOn21.length).toBeLessThan(payments.length);
    expect(recordedOn21).toContainEqual(named('EFT 4')); // received the day before
    for (const recordedFrom of ['2026-08-21', named('EFT 4').createdAt as string])
      expect(await readAllPages('/payments', { recordedFrom })).toEqual(recordedOn21);

    const notes = await readAllPages('/credit-notes', { sort: 'oldest' });
    expect(notes.map(({ reason, reversalReason }) => [reason, reversalReason])).toEqual([
      ['note of June', 'by mistake'],
      ['note of July', 'by mistake'],
      ['order cancelled', null],
      ['note of October', null],
    ]);
    expect(notes[3]).toMatchObject({ ...july, accountId: museum.accountId, amountCents: 1100, gstCents: 100, currency: 'AUD' });
    expect((await readCsv('/credit-notes')).map((row) => [row.Reason, row['Reversed because']])).toContainEqual([
      'note of June',
      'by mistake',
    ]);
    expect((await readAllPages('/refunds')).map(({ refundId, reversedAt }) => [refundId, reversedAt !== null])).toEqual([
      ['BACK 2', false],
      ['BACK 1', false],
      ['comes back', true],
    ]);
    expect(await readAllPages('/refunds', { accountId: gallery.accountId })).toHaveLength(1);
  });

  it.each([
    ['/payments', 'from=2026-08-21&to=2026-08-20', 'query.from'],
    ['/refunds', 'reversedFrom=2026-08-21&reversedTo=2026-08-20', 'query.reversedFrom'],
    ['/credit-notes', 'from=2026-08-20T00:00:00Z', 'query.from'],
    ['/invoices', 'voidedFrom=2026-08-21&voidedTo=2026-08-20', 'query.voidedFrom'],
  ])('%s?%s is refused', async (path, query, fault) => {
    const reply = await office.get(`${path}?${query}`);
    expect([reply.status, validationPathsOf(reply)]).toEqual([400, [fault]]);
  });
});
