import { useFixture, useSharedService } from '../../../support/fixtures';
import { unknownId } from '../../../support/baskets';
import { findAuditEntries, aToken, validationPathsOf } from './support';

describe('keys', () => {
  const service = useSharedService({ worker: false });
  const admin = useFixture(() => service.studio());
  const office = useFixture(async () => service.studio(await aToken(service, 'office', { name: 'Books' })));

  const path = () => `/accounts/${service.account.accountId}/keys`;
  it('a key with an expiry time in the past is refused', async () => {
    const reply = await admin.post(path(), { environment: 'test', scopes: ['price:read'], expiresAt: '2020-01-01T00:00:00Z' });
    expect([reply.status, validationPathsOf(reply)]).toEqual([400, ['expiresAt']]);
  });
  it('a new key works at once in its scopes, and is shown once', async () => {
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
    for (const text of [listed.text, JSON.stringify(await findAuditEntries(service, id)), service.logLines.join()])
      expect(text).not.toContain(key);
  });
  it('a revoked key is 401 at once; revoking it again is 200 with the same row', async () => {
    const { id, key } = (await admin.post(path(), { environment: 'test', scopes: ['price:read'] })).json.data;
    expect((await service.trade(key).get('/catalogue')).status).toBe(200);
    const revoked = await admin.send('DELETE', `${path()}/${id}`);
    expect(revoked.json.data).toMatchObject({ id, revokedAt: expect.any(String) });
    expect((await service.trade(key).get('/catalogue')).status).toBe(401);
    expect((await admin.send('DELETE', `${path()}/${id}`)).text).toBe(revoked.text);
    expect((await findAuditEntries(service, id)).map(({ action }) => action)).toEqual(['key.create', 'key.revoke']);
  });
  it("another account's key is 404, and is not changed", async () => {
    const other = (await office.post('/accounts', { name: 'Other', email: 'o@example.com' })).json.data.id;
    const { id, key } = (await admin.post(path(), { environment: 'test', scopes: ['price:read'] })).json.data;
    expect((await admin.send('DELETE', `/accounts/${other}/keys/${id}`)).status).toBe(404);
    expect((await admin.send('DELETE', `${path()}/${unknownId('key')}`)).status).toBe(404);
    expect((await service.trade(key).get('/catalogue')).status).toBe(200);
  });
});
