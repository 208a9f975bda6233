import type { Environment } from '../../../../src/domain/limits';
import { aQuote, placeOrder } from '../../../support/baskets';
import type { Reply } from '../../../support/client';
import { copyQuote } from '../../../support/row-copies';
import { useFixture, useService } from '../../../support/fixtures';
import { aTrader, type Trader } from '../support';
import { aToken, validationPathsOf } from './support';

const DAY_MS = 24 * 3_600_000;
/** Noon in Melbourne, where summer time ended on 5 April. */
const NOON = new Date('2026-04-13T02:00:00Z');

interface Invoice {
  number: string;
  accountId: string;
  environment: Environment;
  dueAt: Date;
  amountCents: number;
  paidCents: number;
  creditedCents: number;
  isVoid: boolean;
}

interface Payment {
  invoice: Invoice;
  cents: number;
  receivedAt: Date;
  isReversed: boolean;
}

type ListedInvoice = { invoiceNumber: string; dueCents: number; dueAt: string };
type Totals = { invoices: number; dueCents: number };
const BUCKETS = ['current', 'days1To30', 'days31To60', 'days61Plus'] as const;

const localDay = (time: Date): string => time.toLocaleDateString('en-CA', { timeZone: 'Australia/Melbourne' });

describe('the ageing of invoices', () => {
  const service = useService(() => ({ worker: false, clock: { now: () => now }, env: { RATE_LIMIT_FACTOR: '100' } }));
  const office = useFixture(async () => service.studio(await aToken(service, 'office')));
  let quoteId: string;
  let now = NOON;
  let gallery: Trader;
  let museum: Trader;
  const invoices: Invoice[] = [];
  const payments: Payment[] = [];

  const sql = <T = unknown>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows<T>(text, parameters);

  beforeAll(async () => {
    quoteId = (await aQuote(service.trade(service.account.testKey))).quoteId;
    [gallery, museum] = [await aTrader(service), await aTrader(service)];
    await createInvoices();
    await createInvoice(gallery, 'test', NOON, { paid: 400 });
    await createPayments();
  });

  async function createInvoice(
    { accountId, ...trader }: Trader,
    environment: Environment,
    dueAt: Date,
    figures: { amount?: number; paid?: number; credited?: number; isVoid?: boolean } = {},
  ): Promise<Invoice> {
    const { amount = 1000 + invoices.length, paid = 0, credited = 0, isVoid = false } = figures;
    const changes = { account_id: accountId, environment, expires_at: '2027-01-01T00:00:00Z' };
    const [copy = ''] = await copyQuote(service.deps.database, quoteId, 1, changes);
    const reply = await placeOrder(service.trade(trader[`${environment}Key`]), copy);
    if (reply.status !== 201) throw new Error(reply.text);
    const [row] = await sql<{ invoice_number: string }>(
      `UPDATE invoices SET due_at = $2, amount_cents = $3, paid_cents = $4, credited_cents = $5, voided_at = $6 WHERE order_id = $1 RETURNING invoice_number`,
      [reply.json.data.orderId, dueAt, amount, paid, credited, isVoid ? NOON : null],
    );
    const invoice: Invoice = {
      number: row?.invoice_number ?? '',
      accountId,
      environment,
      dueAt,
      amountCents: amount,
      paidCents: paid,
      creditedCents: credited,
      isVoid,
    };
    invoices.push(invoice);
    return invoice;
  }

  /** Invoices due on both sides of each bucket's edge, at the first and last moment of a day, in every state. */
  async function createInvoices(): Promise<void> {
    for (const daysAgo of [-400, -1, 0, 1, 30, 31, 60, 61, 400]) {
      const midnight = melbourneMidnight(localDay(new Date(NOON.getTime() - daysAgo * DAY_MS)));
      const lastMoment = new Date(melbourneMidnight(localDay(new Date(midnight.getTime() + 1.5 * DAY_MS))).getTime() - 1);
      await createInvoice(gallery, 'live', midnight);
      await createInvoice(museum, 'live', lastMoment);
      await createInvoice(gallery, 'test', lastMoment);
      await createInvoice(gallery, 'live', midnight, { paid: 400 });
      await createInvoice(gallery, 'live', lastMoment, { credited: 300 });
      await createInvoice(museum, 'live', midnight, { amount: 900, paid: 200, credited: 699 });
      await createInvoice(museum, 'live', midnight, { amount: 900, paid: 200, credited: 700 });
      await createInvoice(gallery, 'live', midnight, { amount: 900, credited: 900 });
      await createInvoice(gallery, 'live', midnight, { amount: 900, paid: 1000 });
      await createInvoice(gallery, 'live', midnight, { isVoid: true });
    }
  }

  /** Payments at the edges of April, reversed or not, for an invoice in each state. */
  async function createPayments(): Promise<void> {
    const live = invoices.filter(({ environment }) => environment === 'live');
    const paid = live.filter(({ paidCents, creditedCents }) => paidCents > 0 && creditedCents === 0);
    const voided = live.find(({ isVoid }) => isVoid) as Invoice;
    const ofTest = invoices.find(({ environment, paidCents }) => environment === 'test' && paidCents > 0) as Invoice;
    const [first, second, third, fourth] = paid as [Invoice, Invoice, Invoice, Invoice];
    const begin = melbourneMidnight('2026-04-01');
    const end = melbourneMidnight('2026-05-01');
    const before = (time: Date): Date => new Date(time.getTime() - 1);
    for (const [invoice, cents, receivedAt, isReversed] of [
      [first, 100, before(begin), false],
      [second, 10, begin, false],
      [second, 20, NOON, false],
      [third, 40, before(end), false],
      [fourth, 80, end, false],
      [first, 1000, NOON, true],
      [voided, 2000, NOON, false],
      [ofTest, 4000, NOON, false],
    ] as const)
      await addPayment({ invoice, cents, receivedAt, isReversed });
    await addPayment({ invoice: paid[4] as Invoice, cents: 160, receivedAt: NOON, isReversed: false }, 'acp_01');
    await addPayment({ invoice: paid[5] as Invoice, cents: 320, receivedAt: before(begin), isReversed: false }, 'acp_02');
    await addPayment({ invoice: first, cents: 640, receivedAt: NOON, isReversed: true }, 'acp_03');
  }

  async function addPayment(payment: Payment, accountPaymentId: string | null = null): Promise<void> {
    const { invoice, cents, receivedAt, isReversed } = payment;
    const reversedAt = isReversed ? NOON : null;
    if (accountPaymentId !== null)
      await sql(
        `INSERT INTO account_payments (id, account_id, environment, payment_id, source, amount_cents, unapplied_cents, received_at, digest, created_at, reversed_at)
         VALUES ($1, $2, $3, $1, 'money', $4, 0, $5, '', $6, $7)`,
        [accountPaymentId, invoice.accountId, invoice.environment, cents, receivedAt, NOON, reversedAt],
      );
    await sql(
      `INSERT INTO payments (order_id, id, account_id, environment, account_payment_id, amount_cents, received_at, created_at, reversed_at)
       SELECT order_id, $2, account_id, environment, $3, $4, $5, $6, $7 FROM invoices WHERE invoice_number = $1`,
      [invoice.number, `p-${payments.length}`, accountPaymentId, cents, receivedAt, NOON, reversedAt],
    );
    payments.push(payment);
  }

  /** The first moment of a day: summer time ends on 5 April 2026 and begins on the first Sunday of October. */
  function melbourneMidnight(day: string): Date {
    const candidates = ['+11:00', '+10:00'].map((offset) => new Date(`${day}T00:00:00${offset}`));
    const found = candidates.find((time) => localDay(time) === day && localDay(new Date(time.getTime() - 1)) !== day);
    if (found === undefined) throw new Error(`${day} has no midnight`);
    return found;
  }

  const dueCents = ({ amountCents, paidCents, creditedCents, isVoid }: Invoice): number =>
    isVoid ? 0 : Math.max(0, amountCents - paidCents - creditedCents);

  function bucketOf(invoice: Invoice): (typeof BUCKETS)[number] | null {
    if (dueCents(invoice) === 0) return null;
    const daysOverdue = (Date.parse(localDay(now)) - Date.parse(localDay(invoice.dueAt))) / DAY_MS;
    if (daysOverdue <= 0) return 'current';
    if (daysOverdue <= 30) return 'days1To30';
    return daysOverdue <= 60 ? 'days31To60' : 'days61Plus';
  }

  /** Every scope of the endpoint with the invoices in it. */
  const scopes = (): [query: string, isIn: (invoice: Invoice) => boolean][] => [
    ['', ({ environment }) => environment === 'live'],
    ['environment=live', ({ environment }) => environment === 'live'],
    ['environment=test', ({ environment }) => environment === 'test'],
    [`accountId=${gallery.accountId}`, ({ environment, accountId }) => environment === 'live' && accountId === gallery.accountId],
    [`accountId=${museum.accountId}`, ({ environment, accountId }) => environment === 'live' && accountId === museum.accountId],
    [
      `environment=test&accountId=${gallery.accountId}`,
      ({ environment, accountId }) => environment === 'test' && accountId === gallery.accountId,
    ],
    [`environment=test&accountId=${museum.accountId}`, () => false],
  ];

  const totalsOf = (listed: Invoice[]): Totals => ({
    invoices: listed.length,
    dueCents: listed.reduce((sum, invoice) => sum + dueCents(invoice), 0),
  });

  async function listAll(query: string): Promise<ListedInvoice[]> {
    const listed: ListedInvoice[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { json }: Reply = await office.get(`/invoices?limit=7&${cursor === '' ? query : `cursor=${cursor}`}`);
      listed.push(...json.data);
      cursor = json.nextCursor ?? null;
    }
    return listed;
  }

  it.each([
    ['noon', NOON],
    ['the first moment of the day', new Date('2026-04-12T14:00:00.000Z')],
    ['the last moment of the day', new Date('2026-04-13T13:59:59.999Z')],
    ['the next day', new Date('2026-04-13T14:00:00.000Z')],
    ['the last day of summer time', new Date('2026-04-04T12:00:00Z')],
    ['the day on which summer time ends', new Date('2026-04-04T16:30:00Z')],
  ])('counts each unpaid invoice in the bucket of its due day at %s, and the list has the same invoices', async (_name, at) => {
    now = at;
    const used = new Set<string>();
    for (const [query, isIn] of scopes()) {
      const { data } = (await office.get(`/invoices/ageing?${query}`)).json;
      expect([data.environment, data.date]).toEqual([query.includes('test') ? 'test' : 'live', localDay(at)]);
      expect(Object.keys(data.buckets)).toEqual(BUCKETS);
      for (const bucket of BUCKETS) {
        const expected = invoices.filter((invoice) => isIn(invoice) && bucketOf(invoice) === bucket);
        if (expected.length > 0) used.add(bucket);
        expect(data.buckets[bucket]).toEqual(totalsOf(expected));
        const listed = await listAll(`bucket=${bucket}&${query}`);
        expect(listed.map(({ invoiceNumber }) => invoiceNumber).toSorted()).toEqual(expected.map(({ number }) => number).toSorted());
        expect(listed.reduce((sum, row) => sum + row.dueCents, 0)).toBe(data.buckets[bucket].dueCents);
      }
    }
    expect([...used].toSorted()).toEqual([...BUCKETS].toSorted());
  });

  it.each([
    ['in April', NOON, '2026-04'],
    ['at the first moment of May', new Date('2026-04-30T14:00:00.000Z'), '2026-05'],
    ['at the last moment of March', new Date('2026-03-31T12:59:59.999Z'), '2026-03'],
  ])('counts the invoices that were paid this month, %s, and the list has the same invoices', async (_name, at, month) => {
    now = at;
    for (const [query, isIn] of scopes()) {
      const received = payments.filter(
        ({ invoice, receivedAt, isReversed }) => isIn(invoice) && !invoice.isVoid && !isReversed && localDay(receivedAt).startsWith(month),
      );
      const numbers = [...new Set(received.map(({ invoice }) => invoice.number))];
      expect((await office.get(`/invoices/ageing?${query}`)).json.data.paidThisMonth).toEqual({
        invoices: numbers.length,
        paidCents: received.reduce((sum, { cents }) => sum + cents, 0),
      });
      for (const sort of ['newest', 'dueDate'])
        expect((await listAll(`bucket=paidThisMonth&sort=${sort}&${query}`)).map(({ invoiceNumber }) => invoiceNumber).toSorted()).toEqual(
          numbers.toSorted(),
        );
    }
  });

  it('a bucket combines with the other filters and is the same in the CSV file', async () => {
    now = NOON;
    const expected = (isIn: (invoice: Invoice) => boolean): string[] =>
      invoices
        .filter((invoice) => invoice.environment === 'live' && isIn(invoice))
        .map(({ number }) => number)
        .toSorted();
    const numbers = async (query: string) => (await listAll(query)).map(({ invoiceNumber }) => invoiceNumber).toSorted();
    expect(await numbers('bucket=current&overdue=true')).toEqual([]);
    expect(await numbers('bucket=days1To30&overdue=true')).toEqual(expected((invoice) => bucketOf(invoice) === 'days1To30'));
    expect(await numbers('bucket=days31To60&state=paid')).toEqual([]);
    const isUntouched = ({ paidCents, creditedCents }: Invoice) => paidCents + creditedCents === 0;
    expect(await numbers('bucket=days31To60&state=open')).toEqual(
      expected((invoice) => bucketOf(invoice) === 'days31To60' && isUntouched(invoice)),
    );
    const csv = (await office.get('/invoices.csv?bucket=days61Plus&sort=dueDate')).text.trim().split('\r\n').slice(1);
    expect(csv.map((line) => line.split(',')[0]?.replaceAll('"', '')).toSorted()).toEqual(
      expected((invoice) => bucketOf(invoice) === 'days61Plus'),
    );
    const dueTimes = (await listAll('bucket=days61Plus&sort=dueDate')).map(({ dueAt }) => dueAt);
    expect(dueTimes).toEqual(dueTimes.toSorted());
  });

  it.each([
    ['state=open'],
    ['state=paid'],
    ['overdue=true'],
    ['q=INV-1000'],
    ['q=gallery'],
    ['from=2026-04-01&to=2026-04-13'],
    ['voidedFrom=2026-01-01'],
    ['state=part_paid&q=INV-'],
  ])('counts the invoices that the list has with the same filters: %s', async (filter) => {
    now = NOON;
    for (const scope of ['', `accountId=${gallery.accountId}`, 'environment=test']) {
      const query = `${filter}&${scope}`;
      const { buckets, paidThisMonth } = (await office.get(`/invoices/ageing?${query}`)).json.data;
      for (const bucket of BUCKETS) {
        const listed = await listAll(`bucket=${bucket}&${query}`);
        expect(buckets[bucket]).toEqual({ invoices: listed.length, dueCents: listed.reduce((sum, row) => sum + row.dueCents, 0) });
      }
      expect(paidThisMonth.invoices).toBe((await listAll(`bucket=paidThisMonth&${query}`)).length);
    }
  });

  it('a month of 28, 30 or 31 days ends at its own end', async () => {
    for (const [day, month] of [
      ['2026-02-10', '2026-02'],
      ['2026-06-30', '2026-06'],
      ['2026-12-31', '2026-12'],
    ] as const) {
      now = new Date(melbourneMidnight(day).getTime() + 3_600_000);
      const first = invoices.find(({ environment, paidCents }) => environment === 'live' && paidCents > 0) as Invoice;
      const nextMonth = localDay(new Date(Date.parse(`${month}-01T00:00:00Z`) + 32 * DAY_MS)).slice(0, 7);
      const next = melbourneMidnight(`${nextMonth}-01`);
      await addPayment({ invoice: first, cents: 7, receivedAt: new Date(next.getTime() - 1), isReversed: false });
      await addPayment({ invoice: first, cents: 9, receivedAt: next, isReversed: false });
      expect((await office.get('/invoices/ageing')).json.data.paidThisMonth).toEqual({ invoices: 1, paidCents: 7 });
    }
  });

  it('unknown values are refused, and the floor cannot read it', async () => {
    expect(validationPathsOf(await office.get('/invoices/ageing?environment=both&accountId=gallery'))).toEqual([
      'query.environment',
      'query.accountId',
    ]);
    expect(validationPathsOf(await office.get('/invoices?bucket=days61'))).toEqual(['query.bucket']);
    expect((await service.studio(await aToken(service, 'floor')).get('/invoices/ageing')).status).toBe(403);
  });
});
