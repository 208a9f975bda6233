import { STUDIO_ENDPOINTS } from '../../../../src/http/studio/endpoints';
import { ROLES } from '../../../../src/domain/roles';
import { hashKey } from '../../../../src/security/api-keys';
import { useService } from '../../../support/fixtures';
import type { HttpClient } from '../../../support/client';
import { anEndpoint } from '../../../support/endpoints';
import { aToken, findAuditEntries, validationPathsOf } from './support';

const TABLE = STUDIO_ENDPOINTS.map(({ method, path, role, body, open }) => ({
  method,
  path: path.replace(':section', 'sleeves').replace(/:[a-zA-Z]+/g, 'x'),
  role,
  hasBody: body !== undefined,
  isOpen: open !== undefined,
}));

describe('the surface of the studio API', () => {
  const service = useService(() => ({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.0/8' } }));
  let tokens: Record<string, string>;
  let lastSource = 0;
  beforeAll(async () => {
    tokens = Object.fromEntries(await Promise.all(ROLES.map(async (role) => [role, await aToken(service, role)] as const)));
  });

  /** Failures are counted by source address, so each test uses a different one. */
  const aSource = () => ({ 'x-forwarded-for': `203.0.113.${(lastSource += 1)}` });

  describe('Auth', () => {
    it.each(TABLE.filter(({ isOpen }) => !isOpen))('$method $path without a token is 401', async ({ method, path }) => {
      const reply = await service.studio('').send(method, path, undefined, aSource());
      expect([reply.status, reply.json.error?.code, reply.json.data]).toEqual([401, 'UNAUTHORIZED', null]);
    });
    it.each(TABLE.filter(({ role }) => role !== 'floor'))(
      '$method $path with the role below $role is 403, which names it',
      async ({ method, path, role }) => {
        const below = ROLES[ROLES.indexOf(role) - 1] ?? '';
        const reply = await service.studio(tokens[below]).send(method, path, 'not json');
        expect(reply.json).toMatchObject({ data: null, error: { code: 'FORBIDDEN', message: expect.stringContaining(`role ${role}`) } });
        expect(reply.status).toBe(403);
      },
    );
    it.each(TABLE)('$method $path lets $role in', async ({ method, path, role, hasBody }) => {
      const reply = await service.studio(tokens[role]).send(method, path, hasBody ? {} : undefined);
      expect([200, 400, 404]).toContain(reply.status);
    });
    it('401 is the same for a missing, unknown, malformed, revoked and trade credential', async () => {
      const source = aSource();
      const revoked = await aToken(service, 'admin', { revoked: true });
      const clients: HttpClient[] = [
        service.studio(''),
        service.studio(`lps_${'0'.repeat(64)}`),
        service.studio('lps'),
        service.studio(revoked),
        service.studio(service.account.liveKey),
      ];
      const replies = await Promise.all(clients.map((client) => client.get('/orders', source)));
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    });
    it('a studio token does not work in the trade API', async () => {
      expect((await service.trade(service.adminToken).get('/orders', aSource())).status).toBe(401);
    });
    it('the 21st failure in a minute from one source is 429 with Retry-After, and a valid token from there still works', async () => {
      const source = aSource();
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 21; attempt += 1) statuses.push((await service.studio('lps_no').get('/orders', source)).status);
      expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
      const refused = await service.studio('lps_no').get('/orders', source);
      expect(refused.json.error?.code).toBe('RATE_LIMITED');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect((await service.studio().get('/orders', source)).status).toBe(200);
      expect((await service.trade('lpk_no').get('/orders', source)).status).toBe(401);
    });
    it("a failed sign-in is in the audit log with the token's owner, source and request, at most twenty a minute", async () => {
      const source = aSource();
      const address = source['x-forwarded-for'];
      const revoked = await aToken(service, 'office', { name: 'Left in May', revoked: true });
      await service.studio(revoked).get('/orders', { ...source, 'service-request-id': 'sign-in-1' });
      await service.studio('').get('/orders', source);
      for (let attempt = 0; attempt < 25; attempt += 1) await service.studio(`lps_${'0'.repeat(64)}`).get('/orders', source);
      const entries = await findAuditEntries(service, address);
      expect(entries[0]).toMatchObject({
        action: 'sign-in.failed',
        actor: 'Left in May',
        actor_id: expect.stringMatching(/^tok_/),
        request_id: 'sign-in-1',
        after: { credential: 'revoked or expired' },
      });
      expect(entries[1]).toMatchObject({ actor: 'unknown', after: { credential: 'unknown' } });
      expect(entries).toHaveLength(19); // one attempt had no credential and is not counted as a sign-in
      expect(JSON.stringify(entries)).not.toContain('lps_');
    });
    it('a refused role is in the audit log, at most twenty times a minute', async () => {
      const floor = service.studio(await aToken(service, 'floor', { name: 'Press 9' }));
      for (let attempt = 0; attempt < 25; attempt += 1) expect((await floor.get('/audit')).status).toBe(403);
      const entries = (await findAuditEntries(service, 'GET /audit')).filter(({ actor }) => actor === 'Press 9');
      expect(entries).toHaveLength(20);
      expect(entries[0]).toMatchObject({ action: 'role.refused', after: { role: 'floor', needed: 'admin' } });
    });
    it('a token has 600 requests a minute per endpoint, then 429 with Retry-After, independent of other tokens and endpoints', async () => {
      const token = await aToken(service, 'floor');
      const id = (await service.deps.database.row<{ id: string }>('SELECT id FROM studio_tokens WHERE token_hash = $1', [hashKey(token)]))
        ?.id;
      await service.deps.database.run(
        `
        INSERT INTO rate_windows (subject, endpoint, hits)
        SELECT 'token:' || $1, 'studio GET /orders', array_agg((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM generate_series(1, 599)`,
        [id],
      );
      const floor = service.studio(token);
      expect((await floor.get('/orders')).status).toBe(200);
      const refused = await floor.get('/orders');
      expect([refused.status, refused.json.error?.code, Number(refused.headers['retry-after']) >= 1]).toEqual([429, 'RATE_LIMITED', true]);
      expect([(await floor.get('/orders/ord_00')).status, (await service.studio(tokens.floor).get('/orders')).status]).toEqual([404, 200]);
    });
    it("a token's use is recorded at most once a minute", async () => {
      const token = await aToken(service, 'floor');
      const studio = service.studio(token);
      const use = async () => {
        await studio.get('/orders');
        return (
          await service.deps.database.row<{ at: Date }>(`SELECT last_used_at AS at FROM studio_tokens WHERE token_hash = $1`, [
            hashKey(token),
          ])
        )?.at;
      };
      const first = await use();
      expect(first).toBeInstanceOf(Date);
      expect(await use()).toEqual(first);
      await service.deps.database.run(`UPDATE studio_tokens SET last_used_at = now() - interval '61 seconds' WHERE token_hash = $1`, [
        hashKey(token),
      ]);
      expect((await use())?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? 0);
    });
  });

  describe('Errors', () => {
    it.each([
      ['GET', '/nothing'],
      ['POST', '/deliveries/x/repeat'],
      ['PUT', '/orders/x/payments/y/z'],
    ] as const)('%s %s is 401 without a token and 404 with one, in the envelope', async (method, path) => {
      expect((await service.studio('').send(method, path, undefined, aSource())).status).toBe(401);
      const reply = await service.studio(tokens.floor).send(method, path);
      expect([reply.status, reply.json.data, reply.json.error?.code]).toEqual([404, null, 'NOT_FOUND']);
    });
    it.each<[string, string | Buffer, Record<string, string>]>([
      ['JSON that is broken', '{', {}],
      ['an array', '[]', {}],
      ['another content type', '{}', { 'content-type': 'text/plain' }],
      ['2 MiB and a byte', `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`, {}],
      ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), {}],
    ])('a body of %s is 400 at the path ""', async (_title, body, headers) => {
      const reply = await service.studio().send('POST', '/accounts', body, headers);
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, ['']]);
    });
  });

  describe('Success', () => {
    it("keeps a caller's request id and forbids caching", async () => {
      const reply = await service.studio().get('/settings', { 'service-request-id': 'desk-7' });
      expect([reply.headers['service-request-id'], reply.headers['cache-control']]).toEqual(['desk-7', 'no-store']);
    });
    it('reads work without a worker', async () => {
      expect((await service.studio().get('/orders')).json).toEqual({ data: [], error: null, nextCursor: null });
    });
  });

  describe('unknown parameters and fields (ruling 44)', () => {
    const LISTS = STUDIO_ENDPOINTS.filter(({ method }) => method === 'GET').map(({ path, role }) => ({
      path: path.replace(/:[a-zA-Z]+/g, 'x'),
      role,
    }));
    it.each(LISTS)('GET $path refuses a query parameter that it does not take', async ({ path, role }) => {
      const reply = await service.studio(tokens[role]).get(`${path}?colour=red`);
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, ['query.colour']]);
    });
    it.each(TABLE.filter(({ hasBody }) => hasBody))(
      '$method $path refuses a field that it does not take',
      async ({ method, path, role }) => {
        const reply = await service.studio(tokens[role]).send(method, path, { colour: 'red' });
        expect([reply.status, validationPathsOf(reply)]).toEqual([400, expect.arrayContaining(['colour'])]);
      },
    );
    it('suggest the intended parameter', async () => {
      const { json } = await service.studio().get('/orders?acountId=acc_1&state=held');
      expect(json.error?.details.issues).toEqual([
        { path: 'query.acountId', message: 'is unknown; did you mean accountId?' },
        { path: 'query.state', message: expect.stringContaining('status') },
      ]);
    });
    it('a misspelled field is refused with a suggestion, and no account gets unlimited credit', async () => {
      const reply = await service.studio().post('/accounts', { name: 'Gallery', email: 'g@example.com', creditLimit: 100 });
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, ['creditLimit']]);
      expect(reply.json.error?.message).toContain('did you mean creditLimitCents?');
      expect(await service.deps.database.rows(`SELECT 1 FROM accounts WHERE email = 'g@example.com'`)).toEqual([]);
    });
    it.each([
      ['no body', undefined, {}],
      ['an empty body', '', { 'content-type': 'text/plain' }],
      ['{}', '{}', { 'content-type': 'application/json' }],
    ])('if every field is optional, %s is accepted', async (_title, body, headers) => {
      const { id } = await anEndpoint(service.deps.database, service.account.accountId, 'https://hooks.example.com/');
      const reply = await service.studio().send('POST', `/webhook-endpoints/${id}/rotate-secret`, body, headers);
      expect([reply.status, reply.json.data?.secret]).toEqual([200, expect.stringMatching(/^lpw_/)]);
    });
  });
});
