import { webhooks } from '@trade-print/client';
import { createWebhookSender } from '../../../src/webhooks/send';
import { replyAndClose, startReceiver, type RawResponder } from './support/receiver';
import { aRequest, createWebhookWorld, HOST, PUBLIC_ADDRESS, SECRET, type WebhookWorld, type WebhookWorldInput } from './support/world';

let world: WebhookWorld;

async function useWorld(input: WebhookWorldInput): Promise<WebhookWorld> {
  return (world = await createWebhookWorld(input));
}

afterEach(() => world.close());

describe('the request', () => {
  it('has exactly the headers of the specification, and those of HTTP', async () => {
    await useWorld({ answer: replyAndClose(204) });
    await world.send();
    const [request] = world.receiver.requests;
    expect(request?.requestLine).toBe('POST /orders?shop=7 HTTP/1.1');
    expect(request?.headers).toEqual({
      Host: HOST,
      'Content-Type': 'application/json',
      'Service-Signature': expect.stringMatching(/^t=1790000000,v1=[0-9a-f]{64}$/),
      'Service-Event-Id': 'evt_0123456789abcdef0123456789abcdef',
      'Service-Event-Type': 'order.received',
      'webhook-id': 'evt_0123456789abcdef0123456789abcdef',
      'webhook-timestamp': '1790000000',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'User-Agent': 'Service-Print-API-Webhooks/1',
      'Accept-Encoding': 'identity',
      'Content-Length': '79',
      Connection: 'keep-alive',
    });
  });

  it('has the exact body, and a valid signature for it', async () => {
    await useWorld({ answer: replyAndClose(200) });
    const sent = aRequest();
    await world.send();
    const [request] = world.receiver.requests;
    expect(request?.rawBody.toString('utf8')).toBe(sent.rawBody);
    const verdict = await webhooks.check(request?.rawBody ?? '', request?.headers ?? {}, SECRET, { now: new Date(sent.nowMs) });
    expect(verdict).toEqual({ ok: true, timestamp: 1_790_000_000 });
  });

  it('is signed with both secrets during a rotation', async () => {
    await useWorld({ answer: replyAndClose(200) });
    const newer = `lpw_${'f'.repeat(64)}`;
    await world.send({ secrets: [newer, SECRET] });
    const [request] = world.receiver.requests;
    for (const secret of [newer, SECRET]) {
      const now = new Date(1_790_000_000_000);
      expect(await webhooks.check(request?.rawBody ?? '', request?.headers ?? {}, secret, { now })).toMatchObject({ ok: true });
    }
  });
});

describe('the outcome', () => {
  it.each([200, 201, 202, 204, 206, 299])('is success for %d', async (status) => {
    await useWorld({ answer: replyAndClose(status, status === 204 ? '' : 'thanks') });
    const outcome = await world.send();
    expect(outcome).toMatchObject({
      ok: true,
      status,
      errorCode: null,
      replyExcerpt: status === 204 ? '' : 'thanks',
      sentAtMs: 1_790_000_000_123,
    });
  });

  it.each([400, 401, 404, 408, 410, 429, 500, 502, 503, 599])('is bad_status for %d, with the reply', async (status) => {
    await useWorld({ answer: replyAndClose(status, 'no', ['Retry-After: 86400']) });
    expect(await world.send()).toMatchObject({ ok: false, status, errorCode: 'bad_status', replyExcerpt: 'no' });
  });

  it.each([300, 301, 302, 303, 304, 307, 308])('is a redirect for %d, and the redirect is not followed', async (status) => {
    await useWorld({
      answer: (socket, request) => replyAndClose(status, '', [`Location: http://127.0.0.1:${world.canary.port}/`])(socket, request),
    });
    expect(await world.send()).toMatchObject({ ok: false, status, errorCode: 'redirect' });
    expect(world.dialled).toEqual([PUBLIC_ADDRESS]);
    expect(world.canary.connections()).toBe(0);
  });

  it('has the duration of each phase, and never the address', async () => {
    await useWorld({ answer: replyAndClose(200, 'ok') });
    const outcome = await world.send();
    const aTime = expect.any(Number);
    expect(outcome.timings).toEqual({ dnsMs: aTime, connectMs: aTime, tlsMs: aTime, firstByteMs: aTime, totalMs: aTime });
    expect(JSON.stringify(outcome)).not.toContain(PUBLIC_ADDRESS);
    expect(JSON.stringify(outcome)).not.toContain('127.0.0.1');
  });
});

describe('the excerpt of the reply', () => {
  const sendAndReadExcerpt = async (body: string | Buffer): Promise<string | null> => {
    await useWorld({ answer: replyAndClose(500, body) });
    return (await world.send()).replyExcerpt;
  };

  it('is the first 8 KiB', async () => {
    expect(await sendAndReadExcerpt(`${'a'.repeat(8192)}b`)).toBe('a'.repeat(8192));
  });

  it('omits a character that was cut at the end', async () => {
    expect(await sendAndReadExcerpt(`${'a'.repeat(8191)}é`)).toBe('a'.repeat(8191));
  });

  it('has no control, NUL or mark that hides or reorders text', async () => {
    const text = await sendAndReadExcerpt('one\0\u001b[2J\r\n\ttwo\u202e\u200b\u0085end');
    expect(text).toBe('one\ufffd[2J\n\ttwo\ufffd\ufffd\ufffdend');
  });

  it('replaces bytes that are not UTF-8', async () => {
    expect(await sendAndReadExcerpt(Buffer.from([0x61, 0xff, 0xfe, 0x62]))).toBe('a\ufffd\ufffdb');
  });
});

describe('an exempt origin', () => {
  const plainReceiver = async (answer: RawResponder) => {
    const receiver = await startReceiver(answer);
    const origin = `http://127.0.0.1:${receiver.port}`;
    return { receiver, origin };
  };

  it('is reached over plain HTTP on loopback', async () => {
    await useWorld({ answer: replyAndClose(200) });
    const { receiver, origin } = await plainReceiver(replyAndClose(200, 'ok'));
    const sender = createWebhookSender({ allowedOrigins: [origin] });
    expect(await sender.send(aRequest({ url: `${origin}/hook` }))).toMatchObject({
      ok: true,
      status: 200,
      timings: { dnsMs: null, tlsMs: null },
    });
    expect(receiver.requests[0]?.headers['Host']).toBe(`127.0.0.1:${receiver.port}`);
    await receiver.close();
  });

  it('may be a name of the hosts file', async () => {
    await useWorld({ answer: replyAndClose(200) });
    const { receiver } = await plainReceiver(replyAndClose(200));
    const origin = `http://localhost:${receiver.port}`;
    const sender = createWebhookSender({ allowedOrigins: [origin] });
    expect(await sender.send(aRequest({ url: `${origin}/hook` }))).toMatchObject({ ok: true });
    await receiver.close();
  });

  it('does not exempt another port', async () => {
    await useWorld({ answer: replyAndClose(200) });
    const { receiver, origin } = await plainReceiver(replyAndClose(200));
    const sender = createWebhookSender({ allowedOrigins: ['http://127.0.0.1:1'] });
    expect(await sender.send(aRequest({ url: origin }))).toMatchObject({
      ok: false,
      errorCode: 'invalid_url',
      status: null,
      replyExcerpt: null,
    });
    expect(receiver.connections()).toBe(0);
    await receiver.close();
  });
});

describe('internal errors', () => {
  beforeEach(() => useWorld({ answer: replyAndClose(200) }));

  it('throws without a secret', async () => {
    await expect(world.send({ secrets: [] })).rejects.toThrow('at least one secret');
  });

  it('throws if a header cannot be sent, and leaves no connection open', async () => {
    await expect(world.send({ eventId: 'evt_1\r\nX: y' })).rejects.toThrow('Invalid character in header');
    await world.receiver.idle();
    expect(world.receiver.requests).toEqual([]);
  });

  it('throws after it has been closed', async () => {
    await world.sender.close();
    await expect(world.send()).rejects.toThrow('closed');
  });

  it('throws, without naming the address, when the machine is out of file descriptors', async () => {
    const { Socket } = await import('node:net');
    const dial = () => {
      const socket = new Socket();
      process.nextTick(() => socket.destroy(Object.assign(new Error(`connect EMFILE ${PUBLIC_ADDRESS}:443`), { code: 'EMFILE' })));
      return socket;
    };
    const sender = createWebhookSender({ allowedOrigins: [], resolve: async () => [PUBLIC_ADDRESS], dial });
    const error: unknown = await sender.send(aRequest()).catch((thrown: unknown) => thrown);
    expect(String(error)).toBe('Error: this machine cannot open a connection: EMFILE');
  });
});

describe('an attempt whose caller aborts', () => {
  it('is abandoned while the receiver hangs', async () => {
    const stop = new AbortController();
    await useWorld({ answer: () => stop.abort(new Error('stopping')) });
    await expect(world.send({ stop: stop.signal })).rejects.toThrow('stopping');
    await world.receiver.idle();
  });

  it('does not start', async () => {
    await useWorld({ answer: replyAndClose(200) });
    await expect(world.send({ stop: AbortSignal.abort(new Error('stopping')) })).rejects.toThrow('stopping');
    expect(world.receiver.requests).toEqual([]);
  });
});

it('close waits for attempts in progress', async () => {
  const order: string[] = [];
  let closing: Promise<unknown> = Promise.resolve();
  await useWorld({
    answer: (socket, request) => {
      closing = world.sender.close().then(() => order.push('closed'));
      setImmediate(() => {
        order.push('replied');
        replyAndClose(200)(socket, request);
      });
    },
  });
  expect(await world.send()).toMatchObject({ ok: true });
  await closing;
  expect(order).toEqual(['replied', 'closed']);
});
