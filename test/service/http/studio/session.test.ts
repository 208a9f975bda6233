import { isCredentialValid, type StudioCredential } from '../../../../src/db/repositories/sessions';
import { hashKey } from '../../../../src/security/api-keys';
import { newSecret } from '../../../../src/security/ids';
import { HttpClient, type Reply } from '../../../support/client';
import { startService } from '../../../support/service';
import { useService } from '../../../support/fixtures';
import { aToken, findAuditEntries, validationPathsOf } from './support';
import { sweepOnce } from '../../../support/sweep';

describe("a browser's session", () => {
  const service = useService(() => ({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.0/8' } }));
  let own: string;
  let browser: HttpClient;
  let lastSource = 0;
  beforeAll(async () => {
    own = `http://127.0.0.1:${service.api.studioPort}`;
    browser = new HttpClient(`${own}/studio/v1`);
  });

  /** Failures are counted by source address, so each test uses a different one. */
  const aSource = (): string => `198.51.100.${(lastSource += 1)}`;
  const newSourceHeaders = () => ({ 'x-forwarded-for': aSource() });
  const signIn = (token: string, headers: Record<string, string> = {}) =>
    browser.post('/session', { token }, { ...newSourceHeaders(), ...headers });
  const setCookie = ({ headers }: Reply): string => String(headers['set-cookie']);
  /** The Cookie header of a browser. */
  const cookieOf = (reply: Reply): string => setCookie(reply).split(';')[0] ?? '';
  const hashOf = (cookie: string): Buffer => hashKey(cookie.split('=')[1] ?? '');
  const get = (path: string, cookie: string, headers: Record<string, string> = {}) =>
    browser.get(path, { cookie, ...newSourceHeaders(), ...headers });
  const code = ({ status, json }: Reply): [number, string | undefined] => [status, json.error?.code];
  const sql = (text: string, values: unknown[]) => service.deps.database.rows<any>(text, values);
  const shiftSessionTime = (column: 'seen_at' | 'expires_at', cookie: string, by: string) =>
    sql(`UPDATE studio_sessions SET ${column} = clock_timestamp() + $2::interval WHERE id_hash = $1`, [hashOf(cookie), by]);
  const idOf = async (token: string): Promise<string> =>
    (await sql('SELECT id FROM studio_tokens WHERE token_hash = $1', [hashKey(token)]))[0].id;

  /** A token with a browser session. */
  async function aBrowser(role: 'floor' | 'office' | 'admin' = 'office', name = 'Desk 1') {
    const token = await aToken(service, role, { name });
    const reply = await signIn(token);
    return { token, reply, cookie: cookieOf(reply), tokenId: await idOf(token) };
  }

  it('a request counts towards the rate limit only if it is admitted', async () => {
    const [floor, admin] = [await aBrowser('floor'), await aBrowser('admin')];
    await sql(`UPDATE studio_sessions SET authenticated_at = authenticated_at - interval '6 minutes' WHERE token_id = $1`, [admin.tokenId]);
    const refused = [
      await get('/today', floor.cookie, { 'service-signed-in-as': admin.tokenId }),
      await get('/nothing', floor.cookie),
      await get('/tokens', floor.cookie),
      await browser.post('/milestone-batches', {}, { cookie: floor.cookie, origin: 'https://evil.example', ...newSourceHeaders() }),
      await browser.post('/tokens', {}, { cookie: admin.cookie, origin: own, ...newSourceHeaders() }),
    ];
    expect(refused.map(code)).toEqual([
      [401, 'SIGNED_IN_AS_ANOTHER'],
      [404, 'NOT_FOUND'],
      [403, 'FORBIDDEN'],
      [403, 'ORIGIN_REFUSED'],
      [403, 'REAUTHENTICATION_REQUIRED'],
    ]);
    await get('/today', floor.cookie);
    await get('/today', floor.cookie);
    const counts = await sql('SELECT endpoint, cardinality(hits) AS hits FROM rate_windows WHERE subject = ANY ($1) ORDER BY endpoint', [
      [floor, admin].map(({ tokenId }) => `token:${tokenId}`),
    ]);
    expect(counts).toEqual([
      { endpoint: 'refused role', hits: 1 },
      { endpoint: 'studio GET /today', hits: 2 },
    ]);
  });

  describe('signing in', () => {
    it('returns the user and the end of the session, and no credential', async () => {
      const { reply, token, cookie, tokenId } = await aBrowser();
      expect([reply.status, reply.headers['cache-control']]).toEqual([201, 'no-store']);
      const { expiresAt, idleUntil, ...who } = reply.json.data;
      expect(who).toEqual({ tokenId, name: 'Desk 1', role: 'office', kind: 'person', timeZone: 'Australia/Melbourne' });
      expect(Date.parse(expiresAt) - Date.parse(idleUntil)).toBe(11.5 * 3_600_000);
      for (const secret of [token, cookie.split('=')[1]]) expect(reply.text + service.logLines.join()).not.toContain(secret);
      expect((await get('/session', cookie)).json.data).toEqual(reply.json.data);
    });
    it.each<[string, Record<string, string>, RegExp]>([
      ['http', {}, /^studio_session=[0-9a-f]{64}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/],
      [
        'https by a trusted proxy',
        { 'x-forwarded-proto': 'https' },
        /^__Host-studio_session=[0-9a-f]{64}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
      ],
    ])('over %s the cookie has the right name and attributes', async (_title, headers, form) => {
      expect(setCookie(await signIn(await aToken(service, 'floor'), headers))).toMatch(form);
    });
    it('the database has only a hash of it', async () => {
      const { cookie, tokenId } = await aBrowser();
      const rows = await sql('SELECT id_hash, s::text AS text FROM studio_sessions s WHERE token_id = $1', [tokenId]);
      expect(rows).toEqual([{ id_hash: hashOf(cookie), text: expect.not.stringContaining(cookie.split('=')[1] ?? '') }]);
    });
    it.each<[string, () => Promise<string>, string]>([
      ['an unknown token', async () => `lps_${'0'.repeat(64)}`, 'unknown'],
      ['a revoked one', () => aToken(service, 'admin', { revoked: true }), 'revoked or expired'],
      ["a client's key", async () => service.account.liveKey, 'unknown'],
    ])('%s is 401 without a cookie, and in the audit log as a failed sign-in', async (_title, token, credential) => {
      const source = aSource();
      const reply = await signIn(await token(), { 'x-forwarded-for': source });
      expect([...code(reply), reply.headers['set-cookie']]).toEqual([401, 'UNAUTHORIZED', undefined]);
      expect(await findAuditEntries(service, source)).toMatchObject([{ action: 'sign-in.failed', after: { credential } }]);
    });
    it('the 21st failure in a minute from one address is 429, and a valid token still signs in from there', async () => {
      const from = newSourceHeaders();
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 21; attempt += 1) statuses.push((await signIn('lps_no', from)).status);
      expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
      expect((await signIn(await aToken(service, 'floor'), from)).status).toBe(201);
    });
    it('checking the sign-in from many browsers of one address is never rate limited', async () => {
      const from = newSourceHeaders();
      const statuses = await Promise.all(Array.from({ length: 25 }, async () => (await browser.get('/session', from)).status));
      expect(new Set(statuses)).toEqual(new Set([401]));
      expect((await signIn('lps_no', from)).status).toBe(401);
    });
    it.each<[string, unknown, string[]]>([
      ['no token', {}, ['token']],
      ['a token that is not text', { token: 7 }, ['token']],
      ['an additional field', { token: 'lps_', name: 'x' }, ['name']],
      ['a body of 4097 bytes', JSON.stringify({ token: 'x'.repeat(4085) }), ['']],
    ])('%s is 400', async (_title, body, paths) => {
      const reply = await browser.send('POST', '/session', body, { 'content-type': 'application/json' });
      expect([reply.status, validationPathsOf(reply)]).toEqual([400, paths]);
    });
    it('in the same browser again ends the earlier session', async () => {
      const first = await aBrowser();
      const second = await signIn(await aToken(service, 'floor'), { cookie: first.cookie });
      expect(code(await get('/session', first.cookie))).toEqual([401, 'SESSION_ENDED']);
      expect((await get('/session', cookieOf(second))).json.data.role).toBe('floor');
      expect(await findAuditEntries(service, first.tokenId)).toMatchObject([
        { action: 'sign-in' },
        { action: 'sign-out', actor: 'Desk 1' },
      ]);
    });
    it('removes cookies of the same name below its path, which would override it', async () => {
      const reply = await signIn(await aToken(service, 'floor'), { cookie: 'studio_session=x' });
      expect(reply.headers['set-cookie']).toEqual([
        expect.stringMatching(/^studio_session=[0-9a-f]{64}; Path=\/; /),
        'studio_session=; Path=/studio; Max-Age=0',
        'studio_session=; Path=/studio/v1; Max-Age=0',
      ]);
    });
    it('and signing out are in the audit log with the name of the token', async () => {
      const { cookie, tokenId } = await aBrowser('floor', 'Press 3');
      await browser.send('DELETE', '/session', undefined, { cookie, origin: own, ...newSourceHeaders() });
      const by = { actor: 'Press 3', actor_id: tokenId, request_id: expect.stringMatching(/^req_/) };
      expect(await findAuditEntries(service, tokenId)).toMatchObject([
        { ...by, action: 'sign-in', after: { source: expect.stringMatching(/^198\./), expiresAt: expect.any(String) } },
        { ...by, action: 'sign-out' },
      ]);
    });
  });

  describe('the cookie', () => {
    it('reads and, from a page of the listener, writes; the audit log has the name of the token', async () => {
      const { cookie, tokenId } = await aBrowser('office', 'Desk 7');
      expect((await get('/accounts', cookie)).status).toBe(200);
      const made = await browser.post('/accounts', { name: 'A', email: 'a@example.com' }, { cookie, origin: own, ...newSourceHeaders() });
      expect(made.status).toBe(201);
      expect(await findAuditEntries(service, made.json.data.id)).toMatchObject([{ actor: 'Desk 7', actor_id: tokenId }]);
    });
    it('with an insufficient role is 403 and in the audit log', async () => {
      const { cookie } = await aBrowser('floor', 'Press 12');
      expect(code(await get('/tokens', cookie))).toEqual([403, 'FORBIDDEN']);
      const entries = (await findAuditEntries(service, 'GET /tokens')).filter(({ actor }) => actor === 'Press 12');
      expect(entries).toMatchObject([{ action: 'role.refused', after: { role: 'floor', needed: 'admin' } }]);
    });
    it('of another person than the page expects is refused for every request, and nothing is written', async () => {
      const [shown, { cookie, tokenId }] = [await aBrowser('office', 'Desk 2'), await aBrowser('admin', 'Ines')];
      const asked = { cookie, origin: own, ...newSourceHeaders() };
      const postFromBrowser = (headers: Record<string, string>) =>
        browser.post('/accounts', { name: 'A', email: 'two-tabs@example.com' }, { ...asked, ...headers });
      for (const signedInAs of [shown.tokenId, '', `${tokenId}, ${shown.tokenId}`]) {
        const reply = await postFromBrowser({ 'service-signed-in-as': signedInAs });
        expect([...code(reply), reply.json.error?.details]).toEqual([401, 'SIGNED_IN_AS_ANOTHER', { tokenId, name: 'Ines' }]);
        expect(reply.json.error?.message).toContain('now signed in as Ines');
      }
      expect(code(await get('/orders', cookie, { 'service-signed-in-as': shown.tokenId }))).toEqual([401, 'SIGNED_IN_AS_ANOTHER']);
      expect(await sql(`SELECT id FROM accounts WHERE email = 'two-tabs@example.com'`, [])).toEqual([]);
      expect((await postFromBrowser({ 'service-signed-in-as': tokenId })).status).toBe(201);
      const byToken = { authorization: `Bearer ${shown.token}`, 'service-signed-in-as': tokenId };
      expect((await get('/orders', cookie, byToken)).status).toBe(200);
    });
    it('has the role that its token has at this moment', async () => {
      const { cookie, tokenId } = await aBrowser('admin');
      expect((await get('/tokens', cookie)).status).toBe(200);
      await sql(`UPDATE studio_tokens SET role = 'floor' WHERE id = $1`, [tokenId]);
      expect(code(await get('/tokens', cookie))).toEqual([403, 'FORBIDDEN']);
      expect((await get('/session', cookie)).json.data.role).toBe('floor');
    });
    it('is ignored if there is an Authorization header, valid or not', async () => {
      const { cookie } = await aBrowser('floor');
      const requestWithAuthorization = (authorization: string) => get('/session', cookie, { authorization });
      expect((await requestWithAuthorization(`Bearer ${service.adminToken}`)).json.data).toMatchObject({
        role: 'admin',
        idleUntil: null,
        expiresAt: null,
      });
      for (const authorization of ['Bearer lps_no', 'Bearer ', 'Basic eA==', ''])
        expect(code(await requestWithAuthorization(authorization))).toEqual([401, 'UNAUTHORIZED']);
    });
    it('is ignored by the trade API', async () => {
      const { cookie } = await aBrowser('admin');
      const trade = new HttpClient(`http://127.0.0.1:${service.api.tradePort}/v1`);
      expect(code(await trade.get('/orders', { cookie, ...newSourceHeaders() }))).toEqual([401, 'UNAUTHORIZED']);
    });
    it('has another name over http than over https', async () => {
      const { cookie, token } = await aBrowser();
      const secure = cookieOf(await signIn(token, { 'x-forwarded-proto': 'https' }));
      expect((await get('/session', secure, { 'x-forwarded-proto': 'https' })).status).toBe(200);
      expect((await get('/session', secure)).status).toBe(401);
      expect((await get('/session', cookie, { 'x-forwarded-proto': 'https' })).status).toBe(401);
    });
    it('has the rate limit of its token', async () => {
      const { cookie, token, tokenId } = await aBrowser();
      await sql(
        `INSERT INTO rate_windows (subject, endpoint, hits)
         SELECT 'token:' || $1, 'studio GET /orders', array_agg((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM generate_series(1, 599)`,
        [tokenId],
      );
      expect((await service.studio(token).get('/orders')).status).toBe(200);
      expect(code(await get('/orders', cookie))).toEqual([429, 'RATE_LIMITED']);
    });
  });

  describe('ends with a 401 that says to sign in again,', () => {
    const ended: [string, (cookie: string, tokenId: string) => Promise<unknown>, string | null][] = [
      ['after thirty minutes without a request', (cookie) => shiftSessionTime('seen_at', cookie, '-30 minutes'), null],
      ['after twelve hours, also with requests', (cookie) => shiftSessionTime('expires_at', cookie, '0'), null],
      [
        'when its token is revoked',
        (_, id) => sql('UPDATE studio_tokens SET revoked_at = now() WHERE id = $1', [id]),
        'session of a token',
      ],
      [
        'when its token expires',
        (_, id) => sql(`UPDATE studio_tokens SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]),
        'session of a token',
      ],
      ['when it was never issued', (cookie) => sql('DELETE FROM studio_sessions WHERE id_hash = $1', [hashOf(cookie)]), 'unknown session'],
    ];
    it.each(ended)('%s', async (_title, end, noted) => {
      const { cookie, tokenId } = await aBrowser();
      expect((await get('/orders', cookie)).status).toBe(200);
      await end(cookie, tokenId);
      const source = aSource();
      const reply = await get('/orders', cookie, { 'x-forwarded-for': source });
      expect(reply.json).toEqual({
        data: null,
        error: { code: 'SESSION_ENDED', message: 'the session has ended; sign in again with POST /studio/v1/session' },
      });
      expect([reply.status, reply.headers['cache-control']]).toEqual([401, 'no-store']);
      const entries = (await findAuditEntries(service, source)).map(({ action, after }) => [action, after.credential]);
      expect(entries).toEqual(noted === null ? [] : [['sign-in.failed', expect.stringContaining(noted)]]);
    });
    it.each<[string, (cookie: string) => string]>([
      ['of two cookies', (cookie) => `${cookie}; studio_session=${newSecret()}`],
      ['of two cookies in the other order', (cookie) => `studio_session=${newSecret()}; ${cookie}`],
      ['of a cookie without a value', () => 'studio_session='],
      ['of a cookie that is too short', (cookie) => cookie.slice(0, -1)],
      ['of a cookie in quotes', (cookie) => cookie.replace(/=(.*)/, '="$1"')],
      ['of a cookie that is not text', () => 'studio_session=%00\u0080'],
    ])('%s', async (_title, sent) => {
      const { cookie } = await aBrowser();
      expect(code(await get('/orders', sent(cookie)))).toEqual([401, 'SESSION_ENDED']);
    });
    it('counted as a failed authentication if the cookie was never issued', async () => {
      const from = newSourceHeaders();
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 21; attempt += 1) statuses.push((await get('/orders', `studio_session=${newSecret()}`, from)).status);
      expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
    });
    it('not counted if it expired, because many pages may notice at once', async () => {
      const { cookie } = await aBrowser();
      await shiftSessionTime('seen_at', cookie, '-30 minutes');
      const from = newSourceHeaders();
      const replies = await Promise.all(Array.from({ length: 25 }, () => get('/orders', cookie, from)));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
    });
    it.each(['other=1', 'xstudio_session=1', ''])('but a request without a session cookie has no credential: %s', async (cookie) => {
      expect(code(await get('/orders', cookie))).toEqual([401, 'UNAUTHORIZED']);
    });
    it('and is deleted by the sweeper after its twelve hours and not before', async () => {
      const [idle, old] = [await aBrowser(), await aBrowser()];
      await shiftSessionTime('seen_at', idle.cookie, '-2 hours');
      await shiftSessionTime('expires_at', old.cookie, '-1 second');
      await sweepOnce(service.deps);
      expect(await sql('SELECT token_id FROM studio_sessions WHERE token_id = ANY($1)', [[idle.tokenId, old.tokenId]])).toEqual([
        { token_id: idle.tokenId },
      ]);
    });
  });

  describe('is extended', () => {
    const readSeenAt = async (cookie: string): Promise<Date> =>
      (await sql('SELECT seen_at FROM studio_sessions WHERE id_hash = $1', [hashOf(cookie)]))[0].seen_at;
    /** Whether the use was recorded. */
    async function isActivityRecorded(cookie: string, ask: () => Promise<unknown>): Promise<boolean> {
      const before = await readSeenAt(cookie);
      await ask();
      return (await readSeenAt(cookie)) > before;
    }
    it.each<[string, boolean, string, (cookie: string) => Promise<unknown>]>([
      ['by a request', true, '-61 seconds', (cookie) => get('/orders', cookie)],
      ['by one that is refused for its role', true, '-61 seconds', (cookie) => get('/tokens', cookie)],
      ['by a write', true, '-61 seconds', (cookie) => browser.post('/accounts', {}, { cookie, origin: own })],
      ['but recorded once a minute at most', false, '-10 seconds', (cookie) => get('/orders', cookie)],
      ['but not by reading the session', false, '-61 seconds', (cookie) => get('/session', cookie)],
      ['but not by automatic reads of a page', false, '-61 seconds', (cookie) => get('/orders', cookie, { 'service-unattended': 'true' })],
      ['but not by pictures of the board', false, '-61 seconds', (cookie) => get('/orders/P-10001/lines/0/preview', cookie)],
      ['but not by a page of another origin', false, '-61 seconds', (cookie) => browser.post('/accounts', {}, { cookie, origin: 'null' })],
      ['but not by an unknown path', false, '-61 seconds', (cookie) => get('/nothing', cookie)],
    ])('%s', async (_title, noted, ago, ask) => {
      const { cookie } = await aBrowser();
      await shiftSessionTime('seen_at', cookie, ago);
      expect(await isActivityRecorded(cookie, () => ask(cookie))).toBe(noted);
    });
    it('and its token is recorded as used', async () => {
      const { cookie, tokenId } = await aBrowser();
      await sql(`UPDATE studio_tokens SET last_used_at = now() - interval '1 hour' WHERE id = $1`, [tokenId]);
      await get('/orders', cookie);
      const [found] = await sql(`SELECT last_used_at > now() - interval '1 minute' AS is_new FROM studio_tokens WHERE id = $1`, [tokenId]);
      expect(found).toEqual({ is_new: true });
    });
  });

  describe('is still valid', () => {
    const credentials = (cookie: string, tokenId: string): StudioCredential[] => [
      { kind: 'token', tokenId },
      { kind: 'session', idHash: hashOf(cookie) },
    ];
    it.each<[string, (cookie: string, tokenId: string) => Promise<unknown>, boolean[]]>([
      ['until it ends', async () => undefined, [true, true]],
      ['for at most thirty minutes without requests', (cookie) => shiftSessionTime('seen_at', cookie, '-30 minutes'), [true, false]],
      ['for at most twelve hours', (cookie) => shiftSessionTime('expires_at', cookie, '0'), [true, false]],
      ['until it is signed out', (cookie) => browser.send('DELETE', '/session', undefined, { cookie, origin: own }), [true, false]],
      ['until its token is revoked', (_, id) => sql('UPDATE studio_tokens SET revoked_at = now() WHERE id = $1', [id]), [false, false]],
      [
        'until its token expires',
        (_, id) => sql(`UPDATE studio_tokens SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]),
        [false, false],
      ],
    ])('%s', async (_title, end, expected) => {
      const { cookie, tokenId } = await aBrowser();
      await end(cookie, tokenId);
      const found = credentials(cookie, tokenId).map((credential) => isCredentialValid(service.deps.database, credential));
      expect(await Promise.all(found)).toEqual(expected);
    });
    it('and checking it does not extend it', async () => {
      const { cookie } = await aBrowser();
      await shiftSessionTime('seen_at', cookie, '-29 minutes');
      const before = (await get('/session', cookie)).json.data.idleUntil;
      expect(await isCredentialValid(service.deps.database, { kind: 'session', idHash: hashOf(cookie) })).toBe(true);
      expect((await get('/session', cookie)).json.data.idleUntil).toBe(before);
    });
  });

  describe('Origin', () => {
    const foreignOrigins = (): [string, string | undefined][] => [
      ['null', 'null'],
      ['another port', 'http://127.0.0.1:1'],
      ['another scheme', own.replace('http:', 'https:')],
      ['another name of the same machine', own.replace('127.0.0.1', 'localhost')],
      ['one with the same beginning', `${own}.evil.test`],
      ['one with a path', `${own}/`],
      ['one with a user name', own.replace('//', '//x@')],
      ['two of them', `${own}, ${own}`],
      ['an empty value', ''],
    ];
    const postFromBrowser = (cookie: string, headers: Record<string, string>) =>
      browser.post('/accounts', { name: 'A', email: 'origin@example.com' }, { cookie, ...newSourceHeaders(), ...headers });

    it('a write by cookie from another origin or without one is 403 with the valid origin, and changes nothing', async () => {
      const { cookie } = await aBrowser();
      for (const [title, origin] of [...foreignOrigins(), ['missing', undefined] as const]) {
        const reply = await postFromBrowser(cookie, origin === undefined ? {} : { origin });
        expect([title, ...code(reply)]).toEqual([title, 403, 'ORIGIN_REFUSED']);
        expect(reply.json.error?.message).toContain(`"Origin: ${own}"`);
      }
      expect(await sql(`SELECT id FROM accounts WHERE email = 'origin@example.com'`, [])).toEqual([]);
    });
    it.each<[string, Record<string, string>, string]>([
      ['over https', { host: 'studio.example', 'x-forwarded-proto': 'https' }, 'https://studio.example'],
      ["on the scheme's own port", { host: 'Studio.Example:443', 'x-forwarded-proto': 'https' }, 'https://studio.example'],
      ['on another port', { host: 'studio.example:8443', 'x-forwarded-proto': 'HTTPS, http' }, 'https://studio.example:8443'],
      ['over http', { host: 'studio.example' }, 'http://studio.example'],
      ['over IPv6', { host: '[::1]:8081' }, 'http://[::1]:8081'],
    ])('%s is the origin of the browser', async (_title, headers, origin) => {
      const token = await aToken(service, 'office');
      const cookie = cookieOf(await signIn(token, { ...headers, origin }));
      expect((await postFromBrowser(cookie, { ...headers, origin })).status).toBe(201);
      expect(code(await postFromBrowser(cookie, { ...headers, origin: own }))).toEqual([403, 'ORIGIN_REFUSED']);
    });
    it.each(['user@studio.example', 'studio.example/x', 'studio.example:port'])('a Host header %s gives no origin', async (host) => {
      const { cookie } = await aBrowser();
      const reply = await postFromBrowser(cookie, { host, origin: `http://${host}` });
      expect([...code(reply), reply.json.error?.message]).toEqual([403, 'ORIGIN_REFUSED', expect.stringContaining('not a valid host')]);
    });
    it('is required of payload decoding too: Temporal’s Web UI needs a token', async () => {
      const { cookie, token } = await aBrowser();
      const webUi = { origin: 'http://127.0.0.1:8233', ...newSourceHeaders() };
      const decode = (headers: Record<string, string>) =>
        new HttpClient(own).post('/codec/decode', { payloads: [] }, { ...webUi, ...headers });
      expect(code(await decode({ cookie }))).toEqual([403, 'ORIGIN_REFUSED']);
      expect((await decode({ cookie, authorization: `Bearer ${token}` })).status).toBe(200);
    });
    it('is not required for reads, or with a token', async () => {
      const { cookie, token } = await aBrowser();
      expect((await get('/orders', cookie, { origin: 'http://evil.test' })).status).toBe(200);
      const written = await service
        .studio(token)
        .post('/accounts', { name: 'A', email: 'by-token@example.com' }, { cookie, origin: 'null' });
      expect(written.status).toBe(201);
    });
    it('a sign-in from another origin is refused, and a script without an Origin header can sign in', async () => {
      const token = await aToken(service, 'floor');
      for (const [title, origin] of foreignOrigins()) {
        const reply = await signIn(token, { origin: origin ?? '' });
        expect([title, ...code(reply), reply.headers['set-cookie']]).toEqual([title, 403, 'ORIGIN_REFUSED', undefined]);
      }
      expect([(await signIn(token)).status, (await signIn(token, { origin: own })).status]).toEqual([201, 201]);
    });
    it('X-Forwarded-Proto of an untrusted proxy is ignored', async () => {
      const direct = await startService({ worker: false });
      try {
        const client = new HttpClient(`http://127.0.0.1:${direct.api.studioPort}/studio/v1`);
        const reply = await client.post('/session', { token: direct.adminToken }, { 'x-forwarded-proto': 'https' });
        expect(setCookie(reply)).toMatch(/^studio_session=/);
      } finally {
        await direct.stop();
      }
    });
    it('other origins can neither read a response nor send a preflight', async () => {
      const { cookie } = await aBrowser();
      const replies = [
        await get('/orders', cookie, { origin: 'http://127.0.0.1:8233' }),
        await browser.send('OPTIONS', '/session', undefined, {
          origin: 'http://evil.test',
          'access-control-request-method': 'POST',
          ...newSourceHeaders(),
        }),
      ];
      for (const { headers } of replies) expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    });
  });

  describe('signing out', () => {
    const signOut = (cookie: string, headers: Record<string, string> = { origin: own }) =>
      browser.send('DELETE', '/session', undefined, { cookie, ...newSourceHeaders(), ...headers });

    it('ends the session at once and removes the cookie, also if repeated', async () => {
      const { cookie } = await aBrowser();
      const gone = await signOut(cookie);
      expect([gone.status, gone.text]).toEqual([200, '{"data":{"signedIn":false},"error":null}']);
      expect(setCookie(gone)).toBe('studio_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict');
      expect(code(await get('/orders', cookie))).toEqual([401, 'SESSION_ENDED']);
      const again = await signOut(cookie);
      expect([again.status, again.text, setCookie(again)]).toEqual([200, gone.text, setCookie(gone)]);
    });
    it.each<[string, (cookie: string, tokenId: string) => Promise<unknown>]>([
      ['idle', (cookie) => shiftSessionTime('seen_at', cookie, '-1 hour')],
      ['over', (cookie) => shiftSessionTime('expires_at', cookie, '-1 hour')],
      ['of a revoked token', (_, id) => sql('UPDATE studio_tokens SET revoked_at = now() WHERE id = $1', [id])],
    ])('of a session that is %s is 200, removes the cookie, and is not in the audit log', async (_title, end) => {
      const { cookie, tokenId } = await aBrowser();
      await end(cookie, tokenId);
      const reply = await signOut(cookie);
      expect([reply.status, setCookie(reply)]).toEqual([200, expect.stringContaining('Max-Age=0')]);
      expect((await findAuditEntries(service, tokenId)).map(({ action }) => action)).toEqual(['sign-in']);
    });
    it('over https removes the cookie of https', async () => {
      const reply = await signOut('', { 'x-forwarded-proto': 'https' });
      expect(setCookie(reply)).toBe('__Host-studio_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure');
    });
    it('from another origin is refused, and the session stays valid', async () => {
      const { cookie } = await aBrowser();
      for (const headers of [{ origin: 'http://127.0.0.1:1' }, { origin: 'null' }, {}])
        expect(code(await signOut(cookie, headers as Record<string, string>))).toEqual([403, 'ORIGIN_REFUSED']);
      expect((await get('/session', cookie)).status).toBe(200);
    });
    it('ends no other session of the same token', async () => {
      const { token, cookie } = await aBrowser();
      const other = cookieOf(await signIn(token));
      await signOut(cookie);
      expect((await get('/session', other)).status).toBe(200);
    });
  });
});
