import { hashKey } from '../../../../src/security/api-keys';
import { anEndpoint } from '../../../support/endpoints';
import { HttpClient, type Reply } from '../../../support/client';
import { useService } from '../../../support/fixtures';
import { aToken, findAuditEntries } from './support';

type Role = 'floor' | 'office' | 'admin';

describe('sessions of people', () => {
  const service = useService(() => ({
    worker: false,
    env: { TRUSTED_PROXIES: '127.0.0.0/8', WEBHOOK_ALLOWED_ORIGINS: 'http://127.0.0.1:9' },
  }));
  let own: string;
  let browser: HttpClient;
  let lastSource = 0;
  beforeAll(async () => {
    own = `http://127.0.0.1:${service.api.studioPort}`;
    browser = new HttpClient(`${own}/studio/v1`);
  });

  const sql = (text: string, values: unknown[] = []) => service.deps.database.rows<any>(text, values);
  const statusAndCode = ({ status, json }: Reply): [number, string | undefined] => [status, json.error?.code];
  const hashOf = (cookie: string): Buffer => hashKey(cookie.split('=')[1] ?? '');
  const aSource = (): string => `198.51.100.${(lastSource += 1)}`;
  const sendFromBrowser = (method: string, path: string, cookie: string, body?: unknown, headers: Record<string, string> = {}) =>
    browser.send(method, path, body, { cookie, origin: own, ...headers });

  async function aBrowser(token: string, userAgent = 'Firefox/124.0') {
    const source = aSource();
    const reply = await browser.post('/session', { token }, { 'x-forwarded-for': source, 'user-agent': userAgent });
    return { cookie: String(reply.headers['set-cookie']).split(';')[0] ?? '', source, tokenId: reply.json.data.tokenId as string };
  }
  /** A browser that sent its token this long ago. */
  async function aBrowserSince(ago: string, role: Role = 'admin') {
    const token = await aToken(service, role);
    const signedIn = await aBrowser(token);
    await setAuthenticatedAgo(signedIn.cookie, ago);
    return { ...signedIn, token };
  }
  const setAuthenticatedAgo = (cookie: string, ago: string) =>
    sql('UPDATE studio_sessions SET authenticated_at = clock_timestamp() - $2::interval WHERE id_hash = $1', [hashOf(cookie), ago]);

  describe('creating a credential', () => {
    const CREATING: [string, string, () => Promise<string>, unknown, number][] = [
      ['a token', 'POST', async () => '/tokens', { name: 'x', role: 'floor' }, 201],
      [
        'an API key',
        'POST',
        async () => `/accounts/${service.account.accountId}/keys`,
        { environment: 'test', scopes: ['price:read'] },
        201,
      ],
      [
        'a webhook endpoint with its secret',
        'POST',
        async () => `/accounts/${service.account.accountId}/webhook-endpoints`,
        { environment: 'test', url: 'http://127.0.0.1:9/in' },
        201,
      ],
      [
        'another secret',
        'POST',
        async () => {
          const { id } = await anEndpoint(service.deps.database, service.account.accountId, 'https://receiver.invalid/');
          return `/webhook-endpoints/${id}/rotate-secret`;
        },
        { overlapHours: 0 },
        200,
      ],
    ];

    it.each(CREATING)('%s: is allowed to a session for five minutes after its token was sent, and always to the token', async (...row) => {
      const [, method, path, body, status] = row;
      const { cookie, token } = await aBrowserSince('4 minutes');
      const at = await path();
      expect((await sendFromBrowser(method, at, cookie, body)).status).toBe(status);
      await setAuthenticatedAgo(cookie, '5 minutes');
      const countCredentials = () =>
        sql(
          'SELECT (SELECT count(*) FROM api_keys) + (SELECT count(*) FROM studio_tokens) + (SELECT count(*) FROM webhook_endpoints) AS n',
        );
      const before = await countCredentials();
      const reply = await sendFromBrowser(method, at, cookie, body);
      expect(statusAndCode(reply)).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
      expect(reply.json.error?.message).toContain('POST /studio/v1/session/reauthenticate');
      expect(await countCredentials()).toEqual(before);
      expect((await service.studio(token).send(method, at, body)).status).toBe(status);
    });

    it('everything else works without sending the token again', async () => {
      const { cookie } = await aBrowserSince('11 hours');
      expect((await sendFromBrowser('POST', '/accounts', cookie, { name: 'A', email: 'a@example.com' })).status).toBe(201);
      expect((await browser.get('/tokens', { cookie })).status).toBe(200);
    });

    it('an insufficient role is refused for the role, at any time after the sign-in', async () => {
      const { cookie } = await aBrowserSince('1 hour', 'floor');
      expect(statusAndCode(await sendFromBrowser('POST', '/tokens', cookie, { name: 'x', role: 'admin' }))).toEqual([403, 'FORBIDDEN']);
    });

    it('sending the token again gives five more minutes, is in the audit log, and does not extend the session', async () => {
      const { cookie, token, tokenId } = await aBrowserSince('1 hour');
      const before = (await browser.get('/session', { cookie })).json.data;
      const source = aSource();
      const again = await sendFromBrowser('POST', '/session/reauthenticate', cookie, { token }, { 'x-forwarded-for': source });
      expect([again.status, again.json.data.tokenId, again.json.data.expiresAt]).toEqual([200, tokenId, before.expiresAt]);
      expect(again.headers['set-cookie']).toBeUndefined();
      expect((await sendFromBrowser('POST', '/tokens', cookie, { name: 'x', role: 'floor' })).status).toBe(201);
      expect((await findAuditEntries(service, tokenId)).at(-1)).toMatchObject({ action: 'session.reauthenticate', after: { source } });
    });

    it.each<[string, (role: Role) => Promise<string>, string]>([
      ['an unknown token', async () => `lps_${'0'.repeat(64)}`, 'unknown'],
      ['a revoked one', () => aToken(service, 'admin', { revoked: true }), 'revoked or expired'],
      ["another person's", () => aToken(service, 'admin'), 'not the token of the session'],
    ])('%s is 401, counts as a failed sign-in and does not change the session', async (_title, other, credential) => {
      const { cookie } = await aBrowserSince('1 hour');
      const source = aSource();
      const reply = await sendFromBrowser(
        'POST',
        '/session/reauthenticate',
        cookie,
        { token: await other('admin') },
        { 'x-forwarded-for': source },
      );
      expect(statusAndCode(reply)).toEqual([401, 'UNAUTHORIZED']);
      expect(await findAuditEntries(service, source)).toMatchObject([{ action: 'sign-in.failed', after: { credential } }]);
      expect(statusAndCode(await sendFromBrowser('POST', '/tokens', cookie, { name: 'x', role: 'floor' }))).toEqual([
        403,
        'REAUTHENTICATION_REQUIRED',
      ]);
      expect((await browser.get('/session', { cookie })).status).toBe(200);
    });

    it('guessing tokens has the rate limit of the sign-in', async () => {
      const { cookie } = await aBrowserSince('1 hour');
      const from = { 'x-forwarded-for': aSource() };
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 21; attempt += 1)
        statuses.push((await sendFromBrowser('POST', '/session/reauthenticate', cookie, { token: 'lps_no' }, from)).status);
      expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
    });

    it('a page of another origin cannot send it', async () => {
      const { cookie, token } = await aBrowserSince('1 hour');
      const reply = await browser.post('/session/reauthenticate', { token }, { cookie, origin: 'http://evil.test' });
      expect(statusAndCode(reply)).toEqual([403, 'ORIGIN_REFUSED']);
    });
  });

  describe('the list of the user', () => {
    it('shows the newest session first with address and browser, marks the current one, and contains no cookie', async () => {
      const token = await aToken(service, 'floor');
      const first = await aBrowser(token, 'Firefox/124.0');
      const second = await aBrowser(token, `Chrome/${'9'.repeat(400)}`);
      await aBrowser(await aToken(service, 'floor'));
      const reply = await browser.get('/sessions', { cookie: first.cookie });
      const times = { createdAt: expect.any(String), lastSeenAt: expect.any(String), expiresAt: expect.any(String) };
      const id = expect.stringMatching(/^ses_[0-9a-f]{32}$/);
      expect(reply.json.data).toEqual([
        { id, isCurrent: false, source: second.source, userAgent: `Chrome/${'9'.repeat(293)}`, ...times },
        { id, isCurrent: true, source: first.source, userAgent: 'Firefox/124.0', ...times },
      ]);
      for (const { cookie } of [first, second]) {
        expect(reply.text).not.toContain(cookie.split('=')[1]);
        expect(reply.text).not.toContain(hashOf(cookie).toString('hex'));
      }
      const byToken = (await service.studio(token).get('/sessions')).json.data;
      expect(byToken.map(({ isCurrent }: any) => isCurrent)).toEqual([false, false]);
    });

    it('has pages, and omits ended sessions', async () => {
      const token = await aToken(service, 'floor');
      const browsers = [await aBrowser(token), await aBrowser(token), await aBrowser(token), await aBrowser(token)];
      const [idle, over, one, two] = browsers.map(({ cookie }) => cookie) as [string, string, string, string];
      await sql(`UPDATE studio_sessions SET seen_at = clock_timestamp() - interval '31 minutes' WHERE id_hash = $1`, [hashOf(idle)]);
      await sql(`UPDATE studio_sessions SET expires_at = clock_timestamp() WHERE id_hash = $1`, [hashOf(over)]);
      const page = (await browser.get('/sessions?limit=1', { cookie: one })).json;
      const next = (await browser.get(`/sessions?limit=1&cursor=${page.nextCursor}`, { cookie: two })).json;
      expect([page.data.length, next.data, next.nextCursor]).toEqual([1, [expect.objectContaining({ isCurrent: false })], null]);
    });

    it('can end a session: its browser gets 401 at once, and the audit log has the end', async () => {
      const token = await aToken(service, 'office');
      const [here, there] = [await aBrowser(token), await aBrowser(token)];
      const { id } = (await browser.get('/sessions', { cookie: here.cookie })).json.data.find(({ isCurrent }: any) => !isCurrent);
      const ended = await sendFromBrowser('DELETE', `/sessions/${id}`, here.cookie);
      expect([ended.status, ended.json.data]).toMatchObject([200, { id, source: there.source, isCurrent: false }]);
      expect(statusAndCode(await browser.get('/orders', { cookie: there.cookie, 'x-forwarded-for': aSource() }))).toEqual([
        401,
        'SESSION_ENDED',
      ]);
      expect((await browser.get('/orders', { cookie: here.cookie })).status).toBe(200);
      expect((await findAuditEntries(service, here.tokenId)).at(-1)).toMatchObject({ action: 'session.end', before: { session: id } });
      expect(statusAndCode(await sendFromBrowser('DELETE', `/sessions/${id}`, here.cookie))).toEqual([404, 'NOT_FOUND']);
    });

    it('does not show or end sessions of other users, also for an admin', async () => {
      const theirs = await aBrowser(await aToken(service, 'floor'));
      const [{ id }] = await sql('SELECT id FROM studio_sessions WHERE id_hash = $1', [hashOf(theirs.cookie)]);
      const admin = await aBrowser(await aToken(service, 'admin'));
      expect((await browser.get('/sessions', { cookie: admin.cookie })).json.data).toHaveLength(1);
      expect(statusAndCode(await sendFromBrowser('DELETE', `/sessions/${id}`, admin.cookie))).toEqual([404, 'NOT_FOUND']);
      expect(statusAndCode(await sendFromBrowser('DELETE', '/sessions/x', admin.cookie))).toEqual([404, 'NOT_FOUND']);
      expect((await browser.get('/orders', { cookie: theirs.cookie })).status).toBe(200);
    });
  });
});
