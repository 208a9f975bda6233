import { copyRow } from '../../../support/row-copies';
import { anIdempotencyKeyHeader, aLine, anAddress, uploadArtwork } from '../../../support/baskets';
import { anAccount, aKey, type TestAccount } from '../../../support/accounts';
import type { Reply } from '../../../support/client';
import { useFixture, useService } from '../../../support/fixtures';
import { findOrderById } from '../../../../src/db/repositories/orders';
import { newId } from '../../../../src/security/ids';
import { aToken, validationPathsOf } from './support';

describe('finding orders', () => {
  const service = useService(() => ({ worker: false }));
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor')));
  const office = useFixture(async () => service.studio(await aToken(service, 'office')));
  let gallery: TestAccount;
  let studio: TestAccount;
  /** Placed in sequence. */
  const orders: Record<'siobhan' | 'wang' | 'plain', any> = { siobhan: null, wang: null, plain: null };

  beforeAll(async () => {
    [gallery, studio] = [await anAccount(service.deps.database), await anAccount(service.deps.database)];
    await rename(gallery, 'Küstengalerie', 'orders@kueste.example');
    await rename(studio, 'Inland Studio', 'hello@inland.example');
    orders.siobhan = await placeOrder(
      gallery,
      { name: "Siobhán O'Neill", company: 'Böhm & Söhne, Łódzka Straße', email: 'siobhan@post.example' },
      'PO_50%-7',
    );
    orders.wang = await placeOrder(gallery, { name: '王小明' }, 'ref\\9');
    orders.plain = await placeOrder(studio, {}, 'A-1');
  });

  const rename = ({ accountId }: TestAccount, name: string, email: string) =>
    service.deps.database.run('UPDATE accounts SET name = $2, email = $3 WHERE id = $1', [accountId, name, email]);

  async function placeOrder({ liveKey }: TestAccount, to: Record<string, string>, externalReference: string): Promise<any> {
    const trade = service.trade(liveKey);
    const items = [aLine(await uploadArtwork(trade), { externalReference })];
    const quote = await trade.post('/quotes', { items, shippingAddress: anAddress(to), shippingMethodId: 'studio-collection' });
    const order = await trade.post('/orders', { quoteId: quote.json.data?.quoteId }, anIdempotencyKeyHeader());
    if (order.status !== 201) throw new Error(`order: ${quote.text} ${order.text}`);
    return order.json.data;
  }

  const idsOf = (reply: Reply): string[] => reply.json.data.map(({ orderId }: { orderId: string }) => orderId);
  const searchOrders = async (q: string, more = ''): Promise<string[]> =>
    idsOf(await floor.get(`/orders?q=${encodeURIComponent(q)}${more}`));
  const selectValue = async (text: string): Promise<string> =>
    (await service.deps.database.row<{ value: string }>(`SELECT (${text}) AS value`))?.value ?? '';

  it.each([
    ['a recipient', "o'neill"],
    ['a recipient without accents', 'siobhan o'],
    ['a recipient with accents', 'SIOBHÁN'],
    ['a company', 'bohm & söh'],
    ['letters without accents', 'lodzka strasse'],
    ['the same letters unchanged', 'ŁÓDZKA STRAẞE'],
    ["a recipient's e-mail address", 'siobhan@post'],
    ['a reference with wildcards', 'po_50%'],
  ])('by a part of %s', async (_what, q) => {
    expect(await searchOrders(q)).toEqual([orders.siobhan.orderId]);
  });
  it('by a name in any script, from one character on, and by a reference with a backslash', async () => {
    for (const q of ['王小明', '小明', '王', 'ref\\9']) expect(await searchOrders(q)).toEqual([orders.wang.orderId]);
  });
  it.each(['%%%', '___', 'po_5__', 'po.50', 'ref9', '王明', "o'neale siobhan", "' OR 1=1 --"])('not by %s', async (q) => {
    expect(await searchOrders(q)).toEqual([]);
  });
  describe('as people type', () => {
    let order: any;
    let other: any;
    beforeAll(async () => {
      const account = await anAccount(service.deps.database);
      await rename(account, 'D’Arcy Framing', 'desk@darcy.example');
      order = await placeOrder(
        account,
        {
          name: 'Zoë D’Angelo‑Smith',
          company: 'Bar‐Kochba & Co',
          line1: '217 Rose Street',
          line2: 'Level 2\u00a0Suite 9',
          phone: '+61 (0)412 345 678',
          city: 'Fitzroy',
        },
        'Ref–77/ß',
      );
      other = await placeOrder(account, { name: 'Jo Ann Li', phone: '(03) 9876-5432', line1: '1 Other Road' }, 'PO 84');
      await service.deps.database.run(
        `INSERT INTO payments (order_id, id, account_id, environment, amount_cents, received_at, reference, created_at)
         VALUES ($1, 'bank/4711', $2, 'live', 123450, now(), 'REMITTANCE 0099‑A', now())`,
        [order.orderId, account.accountId],
      );
    });

    it.each(["'", '’', '‘', '‛', '`', '´', 'ʼ', 'ʻ', '′', '＇'])('a name with the apostrophe %s', async (apostrophe) => {
      expect(await searchOrders(`d${apostrophe}angelo`)).toEqual([order.orderId]);
      expect(await searchOrders(`zoe d${apostrophe}arcy`)).toEqual([order.orderId]);
      const accounts = (await office.get(`/accounts?q=${encodeURIComponent(`framing D${apostrophe}Arcy`)}`)).json.data;
      expect(accounts.map(({ name }: { name: string }) => name)).toEqual(['D’Arcy Framing']);
    });
    it.each([...'-‐‑‒–—―−﹣－'])('a name, a company and a reference with the hyphen %s', async (hyphen) => {
      for (const q of [`angelo${hyphen}smith`, `bar${hyphen}kochba`, `ref${hyphen}77`, `0099${hyphen}a`])
        expect(await searchOrders(q)).toEqual([order.orderId]);
    });
    it.each([
      ['words in any order', 'SMITH bar-kochba zoë'],
      ['decomposed accents', 'zoe\u0308'],
      ['full-width letters', 'Ｚｏｅ　ｒｏｓｅ'],
      ['a soft hyphen and marks of the writing direction', 'an\u00adgelo \u202e\u200bzoe'],
      ['the account and the recipient', 'framing zoë'],
      ['the street', '217 rose st'],
      ['the whole address', '217 Rose Street, Level 2 Suite 9, Fitzroy VIC 3000'],
      ['a phone number as stored', '+61 (0)412 345 678'],
      ['a phone number as dialled abroad', '+61412345678'],
      ['a phone number with the prefix of another country', '0061 412 345 678'],
      ['a phone number as dialled at home', '0412 345 678'],
      ['a phone number in brackets', '(0412) 345-678'],
      ['a phone number with the name', 'zoe 0412345678'],
      ['a part of a phone number', '345 678'],
      ['a payment reference', 'remittance 0099-A'],
      ['the id of a payment', 'bank/4711'],
      ['an amount with a comma', '1,234.50'],
      ['an amount without the last zero', '1234.5'],
      ['an amount in dollars', '$1234.50'],
      ['an amount with its currency', 'AUD 1,234.50'],
      ['an amount before its currency', '1234.50 AUD'],
      ['an ß', 'ref-77/ss'],
    ])('%s', async (_what, q) => {
      expect(await searchOrders(q)).toEqual([order.orderId]);
    });
    it.each(['234.50', 'zoe li', "d''angelo", '0412 345 679', '217 rose 84', 'x'.repeat(200), '% _ \\', '’‑—…', '\u3000'])(
      'not by %j',
      async (q) => {
        expect(await searchOrders(q)).toEqual([]);
      },
    );
    it('a phone number without the country, and names of two letters at the start of a word', async () => {
      for (const q of ['03 9876 5432', '+61 3 9876 5432', '(03)98765432', '+61-3-9876-5432', 'li jo', 'ann jo', 'po 84'])
        expect(await searchOrders(q)).toEqual([other.orderId]);
    });
    it('the number of the order with any hyphen or none, also below /orders and for job sheets', async () => {
      const digits = order.orderNumber.slice(2) as string;
      const typed = ['P-', 'p', 'P ', 'p ', 'P‑', 'P–', 'p −', 'P - ', 'P\u00ad', 'Ｐ－'].map((prefix) => prefix + digits);
      for (const q of typed) expect([q, await searchOrders(q)]).toEqual([q, [order.orderId]]);
      expect(await searchOrders(digits)).toContain(order.orderId);
      for (const name of [digits, ...typed]) {
        const { status, json } = await floor.get(`/orders/${encodeURIComponent(name)}`);
        expect([name, status, json.data?.orderId]).toEqual([name, 200, order.orderId]);
      }
      expect((await floor.get(`/orders/${digits.replace('1', '２')}`)).status).toBe(404);
      const sheets = await floor.get(`/job-sheets.pdf?orders=${encodeURIComponent(`P ${digits},${other.orderNumber.slice(2)}`)}`);
      expect([sheets.status, sheets.headers['content-type']]).toEqual([200, 'application/pdf']);
      expect((await floor.get(`/job-sheets.pdf?orders=${encodeURIComponent('P-1\u0000')}`)).status).toBe(400);
    });
    it('the number of an invoice and of its credit note', async () => {
      const { invoiceNumber } = (await floor.get(`/orders/${order.orderId}`)).json.data.invoice;
      const digits = invoiceNumber.slice(4) as string;
      for (const name of [digits, `inv${digits}`, `INV ${digits}`, `INV—${digits}`]) {
        const found = await office.get(`/invoices/${encodeURIComponent(name)}`);
        expect([name, found.status, found.json.data?.invoiceNumber]).toEqual([name, 200, invoiceNumber]);
        const { data } = (await office.get(`/invoices?q=${encodeURIComponent(name)}`)).json;
        expect([name, ...data.map((row: any) => row.invoiceNumber)]).toEqual([name, invoiceNumber]);
      }
    });
    it('rows name the recipient, until it is erased', async () => {
      const { data } = (await floor.get('/orders?q=angelo')).json;
      expect(data).toMatchObject([{ recipientName: 'Zoë D’Angelo‑Smith', lines: [{ externalReference: 'Ref–77/ß' }] }]);
    });
  });
  it('invalid texts are refused', async () => {
    for (const q of ['%00', '', 'a'.repeat(201)]) expect(validationPathsOf(await floor.get(`/orders?q=${q}`))).toEqual(['query.q']);
  });
  it.each([' ', '\u00a0', '\u202e', '\u200b', '\u0301', '\u00ad\u2060', '...', '🖼'])('not by %j, which has no letters', async (q) => {
    expect(await searchOrders(q)).toEqual([]);
  });
  it('by the number of the order or of its invoice, and by the current name of the account', async () => {
    const { orderId, orderNumber } = orders.plain;
    const invoice = await selectValue(`SELECT invoice_number FROM invoices WHERE order_id = '${orderId}'`);
    for (const q of [orderNumber, orderNumber.toLowerCase(), invoice, invoice.slice(1), 'inland stu', 'HELLO@inland'])
      expect(await searchOrders(q)).toEqual([orderId]);
    await rename(studio, 'Bergatelier', 'gruezi@berg.example');
    for (const [q, ids] of [
      ['berga', [orderId]],
      ['gruezi', [orderId]],
      ['inland', []],
    ] as const)
      expect(await searchOrders(q)).toEqual(ids);
  });
  it('by the number of any of its credit notes, at once, in its environment only', async () => {
    const { orderId } = orders.plain;
    expect(await searchOrders('CN-70000')).toEqual([]);
    for (const n of [0, 1]) {
      await service.deps.database.run(
        `INSERT INTO credit_notes (id, credit_note_number, sender_id, order_id, invoice_id, account_id, environment, amount_cents, gst_cents, reason, created_at)
         SELECT 'crn_0' || $2, 'CN-7000' || $2, 'desk-' || $2, order_id, id, account_id, environment, 100, 9, 'scratched', now() FROM invoices WHERE order_id = $1`,
        [orderId, String(n)],
      );
      for (const q of [`CN-7000${n}`, `cn-7000${n}`, `7000${n}`]) expect(await searchOrders(q)).toEqual([orderId]);
    }
    expect(await searchOrders('CN-70000')).toEqual([orderId]);
    expect(await searchOrders('CN-70000', '&environment=test')).toEqual([]);
  });
  it.each(['01 ', '0123456 ', '01 01 01 01 01 x ', 'a '])('%s, repeated to the longest search, is answered', async (words) => {
    expect((await floor.get(`/orders?q=${encodeURIComponent(words.repeat(200).slice(0, 200))}`)).status).toBe(200);
  });
  it('by a whole id of the order, its quote, its invoice or its account', async () => {
    const { orderId } = orders.plain;
    const [quote, invoice] = [
      await selectValue(`SELECT quote_id FROM orders WHERE id = '${orderId}'`),
      await selectValue(`SELECT id FROM invoices WHERE order_id = '${orderId}'`),
    ];
    for (const q of [orderId, quote, invoice, studio.accountId, ` ${orderId} `]) expect(await searchOrders(q)).toEqual([orderId]);
    expect(await searchOrders(newId('ord'))).toEqual([]);
  });
  it('with fewer than three characters only by the start of the number', async () => {
    const all = idsOf(await floor.get('/orders'));
    const { orderNumber } = orders.siobhan; // P-10001, …
    for (const q of ['P', 'p-', 'P-1', '1', '10']) expect(await searchOrders(q)).toEqual(all);
    expect(orderNumber).toMatch(/^P-1/);
    for (const q of ['T', 'T-1', 'Si', '9', '-', 'P-2']) expect(await searchOrders(q)).toEqual([]);
  });
  it('by a tracking number at once, and shipments has the live parcels with it', async () => {
    const { database } = service.deps;
    await database.run(
      `INSERT INTO parcels (order_id, id, position, tracking_number, voided_at, created_at) VALUES
         ($1, 'p', 0, '33XYZ-TRACK', NULL, now()), ($2, 'p', 0, '33XYZ-TRACK', now(), now())`,
      [orders.wang.orderId, orders.plain.orderId],
    );
    expect(await searchOrders('3xyz-t')).toEqual([orders.plain.orderId, orders.wang.orderId]);
    const { data } = (await floor.get('/orders?q=33XYZ-TRACK')).json;
    const numbers = data.map(({ shipments }: { shipments: { trackingNumber: string }[] }) =>
      shipments.map(({ trackingNumber }) => trackingNumber),
    );
    expect(numbers).toEqual([[], ['33XYZ-TRACK']]);
  });
  it('not by erased data, but still by numbers', async () => {
    const account = await anAccount(service.deps.database);
    const order = await placeOrder(account, { name: 'Quentin Forgotten', email: 'q@forget.example' }, 'forget-me');
    await service.deps.database.run(`UPDATE orders SET settled_at = now(), status = 'completed' WHERE id = $1`, [order.orderId]);
    expect(await searchOrders('Forgotten')).toEqual([order.orderId]);
    await service.studio().post(`/accounts/${account.accountId}/erase`, { before: new Date(Date.now() + 60_000).toISOString() });
    for (const q of ['Forgotten', 'forget-me', 'q@forget']) expect(await searchOrders(q)).toEqual([]);
    await service.deps.database.run(
      `INSERT INTO credit_notes (id, credit_note_number, sender_id, order_id, invoice_id, account_id, environment, amount_cents, gst_cents, reason, created_at)
       SELECT 'crn_02', 'CN-70002', 'desk-2', order_id, id, account_id, environment, 100, 9, 'scratched', now() FROM invoices WHERE order_id = $1`,
      [order.orderId],
    );
    for (const q of [order.orderNumber, 'CN-70002', '70002']) expect(await searchOrders(q)).toEqual([order.orderId]);
    expect(await selectValue(`SELECT text FROM order_search WHERE order_id = '${order.orderId}'`)).not.toContain('forg');
  });

  describe('among many', () => {
    const MANY = 3_200;
    /** Some of the cancelled orders have a shipped parcel. */
    const baseOf = (status: string, at: number): string => (status !== 'shipped' ? status : at % 12 === 3 ? 'cancelled' : 'in_production');
    const MIXED = ['received', 'in_production', 'on_hold', 'shipped', 'completed', 'cancelled'];
    let shop: TestAccount;
    /** In the order of storage, newest first. */
    let stored: { id: string; status: string; reference: string; due_date: string }[];

    beforeAll(async () => {
      const { database } = service.deps;
      [shop] = [await anAccount(database)];
      await rename(shop, 'Warehouse', 'many@ware.example');
      const order = await findOrderById(database, orders.plain.orderId);
      const copies = Array.from({ length: MANY }, (_, at) => ({
        id: newId('ord'),
        quote: newId('quo'),
        at: new Date(Date.UTC(2026, 0, 1) + (at >> 1) * 60_000),
        reference: at % 400 === 5 ? `scarce-${at}` : `plenty-${at % 7}`,
        status: MIXED[at % MIXED.length] ?? '',
        due_date: `2026-02-${String(1 + (at % 28)).padStart(2, '0')}`,
      }));
      await copyRow(
        database,
        'quotes',
        order?.quote_id ?? '',
        copies.map(({ quote }) => ({ id: quote, account_id: shop.accountId })),
      );
      await copyRow(
        database,
        'orders',
        orders.plain.orderId,
        copies.map(({ id, quote, at, reference, status, due_date }, n) => ({
          id,
          quote_id: quote,
          account_id: shop.accountId,
          environment: 'test',
          status,
          base_status: baseOf(status, n),
          due_date,
          created_at: at,
          order_number: `T-${9_000_000 + n}`,
          lines: [{ ...order?.lines[0], externalReference: reference }],
        })),
      );
      stored = copies
        .toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))
        .map(({ id, status, reference, due_date }) => ({ id, status, reference, due_date }));
    });

    /** All rows of the list, page by page. */
    async function all(query: string): Promise<string[]> {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null && seen.length < 1_000;) {
        const page: Reply = await floor.get(`/orders?environment=test&limit=100&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...idsOf(page));
        cursor = page.json.nextCursor ?? null;
      }
      return seen;
    }
    type Stored = (typeof stored)[number];
    const expected = (which: (order: Stored) => boolean): string[] => stored.filter(which).map(({ id }) => id);

    it.each<[string, (order: Stored) => boolean]>([
      ['q=scarce', ({ reference }) => reference.startsWith('scarce')],
      ['q=scarce&status=completed', ({ reference, status }) => reference.startsWith('scarce') && status === 'completed'],
      ['q=plenty-3&status=on_hold', ({ reference, status }) => reference === 'plenty-3' && status === 'on_hold'],
      ['q=plenty-3', ({ reference }) => reference === 'plenty-3'],
      ['q=many@ware&status=shipped', ({ status }) => status === 'shipped'],
    ])('%s pages through each once, newest first', async (query, which) => {
      expect(await all(query)).toEqual(expected(which));
    });
    it('an account and a part of a text, beyond the newest thousands', async () => {
      expect(await all(`q=scarce-5&accountId=${shop.accountId}`)).toEqual(expected(({ reference }) => reference === 'scarce-5'));
    });
    it('by due date, earliest first, unshipped orders only, also with a text', async () => {
      const open = ({ status }: Stored) => ['received', 'in_production', 'on_hold'].includes(status);
      const dueSoonest = (which: (order: Stored) => boolean) =>
        stored
          .filter((order) => open(order) && which(order))
          .toSorted((a, b) => (a.due_date === b.due_date ? (a.id < b.id ? -1 : 1) : a.due_date < b.due_date ? -1 : 1))
          .map(({ id }) => id);
      expect(await all('sort=dueDate&dueBefore=2026-02-03')).toEqual(dueSoonest(({ due_date }) => due_date < '2026-02-03'));
      expect(await all('sort=dueDate&dueFrom=2026-02-02&dueBefore=2026-02-03')).toEqual(
        dueSoonest(({ due_date }) => due_date === '2026-02-02'),
      );
      expect(await all('sort=dueDate&q=scarce')).toEqual(dueSoonest(({ reference }) => reference.startsWith('scarce')));
    });
    it('oldest first, also with a text, and a cursor is refused for another sort', async () => {
      const oldest = (which: (order: Stored) => boolean) => expected(which).toReversed();
      expect(await all('sort=oldest&status=on_hold')).toEqual(oldest(({ status }) => status === 'on_hold'));
      expect(await all('sort=oldest&q=scarce')).toEqual(oldest(({ reference }) => reference.startsWith('scarce')));
      const { nextCursor } = (await floor.get('/orders?environment=test&sort=oldest&limit=1')).json;
      for (const sort of ['newest', 'dueDate'])
        expect(validationPathsOf(await floor.get(`/orders?environment=test&sort=${sort}&cursor=${nextCursor}`))).toEqual(['query.cursor']);
      expect(idsOf(await floor.get('/orders?sort=createdAt'))).toEqual(idsOf(await floor.get('/orders?sort=newest')));
    });
    it('late orders are unshipped orders due before today', async () => {
      const late = await all('late=true&sort=dueDate&dueBefore=2026-02-02');
      expect(late).toHaveLength(expected(({ status, due_date }) => due_date < '2026-02-02' && MIXED.indexOf(status) < 3).length);
      expect((await floor.get('/orders?late=true')).json.data).toEqual([]);
    });
    it("statistics count orders by the studio's days and by status, with revenue excluding cancelled orders", async () => {
      const { data } = (await office.get('/stats?environment=test&from=2025-12-31&to=2026-01-02')).json;
      const totalCents = orders.plain.totalCents as number;
      // Melbourne is eleven hours ahead: two orders a minute from 11:00 on.
      const [first, second] = [13 * 60 * 2, MANY - 13 * 60 * 2];
      const count = (from: number, to: number, is: (base: string, status: string) => boolean): number =>
        Array.from({ length: to - from }, (_, n) => [MIXED[(from + n) % MIXED.length] ?? '', from + n] as const).filter(([status, at]) =>
          is(baseOf(status, at), status),
        ).length;
      const cancelled = (from: number, to: number) => count(from, to, (base) => base === 'cancelled');
      expect(data.days).toEqual([
        { date: '2025-12-31', orders: 0, revenueCents: 0 },
        { date: '2026-01-01', orders: first, revenueCents: (first - cancelled(0, first)) * totalCents },
        { date: '2026-01-02', orders: second, revenueCents: (second - cancelled(first, MANY)) * totalCents },
      ]);
      expect(data).toMatchObject({
        timeZone: 'Australia/Melbourne',
        orders: {
          placed: MANY,
          revenueCents: (MANY - cancelled(0, MANY)) * totalCents,
          late: stored.filter(({ status }) => MIXED.indexOf(status) < 3).length,
          byStatus: { cancelled: count(0, MANY, (_base, status) => status === 'cancelled') },
        },
        deliveries: { delivered: 0, deliveredBps: null },
      });
    });
    it('statistics cover the last thirty days by default and at most a year, and from must not be after to', async () => {
      const { data } = (await office.get('/stats')).json;
      expect([data.environment, data.days.length, data.days.at(-1).date]).toEqual(['live', 31, data.to]);
      for (const query of ['from=2025-01-01&to=2026-01-02', 'from=2026-01-02&to=2026-01-01', 'from=2026-02-29'])
        expect(validationPathsOf(await office.get(`/stats?${query}`))).toEqual(['query.from']);
      expect((await office.get('/stats?from=2024-01-01&to=2024-12-31')).json.data.days).toHaveLength(366);
    });
    it('from and to filter by the time of placing', async () => {
      const minutes = await all('from=2026-01-01T00:10:00Z&to=2026-01-01T00:12:00Z');
      expect(minutes).toHaveLength(4);
      expect(minutes).toEqual(stored.slice(-24, -20).map(({ id }) => id));
    });
    it("days are in the studio's time zone, and both are included", async () => {
      expect(await all('from=2026-01-01T12:58:00Z&to=2026-01-01')).toHaveLength(4);
      expect(await all('from=2026-01-02&to=2026-01-01T13:02:00Z')).toHaveLength(4);
      expect(await all('from=2026-01-03&to=2026-01-02')).toEqual([]);
    });
  });

  it('orders that need attention, by code', async () => {
    const { database } = service.deps;
    await database.run(
      `INSERT INTO order_attention (order_id, code, subject, message, raised_at, cleared_at)
       VALUES ($1, 'ARTWORK_MISSING', 's', 'm', now(), NULL), ($2, 'SIGNAL_REFUSED', 's', 'm', now(), NULL), ($3, 'SIGNAL_REFUSED', 's', 'm', now(), now())`,
      [orders.siobhan.orderId, orders.wang.orderId, orders.plain.orderId],
    );
    expect(idsOf(await floor.get('/orders?attention=any'))).toEqual([orders.wang.orderId, orders.siobhan.orderId]);
    expect(idsOf(await floor.get('/orders?attention=SIGNAL_REFUSED'))).toEqual([orders.wang.orderId]);
  });
  it('a cursor keeps its filters and refuses others, and all invalid filters are reported at once', async () => {
    const { nextCursor, data } = (await floor.get('/orders?environment=test&status=shipped&limit=1')).json;
    const next = await floor.get(`/orders?cursor=${nextCursor}&limit=1`);
    expect([next.json.data[0].status, next.json.data[0].orderId === data[0].orderId]).toEqual(['shipped', false]);
    expect(validationPathsOf(await floor.get(`/orders?status=received&cursor=${nextCursor}`))).toEqual(['query.cursor']);
    expect(
      validationPathsOf(
        await floor.get('/orders?from=soon&dueFrom=today&dueBefore=2026-02-30&late=yes&attention=x&sort=price&to=2026-01-01'),
      ),
    ).toEqual(expect.arrayContaining(['query.from', 'query.dueFrom', 'query.dueBefore', 'query.late', 'query.attention', 'query.sort']));
  });

  describe('the other lists', () => {
    const names = (reply: Reply): string[] => reply.json.data.map(({ name }: { name: string }) => name);

    it('accounts by a part of their name, by status, and sorted by name', async () => {
      for (const q of ['küsten', 'KUSTENG', 'orders@kueste', gallery.accountId])
        expect(names(await office.get(`/accounts?q=${encodeURIComponent(q)}`))).toEqual(['Küstengalerie']);
      await office.send('PATCH', `/accounts/${gallery.accountId}`, { status: 'suspended' });
      expect(names(await office.get('/accounts?status=suspended'))).toEqual(['Küstengalerie']);
      await office.send('PATCH', `/accounts/${gallery.accountId}`, { status: 'active' });
      const first = await office.get('/accounts?sort=name&limit=2');
      const rest = await office.get(`/accounts?cursor=${first.json.nextCursor}`);
      const byName = [...names(first), ...names(rest)];
      expect(byName).toEqual(byName.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
      expect(byName.length).toBeGreaterThan(4);
    });
    it('accounts by name continue after the page, also if its last account was renamed', async () => {
      const all = (await office.get('/accounts?sort=name&limit=100')).json.data;
      const first = await office.get('/accounts?sort=name&limit=2');
      const [, last] = first.json.data;
      await office.send('PATCH', `/accounts/${last.id}`, { name: 'ZZZ renamed' });
      const rest = await office.get(`/accounts?limit=100&cursor=${first.json.nextCursor}`);
      await office.send('PATCH', `/accounts/${last.id}`, { name: last.name });
      expect(names(rest).filter((name) => name !== 'ZZZ renamed')).toEqual(all.slice(2).map(({ name }: { name: string }) => name));
    });
    it('accounts by used credit, most first', async () => {
      const { database } = service.deps;
      const accountWithLimit = async (creditLimitCents: number): Promise<TestAccount> => {
        const account = await anAccount(database, { creditLimitCents });
        await placeOrder(account, {}, 'credit');
        return account;
      };
      const [half, little] = [await accountWithLimit(20_000), await accountWithLimit(10_000_000)];
      await anAccount(database, { creditLimitCents: 0 });
      const accountsByCredit = async (query: string): Promise<string[]> =>
        (await office.get(`/accounts?${query}`)).json.data.map(({ id }: { id: string }) => id);
      expect(await accountsByCredit('creditUsedOver=10')).toEqual([half.accountId]);
      expect((await accountsByCredit('sort=creditUsed')).slice(0, 2)).toEqual([half.accountId, little.accountId]);
      const listed: { live: { usedBps: number | null } }[] = (await office.get('/accounts?sort=creditUsed')).json.data;
      const shares = listed.map(({ live }) => live.usedBps ?? -1);
      expect(shares).toEqual(shares.toSorted((a, b) => b - a));
      expect(shares[1]).toBeGreaterThan(0);
      expect(await accountsByCredit(`creditUsedOver=${Math.floor((shares[0] ?? 0) / 100)}`)).toEqual([half.accountId]);
      const { nextCursor } = (await office.get('/accounts?sort=creditUsed&limit=1')).json;
      expect((await accountsByCredit(`cursor=${nextCursor}&limit=1`))[0]).toBe(little.accountId);
      expect(validationPathsOf(await office.get('/accounts?creditUsedOver=1.5'))).toEqual(['query.creditUsedOver']);
    });
    it('an account uses its debt less its credit, so a balanced account uses nothing of its limit', async () => {
      const { database } = service.deps;
      const account = await anAccount(database);
      await placeOrder(account, {}, 'spent');
      const readAccount = async () => (await office.get(`/accounts/${account.accountId}`)).json.data.live;
      const { outstandingCents } = await readAccount();
      await office.send('PATCH', `/accounts/${account.accountId}`, { creditLimitCents: outstandingCents });
      const paid = { paymentId: 'ahead', environment: 'live', amountCents: outstandingCents, invoices: [] };
      expect((await office.post(`/accounts/${account.accountId}/payments`, paid)).status).toBe(200);
      const accountsUsingOver = async (percent: number): Promise<string[]> =>
        (await office.get(`/accounts?creditUsedOver=${percent}&sort=creditUsed`)).json.data.map(({ id }: { id: string }) => id);
      const half = Math.floor(outstandingCents / 2);
      expect(await readAccount()).toEqual({
        outstandingCents,
        creditCents: outstandingCents,
        availableCents: outstandingCents,
        usedBps: 0,
      });
      expect(await accountsUsingOver(0)).not.toContain(account.accountId);
      const back = { refundId: 'half', environment: 'live', amountCents: half };
      expect((await office.post(`/accounts/${account.accountId}/refunds`, back)).status).toBe(200);
      const usedBps = Math.floor((half * 10_000) / outstandingCents);
      expect(await readAccount()).toMatchObject({ availableCents: outstandingCents - half, usedBps });
      expect(await accountsUsingOver(Math.floor((usedBps - 1) / 100))).toContain(account.accountId);
      expect(await accountsUsingOver(Math.ceil(usedBps / 100))).not.toContain(account.accountId);
    });
    it('the audit log by actor, action, subject and time, with failed sign-ins and refused roles', async () => {
      const admin = service.studio();
      await aKey(service.deps.database, gallery.accountId);
      const { id } = (await office.post('/accounts', { name: 'Audited', email: 'a@example.com' })).json.data;
      expect((await floor.get('/tokens')).status).toBe(403);
      expect((await service.studio(`lps_${'0'.repeat(64)}`).get('/orders')).status).toBe(401);
      const auditActions = async (query: string): Promise<string[]> =>
        (await admin.get(`/audit?${query}`)).json.data.map(({ action }: { action: string }) => action);
      expect(await auditActions(`subject=${id}`)).toEqual(['account.create']);
      expect(await auditActions('actor=the%20floor&limit=1')).toEqual(['role.refused']);
      expect(await auditActions('action=sign-in.failed')).toEqual(['sign-in.failed']);
      const [{ actor, at }] = (await admin.get(`/audit?subject=${id}`)).json.data;
      expect(await auditActions(`actor=${actor.tokenId}&action=account.create&from=${at}`)).toEqual(['account.create']);
      expect(await auditActions(`actor=${actor.tokenId}&action=account.create&to=${at}`)).toEqual([]);
    });
  });
});
