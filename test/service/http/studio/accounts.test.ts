import { useFixture, useService } from '../../../support/fixtures';
import { aQuoteRequest } from '../../../support/baskets';
import { findAuditEntries, aToken, validationPathsOf } from './support';

describe('accounts', () => {
  const service = useService(() => ({ worker: false }));
  const admin = useFixture(() => service.studio());
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Books' })));

  it.each(['acc_00', 'x', '%00'])('account %s is 404', async (id) => {
    const replies = await Promise.all([
      office.get(`/accounts/${id}`),
      office.send('PATCH', `/accounts/${id}`, { name: 'A' }),
      admin.get(`/accounts/${id}/keys`),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
  it('a new account has 30 days, no discount, no limit, and a zero balance', async () => {
    const made = await office.post('/accounts', { name: 'Gallery South', email: 'south@example.com' });
    expect(made.status).toBe(201);
    expect(made.json.data).toEqual({
      id: expect.stringMatching(/^acc_/),
      name: 'Gallery South',
      email: 'south@example.com',
      billingAddress: null,
      abn: null,
      defaultReference: null,
      reminders: false,
      contacts: [],
      tradeDiscountBps: 0,
      creditLimitCents: null,
      paymentTermsDays: 30,
      status: 'active',
      apiAccess: true,
      readyMail: 'customer',
      currency: 'AUD',
      createdAt: expect.any(String),
      live: { outstandingCents: 0, creditCents: 0, availableCents: null, usedBps: null },
      test: { outstandingCents: 0, creditCents: 0, availableCents: null, usedBps: null },
    });
    expect((await office.get(`/accounts/${made.json.data.id}`)).json.data).toEqual(made.json.data);
  });
  it('a repeat with its id, also concurrent, returns the current account, and other content with the id is refused', async () => {
    const sent = { accountRequestId: 'crm-1', name: 'Gallery West', email: 'west@example.com', creditLimitCents: 5000 };
    const replies = await Promise.all([office.post('/accounts', sent), office.post('/accounts', { ...sent, status: 'active' })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 201]);
    const [{ id }, again] = replies.map(({ json }) => json.data);
    expect(again.id).toBe(id);
    await office.send('PATCH', `/accounts/${id}`, { name: 'Gallery Far West' });
    const late = await office.post('/accounts', sent);
    expect([late.status, late.json.data]).toEqual([200, expect.objectContaining({ id, name: 'Gallery Far West' })]);
    for (const other of [{ name: 'X' }, { email: 'x@example.com' }, { creditLimitCents: null }]) {
      const refused = await office.post('/accounts', { ...sent, ...other });
      expect([refused.status, refused.json.error?.code]).toEqual([409, 'ACCOUNT_ID_REUSED']);
    }
    expect((await office.get('/accounts?q=west@example.com')).json.data).toHaveLength(1);
    expect((await findAuditEntries(service, id)).filter(({ action }) => action === 'account.create')).toHaveLength(1);
  });
  it('a limit shows the available credit, null removes the limit, and 0 gives no credit', async () => {
    const { id } = (await office.post('/accounts', { name: 'Limited', email: 'l@example.com', creditLimitCents: 5000 })).json.data;
    expect((await office.get(`/accounts/${id}`)).json.data.live).toEqual({
      outstandingCents: 0,
      creditCents: 0,
      availableCents: 5000,
      usedBps: 0,
    });
    expect((await office.send('PATCH', `/accounts/${id}`, { creditLimitCents: 0 })).json.data.test).toEqual({
      outstandingCents: 0,
      creditCents: 0,
      availableCents: 0,
      usedBps: 0,
    });
    expect((await office.send('PATCH', `/accounts/${id}`, { creditLimitCents: null })).json.data.live.availableCents).toBeNull();
  });
  it('the audit log has before and after, and no e-mail address', async () => {
    const { id } = (await office.post('/accounts', { name: 'Audited', email: 'secret@example.com' })).json.data;
    await office.send('PATCH', `/accounts/${id}`, { tradeDiscountBps: 1500, email: 'other@example.com' });
    const entries = await findAuditEntries(service, id);
    expect(entries).toMatchObject([
      { actor: 'Books', action: 'account.create', before: null, after: { name: 'Audited', tradeDiscountBps: 0 } },
      {
        actor: 'Books',
        action: 'account.change',
        before: { tradeDiscountBps: 0 },
        after: { tradeDiscountBps: 1500, emailChanged: true },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('@example.com');
  });
  it.each([{ status: 'suspended' }, { apiAccess: false }])(
    '%j takes effect on the next trade request, and so does its removal',
    async (change) => {
      const { accountId, testKey, liveKey } = service.account;
      const statuses = async () => [
        (await service.trade(testKey).get('/orders')).status,
        (await service.trade(liveKey).get('/catalogue')).status,
      ];
      expect(await statuses()).toEqual([200, 200]);
      await office.send('PATCH', `/accounts/${accountId}`, change);
      expect(await statuses()).toEqual([401, 401]);
      await office.send('PATCH', `/accounts/${accountId}`, { status: 'active', apiAccess: true });
      expect(await statuses()).toEqual([200, 200]);
    },
  );
  it('a new discount applies to the next quote', async () => {
    const trade = service.trade(service.account.testKey);
    const request = await aQuoteRequest(trade);
    await office.send('PATCH', `/accounts/${service.account.accountId}`, { tradeDiscountBps: 0 });
    expect((await trade.post('/quotes', request)).json.data.discountCents).toBe(0);
    await office.send('PATCH', `/accounts/${service.account.accountId}`, { tradeDiscountBps: 2000 });
    expect((await trade.post('/quotes', request)).json.data.discountCents).toBeGreaterThan(0);
  });
  it('the list pages through every account once', async () => {
    const all = (await office.get('/accounts?limit=100')).json;
    expect(all.nextCursor).toBeNull();
    const first = (await office.get('/accounts?limit=2')).json;
    const rest = (await office.get(`/accounts?limit=100&cursor=${first.nextCursor}`)).json;
    expect([...first.data, ...rest.data]).toEqual(all.data);
    expect(validationPathsOf(await admin.get(`/tokens?cursor=${first.nextCursor}`))).toEqual(['query.cursor']);
  });
});
