import { aKey } from '../../support/accounts';
import { useService } from '../../support/fixtures';
import { sql } from './support';
import { findAuditEntries } from './studio/support';

describe('failed authentication at the trade API', () => {
  const service = useService(() => ({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.0/8' } }));
  let lastSource = 0;

  const aSource = (): string => `203.0.113.${(lastSource += 1)}`;
  const get = (key: string, source: string) => service.trade(key).get('/orders', { 'x-forwarded-for': source });
  const requestLog = (source: string) => service.logLines.map((line) => JSON.parse(line)).filter((line) => line.source === source);

  it.each<[string, () => Promise<string>, string]>([
    ['an unknown key', async () => 'lpk_test_no', 'unknown'],
    ['a revoked key', () => aKey(service.deps.database, service.account.accountId, { revoked: true }), 'revoked'],
    ['an expired key', () => aKey(service.deps.database, service.account.accountId, { expiresAt: new Date(0) }), 'expired'],
    ['a studio token', async () => service.adminToken, 'unknown'],
  ])('%s is in the audit log with its source and owner', async (_title, key, credential) => {
    const source = aSource();
    expect((await get(await key(), source)).status).toBe(401);
    const known = { actor: service.account.accountId, actor_id: expect.stringMatching(/^key_/) };
    expect(await findAuditEntries(service, source)).toMatchObject([
      {
        action: 'authentication.failed',
        ...(credential === 'unknown' ? { actor: 'unknown', actor_id: 'unknown' } : known),
        request_id: expect.stringMatching(/^req_/),
        after: { credential, count: 1 },
      },
    ]);
  });

  it('the key of a suspended account is recorded with its account', async () => {
    const source = aSource();
    await sql(service, `UPDATE accounts SET status = 'suspended' WHERE id = $1`, [service.account.accountId]);
    try {
      await get(service.account.liveKey, source);
    } finally {
      await sql(service, `UPDATE accounts SET status = 'active' WHERE id = $1`, [service.account.accountId]);
    }
    expect(await findAuditEntries(service, source)).toMatchObject([
      { actor: service.account.accountId, after: { credential: 'account suspended', count: 1 } },
    ]);
  });

  it('a request without a key is not recorded', async () => {
    const source = aSource();
    expect((await get('', source)).status).toBe(401);
    expect(await findAuditEntries(service, source)).toEqual([]);
  });

  it('each failure of a persistent source is counted, in four entries', async () => {
    const source = aSource();
    await service.deps.failureAudit.flush(); // no earlier failure ends its minute meanwhile
    for (let attempt = 0; attempt < 30; attempt += 1) await get('lpk_test_no', source);
    await service.deps.failureAudit.flush();
    const entries = (await findAuditEntries(service, source)).map(({ after }) => [after.credential, after.count]);
    expect(entries).toEqual([
      ['unknown', 1],
      ['not checked: too many failures', 1],
      ['unknown', 19],
      ['not checked: too many failures', 9],
    ]);
  });

  it('beyond a hundred kinds a minute, all others share one entry', async () => {
    await service.deps.failureAudit.flush();
    await service.deps.failureAudit.flush();
    const sources = Array.from({ length: 110 }, (_, index) => `192.0.2.${index}`);
    for (const source of sources) await get('lpk_test_no', source);
    await service.deps.failureAudit.flush();
    const ofSource = await sql(service, `SELECT count(*)::int AS entries FROM audit_log WHERE subject LIKE '192.0.2.%'`);
    expect(ofSource).toEqual([{ entries: 100 }]);
    expect((await findAuditEntries(service, 'others')).map(({ after }) => after.count)).toEqual([1, 9]);
  });

  it('a key without the scope is in the audit log', async () => {
    const key = await aKey(service.deps.database, service.account.accountId, { scopes: ['price:read'] });
    expect((await service.trade(key).get('/orders')).status).toBe(403);
    expect((await findAuditEntries(service, 'GET /orders')).at(-1)).toMatchObject({
      action: 'scope.refused',
      actor: service.account.accountId,
      after: { needed: 'orders:read', count: 1 },
    });
  });

  it('a failed write of the audit log changes no response', async () => {
    await sql(service, 'ALTER TABLE audit_log ADD CONSTRAINT refuses_everything CHECK (id < 0) NOT VALID');
    try {
      expect((await get('lpk_test_no', aSource())).status).toBe(401);
    } finally {
      await sql(service, 'ALTER TABLE audit_log DROP CONSTRAINT refuses_everything');
    }
  });

  describe('the request log', () => {
    it('has source address, key owner and error code', async () => {
      const [source, { accountId, testKey }] = [aSource(), service.account];
      await get(testKey, source);
      await service.trade(testKey).get('/orders/ord_00', { 'x-forwarded-for': source });
      await get('lpk_test_no', source);
      const [key] = await sql<{ id: string }>(
        service,
        `SELECT id FROM api_keys WHERE account_id = $1 AND environment = 'test' ORDER BY created_at LIMIT 1`,
        [accountId],
      );
      expect(requestLog(source)).toMatchObject([
        { route: 'GET /orders', status: 200, source, account: accountId, keyId: key?.id },
        { route: 'GET /orders/{id}', status: 404, source, account: accountId, keyId: key?.id, code: 'NOT_FOUND' },
        { route: 'GET /orders', status: 401, source, code: 'UNAUTHORIZED' },
      ]);
      expect(requestLog(source)[0]).not.toHaveProperty('code');
      expect(requestLog(source)[2]).not.toHaveProperty('account');
    });
    it('names the studio token', async () => {
      const source = aSource();
      await service.studio().post('/accounts', {}, { 'x-forwarded-for': source });
      expect(requestLog(source)).toMatchObject([{ status: 400, tokenId: expect.stringMatching(/^tok_/), code: 'VALIDATION_ERROR' }]);
    });
  });
});
