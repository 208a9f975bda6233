import { acceptAdminToken } from '../../../../src/db/seed';
import { hashKey } from '../../../../src/security/api-keys';
import { useFixture, useService } from '../../../support/fixtures';
import { findAuditEntries, validationPathsOf } from './support';

describe('tokens', () => {
  const service = useService(() => ({ worker: false }));
  const admin = useFixture(() => service.studio());

  it('a new token works at once in its role, and is shown once', async () => {
    const made = await admin.post('/tokens', { name: 'Press 1', role: 'floor' });
    expect(made.status).toBe(201);
    expect(made.json.data).toEqual({
      id: expect.stringMatching(/^tok_/),
      name: 'Press 1',
      role: 'floor',
      kind: 'person',
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
    for (const text of [listed.text, JSON.stringify(await findAuditEntries(service, id)), service.logLines.join()])
      expect(text).not.toContain(token);
  });
  it('a deleted token is 401 at once; deleting it again is 200 with the same row', async () => {
    const { id, token } = (await admin.post('/tokens', { name: 'Old', role: 'office' })).json.data;
    const gone = await admin.send('DELETE', `/tokens/${id}`);
    expect(gone.json.data).toMatchObject({ id, revokedAt: expect.any(String) });
    expect((await service.studio(token).get('/orders')).status).toBe(401);
    expect((await admin.send('DELETE', `/tokens/${id}`)).text).toBe(gone.text);
    expect(await findAuditEntries(service, id)).toMatchObject([
      { action: 'token.create', actor: 'STUDIO_ADMIN_TOKEN', before: null, after: { name: 'Old', role: 'office', revokedAt: null } },
      { action: 'token.revoke', before: { revokedAt: null }, after: { revokedAt: expect.any(String) } },
    ]);
  });
  it('an expired one is 401 like an unknown one, and a new expiry must be in the future', async () => {
    const { id, token, expiresAt } = (await admin.post('/tokens', { name: 'Lent', role: 'floor', expiresAt: '2998-01-01T00:00:00Z' })).json
      .data;
    expect([expiresAt, (await service.studio(token).get('/orders')).status]).toEqual(['2998-01-01T00:00:00.000Z', 200]);
    await service.deps.database.run(`UPDATE studio_tokens SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    expect((await service.studio(token).get('/orders')).text).toBe((await service.studio(`lps_${'0'.repeat(64)}`).get('/orders')).text);
    const late = await admin.post('/tokens', { name: 'Late', role: 'floor', expiresAt: '2020-01-01T00:00:00Z' });
    expect([late.status, validationPathsOf(late)]).toEqual([400, ['expiresAt']]);
  });
  it.each(['tok_00', 'x', '%00'])('deleting %s is 404', async (id) => {
    expect((await admin.send('DELETE', `/tokens/${id}`)).status).toBe(404);
  });
  describe('the last admin', () => {
    const idOfFirst = async () =>
      (await admin.get('/tokens?limit=100')).json.data.find(({ name }: { name: string }) => name === 'STUDIO_ADMIN_TOKEN').id as string;
    const findValidAdmins = () =>
      service.deps.database.rows<{ id: string }>(`SELECT id FROM studio_tokens WHERE role = 'admin' AND revoked_at IS NULL`);
    afterEach(() =>
      service.deps.database.rows('UPDATE studio_tokens SET revoked_at = NULL WHERE token_hash = $1', [hashKey(service.adminToken)]),
    );

    it('the admin token of the settings, once revoked, stays revoked when the service starts again', async () => {
      await service.deps.database.run('UPDATE studio_tokens SET revoked_at = now() WHERE token_hash = $1', [hashKey(service.adminToken)]);
      await acceptAdminToken(service.deps.database, service.adminToken, new Date());
      expect((await admin.get('/tokens')).status).toBe(401);
    });

    it('the last admin token that works cannot be deleted', async () => {
      const reply = await admin.send('DELETE', `/tokens/${await idOfFirst()}`);
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, ['id']]);
      expect((await admin.get('/tokens')).status).toBe(200);
    });
    it('a token that expires does not count as the last', async () => {
      const { id } = (await admin.post('/tokens', { name: 'For a day', role: 'admin', expiresAt: '2998-01-01T00:00:00Z' })).json.data;
      expect(validationPathsOf(await admin.send('DELETE', `/tokens/${await idOfFirst()}`))).toEqual(['id']);
      expect((await admin.send('DELETE', `/tokens/${id}`)).status).toBe(200);
    });
    it('two admins that delete each other concurrently leave one', async () => {
      const { id, token } = (await admin.post('/tokens', { name: 'Second admin', role: 'admin' })).json.data;
      const first = await idOfFirst();
      const replies = await Promise.all([service.studio(token).send('DELETE', `/tokens/${first}`), admin.send('DELETE', `/tokens/${id}`)]);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await findValidAdmins()).toHaveLength(1);
      await service.deps.database.run(`UPDATE studio_tokens SET revoked_at = now() WHERE id = $1`, [id]);
    });
  });
});
