import { HttpClient, type Reply } from '../../../support/client';
import { useService } from '../../../support/fixtures';
import { aToken, findAuditEntries, OrderFactory, validationPathsOf } from './support';

describe('a station and its badges (ruling 101)', () => {
  const service = useService(() => ({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } }));
  let own: string;
  let browser: HttpClient;
  let lastSource = 0;
  beforeAll(() => {
    own = `http://127.0.0.1:${service.api.studioPort}`;
    browser = new HttpClient(`${own}/studio/v1`);
  });

  const source = () => ({ 'x-forwarded-for': `198.51.100.${(lastSource += 1)}` });
  const code = ({ status, json }: Reply): [number, string | undefined] => [status, json.error?.code];
  const signIn = (token: string, headers: Record<string, string> = {}) => browser.post('/session', { token }, { ...source(), ...headers });
  const cookieOf = ({ headers }: Reply): string => String(headers['set-cookie']).split(';')[0] ?? '';
  const createStation = async (name = 'Packing 1'): Promise<{ id: string; token: string }> =>
    (await service.studio().post('/tokens', { name, role: 'floor', kind: 'station' })).json.data;
  const createBadge = async (name: string): Promise<{ id: string; code: string }> =>
    (await service.studio().post('/badges', { name })).json.data;
  /** Requests of a browser that is signed in as a new station. */
  async function aStation(name?: string) {
    const { id, token } = await createStation(name);
    const reply = await signIn(token);
    const cookie = cookieOf(reply);
    const headers = (badge?: string) => ({ cookie, origin: own, ...source(), ...(badge !== undefined && { 'studio-badge': badge }) });
    return {
      id,
      token,
      reply,
      cookie,
      get: (path: string, badge?: string) => browser.get(path, headers(badge)),
      post: (path: string, body: unknown, badge?: string) => browser.post(path, body, headers(badge)),
    };
  }
  const timelineOf = async (orderId: string) => (await service.studio().get(`/orders/${orderId}`)).json.data.timeline;

  it('a station has the role floor', async () => {
    const admin = service.studio();
    for (const role of ['office', 'admin'])
      expect(validationPathsOf(await admin.post('/tokens', { name: 'Packing 1', role, kind: 'station' }))).toEqual(['role']);
    expect(validationPathsOf(await admin.post('/tokens', { name: 'Packing 1', role: 'floor', kind: 'robot' }))).toEqual(['kind']);
    const { id } = await createStation();
    const { data } = (await admin.get('/tokens?limit=100')).json;
    expect(data.find((each: { id: string }) => each.id === id)).toMatchObject({ kind: 'station', role: 'floor' });
    expect(data.find((each: { id: string }) => each.id !== id)).toMatchObject({ kind: 'person' });
  });

  it('signs in one browser, without an end, and its token is useless elsewhere', async () => {
    const { id, token, reply, get } = await aStation();
    expect(reply.json.data).toMatchObject({ tokenId: id, kind: 'station', role: 'floor', expiresAt: null, idleUntil: null });
    expect(String(reply.headers['set-cookie'])).toContain(`Max-Age=${400 * 86_400};`);
    await service.deps.database.run(
      `UPDATE studio_sessions SET created_at = created_at - interval '2 years', seen_at = seen_at - interval '2 years' WHERE token_id = $1`,
      [id],
    );
    expect((await get('/today')).status).toBe(200);
    const session = await get('/session');
    expect(session.json.data).toEqual(reply.json.data);
    expect(String(session.headers['set-cookie'])).toContain(`${cookieOf(reply)}; Path=/; Max-Age=${400 * 86_400};`);
    expect(code(await signIn(token))).toEqual([401, 'UNAUTHORIZED']);
    expect(code(await service.studio(token).get('/today'))).toEqual([401, 'UNAUTHORIZED']);
    expect((await get('/today')).status).toBe(200);
  });

  it('of two browsers that sign in at once, one becomes the station', async () => {
    const { token } = await createStation();
    const replies = await Promise.all(Array.from({ length: 5 }, () => signIn(token)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401, 401]);
    const from = '198.51.100.250';
    await signIn(token, { 'x-forwarded-for': from });
    expect(await findAuditEntries(service, from)).toMatchObject([
      { action: 'sign-in.failed', after: { credential: 'station that is signed in on another browser' } },
    ]);
  });

  it('ends when an admin revokes its token; the same browser may sign in again', async () => {
    const { id, token, cookie, get } = await aStation();
    const again = await signIn(token, { cookie, origin: own });
    expect(again.status).toBe(201);
    expect(code(await get('/today'))).toEqual([401, 'SESSION_ENDED']);
    const present = () => browser.get('/today', { cookie: cookieOf(again), ...source() });
    expect((await present()).status).toBe(200);
    await service.studio().send('DELETE', `/tokens/${id}`);
    expect(code(await present())).toEqual([401, 'SESSION_ENDED']);
    expect(code(await signIn(token))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('has no money, settings or credentials', async () => {
    const { get, post } = await aStation();
    const badge = (await createBadge('Mia Chen')).code;
    const refused = [
      await get('/invoices', badge),
      await get('/accounts', badge),
      await get('/tokens', badge),
      await get('/badges', badge),
      await post('/badges', { name: 'Eve' }, badge),
      await get('/audit', badge),
    ];
    expect(refused.map(code)).toEqual(refused.map(() => [403, 'FORBIDDEN']));
  });

  it('a badge names the person in timeline and audit log, with the station', async () => {
    const { id, get, post } = await aStation('Packing 2');
    const mia = await createBadge('Mia Chen');
    expect(mia.code).toMatch(/^BADGE-[0-9A-Z]{10}$/);
    expect((await get(`/badge-holders/${mia.code.toLowerCase()}`)).json.data).toEqual({ id: mia.id, name: 'Mia Chen' });
    const { orderId } = await new OrderFactory(service).place();
    expect((await post(`/orders/${orderId}/milestones`, { milestoneId: 'a', type: 'production_started' }, mia.code)).status).toBe(200);
    expect((await post(`/orders/${orderId}/milestones`, { milestoneId: 'b', type: 'printed' })).status).toBe(200);
    expect((await timelineOf(orderId)).map(({ actor }: { actor: string }) => actor)).toEqual(['Packing 2 (Mia Chen)', 'Packing 2']);
    const entries = (await service.studio().get(`/audit?subject=${orderId}&order=oldest`)).json?.data ?? [];
    const stored = await findAuditEntries(service, orderId);
    expect(stored.map(({ actor }) => actor)).toEqual(['Packing 2 (Mia Chen)', 'Packing 2']);
    for (const { actor } of entries) expect(actor.tokenId).toBe(id);
    const [first] = (await service.studio().get(`/audit?subject=${orderId}`)).json.data.toReversed();
    expect(first.actor).toEqual({ tokenId: id, name: 'Packing 2 (Mia Chen)', badgeId: mia.id });
  });

  it('only the badge that recorded a step undoes it', async () => {
    const { get, post } = await aStation();
    const [mia, bob] = [await createBadge('Mia Chen'), await createBadge('Bob Lee')];
    const { orderId } = await new OrderFactory(service).place();
    const undo = (badge?: string) => post(`/orders/${orderId}/milestones/s/correct`, { reason: 'another sheet' }, badge);
    const undoable = async (badge?: string) =>
      (await get(`/orders/${orderId}`, badge)).json.data.timeline.some(
        ({ undoableUntil }: { undoableUntil: string | null }) => undoableUntil !== null,
      );
    await post(`/orders/${orderId}/milestones`, { milestoneId: 's', type: 'production_started' }, mia.code);
    expect([await undoable(bob.code), await undoable(), await undoable(mia.code)]).toEqual([false, false, true]);
    expect(code(await undo(bob.code))).toEqual([403, 'FORBIDDEN']);
    expect(code(await undo())).toEqual([403, 'FORBIDDEN']);
    expect((await undo(mia.code)).status).toBe(200);
  });

  it('a revoked badge, other text, and a badge without a station are refused, and nothing changes', async () => {
    const { get, post } = await aStation();
    const mia = await createBadge('Mia Chen');
    const revoke = () => service.studio().send('DELETE', `/badges/${mia.id}`);
    const { revokedAt } = (await revoke()).json.data;
    expect((await revoke()).json.data.revokedAt).toBe(revokedAt);
    const { orderId } = await new OrderFactory(service).place();
    const milestone = { milestoneId: 's', type: 'production_started' };
    const texts = [mia.code, 'BADGE-0000000000', 'P-10001', '<script>alert(1)</script>', 'x'.repeat(8_000), `${mia.code}, ${mia.code}`];
    for (const text of texts) {
      expect([text.slice(0, 40), ...code(await post(`/orders/${orderId}/milestones`, milestone, text))]).toEqual([
        text.slice(0, 40),
        409,
        'BADGE_REFUSED',
      ]);
      expect((await get(`/badge-holders/${encodeURIComponent(text.slice(0, 200))}`)).status).toBe(404);
    }
    const active = await createBadge('Bob Lee');
    const floor = service.studio(await aToken(service, 'floor'));
    const asPerson = await floor.post(`/orders/${orderId}/milestones`, milestone, { 'studio-badge': active.code });
    expect(code(asPerson)).toEqual([409, 'BADGE_REFUSED']);
    expect(await timelineOf(orderId)).toEqual([]);
    const actions = (await findAuditEntries(service, mia.id)).map(({ action }) => action);
    expect(actions).toEqual(['badge.create', 'badge.revoke']);
  });

  it('a badge is printed as a card', async () => {
    const { id } = await createBadge('Zoë Müller 王小明');
    const { status, headers, text } = await service.studio().get(`/badges/${id}/badge.pdf`);
    expect([status, headers['content-type'], text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-']);
  });
});
