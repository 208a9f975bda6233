import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createWebhookSender } from '../../../src/webhooks/send';
import { newAuthority, newLeaf } from './support/certificates';
import {
  drip,
  flood,
  replyInSequence,
  replyAndClose,
  writeText,
  startSilentReceiver,
  type RawResponder,
  type Receiver,
} from './support/receiver';
import { aRequest, createWebhookWorld, HOST, PUBLIC_ADDRESS, type WebhookWorld, type WebhookWorldInput } from './support/world';

let world: WebhookWorld;

async function useWorld(input: WebhookWorldInput): Promise<WebhookWorld> {
  return (world = await createWebhookWorld(input));
}

afterEach(() => world.close());

/** Long enough for TLS on a busy machine, short enough for a test. */
const SHORT_TIMEOUT = { timeoutMs: 400 };
const OK = 'HTTP/1.1 200 OK\r\n';

/** Writes bytes unchanged. */
function respondRaw(text: string): RawResponder {
  return (socket) => void socket.end(text);
}

describe('a receiver that is slow to respond times out, and is disconnected', () => {
  const slow: [string, RawResponder][] = [
    ['sends nothing', () => undefined],
    [
      'drips headers',
      (socket) => {
        socket.write(OK);
        drip(socket, 'X: y\r\n');
      },
    ],
    [
      'drips headers byte by byte',
      (socket) => {
        socket.write(`${OK}X: `);
        drip(socket, 'y');
      },
    ],
    ['stops inside the headers', (socket) => void socket.write(`${OK}Content-Le`)],
    ['stops inside the first word', (socket) => void socket.write('HT')],
  ];

  it.each(slow)('one that %s', async (_title, answer) => {
    await useWorld({ answer, sender: SHORT_TIMEOUT });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'timeout', status: null });
    await world.receiver.idle();
  });

  it('one that accepts the connection without a TLS handshake', async () => {
    const silent = await startSilentReceiver((socket) => void socket.resume());
    await useWorld({ answer: replyAndClose(200), sender: { ...SHORT_TIMEOUT, dial: () => connect(silent.port, '127.0.0.1') } });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'timeout', status: null, timings: { firstByteMs: null } });
    await silent.idle();
    await silent.close();
  });

  it('one whose name server never responds', async () => {
    await useWorld({ answer: replyAndClose(200), sender: { ...SHORT_TIMEOUT, resolve: () => new Promise(() => undefined) } });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'timeout', timings: { connectMs: null } });
    expect(world.dialled).toEqual([]);
  });
});

describe('a receiver that is slow to end its reply is disconnected, and its status counts', () => {
  const slow: [string, RawResponder][] = [
    [
      'drips a body',
      (socket) => {
        socket.write('Content-Length: 30000\r\n\r\n.');
        drip(socket, '.');
      },
    ],
    [
      'drips chunks',
      (socket) => {
        socket.write('Transfer-Encoding: chunked\r\n\r\n1\r\n.\r\n');
        drip(socket, '1\r\n.\r\n');
      },
    ],
    ['never ends its body', (socket) => void socket.write('Content-Length: 10\r\n\r\n.')],
    ['never ends its connection', (socket) => void socket.write('\r\n.')],
  ];

  it.each(slow)('one that %s', async (_title, answer) => {
    await useWorld({
      answer: replyInSequence(
        ...([200, 500].map((status): RawResponder => (socket, request) => {
          socket.write(`HTTP/1.1 ${status} Whatever\r\n`);
          answer(socket, request);
        }) as [RawResponder, RawResponder]),
      ),
      sender: { bodyTimeoutMs: 50 },
    });
    expect(await world.send()).toMatchObject({ ok: true, status: 200, replyExcerpt: expect.stringMatching(/^\.+$/) });
    expect(await world.send()).toMatchObject({
      ok: false,
      errorCode: 'bad_status',
      status: 500,
      replyExcerpt: expect.stringMatching(/^\.+$/),
    });
    await world.receiver.idle();
  });

  it('and never takes longer than the whole attempt may', async () => {
    await useWorld({ answer: writeText(`${OK}Content-Length: 10\r\n\r\nhello`), sender: { timeoutMs: 10_000, bodyTimeoutMs: 60_000 } });
    expect(await world.send()).toMatchObject({ ok: true, status: 200, replyExcerpt: 'hello' });
    await world.receiver.idle();
  });
});

describe('a receiver that does not read', () => {
  const rawBody = Buffer.alloc(32 * 1024 * 1024, 'x');
  const PLAIN = 'http://127.0.0.1:9';
  let deaf: Receiver;

  const useSilentReceiver = async (onConnection: (socket: Socket) => void, sender: WebhookWorldInput['sender'] = {}): Promise<void> => {
    deaf = await startSilentReceiver(onConnection);
    await useWorld({
      answer: replyAndClose(200),
      sender: { allowedOrigins: [PLAIN], dial: () => connect(deaf.port, '127.0.0.1'), ...sender },
    });
  };
  afterEach(() => deaf.close());

  it('and does not respond times out', async () => {
    await useSilentReceiver((socket) => void socket.pause(), SHORT_TIMEOUT);
    expect(await world.send({ url: PLAIN, rawBody })).toMatchObject({ ok: false, errorCode: 'timeout', status: null });
  });

  it('and responds anyway is successful, and the connection is not reused', async () => {
    await useSilentReceiver((socket) => void socket.pause().write(`${OK}Content-Length: 0\r\n\r\n`));
    expect(await world.send({ url: PLAIN, rawBody })).toMatchObject({ ok: true, status: 200 });
    expect(await world.send({ url: PLAIN, rawBody })).toMatchObject({ ok: true, status: 200 });
    expect(deaf.connections()).toBe(2);
  });

  it('and resets during the request fails with reset', async () => {
    await useSilentReceiver((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    expect(await world.send({ url: PLAIN, rawBody })).toMatchObject({ ok: false, errorCode: 'reset', status: null });
    expect(deaf.connections()).toBe(1);
  });
});

describe('a receiver with a long reply', () => {
  it('is cut off after 32 KiB of a 2xx body, which stays a success', async () => {
    await useWorld({
      answer: (socket) => {
        socket.write(`${OK}Content-Type: text/plain\r\n\r\n`);
        flood(socket, Buffer.alloc(4096, 'x'));
      },
      sender: { bodyTimeoutMs: 60_000 },
    });
    const outcome = await world.send();
    expect(outcome).toMatchObject({ ok: true, status: 200, replyExcerpt: 'x'.repeat(8192) });
    await world.receiver.idle();
  });

  it('is cut off after 32 KiB of an error, which stays an error', async () => {
    await useWorld({
      answer: (socket) => {
        socket.write('HTTP/1.1 503 No\r\n\r\n');
        flood(socket, Buffer.alloc(4096, 'x'));
      },
    });
    expect(await world.send()).toMatchObject({ ok: false, status: 503, errorCode: 'bad_status' });
    await world.receiver.idle();
  });

  it('cannot send a gzip bomb, because a reply is never decompressed', async () => {
    await useWorld({ answer: replyAndClose(200, gzipSync(Buffer.alloc(20_000_000)), ['Content-Encoding: gzip']) });
    const outcome = await world.send();
    expect(outcome.ok).toBe(true);
    expect(outcome.replyExcerpt?.length).toBeLessThanOrEqual(8192);
  });

  it.each([
    ['one huge header', `X: ${'y'.repeat(20_000)}\r\n`],
    ['many headers', 'X-Filler: 0123456789\r\n'.repeat(1000)],
  ])('in %s fails with protocol', async (_title, headers) => {
    await useWorld({ answer: respondRaw(`${OK}${headers}Content-Length: 0\r\n\r\n`) });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'protocol', status: null });
    await world.receiver.idle();
  });
});

describe('a receiver that pads its reply endlessly is cut off', () => {
  it.each([
    ['a reason phrase', 'HTTP/1.1 200 ', 'O'.repeat(1024)],
    ['empty lines', '', '\r\n'.repeat(512)],
  ])('by %s before the headers: fails with protocol', async (_title, start, piece) => {
    await useWorld({
      answer: (socket) => {
        socket.write(start);
        flood(socket, Buffer.from(piece));
      },
    });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'protocol', status: null });
    await world.receiver.idle();
  });

  it.each([
    ['a chunk extension', '1;', 'x'.repeat(1024)],
    ['trailers', '0\r\n', 'X-Trailer: 0123456789\r\n'.repeat(50)],
  ])('by %s after the headers: its status counts', async (_title, start, piece) => {
    await useWorld({
      answer: (socket) => {
        socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n${start}`);
        flood(socket, Buffer.from(piece));
      },
      sender: { bodyTimeoutMs: 60_000 },
    });
    expect(await world.send()).toMatchObject({ ok: true, status: 200, replyExcerpt: '' });
    await world.receiver.idle();
  });
});

describe('a receiver that disconnects fails with reset', () => {
  it('before its reply', async () => {
    await useWorld({ answer: (socket) => void socket.destroy() });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'reset', status: null, replyExcerpt: null });
  });

  it('by a regular close without a reply', async () => {
    await useWorld({ answer: respondRaw('') });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'reset', status: null });
  });

  it('inside its headers', async () => {
    await useWorld({ answer: respondRaw(`${OK}Content-Le`) });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'reset', status: null });
  });
});

describe('a 2xx counts for any bytes after its headers, and the connection is not reused', () => {
  it.each([
    ['a counted body that is truncated', 'Content-Length: 100\r\n\r\nhalf', 'half'],
    ['a chunked body that is truncated', 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n', 'half'],
    ['invalid chunks', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', ''],
    ['a chunk longer than its size', 'Transfer-Encoding: chunked\r\n\r\n2\r\nhalf\r\n0\r\n\r\n', 'ha'],
    ['more bytes than its length', 'Content-Length: 4\r\n\r\nhalf and half', 'half'],
    ['a length beyond all bounds', `Content-Length: ${'9'.repeat(400)}\r\n\r\nhalf`, 'half'],
    ['an unknown coding', 'Transfer-Encoding: br\r\n\r\nhalf', 'half'],
    ['a body as long as the connection', '\r\nhalf', 'half'],
  ])('%s', async (_title, text, replyExcerpt) => {
    await useWorld({ answer: respondRaw(`${OK}${text}`) });
    expect(await world.send()).toMatchObject({ ok: true, errorCode: null, status: 200, replyExcerpt });
    await world.receiver.idle();
  });

  it('a 204 with a body', async () => {
    await useWorld({ answer: writeText('HTTP/1.1 204 No Content\r\n\r\nsurprise') });
    expect(await world.send()).toMatchObject({ ok: true, status: 204, replyExcerpt: '' });
    await world.receiver.idle();
  });
});

describe('a receiver with invalid HTTP fails with protocol', () => {
  it.each([
    ['is another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', null],
    ['has two lengths', `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, null],
    ['has two kinds of length', `${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, null],
    ['has a bare carriage return in a header', `${OK}X: a\rY: b\r\nContent-Length: 0\r\n\r\n`, null],
    ['has a length that is not a number', `${OK}Content-Length: +1\r\n\r\na`, null],
    ['has lines without carriage returns', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n', null],
    ['folds a header', `${OK}X: a\r\n b\r\nContent-Length: 0\r\n\r\n`, null],
    ['has a space before a colon', `${OK}Content-Length : 0\r\n\r\n`, null],
    ['is of HTTP/2', 'HTTP/2 200\r\n\r\n', null],
    ['has no proper status', 'HTTP/1.1 20 OK\r\n\r\n', null],
    ['switches protocols', 'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', 101],
  ])('whose reply %s', async (_title, text, status) => {
    await useWorld({ answer: respondRaw(text) });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'protocol', status });
    await world.receiver.idle();
  });

  it('fails at once if it is not HTTP', async () => {
    await useWorld({ answer: writeText('220 mail.example.com ESMTP') });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'protocol' });
    await world.receiver.idle();
  });

  it('drips interim replies without end', async () => {
    await useWorld({ answer: (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n') });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'protocol', status: null });
    await world.receiver.idle();
  });

  it('floods interim replies', async () => {
    await useWorld({ answer: (socket) => flood(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(1000))) });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'protocol', status: null });
    await world.receiver.idle();
  });

  it.each([
    [10, { ok: true, status: 200 }],
    [11, { ok: false, errorCode: 'protocol', status: null }],
  ])('%d interim replies', async (count, outcome) => {
    await useWorld({ answer: writeText(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(count)}${OK}Content-Length: 0\r\n\r\n`) });
    expect(await world.send()).toMatchObject(outcome);
  });

  it('but 1xx replies before the final one are skipped', async () => {
    const early = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n';
    await useWorld({ answer: respondRaw(`${early}${OK}Content-Length: 2\r\n\r\nok`) });
    expect(await world.send()).toMatchObject({ ok: true, status: 200, replyExcerpt: 'ok' });
  });
});

describe('an invalid certificate fails with tls, and nothing is sent', () => {
  const bad: [string, NonNullable<WebhookWorldInput['certificate']>][] = [
    ['expired', (authority) => newLeaf(authority, { dnsName: HOST, notAfter: new Date(Date.now() - 60_000) })],
    ['self-signed', () => newLeaf(null, { dnsName: HOST })],
    ['of an unknown authority', () => newLeaf(newAuthority(), { dnsName: HOST })],
    ['for another name', (authority) => newLeaf(authority, { dnsName: 'hooks.example.org' })],
    ['for the parent name', (authority) => newLeaf(authority, { dnsName: 'example.com' })],
  ];

  it.each(bad)('%s', async (_title, certificate) => {
    await useWorld({ answer: replyAndClose(200), certificate });
    expect(await world.send()).toMatchObject({
      ok: false,
      errorCode: 'tls',
      status: null,
      replyExcerpt: null,
      timings: { tlsMs: expect.any(Number) },
    });
    expect(world.receiver.requests).toEqual([]);
    await world.receiver.idle();
  });

  it('of a private authority, for a sender that trusts the public ones', async () => {
    await useWorld({ answer: replyAndClose(200) });
    const dial = () => connect(world.receiver.port, '127.0.0.1');
    const sender = createWebhookSender({ allowedOrigins: [], resolve: async () => [PUBLIC_ADDRESS], dial });
    const outcome = await sender.send(aRequest());
    expect(outcome).toMatchObject({ ok: false, errorCode: 'tls' });
    expect(world.receiver.requests).toEqual([]);
  });

  it('does not include a wildcard one label up', async () => {
    await useWorld({ answer: replyAndClose(200), certificate: (authority) => newLeaf(authority, { dnsName: '*.example.com' }) });
    expect(await world.send()).toMatchObject({ ok: true });
  });

  it.each([
    ['hangs up during the handshake', (socket: Socket) => socket.destroy()],
    ['resets during the handshake', (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy())],
    ['speaks plain HTTP', (socket: Socket) => void socket.end(`${OK}Content-Length: 0\r\n\r\n`)],
  ])('from a receiver that %s', async (_title, onConnection) => {
    const rude = await startSilentReceiver(onConnection);
    await useWorld({ answer: replyAndClose(200), sender: { dial: () => connect(rude.port, '127.0.0.1') } });
    expect(await world.send()).toMatchObject({ ok: false, errorCode: 'tls', status: null });
    await rude.close();
  });
});
