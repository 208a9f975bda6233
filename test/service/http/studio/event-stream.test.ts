import { request } from 'undici';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { NO_TIMEOUTS, openDatabase, type Sql } from '../../../../src/db/database';
import { STREAM_LIMITS } from '../../../../src/domain/change-feed';
import { ChangeFeed } from '../../../../src/live/change-feed';
import { EventStreams } from '../../../../src/live/streams';
import { anEndpoint } from '../../../support/endpoints';
import type { TestService } from '../../../support/service';
import { useFixture, useReceiver, useService } from '../../../support/fixtures';
import { waitFor } from '../../../support/wait-for';
import { aToken, OrderFactory, sendMilestone } from './support';

interface StreamEvent {
  event: string;
  data: Record<string, string>;
}

/** Opens an event stream with this token and records its events. */
class StreamListener {
  readonly told: StreamEvent[] = [];
  text = '';
  hasEnded = false;
  cutOff = false;
  headers: Record<string, unknown> = {};
  private body: Awaited<ReturnType<typeof request>>['body'] | undefined;

  /** @param credential a header, such as `{ cookie }` */
  static async open(service: TestService, credential: Record<string, string>): Promise<StreamListener> {
    const hearing = new StreamListener();
    const reply = await request(urlOf(service), { headers: credential, bodyTimeout: 0 });
    if (reply.statusCode !== 200) throw new Error(`the stream answered ${reply.statusCode} ${await reply.body.text()}`);
    hearing.headers = reply.headers;
    hearing.body = reply.body;
    void hearing.read(reply.body);
    await hearing.waitForEvent('hello', ({ event }) => event === 'hello');
    return hearing;
  }

  waitForEvent(what: string, isIt: (told: StreamEvent) => boolean): Promise<StreamEvent> {
    return waitFor(`the stream says ${what}`, async () => this.told.find(isIt));
  }

  waitForEnd(): Promise<boolean> {
    return waitFor('the stream ends', async () => this.hasEnded);
  }

  eventsNamed(event: string): Record<string, string>[] {
    return this.told.filter((told) => told.event === event).map(({ data }) => data);
  }

  async close(): Promise<void> {
    this.body?.destroy();
    await this.waitForEnd();
  }

  private async read(body: AsyncIterable<Buffer>): Promise<void> {
    try {
      for await (const chunk of body) {
        this.text += chunk.toString();
        const parts = this.text.split('\n\n').slice(0, -1);
        this.told.splice(0, this.told.length, ...parts.flatMap(parseEvent));
      }
    } catch {
      this.cutOff = true;
    }
    this.hasEnded = true;
  }
}

function parseEvent(part: string): StreamEvent[] {
  const [event, data] = [/^event: (.*)$/m.exec(part)?.[1], /^data: (.*)$/m.exec(part)?.[1]];
  return event === undefined || data === undefined ? [] : [{ event, data: JSON.parse(data) }];
}

const urlOf = ({ api }: TestService) => `http://127.0.0.1:${api.studioPort}/studio/v1/events/stream`;

describe('GET /events/stream', () => {
  const receiver = useReceiver();
  const service = useService(() => ({ streamRecheckMs: 100, env: { WEBHOOK_ALLOWED_ORIGINS: receiver.origin } }));
  const orders = useFixture(() => new OrderFactory(service));
  const hearings: StreamListener[] = [];
  beforeAll(async () => {
    await anEndpoint(service.deps.database, service.account.accountId, receiver.url, 'live');
  });
  afterEach(() => Promise.all(hearings.splice(0).map((hearing) => hearing.close())));

  async function openListener(credential: Record<string, string>): Promise<StreamListener> {
    const hearing = await StreamListener.open(service, credential);
    hearings.push(hearing);
    return hearing;
  }
  const listenWithToken = (token: string): Promise<StreamListener> => openListener({ authorization: `Bearer ${token}` });
  const listen = async (role: 'floor' | 'office' = 'office'): Promise<StreamListener> => listenWithToken(await aToken(service, role));
  const floorClient = async () => service.studio(await aToken(service, 'floor'));
  const studioOf = (token: string) => service.studio(token);

  it('starts with a comment and is not cached or buffered', async () => {
    const office = await listen();
    expect(office.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'service-request-id': expect.any(String),
    });
    expect(office.text).toMatch(/^retry: 2000\nevent: hello\n/);
    expect(office.told[0]?.data).toEqual({ kinds: ['order', 'attention', 'delivery', 'invoice', 'account', 'run', 'endpoint'] });
    expect((await listen('floor')).told[0]?.data).toEqual({ kinds: ['order', 'attention'] });
  });

  describe('with a check every millisecond', () => {
    const openStreams = (isValid = async () => true): { streams: EventStreams; stream: Promise<Readable> } => {
      const { database, logger } = service.deps;
      const streams = new EventStreams(new ChangeFeed(database, logger), logger, 1);
      return { streams, stream: streams.open({ key: 'test', tokenId: 'test', role: 'office', isValid }) };
    };
    const textOf = async (stream: Readable): Promise<string> => (await stream.take(1).map(String).toArray()).join('');

    it('sends nothing before hello', async () => {
      const { streams, stream } = openStreams();
      expect(await textOf(await stream)).toMatch(/^retry: 2000\nevent: hello\n/);
      streams.close();
    });

    it('checks its credential once at a time, also in a slow database', async () => {
      let checks = 0;
      const { streams, stream } = openStreams(() => {
        checks += 1;
        return new Promise<boolean>(() => undefined);
      });
      let text = '';
      for await (const chunk of await stream) if ((text += chunk).split('event: alive').length > 5) break;
      expect(checks).toBe(1);
      streams.close();
    });

    it('ends without an error if the service stops', async () => {
      const { streams, stream } = openStreams();
      streams.close();
      expect(await textOf(await stream)).toBe('');
    });
  });

  it('sends the ids of a placed order, its invoice and its deliveries; the floor gets only the order', async () => {
    const [office, onFloor] = [await listen(), await listen('floor')];
    const { orderId } = await orders.place();
    await office.waitForEvent('the order', ({ event, data }) => event === 'order' && data.orderId === orderId);
    const { data: invoice } = await office.waitForEvent(
      'its invoice',
      ({ event, data }) => event === 'invoice' && data.orderId === orderId,
    );
    expect(invoice).toEqual({ invoiceId: expect.stringMatching(/^inv_/), orderId, accountId: service.account.accountId });
    const deliveriesOfOrder = (): Promise<{ id: string; state: string }[]> =>
      service.deps.database.rows('SELECT id, state FROM webhook_deliveries WHERE order_id = $1', [orderId]);
    await waitFor('the delivery', async () => (await deliveriesOfOrder()).some(({ state }) => state === 'delivered'));
    const [delivery] = await deliveriesOfOrder();
    await office.waitForEvent(
      'the delivery',
      ({ event, data }) => event === 'delivery' && data.deliveryId === delivery?.id && data.orderId === orderId,
    );
    await onFloor.waitForEvent('the order', ({ event, data }) => event === 'order' && data.orderId === orderId);
    await sendMilestone(await floorClient(), orderId, 'production_started');
    await waitFor('the event of the milestone', async () => onFloor.eventsNamed('order').length > 1);
    await onFloor.waitForEvent('a heartbeat', ({ event, data }) => event === 'alive' && Object.keys(data).length === 0);
    expect(new Set(onFloor.told.map(({ event }) => event))).toEqual(new Set(['hello', 'order', 'alive']));
  });

  it("sends an account's refund again when it is reversed", async () => {
    const { accountId } = service.account;
    await service.deps.database.run(
      `INSERT INTO refunds (id, account_id, environment, refund_id, amount_cents, refunded_at, digest, created_at) VALUES ('rfd_1', $1, 'test', 'r-1', 1, now(), '', now())`,
      [accountId],
    );
    const office = await listen();
    await service.deps.database.run(`UPDATE refunds SET reversed_at = now() WHERE id = 'rfd_1'`);
    await office.waitForEvent('the reversal', ({ event, data }) => event === 'account' && data.accountId === accountId);
  });

  it('sends a delivery again after another process has delivered it', async () => {
    const { orderId } = await orders.place();
    const delivered = () =>
      service.deps.database.row<{ id: string }>(`SELECT id FROM webhook_deliveries WHERE order_id = $1 AND state = 'delivered'`, [orderId]);
    const { id } = await waitFor('the delivery', delivered);
    const office = await listen();
    const countDeliveryEvents = () => office.eventsNamed('delivery').filter(({ deliveryId }) => deliveryId === id).length;
    // After the event of the waiting delivery, because changes within 250 ms are sent once.
    receiver.respondWith(async (_, response) => {
      await waitFor('the event of the pending delivery', async () => countDeliveryEvents() > 0);
      response.writeHead(204).end();
    });
    await service.studio(await aToken(service, 'office')).post(`/deliveries/${id}/resend`);
    await waitFor('the event of the delivered one', async () => countDeliveryEvents() > 1);
    receiver.respondWith((_, response) => void response.writeHead(204).end());
  });

  it('sends attention and its resolution', async () => {
    const onFloor = await listen('floor');
    const { orderId } = await orders.place();
    await sendMilestone(await floorClient(), orderId, 'cancelled');
    await (await floorClient()).post(`/orders/${orderId}/parcels`, { parcelId: 'box', trackingNumber: 'T' });
    const attention = { orderId, code: 'SHIPPED_AFTER_CANCEL' };
    await waitFor('raised', async () => onFloor.eventsNamed('attention').length === 1);
    await service
      .studio(await aToken(service, 'office'))
      .post(`/orders/${orderId}/attention/SHIPPED_AFTER_CANCEL/resolve`, { note: 'it comes back' });
    await waitFor('cleared', async () => onFloor.eventsNamed('attention').length === 2);
    expect(onFloor.eventsNamed('attention')).toEqual([
      { ...attention, state: 'raised' },
      { ...attention, state: 'cleared' },
    ]);
  });

  it('sends nothing of rolled back transactions, and late commits after they commit', async () => {
    const office = await listen();
    const { orderId } = await orders.place();
    await office.waitForEvent('the order', ({ event, data }) => event === 'order' && data.orderId === orderId);
    const other = await openDatabase(service.env.DATABASE_URL ?? '', 2, NO_TIMEOUTS);
    const open = (sql: Sql, id: string): Promise<void> =>
      sql.run(`INSERT INTO accounts (id, name, email, created_at) VALUES ($1, 'A', 'a@example.com', now())`, [id]);
    await expect(
      other.transaction(async (sql) => {
        await open(sql, 'acc_0a');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await other.transaction(async (sql) => {
      await open(sql, 'acc_0b');
      // Starts before the next transaction, and commits after the event of that one.
      await sendMilestone(await floorClient(), orderId, 'production_started');
      await waitFor('the milestone', async () => office.eventsNamed('order').filter((told) => told.orderId === orderId).length > 1);
      expect(office.eventsNamed('account')).toEqual([]);
    });
    await other.close();
    await office.waitForEvent('the account', ({ event }) => event === 'account');
    expect(office.eventsNamed('account')).toEqual([{ accountId: 'acc_0b' }]);
  });

  it('asks the client to reload if too many changes happen at once', async () => {
    const office = await listen();
    await service.deps.database.run(
      `INSERT INTO accounts (id, name, email, created_at) SELECT 'acc_' || lpad(to_hex(n), 32, '0'), 'A', 'a@example.com', now() FROM generate_series(1, 501) n`,
    );
    await office.waitForEvent('resync', ({ event }) => event === 'resync');
    expect(office.eventsNamed('account')).toEqual([]);
  });

  it('asks the client to reload when the database is available again, and continues', async () => {
    const office = await listen();
    const other = await openDatabase(service.env.DATABASE_URL ?? '', 1, NO_TIMEOUTS);
    await other.transaction(async (sql) => {
      await sql.run('LOCK TABLE change_feed IN ACCESS EXCLUSIVE MODE');
      await waitFor('the waiting query of the stream', () =>
        service.deps.database.row(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM change_feed%' AND query NOT LIKE '%DELETE FROM%'`,
        ),
      );
    });
    await other.close();
    await office.waitForEvent('resync', ({ event }) => event === 'resync');
    const { orderId } = await orders.place();
    await office.waitForEvent('the order', ({ event, data }) => event === 'order' && data.orderId === orderId);
    expect(office.hasEnded).toBe(false);
  });

  it('ends when its token is revoked or expires, and not before', async () => {
    const [revoked, expired] = [await aToken(service, 'office'), await aToken(service, 'office')];
    const [one, other, stays] = [await listenWithToken(revoked), await listenWithToken(expired), await listen()];
    await service.deps.database.run(`UPDATE studio_tokens SET revoked_at = now() WHERE token_hash = sha256($1::bytea)`, [
      Buffer.from(revoked),
    ]);
    await one.waitForEnd();
    await service.deps.database.run(`UPDATE studio_tokens SET expires_at = now() WHERE token_hash = sha256($1::bytea)`, [
      Buffer.from(expired),
    ]);
    await other.waitForEnd();
    await waitFor('a heartbeat', async () => stays.eventsNamed('alive').length > 0);
    expect(stays.hasEnded).toBe(false);
    expect((await studioOf(revoked).get('/events/stream')).status).toBe(401);
  });

  it("ends with the browser's session", async () => {
    const signedIn = await service.studio('').post('/session', { token: await aToken(service, 'floor') });
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
    const page = await openListener({ cookie });
    expect(page.told[0]?.data).toEqual({ kinds: ['order', 'attention'] });
    const { status } = await service
      .studio('')
      .send('DELETE', '/session', undefined, { cookie, origin: `http://127.0.0.1:${service.api.studioPort}` });
    expect(status).toBe(200);
    await page.waitForEnd();
  });

  it('responds to HEAD without starting a stream', async () => {
    const token = await aToken(service, 'floor');
    for (let asked = 0; asked <= STREAM_LIMITS.perCaller; asked += 1)
      expect((await studioOf(token).send('HEAD', '/events/stream')).status).toBe(200);
  });

  it('is refused in the envelope beyond the limit of a token, and allowed again when one has ended', async () => {
    const token = await aToken(service, 'floor');
    for (let open = 0; open < STREAM_LIMITS.perCaller; open += 1) await listenWithToken(token);
    const refused = await studioOf(token).get('/events/stream');
    expect([refused.status, refused.json.error?.code, refused.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '1']);
    expect(refused.json.error?.message).toMatch(/^10 event streams are already open with this credential; close one/);
    await hearings[0]?.close();
    await waitFor('a free stream', async () => {
      try {
        return await listenWithToken(token);
      } catch {
        return null;
      }
    });
  });

  // The second request waits for the end of the first, which is a stream.
  it.each(['GET', 'HEAD'])('two concurrent requests, the second by %s, leave nothing open when the client disconnects', async (second) => {
    const token = await aToken(service, 'floor');
    const streamRequest = (method: string) =>
      `${method} /studio/v1/events/stream HTTP/1.1\r\nHost: studio\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    for (let asked = 0; asked < STREAM_LIMITS.perCaller; asked += 1) {
      const socket = connect(service.api.studioPort, '127.0.0.1').on('error', () => undefined);
      socket.write(streamRequest('GET') + streamRequest(second));
      await once(socket, 'data');
      socket.destroy();
    }
    // Exactly as many as allowed: the earlier streams no longer count.
    for (let open = 0; open < STREAM_LIMITS.perCaller; open += 1)
      await waitFor('a free stream', async () => listenWithToken(token).catch(() => null));
  });

  it('sessions of one token cannot use the streams of other tokens', async () => {
    const token = await aToken(service, 'floor');
    const cookieOf = async (): Promise<string> =>
      String((await service.studio('').post('/session', { token })).headers['set-cookie']).split(';')[0] ?? '';
    for (let open = 0; open < STREAM_LIMITS.perToken; open += STREAM_LIMITS.perCaller) {
      const cookie = await cookieOf();
      await Promise.all(Array.from({ length: STREAM_LIMITS.perCaller }, () => openListener({ cookie })));
    }
    const refused = await request(urlOf(service), { headers: { cookie: await cookieOf() } });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(await refused.body.text()).toContain('40 event streams are already open with this token and its sessions; close one');
    expect((await studioOf(token).get('/events/stream')).status).toBe(429);
    expect((await listen('floor')).told[0]?.event).toBe('hello');
  });

  it('ends for a client that does not read, and buffers little for it', async () => {
    const token = await aToken(service, 'office');
    const socket: Socket = connect(service.api.studioPort, '127.0.0.1');
    socket.write(`GET /studio/v1/events/stream HTTP/1.1\r\nHost: studio\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    const open = () => service.logLines.some((line) => line.includes('its client does not read'));
    await waitFor('the service to end the stream', async () => {
      await service.deps.database.run(
        `INSERT INTO change_feed (kind, ids) SELECT 'account', array_agg(ARRAY['acc_' || repeat(md5(n::text || clock_timestamp()), 6000)]) FROM generate_series(1, 20) n`,
      );
      return open();
    });
    socket.destroy();
  });

  it('ends at once when the service stops', async () => {
    const hearing = await listen();
    const closed = service.api.close();
    await hearing.waitForEnd();
    await closed;
    expect(hearing.cutOff).toBe(false);
  });
});
