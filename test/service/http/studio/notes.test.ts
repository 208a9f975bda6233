import { anEndpoint } from '../../../support/endpoints';
import { anAccount } from '../../../support/accounts';
import { anOrder } from '../../../support/baskets';
import type { HttpClient } from '../../../support/client';
import { useFixture, useSharedService } from '../../../support/fixtures';
import { expectRefusal, expectValidationPaths, sql } from '../support';
import { aToken, findAuditEntries, sendMilestone } from './support';

describe('notes', () => {
  const service = useSharedService();
  const floor = useFixture(async () => service.studio(await aToken(service, 'floor', { name: 'Fred Floor' })));
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Olive Office' })));
  let accountId: string;
  let trade: HttpClient;
  let order: any;
  beforeAll(async () => {
    const account = await anAccount(service.deps.database);
    accountId = account.accountId;
    trade = service.trade(account.liveKey);
    await anEndpoint(service.deps.database, accountId, 'https://receiver.invalid/', 'live');
  });
  beforeEach(async () => void (order = await anOrder(trade)));

  const textsOf = async (studio: HttpClient, path: string): Promise<string[]> =>
    (await studio.get(path)).json.data.map(({ text }: { text: string }) => text);

  it.each(['order', 'account'] as const)('on an %s list pinned ones first, then the newest, with author and time', async (of) => {
    const path = of === 'order' ? `/orders/${order.orderId}/notes` : `/accounts/${accountId}/notes`;
    const subject = of === 'order' ? order.orderId : accountId;
    const added = await office.post(path, { noteId: 'a', text: ' first\nline ' });
    expect([added.status, added.json.data]).toEqual([
      201,
      { noteId: 'a', text: ' first\nline ', author: 'Olive Office', pinned: false, createdAt: expect.stringMatching(/Z$/) },
    ]);
    await office.post(path, { noteId: 'b', text: 'second', pinned: true });
    await office.post(path, { noteId: 'c', text: 'third' });
    expect(await textsOf(office, path)).toEqual(['second', 'third', ' first\nline ']);
    expect((await office.send('PATCH', `${path}/a`, { pinned: true })).json.data).toMatchObject({ noteId: 'a', pinned: true });
    expect((await office.send('PATCH', `${path}/b`, { pinned: false })).json.data).toMatchObject({ noteId: 'b', pinned: false });
    expect(await textsOf(office, path)).toEqual([' first\nline ', 'third', 'second']);
    expect((await office.send('DELETE', `${path}/c`)).json.data).toMatchObject({ text: 'third' });
    expect(await textsOf(office, path)).toEqual([' first\nline ', 'second']);
    for (const method of ['PATCH', 'DELETE'] as const)
      expectRefusal(await office.send(method, `${path}/c`, method === 'PATCH' ? { pinned: true } : undefined), 404, 'NOT_FOUND');

    const entries = await findAuditEntries(service, subject);
    expect(entries.map(({ action, after }) => [action, after?.noteId ?? null, after?.pinned ?? null])).toEqual([
      ['note.add', 'a', false],
      ['note.add', 'b', true],
      ['note.add', 'c', false],
      ['note.pin', 'a', true],
      ['note.pin', 'b', false],
      ['note.delete', null, null],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/first|second|third/);
    for (const { noteId } of (await office.get(path)).json.data) await office.send('DELETE', `${path}/${noteId}`);
  });

  it('are added once for each id, also at once', async () => {
    const path = `/orders/${order.orderNumber}/notes`;
    const replies = await Promise.all(Array.from({ length: 6 }, () => floor.post(path, { noteId: 'same', text: 'call Ada' })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(replies.map(({ json }) => JSON.stringify(json.data))).size).toBe(1);
    expectRefusal(await floor.post(path, { noteId: 'same', text: 'call Bob' }), 409, 'NOTE_ID_REUSED');
    expect(await textsOf(floor, path)).toEqual(['call Ada']);
    expect((await floor.post(`/orders/${(await anOrder(trade)).orderId}/notes`, { noteId: 'same', text: 'call Bob' })).status).toBe(201);
  });

  it('are for the floor on orders, and for the office on accounts', async () => {
    const note = { noteId: 'x', text: 'x' };
    expect((await floor.post(`/orders/${order.orderId}/notes`, note)).status).toBe(201);
    expect((await floor.send('DELETE', `/orders/${order.orderId}/notes/x`)).status).toBe(200);
    expectRefusal(await floor.post(`/accounts/${accountId}/notes`, note), 403, 'FORBIDDEN');
    expectRefusal(await floor.get(`/accounts/${accountId}/notes`), 403, 'FORBIDDEN');
    for (const path of ['/orders/ord_00/notes', '/orders/x/notes', '/accounts/acc_00/notes']) {
      expectRefusal(await office.get(path), 404, 'NOT_FOUND');
      expectRefusal(await office.post(path, note), 404, 'NOT_FOUND');
    }
  });

  it.each<[string, object, string[]]>([
    ['no text', { noteId: 'x' }, ['text']],
    ['an empty text', { noteId: 'x', text: '' }, ['text']],
    ['a long text', { noteId: 'x', text: 'x'.repeat(2001) }, ['text']],
    ['no id', { text: 'x' }, ['noteId']],
    ['another field', { noteId: 'x', text: 'x', pined: true }, ['pined']],
  ])('with %s are refused', async (_what, body, paths) => {
    expectValidationPaths(await floor.post(`/orders/${order.orderId}/notes`, body), paths);
  });

  it('are at most 200 on an order', async () => {
    await sql(
      service,
      `INSERT INTO notes (order_id, note_id, text, author, pinned, created_at) SELECT $1, n, 'x', 'x', false, now() FROM generate_series(1, 199) n`,
      [order.orderId],
    );
    const path = `/orders/${order.orderId}/notes`;
    const replies = await Promise.all(['a', 'b', 'c'].map((noteId) => floor.post(path, { noteId, text: noteId })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expectRefusal(await floor.post(path, { noteId: 'd', text: 'd' }), 409, 'NOTE_LIMIT');
    await floor.send('DELETE', `${path}/1`);
    expect((await floor.post(path, { noteId: 'd', text: 'd' })).status).toBe(201);
  });

  it('are never shown to the client, in no read, event and invoice', async () => {
    const secret = 'Zebrafish agreed by phone';
    await floor.post(`/orders/${order.orderId}/notes`, { noteId: 'n', text: secret, pinned: true });
    await office.post(`/accounts/${accountId}/notes`, { noteId: 'n', text: secret });
    await sendMilestone(floor, order.orderId, 'production_started');
    const paths = [
      '/account',
      '/orders',
      `/orders/${order.orderId}`,
      `/orders/${order.orderId}/details`,
      `/orders/${order.orderId}/invoice`,
    ];
    for (const path of [...paths, '/events', '/webhook-deliveries']) {
      const { status, text } = await trade.get(path);
      expect([path, status, text.includes('Zebrafish')]).toEqual([path, 200, false]);
    }
    expect(await sql(service, `SELECT 1 FROM order_events WHERE body LIKE '%Zebrafish%'`)).toEqual([]);
    expect(await sql(service, `SELECT 1 FROM order_timeline WHERE content LIKE '%Zebrafish%'`)).toEqual([]);
    await office.send('DELETE', `/accounts/${accountId}/notes/n`);
  });

  it('are found by the words of one note, and no longer once deleted', async () => {
    const findOrders = async (q: string) =>
      (await floor.get(`/orders?q=${encodeURIComponent(q)}`)).json.data.map(({ orderId }: { orderId: string }) => orderId);
    const findAccounts = async (q: string) =>
      (await office.get(`/accounts?q=${encodeURIComponent(q)}`)).json.data.map(({ id }: { id: string }) => id);
    await floor.post(`/orders/${order.orderId}/notes`, { noteId: 'n', text: 'Wähle Überseekiste für Quokka' });
    expect(await findOrders('quokka uberseekiste')).toEqual([order.orderId]);
    expect(await findOrders('quokka kangaroo')).toEqual([]);
    await floor.send('DELETE', `/orders/${order.orderId}/notes/n`);
    expect(await findOrders('quokka')).toEqual([]);

    await office.post(`/accounts/${accountId}/notes`, { noteId: 'n1', text: 'Pays after the Bandicoot fair' });
    await office.post(`/accounts/${accountId}/notes`, { noteId: 'n2', text: 'Prefers matt paper' });
    expect(await findAccounts('bandicoot pays')).toEqual([accountId]);
    expect(await findAccounts('bandicoot paper')).toEqual([]);
    await office.send('DELETE', `/accounts/${accountId}/notes/n1`);
    expect(await findAccounts('bandicoot')).toEqual([]);
  });

  it('are erased with their order, and those on the account by their day', async () => {
    const erase = (before: string, dryRun = false) => service.studio().post(`/accounts/${accountId}/erase`, { before, dryRun });
    const countNotes = async () =>
      (
        await sql<{ count: number }>(service, 'SELECT count(*)::int AS count FROM notes WHERE account_id = $1 OR order_id = $2', [
          accountId,
          order.orderId,
        ])
      )[0]?.count;
    for (const { noteId } of (await office.get(`/accounts/${accountId}/notes`)).json.data)
      await office.send('DELETE', `/accounts/${accountId}/notes/${noteId}`);
    await floor.post(`/orders/${order.orderId}/notes`, { noteId: 'n', text: 'Quoll' });
    for (const noteId of ['old', 'new']) await office.post(`/accounts/${accountId}/notes`, { noteId, text: noteId });
    await sql(service, `UPDATE notes SET created_at = '2020-01-01' WHERE account_id = $1 AND note_id = 'old'`, [accountId]);
    expect((await erase('2021-01-01', true)).json.data).toMatchObject({ orders: 0, notes: 1 });
    expect((await erase('2021-01-01')).json.data).toMatchObject({ orders: 0, notes: 1, complete: true });
    expect(await textsOf(office, `/accounts/${accountId}/notes`)).toEqual(['new']);

    await sendMilestone(floor, order.orderId, 'cancelled');
    expect((await erase('2999-01-01')).json.data).toMatchObject({ notes: 1 });
    expect(await countNotes()).toBe(0);
    await floor.post(`/orders/${order.orderId}/notes`, { noteId: 'later', text: 'Quoll again' });
    expect((await erase('2999-01-01', true)).json.data).toMatchObject({ orders: 1, notes: 0 });
    await erase('2999-01-01');
    expect(await countNotes()).toBe(0);
  });
});
