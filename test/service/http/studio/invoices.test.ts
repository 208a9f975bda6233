import type { Sql } from '../../../../src/db/database';
import { countInvoicesByAge, listInvoices, type InvoiceListFilter } from '../../../../src/db/repositories/invoices';
import { ageingPeriods } from '../../../../src/domain/pricing/invoice-ageing';
import { toInvoiceFigures, INVOICE_STATES, invoiceState, UNPAID_STATES } from '../../../../src/domain/ledger';
import { aTrader, type Trader } from '../support';
import { anOrder } from '../../../support/baskets';
import { useFixture, useService } from '../../../support/fixtures';
import { aToken, validationPathsOf } from './support';

/** The service's time: a Monday in Melbourne, where summer time ends on 5 April 2026. */
const NOW = new Date('2026-04-13T02:00:00Z');
/** The start of that Monday in Melbourne. */
const TODAY = new Date('2026-04-12T14:00:00Z');

describe('invoices', () => {
  const service = useService(() => ({ worker: false, clock: { now: () => NOW } }));
  const office = useFixture(async () => service.studio(await aToken(service, 'office')));
  const trader = useFixture(() => aTrader(service));

  const sql = <T = unknown>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows<T>(text, parameters);

  /** Creates a test order's invoice with these changes. */
  async function anInvoice(
    owner: Trader,
    changes: Record<string, unknown> = {},
  ): Promise<{ id: string; number: string; orderNumber: string }> {
    const { orderId, orderNumber } = await anOrder(owner.trade);
    const sets = Object.keys(changes).map((name, at) => `, ${name} = $${at + 2}`);
    const [found] = await sql<{ id: string; invoice_number: string }>(
      `UPDATE invoices SET order_id = order_id${sets.join('')} WHERE order_id = $1 RETURNING id, invoice_number`,
      [orderId, ...Object.values(changes)],
    );
    return { id: found?.id ?? '', number: found?.invoice_number ?? '', orderNumber };
  }
  const fetchInvoices = async (query: string) => (await office.get(`/invoices?environment=test&${query}`)).json;
  const listInvoiceNumbers = async (query: string): Promise<string[]> =>
    (await fetchInvoices(query)).data.map(({ invoiceNumber }: { invoiceNumber: string }) => invoiceNumber);

  it('is due at the same local time of the studio, also after a change to daylight saving time', async () => {
    const other = await aTrader(service);
    await sql('UPDATE accounts SET payment_terms_days = 180 WHERE id = $1', [other.accountId]);
    const { id } = await anInvoice(other);
    // Noon in Melbourne on 13 April, and on 10 October, during summer time.
    expect((await office.get(`/invoices/${id}`)).json.data).toMatchObject({
      issuedAt: NOW.toISOString(),
      dueAt: '2026-10-10T01:00:00.000Z',
    });
  });

  it('is found by its id and by its number, with its order, due amount, payments and credit notes', async () => {
    const { id, number, orderNumber } = await anInvoice(trader, {
      paid_cents: 500,
      credited_cents: 100,
      amount_cents: 1000,
      gst_cents: 91,
    });
    await sql(
      `INSERT INTO payments (order_id, id, amount_cents, received_at, reference, created_at, account_id, environment)
       SELECT order_id, 'p-1', 500, $2, 'EFT', $2, account_id, environment FROM invoices WHERE id = $1`,
      [id, NOW],
    );
    await sql(
      `INSERT INTO credit_notes (id, credit_note_number, sender_id, order_id, invoice_id, account_id, environment, amount_cents, gst_cents, reason, created_at)
       SELECT 'crn_01', 'TCN-7', 'desk-1', order_id, id, account_id, environment, 100, 9, 'scratched', $2 FROM invoices WHERE id = $1`,
      [id, NOW],
    );
    const [byId, byNumber] = [await office.get(`/invoices/${id}`), await office.get(`/invoices/${number}`)];
    expect(byNumber.json).toEqual(byId.json);
    expect(byId.json.data).toMatchObject({
      invoiceId: id,
      invoiceNumber: number,
      orderNumber,
      accountId: trader.accountId,
      accountName: 'Gallery North',
      environment: 'test',
      currency: 'AUD',
      amountCents: 1000,
      gstCents: 91,
      paidCents: 500,
      creditedCents: 100,
      dueCents: 400,
      state: 'part_paid',
      overdue: false,
      payments: [{ paymentId: 'p-1', amountCents: 500, reference: 'EFT', reversedAt: null }],
      creditNotes: [{ creditNoteNumber: 'TCN-7', amountCents: 100, gstCents: 9, reason: 'scratched' }],
    });
  });

  it.each(['INV-1', 'TINV-999999', 'inv_00', 'inv_', 'P-10001', 'nonsense', '%00', 'x'.repeat(80)])(
    '%s is 404 if it does not exist',
    async (named) => {
      expect((await office.get(`/invoices/${named}`)).json.error?.code).toBe('NOT_FOUND');
    },
  );

  it('are filtered by state, account and overdue, and a void invoice is never due', async () => {
    const owner = await aTrader(service);
    const past = { due_at: new Date(TODAY.getTime() - 1) };
    const all = {
      open: await anInvoice(owner),
      late: await anInvoice(owner, past),
      part: await anInvoice(owner, { ...past, paid_cents: 1 }),
      paid: await anInvoice(owner, { ...past, amount_cents: 5, paid_cents: 5 }),
      credited: await anInvoice(owner, { ...past, amount_cents: 5, credited_cents: 5 }),
      void: await anInvoice(owner, { ...past, voided_at: NOW }),
    };
    const of = async (query: string) => (await listInvoiceNumbers(`accountId=${owner.accountId}&${query}`)).toSorted();
    const expected = (...names: (keyof typeof all)[]) => names.map((name) => all[name].number).toSorted();
    expect(await of('')).toEqual(expected('open', 'late', 'part', 'paid', 'credited', 'void'));
    expect(await of('state=open')).toEqual(expected('open', 'late'));
    expect(await of('state=part_paid')).toEqual(expected('part'));
    expect(await of('state=paid')).toEqual(expected('paid'));
    expect(await of('state=credited')).toEqual(expected('credited'));
    expect(await of('state=void')).toEqual(expected('void'));
    expect(await of('overdue=true')).toEqual(expected('late', 'part'));
    expect(await of('overdue=true&state=part_paid')).toEqual(expected('part'));
    expect(await of('overdue=true&state=paid')).toEqual([]);
    const shown = (await fetchInvoices(`accountId=${owner.accountId}&state=void`)).data;
    expect(shown).toMatchObject([{ dueCents: 0, overdue: false, voidedAt: NOW.toISOString() }]);
    expect(await listInvoiceNumbers('state=paid')).toContain(all.paid.number);
  });

  it("is overdue after its printed due date in the studio's time zone, at any time of day", async () => {
    const owner = await aTrader(service);
    const [late, today, tomorrow] = [
      await anInvoice(owner, { due_at: new Date(TODAY.getTime() - 1) }),
      await anInvoice(owner, { due_at: TODAY }),
      await anInvoice(owner, { due_at: new Date(TODAY.getTime() + 24 * 3_600_000) }),
    ];
    const readInvoice = async ({ number }: { number: string }) => (await office.get(`/invoices/${number}`)).json.data;
    expect(await readInvoice(late)).toMatchObject({ dueDate: '2026-04-12', overdue: true });
    expect(await readInvoice(today)).toMatchObject({ dueDate: '2026-04-13', overdue: false });
    expect(await readInvoice(tomorrow)).toMatchObject({ dueDate: '2026-04-14', overdue: false });
    const query = `accountId=${owner.accountId}&overdue=true`;
    expect(await listInvoiceNumbers(query)).toEqual([late.number]);
    const csv = (await office.get(`/invoices.csv?environment=test&accountId=${owner.accountId}&sort=dueDate`)).text;
    const rows = csv
      .trim()
      .split('\r\n')
      .map((row) => row.split(','));
    const cells = (name: string) => rows.slice(1).map((row) => row[rows[0]?.indexOf(`"${name}"`) ?? -1]?.replaceAll('"', ''));
    expect([cells('Due'), cells('Overdue')]).toEqual([
      ['2026-04-12', '2026-04-13', '2026-04-14'],
      ['yes', 'no', 'no'],
    ]);
  });

  it('test invoices are listed only on request', async () => {
    const owner = await aTrader(service);
    await anInvoice(owner);
    expect((await office.get(`/invoices?accountId=${owner.accountId}`)).json.data).toEqual([]);
    expect((await office.get(`/invoices?accountId=${owner.accountId}&environment=live`)).json.data).toEqual([]);
  });

  it("from and to are days in the studio's time zone, both included, also with 25 hours", async () => {
    const owner = await aTrader(service);
    // Sunday 5 April begins at 13:00 UTC the day before, and ends 25 hours later.
    const at = async (issued_at: string) => (await anInvoice(owner, { issued_at })).number;
    const [before, first, last, after] = [
      await at('2026-04-04T12:59:59.999Z'),
      await at('2026-04-04T13:00:00.000Z'),
      await at('2026-04-05T13:59:59.999Z'),
      await at('2026-04-05T14:00:00.000Z'),
    ];
    const of = (query: string) => listInvoiceNumbers(`accountId=${owner.accountId}&${query}`);
    expect(await of('from=2026-04-05&to=2026-04-05')).toEqual([last, first]);
    expect(await of('to=2026-04-04')).toEqual([before]);
    expect(await of('from=2026-04-06')).toEqual([after]);
  });

  it('pages are newest first without gaps for any states, and a cursor is valid for its filters', async () => {
    const owner = await aTrader(service);
    const made: string[] = [];
    for (let day = 1; day <= 7; day += 1) {
      const changes = { issued_at: `2026-03-0${Math.ceil(day / 2)}T00:00:00Z`, voided_at: day % 2 === 0 ? NOW : null };
      made.push((await anInvoice(owner, changes)).id);
    }
    const read: { invoiceId: string; issuedAt: string }[] = [];
    let cursor = '';
    do {
      const page = await fetchInvoices(`accountId=${owner.accountId}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      read.push(...page.data);
      cursor = page.nextCursor ?? '';
    } while (cursor !== '');
    expect(read.map(({ invoiceId }) => invoiceId).toSorted()).toEqual(made.toSorted());
    const keys = read.map(({ issuedAt, invoiceId }) => `${issuedAt} ${invoiceId}`);
    expect(keys).toEqual(keys.toSorted().toReversed());
    const other = await fetchInvoices(`accountId=${owner.accountId}&limit=2`);
    const reply = await office.get(`/invoices?environment=test&state=void&cursor=${other.nextCursor}`);
    expect([reply.status, validationPathsOf(reply)]).toEqual([400, ['query.cursor']]);
  });

  it('are sorted by due date or by the largest outstanding amount, of unpaid invoices by default', async () => {
    const owner = await aTrader(service);
    const due = (day: number) => ({ due_at: `2026-05-0${day}T00:00:00Z` });
    const [first, second, paid] = [
      await anInvoice(owner, { ...due(2), paid_cents: 400 }),
      await anInvoice(owner, { ...due(1), paid_cents: 500 }),
      await anInvoice(owner, { ...due(3), amount_cents: 5, paid_cents: 5 }),
    ].map(({ number }) => number);
    const pages = async (query: string): Promise<string[]> => {
      const page = await fetchInvoices(`accountId=${owner.accountId}&limit=1&${query}`);
      const rest = page.nextCursor === null ? { data: [] } : (await office.get(`/invoices?cursor=${page.nextCursor}`)).json;
      return [...page.data, ...rest.data].map(({ invoiceNumber }) => invoiceNumber);
    };
    expect(await pages('sort=dueDate')).toEqual([second, first]);
    expect(await pages('sort=outstanding')).toEqual([first, second]);
    expect(await pages('sort=dueDate&state=paid')).toEqual([paid]);
    expect(await pages('sort=oldest')).toEqual((await pages('sort=newest')).toReversed());
    const refused = await office.get('/invoices?sort=price');
    expect(refused.json.error?.details).toMatchObject({
      issues: [{ path: 'query.sort', message: 'must be one of newest, oldest, dueDate, outstanding' }],
    });
  });

  it.each([
    ['state=late', 'query.state'],
    ['overdue=false', 'query.overdue'],
    ['from=2026-02-30', 'query.from'],
    ['from=2026-02-01T00:00:00Z', 'query.from'],
    ['to=tomorrow', 'query.to'],
    ['from=2026-03-02&to=2026-03-01', 'query.from'],
    ['accountId=acc', 'query.accountId'],
    ['status=open', 'query.status'],
  ])('?%s is refused', async (query, path) => {
    const reply = await office.get(`/invoices?${query}`);
    expect([reply.status, validationPathsOf(reply)]).toEqual([400, [path]]);
  });

  it('are found by the start of their number or of their order number, in their environment', async () => {
    const owner = await aTrader(service);
    const made = [await anInvoice(owner), await anInvoice(owner), await anInvoice(owner)];
    const search = async (q: string, environment = 'test'): Promise<string[]> => {
      const reply = await office.get(`/invoices?environment=${environment}&accountId=${owner.accountId}&q=${encodeURIComponent(q)}`);
      return reply.json.data.map(({ invoiceNumber }: { invoiceNumber: string }) => invoiceNumber).toSorted();
    };
    const numbers = made.map(({ number }) => number);
    for (const { number, orderNumber } of made) {
      const figures = number.replace('TINV-', '');
      for (const q of [number, number.toLowerCase(), ` ${number} `, `TINV${figures}`, figures, orderNumber, orderNumber.toLowerCase()])
        expect([q, await search(q)]).toEqual([q, [number]]);
      expect(await search(number, 'live')).toEqual([]);
      const start = number.slice(0, -1);
      expect([start, await search(start)]).toEqual([start, numbers.filter((other) => other.startsWith(start)).toSorted()]);
      expect(await search(`${number}0`)).toEqual([]);
    }
    for (const q of ['TINV-', 'TINV', 'tinv-1', '1', 'T-']) expect([q, await search(q)]).toEqual([q, numbers.toSorted()]);
    for (const q of ['INV-1', 'P-1', 'CN-1', 'TCN-1', 'Gallery', '%', '1%', 'TINV-1 OR', '-1', '~', 'TINV-9']) {
      expect([q, await search(q)]).toEqual([q, []]);
    }
    const csv = (await office.get(`/invoices.csv?environment=test&q=${numbers[1]}`)).text.trim().split('\r\n').slice(1);
    expect(csv.map((line) => line.split(',')[0])).toEqual([`"${numbers[1]}"`]);
  });

  it('the floor cannot read invoices', async () => {
    const floor = service.studio(await aToken(service, 'floor'));
    expect([(await floor.get('/invoices')).status, (await floor.get('/invoices/INV-1')).status]).toEqual([403, 403]);
  });

  it('lists filter by the shown state after any payment, credit note or void', async () => {
    const { id } = await anInvoice(await aTrader(service));
    for (const amount of [0, 2])
      for (const paid of [0, 1, 2])
        for (const credited of [0, 1, 2])
          for (const voidedAt of [null, NOW]) {
            const [stored] = await sql<Parameters<typeof toInvoiceFigures>[0] & { state: string }>(
              `UPDATE invoices SET amount_cents = $2, paid_cents = $3, credited_cents = $4, voided_at = $5 WHERE id = $1
               RETURNING amount_cents, paid_cents, credited_cents, voided_cents, voided_at, state`,
              [id, amount, paid, credited, voidedAt],
            );
            if (stored === undefined) throw new Error('the invoice is gone');
            expect(stored.state).toBe(invoiceState(toInvoiceFigures(stored)));
          }
  });

  const ALL: InvoiceListFilter = {
    environment: 'test',
    accountId: null,
    states: INVOICE_STATES,
    issuedFrom: null,
    issuedBefore: null,
    dueFrom: null,
    dueBefore: null,
    paidIn: null,
    number: null,
    voidedFrom: null,
    voidedBefore: null,
    sort: 'newest',
  };

  it('a list reads at most one page of each state by an index', async () => {
    const owner = await aTrader(service);
    const { id } = await anInvoice(owner);
    await insertInvoices(id, 4000);
    const { accountId } = owner;
    const [issuedFrom, issuedBefore] = [new Date('2026-01-02T00:00:00Z'), new Date('2026-01-03T00:00:00Z')];
    for (const filter of [
      ALL,
      { ...ALL, accountId },
      { ...ALL, states: ['credited' as const] },
      { ...ALL, accountId, states: UNPAID_STATES, dueBefore: NOW },
      { ...ALL, issuedFrom, issuedBefore },
      { ...ALL, states: UNPAID_STATES, dueFrom: issuedFrom, dueBefore: NOW, sort: 'dueDate' as const },
      { ...ALL, number: { of: 'invoice' as const, start: 'TINV-1000007' } },
      { ...ALL, number: { of: 'invoice' as const, start: 'TINV-' } },
      ...(['oldest', 'dueDate', 'outstanding'] as const).flatMap((sort) => [
        { ...ALL, sort },
        { ...ALL, sort, states: UNPAID_STATES },
      ]),
    ]) {
      for (const after of [null, { createdAt: new Date(filter.sort === 'outstanding' ? 900 : '2026-01-20T00:00:00Z'), id: 'inv_7' }]) {
        const { rows, scans } = await explainInvoices((watched) => listInvoices(watched, filter, { limit: 26, after }));
        expect(rows).toBeLessThanOrEqual(INVOICE_STATES.length * 26);
        expect(scans).not.toContain('Seq Scan');
      }
    }
  });

  it('the ageing reads only unpaid invoices, by an index', async () => {
    const { rows, scans } = await explainInvoices((watched) =>
      countInvoicesByAge(watched, ALL, {
        periods: ageingPeriods({ timeZone: 'Australia/Melbourne', today: '2026-04-13' }),
        paidIn: { from: TODAY, before: NOW },
      }),
    );
    const [unpaid] = await sql<{ count: number }>(
      `SELECT count(*)::int FROM invoices WHERE environment = 'test' AND state IN ('open', 'part_paid')`,
    );
    expect(unpaid?.count).toBeGreaterThan(80);
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBe(unpaid?.count);
  });

  /** Copies of the invoice's order, most of them paid, a minute apart from 1 January on, so none is new. */
  async function insertInvoices(invoiceId: string, count: number): Promise<void> {
    for (const [table, fields] of [
      ['quotes', `jsonb_build_object('id', 'quo_' || to_hex(n))`],
      ['orders', `jsonb_build_object('id', 'ord_' || to_hex(n), 'quote_id', 'quo_' || to_hex(n), 'order_number', 'T-copy-' || n)`],
    ] as const)
      await sql(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(t, ${fields})).* FROM ${table} t, generate_series(1, $2::int) n
          WHERE t.id = (SELECT ${table === 'orders' ? 'o.id' : 'o.quote_id'} FROM invoices i JOIN orders o ON o.id = i.order_id WHERE i.id = $1)`,
        [invoiceId, count],
      );
    await sql(
      `INSERT INTO invoices (id, invoice_number, order_id, account_id, environment, amount_cents, gst_cents, paid_cents, buyer, issued_at, due_at)
       SELECT 'inv_' || to_hex(n), 'TINV-' || (1000000 + n), 'ord_' || to_hex(n), i.account_id, i.environment, 1000, 91,
              CASE WHEN n % 50 = 0 THEN 0 ELSE 1000 END, i.buyer, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute', '2026-02-01T00:00:00Z'
         FROM invoices i, generate_series(1, $2::int) n WHERE i.id = $1`,
      [invoiceId, count],
    );
    await sql('ANALYZE invoices');
  }

  /** The scans of the table of invoices, and their number of rows, from EXPLAIN ANALYZE. */
  async function explainInvoices(read: (sql: Sql) => Promise<unknown>): Promise<{ rows: number; scans: string[] }> {
    let scans: PlanNode[] = [];
    const watched = {
      rows: async <T>(text: string, parameters?: unknown[]): Promise<T[]> => {
        const [plan] = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, parameters);
        scans = plan === undefined ? [] : scansOf(plan['QUERY PLAN'][0].Plan);
        return [];
      },
      one: async () => ({}),
    } as unknown as Sql;
    await read(watched);
    expect(scans).not.toEqual([]);
    return {
      scans: scans.map((scan) => scan['Node Type']),
      rows: scans.reduce((sum, scan) => sum + (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'], 0),
    };
  }
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

function scansOf(node: PlanNode): PlanNode[] {
  return [...(node['Relation Name'] === 'invoices' ? [node] : []), ...(node.Plans ?? []).flatMap(scansOf)];
}
