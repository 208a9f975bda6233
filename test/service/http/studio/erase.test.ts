import { readdir } from 'node:fs/promises';
import { request } from 'undici';
import { lockAccount } from '../../../../src/db/repositories/accounts';
import { eraseJsonText } from '../../../../src/domain/personal-data';
import { orderMailIds } from '../../../../src/mail/order-mails';
import { newId } from '../../../../src/security/ids';
import { anIdempotencyKeyHeader, aLine, anAddress, aQuote, placeOrder } from '../../../support/baskets';
import { anAccount } from '../../../support/accounts';
import { anEndpoint } from '../../../support/endpoints';
import type { HttpClient } from '../../../support/client';
import { useService } from '../../../support/fixtures';
import { waitFor } from '../../../support/wait-for';

const PERSONAL_DATA = {
  name: 'Wilhelmina Q',
  company: 'Quuxworks',
  line1: '77 Zebra Parade',
  line2: 'Flat Yellow',
  city: 'Wagga Quux',
  postcode: '2650',
  state: 'NSW-Q',
  email: 'wilhelmina@quux.example',
  phone: '0400 987 654',
};
const PERSONAL_TEXTS = {
  reference: 'REF-HUSH-1',
  orderReference: 'PO-HUSH-1',
  quoteReference: 'PO-HUSH-2',
  newOrderReference: 'PO-HUSH-3',
  metadata: 'gift of aunt Philippa',
  metadataKey: 'philippa',
  newName: 'Wilhelmina R',
  newReference: 'REF-HUSH-2',
  newInstructions: 'under the doormat',
  instructions: 'behind the aspidistra',
  note: 'she rang about her dog',
  staffNote: 'her dog is called Basil',
  tracking: 'TRACK-HUSH-9',
  filename: 'wilhelmina-nude.jpg',
  excerpt: 'dear Wilhelmina',
  hold: 'which of the two aspidistras',
  signedBy: 'Philomena Quux',
};
const FAR_FUTURE = '2999-01-01';

describe('POST /studio/v1/accounts/{id}/erase', () => {
  const service = useService();

  const sql = <T = Record<string, unknown>>(text: string, parameters: unknown[] = []): Promise<T[]> =>
    service.deps.database.rows(text, parameters);
  const eraseAccount = (accountId: string, body: object = { before: FAR_FUTURE }) =>
    service.studio().post(`/accounts/${accountId}/erase`, body);
  const nothing = { dryRun: false, orders: 0, quotes: 0, artwork: 0, mails: 0, notes: 0, complete: true };

  /** All data of PostgreSQL as text. */
  async function dumpDatabase(): Promise<string> {
    const tables = await sql<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
    const contents = await Promise.all(
      tables.map(async ({ name }) => JSON.stringify(await sql(`SELECT to_jsonb(t) AS row FROM "${name}" t`))),
    );
    return contents.join('\n');
  }

  async function artwork(trade: HttpClient, filename = PERSONAL_TEXTS.filename): Promise<{ url: string; key: string; uploadUrl: string }> {
    const { data } = (await trade.post('/uploads', { filename, contentType: 'image/jpeg', sizeBytes: 10 })).json;
    const put = await request(data.uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: Buffer.alloc(10, 7) });
    expect(put.statusCode).toBe(200);
    return { url: data.url, key: data.key, uploadUrl: data.uploadUrl };
  }

  /** An order with personal data in every field that can hold it. */
  async function anOrderOf(account: Awaited<ReturnType<typeof anAccount>>, urls: string[], { settled = true } = {}) {
    const trade = service.trade(account.liveKey);
    const { quoteId } = await aQuote(trade, {
      items: urls.map((url) => aLine(url, { externalReference: PERSONAL_TEXTS.reference })),
      shippingAddress: anAddress(PERSONAL_DATA),
      whiteLabel: false,
      reference: PERSONAL_TEXTS.quoteReference,
      metadata: { [PERSONAL_TEXTS.metadataKey]: PERSONAL_TEXTS.metadata },
    });
    const key = anIdempotencyKeyHeader();
    const instructions = { specialInstructions: PERSONAL_TEXTS.instructions, reference: PERSONAL_TEXTS.orderReference };
    const placed = await placeOrder(trade, quoteId, key, instructions);
    expect(placed.status).toBe(201);
    const { orderId } = placed.json.data;
    const change = {
      shippingAddress: { ...anAddress(PERSONAL_DATA), name: PERSONAL_TEXTS.newName },
      lines: [{ line: 0, externalReference: PERSONAL_TEXTS.newReference }],
      reference: PERSONAL_TEXTS.newOrderReference,
      specialInstructions: PERSONAL_TEXTS.newInstructions,
    };
    expect((await trade.send('PATCH', `/orders/${orderId}`, change, anIdempotencyKeyHeader())).status).toBe(200);
    const post = (path: string, body: object) => service.studio().post(`/orders/${orderId}/${path}`, body);
    await post('notes', { noteId: 'n1', text: PERSONAL_TEXTS.staffNote });
    await post('milestones', { milestoneId: 'm1', type: 'production_started', note: PERSONAL_TEXTS.note });
    if (settled) {
      await post('milestones', { milestoneId: 'h1', type: 'held', reason: PERSONAL_TEXTS.hold });
      await post('milestones', { milestoneId: 'h2', type: 'released' });
      await post('parcels', {
        parcelId: 'p1',
        trackingNumber: PERSONAL_TEXTS.tracking,
        carrier: 'Post',
        trackingUrl: `https://post.example/${PERSONAL_TEXTS.tracking}`,
      });
      await service.deps.temporal.client.workflow
        .getHandle(`order/${orderId}`)
        .signal('milestone', { milestoneId: 'bad', type: 'teleported', note: PERSONAL_TEXTS.note });
      await waitFor(
        'the refusal',
        async () => (await sql(`SELECT 1 FROM order_timeline WHERE order_id = $1 AND outcome = 'refused'`, [orderId])).length > 0,
      );
      await post('attention/SIGNAL_REFUSED/resolve', { note: PERSONAL_TEXTS.note });
      await post('milestones', { milestoneId: 'm0', type: 'printed' });
      await post('milestones/m0/correct', { reason: PERSONAL_TEXTS.note });
      await post('milestones', { milestoneId: 'm2', type: 'completed', note: PERSONAL_TEXTS.note, signedBy: PERSONAL_TEXTS.signedBy });
    }
    await waitFor('the confirmation, the events about issues and the mark of the workflow', () =>
      service.deps.database.row(
        `SELECT 1 FROM orders WHERE id = $1 AND confirmation_sent_at IS NOT NULL AND workflow_checked_at IS NOT NULL
          AND id NOT IN (SELECT order_id FROM issue_checks)`,
        [orderId],
      ),
    );
    await sql(
      `INSERT INTO order_messages (id, order_id, content, credential_id, request_id, created_at) VALUES ($1, $2, $3, 'tok_0', 'req_0', now())`,
      [newId('msg'), orderId, { type: 'held', milestoneId: 'interrupted', note: PERSONAL_TEXTS.note }],
    );
    await sql(
      `INSERT INTO webhook_attempts (delivery_id, endpoint_id, chain, number, trigger, at, ok, timings, reply_excerpt)
      SELECT id, endpoint_id, 1, 1, 'resend', now(), false, '{}', $2 FROM webhook_deliveries WHERE order_id = $1`,
      [orderId, PERSONAL_TEXTS.excerpt],
    );
    await sql(
      `INSERT INTO order_attention (order_id, code, subject, message, raised_at, note) VALUES ($1, 'CONFIRMATION_FAILED', 's', $2, now(), $3)`,
      [orderId, `no such user ${PERSONAL_DATA.email}`, PERSONAL_TEXTS.note],
    );
    return { orderId, quoteId, trade, again: () => placeOrder(trade, quoteId, key, instructions) };
  }

  it('replaces all customer data of a settled order in every table and the artwork store, and keeps amounts, numbers and the audit log', async () => {
    const account = await anAccount(service.deps.database);
    await anEndpoint(service.deps.database, account.accountId, 'https://receiver.invalid/', 'live');
    const trade = service.trade(account.liveKey);
    const { url, key } = await artwork(trade);
    const { orderId, quoteId, again } = await anOrderOf(account, [url]);
    for (const prefix of orderMailIds(orderId))
      await service.deps.mailer.send({ id: `${prefix}1`, to: PERSONAL_DATA.email, subject: 'Your order', text: 'It is ready.' });
    const before = (await trade.get(`/orders/${orderId}`)).json.data;
    const seen = (await service.studio().get(`/orders/${orderId}`)).json.data;
    const [{ count: auditRows }] = (await sql<{ count: number }>('SELECT count(*)::int AS count FROM audit_log')) as [{ count: number }];

    expect((await eraseAccount(account.accountId, { before: FAR_FUTURE, dryRun: true })).json.data).toEqual({
      dryRun: true,
      orders: 1,
      quotes: 0,
      artwork: 1,
      mails: 0,
      notes: 0,
    });
    expect((await trade.get(`/orders/${orderId}`)).json.data).toEqual(before);
    const erased = await eraseAccount(account.accountId);
    expect(erased.json.data).toEqual({ dryRun: false, orders: 1, quotes: 0, artwork: 1, mails: 0, notes: 0, complete: true });

    const kept = await dumpDatabase();
    const isStored = (secret: string): boolean => new RegExp(`(?<!\\w)${secret}(?!\\w)`).test(kept); // random ids may contain a postcode
    expect([...Object.values(PERSONAL_DATA), ...Object.values(PERSONAL_TEXTS)].filter(isStored)).toEqual([]);
    expect(await service.deps.storage.stat(key, null)).toBeNull();
    expect((await readdir(service.deps.config.mailOutboxDir)).filter((name) => name.includes(orderId))).toEqual([]);

    for (const filter of ['reference', 'externalReference'])
      expect((await trade.get(`/orders?${filter}=%5Berased%5D`)).json.data).toEqual([]);
    const after = (await trade.get(`/orders/${orderId}`)).json.data;
    expect(after).toEqual(JSON.parse(eraseJsonText(JSON.stringify(before))));
    expect(after).toMatchObject({
      orderNumber: before.orderNumber,
      totalCents: before.totalCents,
      status: 'shipped',
      shipments: [{ carrier: 'Post', trackingNumber: '[erased]', trackingUrl: null }],
    });
    expect((await trade.get(`/quotes/${quoteId}`)).status).toBe(200);
    const job = (await service.studio().get(`/orders/${orderId}`)).json.data;
    expect(job.job.shippingAddress).toEqual({
      name: '[erased]',
      company: '[erased]',
      line1: '[erased]',
      line2: '[erased]',
      city: '[erased]',
      state: '[erased]',
      postcode: '[erased]',
      country: 'AU',
      phone: '[erased]',
      email: '[erased]',
    });
    expect(job).toMatchObject({
      invoice: seen.invoice,
      erasedAt: expect.any(String),
      job: { specialInstructions: '[erased]', lines: [{ artworkUrl: null, selections: seen.job.lines[0].selections }] },
    });
    expect(job.timeline.map(({ note }: { note: string | null }) => note)).toEqual([
      null,
      '[erased]',
      null,
      null,
      null,
      '[erased]',
      null,
      null,
      '[erased]',
    ]);
    expect(job.timeline[2]).toMatchObject({ type: 'held', reason: '[erased]' });
    expect(job.timeline[7]).toMatchObject({ corrects: 'm0', reason: '[erased]' });

    expect(await sql('SELECT actor, action, subject, after FROM audit_log ORDER BY id OFFSET $1', [auditRows])).toEqual([
      {
        actor: expect.any(String),
        action: 'account.erase',
        subject: account.accountId,
        after: { before: '2999-01-01T00:00:00.000Z', orders: 1, quotes: 0, artwork: 1, mails: 0, notes: 0 },
      },
    ]);

    expect((await eraseAccount(account.accountId)).json.data).toEqual(nothing);
    expect(await sql('SELECT 1 FROM audit_log OFFSET $1', [auditRows])).toHaveLength(1);

    // Repeats are still recognized.
    const replay = await again();
    expect([replay.status, replay.headers['idempotent-replayed'], replay.json.data.orderId]).toEqual([201, 'true', orderId]);
    const told = await service
      .studio()
      .post(`/orders/${orderId}/milestones`, { milestoneId: 'm2', type: 'completed', note: PERSONAL_TEXTS.note });
    expect(told.status).toBe(200);
    expect(
      (await service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'm2', type: 'completed', note: 'other' })).json.error
        ?.code,
    ).toBe('MILESTONE_ID_REUSED');
    await service.deps.temporal.client.workflow
      .getHandle(`order/${orderId}`)
      .signal('milestone', { milestoneId: 'bad', type: 'teleported', note: PERSONAL_TEXTS.note });
    await service.deps.temporal.client.workflow.getHandle(`order/${orderId}`).query('orderState'); // the workflow has processed it
    expect(await sql(`SELECT 1 FROM order_timeline WHERE order_id = $1 AND outcome = 'refused'`, [orderId])).toHaveLength(1);
    expect((await eraseAccount(account.accountId)).json.data).toEqual(nothing);

    // Later rows are found again.
    await service.studio().post(`/orders/${orderId}/attention/CONFIRMATION_FAILED/resolve`, { note: PERSONAL_TEXTS.note });
    expect((await eraseAccount(account.accountId)).json.data).toEqual({ ...nothing, orders: 1 });
    expect(await dumpDatabase()).not.toContain(PERSONAL_TEXTS.note);
    expect((await eraseAccount(account.accountId)).json.data).toEqual(nothing);
  });

  it('does not change open orders, open quotes, younger orders, other accounts and their artwork', async () => {
    const [account, other] = [await anAccount(service.deps.database), await anAccount(service.deps.database)];
    const trade = service.trade(account.liveKey);
    const [shared, quoted, own] = [await artwork(trade), await artwork(trade), await artwork(trade)];
    const settled = await anOrderOf(account, [shared.url, quoted.url, own.url]);
    const open = await anOrderOf(account, [shared.url], { settled: false });
    const openQuote = await aQuote(trade, { items: [aLine(quoted.url)], shippingAddress: anAddress(PERSONAL_DATA) });
    const stranger = await anOrderOf(other, [(await artwork(service.trade(other.liveKey))).url]);
    const kept = () =>
      sql(
        `SELECT to_jsonb(q) AS quote, to_jsonb(o) AS "order" FROM quotes q LEFT JOIN orders o ON o.quote_id = q.id WHERE q.id = ANY ($1) ORDER BY q.id`,
        [[open.quoteId, openQuote.quoteId, stranger.quoteId]],
      );
    const before = await kept();

    expect((await eraseAccount(account.accountId, { before: '2020-01-01T00:00:00Z' })).json.data).toEqual(nothing);
    expect((await eraseAccount(account.accountId)).json.data).toEqual({
      dryRun: false,
      orders: 1,
      quotes: 0,
      artwork: 1,
      mails: 0,
      notes: 0,
      complete: true,
    });
    expect(await kept()).toEqual(before);
    const stored = await Promise.all([shared, quoted, own].map(({ key }) => service.deps.storage.stat(key, null)));
    expect(stored.map((stat) => stat !== null)).toEqual([true, true, false]);
    expect((await trade.post('/quotes', { items: [aLine(own.url)], shippingAddress: anAddress() })).json.error?.code).toBe(
      'ARTWORK_NOT_ALLOWED',
    );
    expect((await trade.post('/quotes', { items: [aLine(shared.url)], shippingAddress: anAddress() })).json.error?.code).toBe(
      'SHIPPING_UNAVAILABLE',
    );

    // After the open order has settled, no remaining order uses its artwork.
    await service.studio().post(`/orders/${open.orderId}/milestones`, { milestoneId: 'c', type: 'cancelled' });
    expect((await eraseAccount(account.accountId)).json.data).toMatchObject({ orders: 1, artwork: 1 });
    expect(await service.deps.storage.stat(shared.key, null)).toBeNull();
    expect((await eraseAccount(account.accountId, { before: FAR_FUTURE, dryRun: true })).json.data).toEqual({
      dryRun: true,
      orders: 0,
      quotes: 0,
      artwork: 0,
      mails: 0,
      notes: 0,
    });
    expect(settled.orderId).not.toBe(open.orderId);
  });

  it('erases replaced artwork of the order too, unless an open quote uses it', async () => {
    const account = await anAccount(service.deps.database);
    const trade = service.trade(account.liveKey);
    const [first, second, third, quoted] = [await artwork(trade), await artwork(trade), await artwork(trade), await artwork(trade)];
    const { orderId } = await placeOrder(trade, (await aQuote(trade, { items: [aLine(first.url), aLine(quoted.url)] })).quoteId).then(
      ({ json }) => json.data,
    );
    for (const [line, { url }] of [
      [0, second],
      [0, third],
      [1, third],
    ] as const)
      expect((await trade.post(`/orders/${orderId}/lines/${line}/artwork`, { imageUrl: url })).status).toBe(200);
    const { quoteId } = await aQuote(trade, { items: [aLine(quoted.url)] });
    await service.studio().post(`/orders/${orderId}/milestones`, { milestoneId: 'c', type: 'cancelled' });

    expect((await eraseAccount(account.accountId, { before: FAR_FUTURE, dryRun: true })).json.data).toMatchObject({
      orders: 1,
      artwork: 3,
      mails: 0,
    });
    expect((await eraseAccount(account.accountId)).json.data).toEqual({
      dryRun: false,
      orders: 1,
      quotes: 0,
      artwork: 3,
      mails: 0,
      notes: 0,
      complete: true,
    });
    const stored = await Promise.all([first, second, third, quoted].map(({ key }) => service.deps.storage.stat(key, null)));
    expect(stored.map((stat) => stat !== null)).toEqual([false, false, false, true]);
    expect(
      await sql('SELECT url FROM uploads WHERE account_id = $1 AND filename = $2', [account.accountId, PERSONAL_TEXTS.filename]),
    ).toEqual([{ url: quoted.url }]);
    await sql(`UPDATE quotes SET expires_at = now() - interval '1 minute' WHERE id = $1`, [quoteId]);
    expect((await eraseAccount(account.accountId)).json.data).toMatchObject({ quotes: 1, artwork: 1, mails: 0 });
    expect((await eraseAccount(account.accountId)).json.data).toEqual(nothing);
  });

  it('erases expired quotes without an order too, and they still read as expired', async () => {
    const account = await anAccount(service.deps.database);
    const trade = service.trade(account.testKey);
    const { url, key } = await artwork(trade);
    const { quoteId } = await aQuote(trade, {
      items: [aLine(url, { externalReference: PERSONAL_TEXTS.reference })],
      shippingAddress: anAddress(PERSONAL_DATA),
    });
    await sql(`UPDATE quotes SET expires_at = now() - interval '1 minute' WHERE id = $1`, [quoteId]);
    expect((await eraseAccount(account.accountId)).json.data).toEqual({
      dryRun: false,
      orders: 0,
      quotes: 1,
      artwork: 1,
      mails: 0,
      notes: 0,
      complete: true,
    });
    expect(JSON.stringify(await sql('SELECT * FROM quotes WHERE id = $1', [quoteId]))).not.toMatch(/Wilhelmina|HUSH|quux/);
    expect(await service.deps.storage.stat(key, null)).toBeNull();
    expect((await trade.get(`/quotes/${quoteId}`)).json.data.quoteId).toBe(quoteId);
    expect((await placeOrder(trade, quoteId)).json.error?.code).toBe('QUOTE_EXPIRED');
    expect((await eraseAccount(account.accountId)).json.data).toEqual(nothing);
  });

  it('the next erasure covers later messages to an erased order', async () => {
    const account = await anAccount(service.deps.database);
    const { orderId } = await anOrderOf(account, [(await artwork(service.trade(account.liveKey))).url]);
    await eraseAccount(account.accountId);
    await service.studio().send('DELETE', `/orders/${orderId}/parcels/p1`);
    await service.studio().post(`/orders/${orderId}/parcels`, { parcelId: 'p2', trackingNumber: PERSONAL_TEXTS.tracking });
    expect((await eraseAccount(account.accountId)).json.data).toMatchObject({ orders: 1 });
    expect(
      (await sql(`SELECT tracking_number FROM parcels WHERE order_id = $1`, [orderId])).map(({ tracking_number }) => tracking_number),
    ).toEqual(['[erased]', '[erased]']);
    expect((await eraseAccount(account.accountId)).json.data).toEqual(nothing);
  });

  it('locks the account before the order, like every change of money', async () => {
    const account = await anAccount(service.deps.database);
    const { accountId } = account;
    const { orderId } = await anOrderOf(account, [(await artwork(service.trade(account.liveKey))).url]);
    let erased: ReturnType<typeof eraseAccount> | undefined;
    await service.deps.database.transaction(async (tx) => {
      await lockAccount(tx, accountId);
      erased = eraseAccount(accountId);
      await waitFor('the erasure waits for the account', () =>
        service.deps.database.row(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM accounts a WHERE a.id%'`,
        ),
      );
      await tx.run('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE NOWAIT', [orderId]);
    });
    expect((await erased)?.json.data).toMatchObject({ orders: 1 });
  });

  it('the bytes of erased artwork cannot be sent again through a URL that is still valid', async () => {
    const account = await anAccount(service.deps.database);
    const { url, key, uploadUrl } = await artwork(service.trade(account.liveKey));
    await anOrderOf(account, [url]);
    expect((await eraseAccount(account.accountId)).json.data).toMatchObject({ orders: 1, artwork: 1 });
    const put = await request(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: Buffer.alloc(10, 7) });
    expect(put.statusCode).toBe(404);
    expect(await service.deps.storage.stat(key, null)).toBeNull();
  });

  it('the next erasure completes one that was interrupted before the bytes were deleted', async () => {
    const account = await anAccount(service.deps.database);
    const { url, key } = await artwork(service.trade(account.liveKey));
    await sql('UPDATE uploads SET erasure_started_at = now(), erased_at = now() WHERE url = $1', [url]); // as a killed process leaves it
    expect((await eraseAccount(account.accountId)).json.data).toEqual({ ...nothing, artwork: 1 });
    expect(await service.deps.storage.stat(key, null)).toBeNull();
  });

  it('requires an admin, an existing account and a valid time', async () => {
    const office = (await service.studio().post('/tokens', { name: 'office', role: 'office' })).json.data.token;
    const { accountId } = service.account;
    expect((await service.studio(office).post(`/accounts/${accountId}/erase`, { before: FAR_FUTURE })).status).toBe(403);
    expect((await eraseAccount('acc_0123456789abcdef')).status).toBe(404);
    for (const body of [{}, { before: 'yesterday' }, { before: '2026-02-30' }, { before: 5 }, { before: FAR_FUTURE, dryrun: true }]) {
      const refused = await eraseAccount(accountId, body);
      expect([refused.status, refused.json.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });
});
