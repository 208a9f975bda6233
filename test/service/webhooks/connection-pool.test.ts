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
  ])('is reused after a reply with %s', async (_title, answer) => {
    await useWorld({ answer });
    const first = await world.send();
    const second = await world.send();
    expect(second).toMatchObject({ ok: first.ok, status: first.status, replyExcerpt: first.replyExcerpt });
    expect(second.timings).toMatchObject({ dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: expect.any(Number) });
    expect(world.receiver.requests).toHaveLength(2);
    expect(world.receiver.connections()).toBe(1);
  });

  it.each<[string, RawResponder]>([
    ['has Connection: close', replyKeepingAlive(200, '', ['Connection: close'])],
    ['has it in a list, in capitals', replyKeepingAlive(200, '', ['Connection: x, CLOSE'])],
    ['is of HTTP/1.0', writeText('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n')],
    ['has chunks in HTTP/1.0', writeText('HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')],
    ['is longer than the part that is read', replyKeepingAlive(200, 'x'.repeat(40_000))],
    ['is followed by a stray byte', writeText(`${OK}Content-Length: 0\r\n\r\n\n`)],
    ['has the length of a missing body', writeText('HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\n')],
    ['has broken chunks', writeText(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)],
    ['is followed by the end of the connection', replyAndClose(200)],
  ])('is not reused if the reply %s', async (_title, answer) => {
    await useWorld({ answer });
    expect(await world.send()).toMatchObject({ ok: true });
    await world.receiver.idle();
    expect(await world.send()).toMatchObject({ ok: true });
    expect(world.receiver.connections()).toBe(2);
  });

  it('is not reused if its body was too slow to be read', async () => {
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

  it('carries one POST at a time: concurrent ones have one each, and all are kept', async () => {
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

describe("the check of a connection's address", () => {
  it('is valid for sixty seconds; then the name is resolved and checked again', async () => {
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

  it('is not valid for another connection', async () => {
    let nowMs = 0;
    const resolve = jest.fn(async () => (nowMs === 0 ? [PUBLIC_ADDRESS] : ['10.0.0.1']));
    await useWorld({ answer: replyKeepingAlive(200), sender: { resolve, monotonicMs: () => nowMs } });
    await world.send();
    nowMs = 60_000;
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'not_public' });
    expect(world.receiver.requests).toHaveLength(1);
  });

  it('closes an idle connection when it expires, without a POST', async () => {
    await useWorld({ answer: replyKeepingAlive(200), sender: { maxConnectionAgeMs: 50 } });
    expect(await world.send()).toMatchObject({ ok: true });
    await world.receiver.idle();
  });

  it('lets a POST in progress end when it expires, and then closes the connection', async () => {
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

describe('unexpected bytes', () => {
  const WHOLE = `${OK}Content-Length: 5\r\n\r\n`;

  it.each([
    ['a whole reply', `${WHOLE}first`],
    ['the beginning of one', 'HTTP/1.1 200 O'],
    ['an interim reply', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a byte', '\r'],
  ])('after a reply close the connection, and are not read as the next reply: %s', async (_title, extra) => {
    await useWorld({ answer: replyInSequence(writeText(`HTTP/1.1 204 No\r\n\r\n${extra}`), replyKeepingAlive(500, 'second')) });
    expect(await world.send()).toMatchObject({ ok: true, status: 204 });
    expect(await world.send()).toMatchObject({ status: 500, replyExcerpt: 'second' });
    expect(world.receiver.connections()).toBe(2);
  });

  it('in a separate packet after a reply close the connection too', async () => {
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

  it("prevent the reuse of the endpoint's connections for ten minutes", async () => {
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

  it('do not count after the endpoint is forgotten', async () => {
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
  ])('if the receiver %s: the POST is repeated on a new one, as the same attempt', async (_title, breaks) => {
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
      sender: { timeoutMs: 5_000 },
    });
    await world.send();
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'timeout', status: null });
    expect(world.receiver.requests).toHaveLength(3);
  });

  it('is not repeated if its name has become unsafe since', async () => {
    const answers = [[PUBLIC_ADDRESS], ['127.0.0.1']];
    await useWorld({
      answer: replyInSequence(replyKeepingAlive(200), (socket) => void socket.destroy()),
      sender: { resolve: async () => answers.shift() ?? [] },
    });
    await world.send();
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'not_public' });
    expect(world.canary.connections()).toBe(0);
  });

  it('is not repeated after the first byte', async () => {
    await useWorld({ answer: replyInSequence(replyKeepingAlive(200), (socket) => void socket.end('H'), replyKeepingAlive(200)) });
    await world.send();
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'reset', status: null });
    expect(world.receiver.requests).toHaveLength(2);
  });

  it('is not repeated if it did not break but was silent', async () => {
    await useWorld({ answer: replyInSequence(replyKeepingAlive(200), () => undefined), sender: { timeoutMs: 5_000 } });
    await world.send();
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'timeout' });
    expect(world.receiver.requests).toHaveLength(2);
  });
});

describe('mayStillSend', () => {
  it('is called when the connection is open, and nothing is written if it returns false', async () => {
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

  it('is called again before a repeat', async () => {
    await useWorld({ answer: replyInSequence(replyKeepingAlive(200), (socket) => void socket.destroy()) });
    await world.send();
    const mayStillSend = jest.fn().mockReturnValueOnce(true).mockReturnValueOnce(false);
    expect(await world.trySend({ mayStillSend })).toBeNull();
    expect(world.receiver.requests).toHaveLength(2);
    expect(world.receiver.connections()).toBe(2);
  });

  it('that throws is an internal error, and closes the connection', async () => {
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

describe('unneeded connections', () => {
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

  it('are closed after their POST in progress, if their endpoint is forgotten during it', async () => {
    await useWorld({
      answer: (socket, request) => {
        world.sender.closeConnections('whe_1');
        replyKeepingAlive(200)(socket, request);
      },
    });
    expect(await world.send()).toMatchObject({ ok: true });
    await world.receiver.idle();
  });

  it('are closed above the limit, the longest idle first', async () => {
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

  it('are closed with the sender', async () => {
    await useWorld({ answer: replyKeepingAlive(200) });
    await world.send({ endpointId: 'whe_1' });
    await world.send({ endpointId: 'whe_2' });
    await world.sender.close();
    await world.receiver.idle();
  });

  it('are closed by a sender that waits for a POST in progress', async () => {
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

  it('are removed when the receiver closes them, before the next POST', async () => {
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

it('a process with only kept connections ends', async () => {
  await useWorld({ answer: replyKeepingAlive(200) });
  const receiver = await startReceiver(replyKeepingAlive(200));
  const script = ['--require', join(projectRoot, 'test', 'support', 'runner', 'register-swc.cjs'), join(__dirname, 'support/send-once.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, [...script, `http://127.0.0.1:${receiver.port}/hook`]);
  expect(stdout).toBe('200');
  await receiver.close();
});
