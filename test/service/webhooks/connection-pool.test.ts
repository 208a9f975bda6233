import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { projectRoot } from '../../../scripts/start/project';
import { drip, replyInSequence, replyKeepingAlive, replyAndClose, writeText, startReceiver, type RawResponder } from './support/receiver';
import { createWebhookWorld, HOST, PUBLIC_ADDRESS, type WebhookWorld, type WebhookWorldInput } from './support/world';

let world: WebhookWorld;

async function useWorld(input: WebhookWorldInput): Promise<WebhookWorld> {
  return (world = await createWebhookWorld(input));
}

afterEach(() => world.close());

const OK = 'HTTP/1.1 200 OK\r\n';

describe('a connection', () => {
  it.each<[string, RawResponder]>([
    ['a counted body', replyKeepingAlive(200, 'thanks')],
    ['no body', replyKeepingAlive(204)],
    ['a chunked body', writeText(`${OK}Transfer-Encoding: chunked\r\n\r\n6;x=y\r\nthanks\r\n0\r\nX-Trailer: z\r\n\r\n`)],
    ['interim replies', writeText(`HTTP/1.1 102 Processing\r\n\r\n${OK}Content-Length: 0\r\n\r\n`)],
    ['an error', replyKeepingAlive(500, 'no')],
    ['keep-alive by HTTP/1.0', writeText('HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n')],
  ])('is used again after a reply with %s', async (_title, answer) => {
    await useWorld({ answer });
    const first = await world.send();
    const second = await world.send();
    expect(second).toMatchObject({ ok: first.ok, status: first.status, replyExcerpt: first.replyExcerpt });
    expect(second.timings).toMatchObject({ dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: expect.any(Number) });
    expect(world.receiver.requests).toHaveLength(2);
    expect(world.receiver.connections()).toBe(1);
  });

  it.each<[string, RawResponder]>([
    ['is told to be the last', replyKeepingAlive(200, '', ['Connection: close'])],
    ['says so in a list, in capitals', replyKeepingAlive(200, '', ['Connection: x, CLOSE'])],
    ['is of HTTP/1.0', writeText('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n')],
    ['has chunks in HTTP/1.0', writeText('HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')],
    ['has more than was read of it', replyKeepingAlive(200, 'x'.repeat(40_000))],
    ['is followed by a stray byte', writeText(`${OK}Content-Length: 0\r\n\r\n\n`)],
    ['announces a body where there is none', writeText('HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\n')],
    ['has broken chunks', writeText(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)],
    ['is followed by the end of the connection', replyAndClose(200)],
  ])('is not used again when the reply %s', async (_title, answer) => {
    await useWorld({ answer });
    expect(await world.send()).toMatchObject({ ok: true });
    await world.receiver.idle();
    expect(await world.send()).toMatchObject({ ok: true });
    expect(world.receiver.connections()).toBe(2);
  });

  it('is not used again when its body was too slow to be read', async () => {
    await useWorld({
      answer: (socket) => {
        socket.write(`${OK}Content-Length: 30000\r\n\r\n`);
        drip(socket, '.');
      },
      sender: { bodyTimeoutMs: 20 },
    });
    await world.send();
    await world.receiver.idle();
    await world.send();
    expect(world.receiver.connections()).toBe(2);
  });

  it('serves one endpoint only', async () => {
    await useWorld({ answer: replyKeepingAlive(200) });
    for (const endpointId of ['whe_1', 'whe_2', 'whe_1', 'whe_2']) await world.send({ endpointId });
    expect(world.receiver.connections()).toBe(2);
  });

  it('serves one URL only', async () => {
    await useWorld({ answer: replyKeepingAlive(200) });
    for (const path of ['a', 'b', 'a', 'b']) await world.send({ url: `https://${HOST}/${path}` });
    expect(world.receiver.connections()).toBe(2);
    expect(world.receiver.requests.map(({ requestLine }) => requestLine)).toEqual(
      ['a', 'b', 'a', 'b'].map((path) => `POST /${path} HTTP/1.1`),
    );
  });

  it('carries one POST at a time: several at once have one each, and all are kept', async () => {
    const waiting: (() => void)[] = [];
    await useWorld({
      answer: (socket, request) => {
        waiting.push(() => replyKeepingAlive(200)(socket, request));
        if (waiting.length === 4) for (const answer of waiting.splice(0)) answer();
      },
    });
    const sendFour = () => Promise.all(Array.from({ length: 4 }, () => world.send()));
    for (const outcome of [...(await sendFour()), ...(await sendFour())]) expect(outcome).toMatchObject({ ok: true });
    expect(world.receiver.connections()).toBe(4);
  });
});

describe('the vetting of a connection', () => {
  it('holds for sixty seconds; then the name is resolved and vetted anew', async () => {
    let nowMs = 1_000_000;
    const resolve = jest.fn(async () => [PUBLIC_ADDRESS]);
    await useWorld({ answer: replyKeepingAlive(200), sender: { resolve, monotonicMs: () => nowMs } });
    await world.send();
    nowMs += 59_999;
    await world.send();
    expect(resolve).toHaveBeenCalledTimes(1);
    nowMs += 1;
    expect(await world.send()).toMatchObject({ ok: true, timings: { tlsMs: expect.any(Number) } });
    expect(resolve).toHaveBeenCalledTimes(2);
    expect(world.receiver.connections()).toBe(2);
  });

  it('does not carry over to another connection', async () => {
    let nowMs = 0;
    const resolve = jest.fn(async () => (nowMs === 0 ? [PUBLIC_ADDRESS] : ['10.0.0.1']));
    await useWorld({ answer: replyKeepingAlive(200), sender: { resolve, monotonicMs: () => nowMs } });
    await world.send();
    nowMs = 60_000;
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'not_public' });
    expect(world.receiver.requests).toHaveLength(1);
  });

  it('closes an idle connection when it ends, though nobody sends', async () => {
    await useWorld({ answer: replyKeepingAlive(200), sender: { maxConnectionAgeMs: 50 } });
    expect(await world.send()).toMatchObject({ ok: true });
    await world.receiver.idle();
  });

  it('lets the POST under way end when it ends, and closes the connection after it', async () => {
    let nowMs = 0;
    await useWorld({
      answer: (socket, request) => {
        nowMs += 60_000;
        replyKeepingAlive(200)(socket, request);
      },
      sender: { monotonicMs: () => nowMs },
    });
    expect(await world.send()).toMatchObject({ ok: true });
    await world.receiver.idle();
  });
});

describe('bytes that nobody asked for', () => {
  const WHOLE = `${OK}Content-Length: 5\r\n\r\n`;

  it.each([
    ['a whole reply', `${WHOLE}first`],
    ['the beginning of one', 'HTTP/1.1 200 O'],
    ['an interim reply', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a byte', '\r'],
  ])('behind a reply close the connection, and are not taken for the next: %s', async (_title, extra) => {
    await useWorld({ answer: replyInSequence(writeText(`HTTP/1.1 204 No\r\n\r\n${extra}`), replyKeepingAlive(500, 'second')) });
    expect(await world.send()).toMatchObject({ ok: true, status: 204 });
    expect(await world.send()).toMatchObject({ status: 500, replyExcerpt: 'second' });
    expect(world.receiver.connections()).toBe(2);
  });

  it('in a packet of their own behind a reply close the connection too', async () => {
    const replyTwice: RawResponder = (socket, request) => {
      replyKeepingAlive(204)(socket, request);
      socket.write(`${WHOLE}first`);
    };
    const receiver = await startReceiver(replyInSequence(replyTwice, replyKeepingAlive(500, 'second')));
    const url = 'http://127.0.0.1:9/';
    await useWorld({
      answer: replyAndClose(200),
      sender: { allowedOrigins: [new URL(url).origin], dial: () => connect({ port: receiver.port, host: '127.0.0.1' }) },
    });
    expect(await world.send({ url })).toMatchObject({ ok: true, status: 204 });
    expect(await world.send({ url })).toMatchObject({ status: 500, replyExcerpt: 'second' });
    expect(receiver.connections()).toBe(2);
    await receiver.close();
  });

  it('cost the endpoint the reuse of its connections for ten minutes', async () => {
    let nowMs = 0;
    await useWorld({
      answer: replyInSequence(writeText(`${WHOLE}first, and more`), replyKeepingAlive(200)),
      sender: { monotonicMs: () => nowMs },
    });
    const connectionsAfterSending = async (endpointId = 'whe_1') => {
      await world.send({ endpointId });
      return world.receiver.connections();
    };
    expect([await connectionsAfterSending(), await connectionsAfterSending(), await connectionsAfterSending()]).toEqual([1, 2, 3]);
    expect([await connectionsAfterSending('whe_2'), await connectionsAfterSending('whe_2')]).toEqual([4, 4]);
    nowMs = 600_000;
    expect([await connectionsAfterSending(), await connectionsAfterSending()]).toEqual([5, 5]);
  });

  it('are forgiven when the endpoint is forgotten', async () => {
    await useWorld({ answer: replyInSequence(writeText(`${WHOLE}first, and more`), replyKeepingAlive(200)) });
    await world.send();
    world.sender.closeConnections('whe_1');
    await world.send();
    await world.send();
    expect(world.receiver.connections()).toBe(2);
  });

  it('on an idle connection close it at once', async () => {
    const sockets: Socket[] = [];
    await useWorld({
      answer: (socket, request) => {
        sockets.push(socket);
        replyKeepingAlive(200)(socket, request);
      },
    });
    await world.send();
    sockets[0]?.write(`${WHOLE}early`);
    await world.receiver.idle();
    expect(await world.send()).toMatchObject({ ok: true, replyExcerpt: '' });
    expect(world.receiver.connections()).toBe(2);
  });
});

describe('a kept connection that breaks before the first byte of the reply', () => {
  it.each<[string, RawResponder]>([
    ['closes', (socket) => void socket.end()],
    ['resets', (socket) => void socket.destroy()],
  ])('when the receiver %s: the POST is repeated on a new one, as the same attempt', async (_title, breaks) => {
    await useWorld({ answer: replyInSequence(replyKeepingAlive(200), breaks, replyKeepingAlive(200, 'again')) });
    await world.send();
    expect(await world.send()).toMatchObject({ ok: true, replyExcerpt: 'again', timings: { tlsMs: expect.any(Number) } });
    const [, broken, repeated] = world.receiver.requests;
    expect(repeated).toEqual(broken);
    expect(world.dialled).toEqual([PUBLIC_ADDRESS, PUBLIC_ADDRESS]);
  });

  it('is repeated once only', async () => {
    await useWorld({ answer: replyInSequence(replyKeepingAlive(200), (socket) => void socket.destroy()) });
    await world.send();
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'reset', status: null });
    expect(world.receiver.requests).toHaveLength(3);
  });

  it('is repeated within the time of the attempt', async () => {
    await useWorld({
      answer: replyInSequence(
        replyKeepingAlive(200),
        (socket) => void socket.destroy(),
        () => undefined,
      ),
      sender: { timeoutMs: 1_000 },
    });
    await world.send();
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'timeout', status: null });
    expect(world.receiver.requests).toHaveLength(3);
  });

  it('is not repeated where the name has gone bad meanwhile', async () => {
    const answers = [[PUBLIC_ADDRESS], ['127.0.0.1']];
    await useWorld({
      answer: replyInSequence(replyKeepingAlive(200), (socket) => void socket.destroy()),
      sender: { resolve: async () => answers.shift() ?? [] },
    });
    await world.send();
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'not_public' });
    expect(world.canary.connections()).toBe(0);
  });

  it('is not repeated after a byte of it', async () => {
    await useWorld({ answer: replyInSequence(replyKeepingAlive(200), (socket) => void socket.end('H'), replyKeepingAlive(200)) });
    await world.send();
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'reset', status: null });
    expect(world.receiver.requests).toHaveLength(2);
  });

  it('is not repeated when it did not break but was silent', async () => {
    await useWorld({ answer: replyInSequence(replyKeepingAlive(200), () => undefined), sender: { timeoutMs: 1_000 } });
    await world.send();
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'timeout' });
    expect(world.receiver.requests).toHaveLength(2);
  });
});

describe('mayStillSend', () => {
  it('is asked when the connection is open, and nothing is written where it says no', async () => {
    await useWorld({ answer: replyKeepingAlive(200) });
    const mayStillSend = jest.fn(() => {
      expect(world.receiver.connections()).toBe(1);
      return false;
    });
    expect(await world.trySend({ mayStillSend })).toBeNull();
    expect(await world.trySend({ mayStillSend })).toBeNull();
    expect(mayStillSend).toHaveBeenCalledTimes(2);
    expect(world.receiver.requests).toEqual([]);
    expect(await world.send({ mayStillSend: () => true })).toMatchObject({ ok: true });
    expect(world.receiver.connections()).toBe(1);
  });

  it('is asked again before a repeat', async () => {
    await useWorld({ answer: replyInSequence(replyKeepingAlive(200), (socket) => void socket.destroy()) });
    await world.send();
    const mayStillSend = jest.fn().mockReturnValueOnce(true).mockReturnValueOnce(false);
    expect(await world.trySend({ mayStillSend })).toBeNull();
    expect(world.receiver.requests).toHaveLength(2);
    expect(world.receiver.connections()).toBe(2);
  });

  it('that throws is a fault of ours, and closes the connection', async () => {
    await useWorld({ answer: replyKeepingAlive(200) });
    await expect(
      world.trySend({
        mayStillSend: () => {
          throw new Error('no such claim');
        },
      }),
    ).rejects.toThrow('no such claim');
    await world.receiver.idle();
    expect(world.receiver.requests).toEqual([]);
  });
});

describe('connections that are no longer wanted', () => {
  it('are closed when their endpoint is forgotten, and no others', async () => {
    await useWorld({ answer: replyKeepingAlive(200) });
    await world.send({ endpointId: 'whe_1' });
    await world.send({ endpointId: 'whe_2' });
    world.sender.closeConnections('whe_1');
    world.sender.closeConnections('whe_3');
    await world.send({ endpointId: 'whe_2' });
    expect(world.receiver.connections()).toBe(2);
    await world.send({ endpointId: 'whe_1' });
    expect(world.receiver.connections()).toBe(3);
  });

  it('are closed after the POST they were in when their endpoint was forgotten', async () => {
    await useWorld({
      answer: (socket, request) => {
        world.sender.closeConnections('whe_1');
        replyKeepingAlive(200)(socket, request);
      },
    });
    expect(await world.send()).toMatchObject({ ok: true });
    await world.receiver.idle();
  });

  it('are closed when there are too many, the one idle for longest first', async () => {
    await useWorld({ answer: replyKeepingAlive(200), sender: { maxIdle: 2 } });
    const sendTo = (endpointId: string) => world.send({ endpointId });
    for (const endpointId of ['a', 'b', 'a', 'c']) await sendTo(endpointId);
    expect(world.receiver.connections()).toBe(3);
    await sendTo('a');
    await sendTo('c');
    expect(world.receiver.connections()).toBe(3);
    await sendTo('b');
    expect(world.receiver.connections()).toBe(4);
  });

  it('are closed when the sender is', async () => {
    await useWorld({ answer: replyKeepingAlive(200) });
    await world.send({ endpointId: 'whe_1' });
    await world.send({ endpointId: 'whe_2' });
    await world.sender.close();
    await world.receiver.idle();
  });

  it('are closed by a sender that waits for a POST under way', async () => {
    let closing: Promise<void> | undefined;
    await useWorld({
      answer: (socket, request) => {
        closing = world.sender.close();
        setImmediate(() => replyKeepingAlive(200)(socket, request));
      },
    });
    expect(await world.send()).toMatchObject({ ok: true });
    await closing;
    await world.receiver.idle();
  });

  it('are gone when the receiver has closed them, before anybody sends', async () => {
    const sockets: Socket[] = [];
    await useWorld({
      answer: (socket, request) => {
        sockets.push(socket);
        replyKeepingAlive(200)(socket, request);
      },
    });
    await world.send();
    sockets[0]?.end();
    await world.receiver.idle();
    await nextTurn();
    expect(await world.send()).toMatchObject({ ok: true });
    expect(world.receiver.requests).toHaveLength(2);
  });
});

it('a process that has nothing but kept connections ends', async () => {
  await useWorld({ answer: replyKeepingAlive(200) });
  const receiver = await startReceiver(replyKeepingAlive(200));
  const script = ['--require', join(projectRoot, 'test', 'support', 'runner', 'register-swc.cjs'), join(__dirname, 'support/send-once.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, [...script, `http://127.0.0.1:${receiver.port}/hook`]);
  expect(stdout).toBe('200');
  await receiver.close();
});
