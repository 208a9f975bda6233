import { acceptAdminToken } from '../../../src/db/seed';
import { hashKey } from '../../../src/security/api-keys';
import { startService, type TestService } from '../../support/service';
import { aQuoteRequest, unknownId } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { auditOf, aToken, faultPaths } from './support';

describe('tokens, accounts and keys', () => {
  let service: TestService;
  let admin: HttpClient;
  let office: HttpClient;
  beforeAll(async () => {
    service = await startService({ worker: false });
    admin = service.studio();
    office = service.studio(await aToken(service, 'office', { name: 'Books' }));
  });
  afterAll(() => service.stop());

  describe('tokens', () => {
    it.each<[string, Record<string, unknown>, string[]]>([
      ['nothing', {}, ['name', 'role']],
      ['an empty name', { name: '', role: 'floor' }, ['name']],
      ['a name of 101 characters', { name: 'x'.repeat(101), role: 'floor' }, ['name']],
      ["the account's name in timelines", { name: 'account', role: 'floor' }, ['name']],
      ["a signal's name in timelines", { name: 'signal:press', role: 'floor' }, ['name']],
      ['an unknown role', { name: 'a', role: 'owner' }, ['role']],
    ])('%s is refused', async (_title, body, paths) => {
      const reply = await admin.post('/tokens', body);
      expect([reply.status, faultPaths(reply)]).toEqual([400, paths]);
    });
    it('a new token works at once in its role, and is shown this once', async () => {
      const made = await admin.post('/tokens', { name: 'Press 1', role: 'floor' });
      expect(made.status).toBe(201);
      expect(made.json.data).toEqual({
        id: expect.stringMatching(/^tok_/),
        name: 'Press 1',
        role: 'floor',
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
        createdAt: expect.any(String),
        token: expect.stringMatching(/^lps_[0-9a-f]{64}$/),
      });
      const { id, token } = made.json.data;
      expect((await service.studio(token).get('/orders')).status).toBe(200);
      expect((await service.studio(token).get('/accounts')).status).toBe(403);
      const listed = await admin.get('/tokens');
      expect(listed.json.data).toContainEqual(expect.objectContaining({ id, lastUsedAt: expect.any(String) }));
      for (const text of [listed.text, JSON.stringify(await auditOf(service, id)), service.logLines.join()])
        expect(text).not.toContain(token);
    });
    it('a deleted token is 401 at once; deleting it again is 200 with the same row', async () => {
      const { id, token } = (await admin.post('/tokens', { name: 'Old', role: 'office' })).json.data;
      const gone = await admin.send('DELETE', `/tokens/${id}`);
      expect(gone.json.data).toMatchObject({ id, revokedAt: expect.any(String) });
      expect((await service.studio(token).get('/orders')).status).toBe(401);
      expect((await admin.send('DELETE', `/tokens/${id}`)).text).toBe(gone.text);
      expect(await auditOf(service, id)).toMatchObject([
        { action: 'token.create', actor: 'STUDIO_ADMIN_TOKEN', before: null, after: { name: 'Old', role: 'office', revokedAt: null } },
        { action: 'token.revoke', before: { revokedAt: null }, after: { revokedAt: expect.any(String) } },
      ]);
    });
    it('an expired one is 401, as if it had never been; one to come must lie ahead', async () => {
      const { id, token, expiresAt } = (await admin.post('/tokens', { name: 'Lent', role: 'floor', expiresAt: '2998-01-01T00:00:00Z' }))
        .json.data;
      expect([expiresAt, (await service.studio(token).get('/orders')).status]).toEqual(['2998-01-01T00:00:00.000Z', 200]);
      await service.deps.database.run(`UPDATE studio_tokens SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
      expect((await service.studio(token).get('/orders')).text).toBe((await service.studio(`lps_${'0'.repeat(64)}`).get('/orders')).text);
      const late = await admin.post('/tokens', { name: 'Late', role: 'floor', expiresAt: '2020-01-01T00:00:00Z' });
      expect([late.status, faultPaths(late)]).toEqual([400, ['expiresAt']]);
    });
    it.each(['tok_00', 'x', '%00'])('deleting %s is 404', async (id) => {
      expect((await admin.send('DELETE', `/tokens/${id}`)).status).toBe(404);
    });
    describe('the last admin', () => {
      const idOfFirst = async () =>
        (await admin.get('/tokens?limit=100')).json.data.find(({ name }: { name: string }) => name === 'STUDIO_ADMIN_TOKEN').id as string;
      const workingAdmins = () =>
        service.deps.database.rows<{ id: string }>(`SELECT id FROM studio_tokens WHERE role = 'admin' AND revoked_at IS NULL`);
      afterEach(() =>
        service.deps.database.rows('UPDATE studio_tokens SET revoked_at = NULL WHERE token_hash = $1', [hashKey(service.adminToken)]),
      );

      it('the one of the settings, once revoked, stays revoked when the service starts again', async () => {
        await service.deps.database.run('UPDATE studio_tokens SET revoked_at = now() WHERE token_hash = $1', [hashKey(service.adminToken)]);
        await acceptAdminToken(service.deps.database, service.adminToken, new Date());
        expect((await admin.get('/tokens')).status).toBe(401);
      });

      it('the last admin token that works cannot be deleted', async () => {
        const reply = await admin.send('DELETE', `/tokens/${await idOfFirst()}`);
        expect([reply.status, faultPaths(reply)]).toEqual([400, ['id']]);
        expect((await admin.get('/tokens')).status).toBe(200);
      });
      it('one that expires does not count as the last', async () => {
        const { id } = (await admin.post('/tokens', { name: 'For a day', role: 'admin', expiresAt: '2998-01-01T00:00:00Z' })).json.data;
        expect(faultPaths(await admin.send('DELETE', `/tokens/${await idOfFirst()}`))).toEqual(['id']);
        expect((await admin.send('DELETE', `/tokens/${id}`)).status).toBe(200);
      });
      it('two admins that delete each other at once leave one', async () => {
        const { id, token } = (await admin.post('/tokens', { name: 'Second admin', role: 'admin' })).json.data;
        const first = await idOfFirst();
        const replies = await Promise.all([
          service.studio(token).send('DELETE', `/tokens/${first}`),
          admin.send('DELETE', `/tokens/${id}`),
        ]);
        expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(await workingAdmins()).toHaveLength(1);
        await service.deps.database.run(`UPDATE studio_tokens SET revoked_at = now() WHERE id = $1`, [id]);
      });
    });
  });

  describe('accounts', () => {
    it.each<[string, Record<string, unknown>, string[]]>([
      ['nothing', {}, ['name', 'email']],
      ['an e-mail address that is none', { email: 'gallery' }, ['email']],
      ['a discount above the whole', { tradeDiscountBps: 10_001 }, ['tradeDiscountBps']],
      ['a credit limit below 0', { creditLimitCents: -1 }, ['creditLimitCents']],
      ['terms of more than a year', { paymentTermsDays: 366 }, ['paymentTermsDays']],
      ['an unknown status', { status: 'closed' }, ['status']],
      ['access as text', { apiAccess: 'yes' }, ['apiAccess']],
    ])('creating one with %s is refused', async (title, fields, paths) => {
      const reply = await office.post('/accounts', title === 'nothing' ? {} : { name: 'A', email: 'a@example.com', ...fields });
      expect([reply.status, faultPaths(reply)]).toEqual([400, paths]);
    });
    it('a change of no field is refused', async () => {
      expect((await office.send('PATCH', `/accounts/${service.account.accountId}`, { nmae: 'x' })).json.error?.code).toBe(
        'VALIDATION_ERROR',
      );
    });
    it.each(['acc_00', 'x', '%00'])('account %s is 404', async (id) => {
      const replies = await Promise.all([
        office.get(`/accounts/${id}`),
        office.send('PATCH', `/accounts/${id}`, { name: 'A' }),
        admin.get(`/accounts/${id}/keys`),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
    });
    it('a new account has 30 days, no discount, no limit, and owes nothing', async () => {
      const made = await office.post('/accounts', { name: 'Gallery South', email: 'south@example.com' });
      expect(made.status).toBe(201);
      expect(made.json.data).toEqual({
        id: expect.stringMatching(/^acc_/),
        name: 'Gallery South',
        email: 'south@example.com',
        tradeDiscountBps: 0,
        creditLimitCents: null,
        paymentTermsDays: 30,
        status: 'active',
        apiAccess: true,
        createdAt: expect.any(String),
        live: { outstandingCents: 0, availableCents: null },
        test: { outstandingCents: 0, availableCents: null },
      });
      expect((await office.get(`/accounts/${made.json.data.id}`)).json.data).toEqual(made.json.data);
    });
    it('a limit shows what is available; null takes it away, 0 gives no credit', async () => {
      const { id } = (await office.post('/accounts', { name: 'Limited', email: 'l@example.com', creditLimitCents: 5000 })).json.data;
      expect((await office.get(`/accounts/${id}`)).json.data.live).toEqual({ outstandingCents: 0, availableCents: 5000 });
      expect((await office.send('PATCH', `/accounts/${id}`, { creditLimitCents: 0 })).json.data.test).toEqual({
        outstandingCents: 0,
        availableCents: 0,
      });
      expect((await office.send('PATCH', `/accounts/${id}`, { creditLimitCents: null })).json.data.live.availableCents).toBeNull();
    });
    it('the audit log has before and after, and no e-mail address', async () => {
      const { id } = (await office.post('/accounts', { name: 'Audited', email: 'secret@example.com' })).json.data;
      await office.send('PATCH', `/accounts/${id}`, { tradeDiscountBps: 1500, email: 'other@example.com' });
      const entries = await auditOf(service, id);
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
      '%j bites on the very next trade request, and is lifted as fast',
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
    it('a new discount prices the very next quote', async () => {
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
      expect(faultPaths(await admin.get(`/tokens?cursor=${first.nextCursor}`))).toEqual(['query.cursor']);
    });
  });

  describe('keys', () => {
    const path = () => `/accounts/${service.account.accountId}/keys`;
    it.each<[string, Record<string, unknown>, string[]]>([
      ['no scopes', { scopes: undefined }, ['scopes']],
      ['an empty list of scopes', { scopes: [] }, ['scopes']],
      ['an unknown scope', { scopes: ['price:read', 'orders:delete'] }, ['scopes.1']],
      ['a scope twice', { scopes: ['price:read', 'price:read'] }, ['scopes.1']],
      ['another environment', { environment: 'staging' }, ['environment']],
      ['a time to expire that has passed', { expiresAt: '2020-01-01T00:00:00Z' }, ['expiresAt']],
      ['a time to expire that is none', { expiresAt: 'tomorrow' }, ['expiresAt']],
      ['a name of 101 characters', { name: 'x'.repeat(101) }, ['name']],
    ])('one with %s is refused', async (_title, fields, paths) => {
      const reply = await admin.post(path(), { environment: 'test', scopes: ['price:read'], ...fields });
      expect([reply.status, faultPaths(reply)]).toEqual([400, paths]);
    });
    it('a new key works at once in its scopes, and is shown this once', async () => {
      const made = await admin.post(path(), {
        environment: 'live',
        scopes: ['price:read'],
        name: 'shop',
        expiresAt: '2999-01-01T00:00:00+01:00',
      });
      expect(made.status).toBe(201);
      expect(made.json.data).toEqual({
        id: expect.stringMatching(/^key_/),
        accountId: service.account.accountId,
        environment: 'live',
        scopes: ['price:read'],
        name: 'shop',
        prefix: 'lpk_live_',
        lastFour: made.json.data.key.slice(-4),
        expiresAt: '2998-12-31T23:00:00.000Z',
        revokedAt: null,
        lastUsedAt: null,
        createdAt: expect.any(String),
        key: expect.stringMatching(/^lpk_live_[0-9a-f]{64}$/),
      });
      const { id, key } = made.json.data;
      expect([(await service.trade(key).get('/catalogue')).status, (await service.trade(key).get('/orders')).status]).toEqual([200, 403]);
      const listed = await admin.get(path());
      expect(listed.json.data[0]).toMatchObject({ id, lastFour: key.slice(-4), lastUsedAt: expect.any(String) });
      for (const text of [listed.text, JSON.stringify(await auditOf(service, id)), service.logLines.join()])
        expect(text).not.toContain(key);
    });
    it('a revoked key is 401 at once; revoking it again is 200 with the same row', async () => {
      const { id, key } = (await admin.post(path(), { environment: 'test', scopes: ['price:read'] })).json.data;
      expect((await service.trade(key).get('/catalogue')).status).toBe(200);
      const revoked = await admin.send('DELETE', `${path()}/${id}`);
      expect(revoked.json.data).toMatchObject({ id, revokedAt: expect.any(String) });
      expect((await service.trade(key).get('/catalogue')).status).toBe(401);
      expect((await admin.send('DELETE', `${path()}/${id}`)).text).toBe(revoked.text);
      expect((await auditOf(service, id)).map(({ action }) => action)).toEqual(['key.create', 'key.revoke']);
    });
    it("another account's key is 404, and stays", async () => {
      const other = (await office.post('/accounts', { name: 'Other', email: 'o@example.com' })).json.data.id;
      const { id, key } = (await admin.post(path(), { environment: 'test', scopes: ['price:read'] })).json.data;
      expect((await admin.send('DELETE', `/accounts/${other}/keys/${id}`)).status).toBe(404);
      expect((await admin.send('DELETE', `${path()}/${unknownId('key')}`)).status).toBe(404);
      expect((await service.trade(key).get('/catalogue')).status).toBe(200);
    });
  });
});
