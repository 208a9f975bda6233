import { once } from 'node:events';
import { readdir, readlink, stat, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { HOUR_MS } from '../../../src/domain/duration';
import { READ_URL_SECONDS, signedUrl } from '../../../src/security/signed-urls';
import { answerTo } from '../../support/raw-answer';
import { waitFor } from '../../support/wait-for';
import {
  errorCodeOf,
  newKey,
  openConnection,
  putBytes,
  putRequestHead,
  readReply,
  SECRET,
  send,
  startTestStore,
  type TestStore,
} from './support';

let store: TestStore;
let nowMs: number;
beforeEach(async () => {
  nowMs = 1_800_000_000_000;
  store = await startTestStore({ clock: () => nowMs });
});
afterEach(() => store.close());

describe('Upload URLs', () => {
  test('a URL lasts 15 minutes, then it is 403 with the reason', async () => {
    const target = await store.target();
    nowMs += 15 * 60_000 - 1;
    expect((await putBytes(target.uploadUrl, '0123456789')).status).toBe(200);
    nowMs += 1;
    const answer = await putBytes(target.uploadUrl, 'abcdefghij');
    expect(answer.status).toBe(403);
    expect(errorCodeOf(answer)).toBe('UPLOAD_EXPIRED');
    expect(answer.text).toContain('expired');
  });

  test('a signed URL that lasts longer than the service allows is 403, and the service issues none', async () => {
    const key = newKey();
    const expiresAtSeconds = nowMs / 1000 + 86_400;
    const forADay = signedUrl(store.server.url, { method: 'PUT', key, sizeBytes: 10, expiresAtSeconds }, SECRET);
    expect(errorCodeOf(await putBytes(forADay, '0123456789'))).toBe('FORBIDDEN');
    expect(await store.filesOnDisk()).toEqual([]);
    expect((await putBytes((await store.target({ key })).uploadUrl, '0123456789')).status).toBe(200);
    const read = await send(signedUrl(store.server.url, { method: 'GET', key, expiresAtSeconds }, SECRET), { method: 'GET' });
    expect(errorCodeOf(read)).toBe('FORBIDDEN');
  });

  /** Sends the head and the beginning of a body, and waits until the store has received them. */
  async function beginUpload(uploadUrl: string, sizeBytes: number, beginning: Buffer) {
    const socket = await openConnection(store.server);
    const reply = new Promise<string>((resolve) => socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1'))));
    socket.write(putRequestHead(uploadUrl, sizeBytes, ['Connection: close']));
    socket.write(beginning);
    await waitFor('the beginning of the body', async () => {
      const [part] = await store.filesOnDisk();
      return part !== undefined && (await stat(path.join(store.dir, part))).size === beginning.length;
    });
    return { socket, reply };
  }
  const MIB = 1024 * 1024;

  test('a body that began in time may continue after its URL expires while it is fast enough', async () => {
    const target = await store.target({ sizeBytes: 3 * MIB });
    const { socket, reply } = await beginUpload(target.uploadUrl, 3 * MIB, Buffer.alloc(MIB));
    nowMs += 15 * 60_000;
    socket.write(Buffer.alloc(2 * MIB));
    expect(await reply).toMatch(/^HTTP\/1\.1 200 /);
    expect((await store.storage.stat(target.key, null))?.sizeBytes).toBe(3 * MIB);
    expect(errorCodeOf(await putBytes(target.uploadUrl, Buffer.alloc(3 * MIB)))).toBe('UPLOAD_EXPIRED');
  });

  test('a slow body may use all the time of its URL', async () => {
    const target = await store.target();
    const { socket, reply } = await beginUpload(target.uploadUrl, 10, Buffer.from('01234'));
    nowMs += 15 * 60_000 - 1;
    socket.write('56789');
    expect(await reply).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('the URL of a large file lasts a minute longer for every 10 MB', async () => {
    const minutesUntilExpiry = async (sizeBytes: number) => ((await store.target({ sizeBytes })).expiresAt.getTime() - nowMs) / 60_000;
    expect(await Promise.all([1, 9_999_999, 10_000_000, 200_000_000, 524_288_000].map(minutesUntilExpiry))).toEqual([15, 15, 16, 35, 67]);
  });

  test.each([
    ['signature', (url: string) => url.replace(/[0-9a-f]{64}$/, '0'.repeat(64))],
    ['key', (url: string) => url.replace(/upl_[0-9a-f]+/, 'upl_0')],
    ['account', (url: string) => url.replace(/acc_[0-9a-f]+/, 'acc_0')],
    ['extension', (url: string) => url.replace('.png?', '.jpg?')],
    ['size', (url: string) => url.replace('size=10', 'size=11')],
    ['expiry', (url: string) => url.replace(/expires=[0-9]+/, 'expires=1900000000')],
    ['query (removed completely)', (url: string) => url.replace(/\?.*/, '')],
  ])('a tampered %s is 403 and nothing is stored', async (_part, tamper) => {
    const { uploadUrl } = await store.target();
    expect(tamper(uploadUrl)).not.toBe(uploadUrl);
    const answer = await putBytes(tamper(uploadUrl), '0123456789');
    expect(answer.status).toBe(403);
    expect(errorCodeOf(answer)).toBe('FORBIDDEN');
    expect(await store.filesOnDisk()).toEqual([]);
  });
});

describe('Paths', () => {
  const corpus = [
    '/',
    '/artwork',
    '/artwork/',
    '/artwork/../secret.png',
    '/artwork/a/../../secret.png',
    '/artwork/%2e%2e/secret.png',
    '/artwork/..%2fsecret.png',
    '/artwork/a%2fb.png',
    '/artwork/a/b%2f..%2fc.png',
    '/artwork/a/b.png%00',
    '/artwork/a/b%00.png',
    '/artwork/a\\..\\b.png',
    '/artwork/a//b.png',
    '//artwork/a/b.png',
    '/artwork/a/b',
    '/artwork/a/.png',
    '/artwork/a/b.png/',
    '/artwork/a/b.png/c',
    '/artwork/a/b.png;v=1',
    '/artwork/a/b.1234567812345678.png',
    '/artwork/a/b.png.json',
    '/artwork/%C3%A9/b.png',
    '/incoming/0000000000000000.part',
    '/etc/passwd',
    '/../../../../etc/passwd',
    'http://other.example/artwork/a/b.png',
    '*',
    `/artwork/a/${'b'.repeat(65)}.png`,
    `/artwork/a/${'b'.repeat(10_000)}.png`,
    '/artwork/a/b.png%',
    '/artwork/a/b.%70ng',
  ];

  test.each(corpus)('%.60s is 404 even with a valid signature', async (target) => {
    await writeFile(path.join(store.dir, 'secret.png'), 'secret');
    const key = target.replace(/^\//, '');
    const put10 = { method: 'PUT', key, sizeBytes: 10, expiresAtSeconds: 1_900_000_000 } as const;
    const query = new URL(signedUrl('http://store', { ...put10, key: 'k' }, SECRET)).search;
    const signature = signedUrl('', put10, SECRET).slice(-64);
    const full = `${target}${query.replace(/[0-9a-f]{64}$/, signature)}`;
    for (const [method, body] of [
      ['PUT', '0123456789'],
      ['GET', ''],
    ] as const) {
      const headers = { 'Content-Length': body.length };
      const answer = await send(store.server.url, { method, path: full, body, headers });
      expect(answer.status).toBe(404);
      expect(errorCodeOf(answer)).toBe('NOT_FOUND');
    }
    expect(await store.filesOnDisk()).toEqual(['secret.png']);
  });

  test.each(['POST', 'DELETE', 'PATCH'])('%s is 404 in the envelope', async (method) => {
    const { uploadUrl } = await store.target();
    const answer = await send(uploadUrl, { method });
    expect(answer.status).toBe(404);
    expect(errorCodeOf(answer)).toBe('NOT_FOUND');
  });

  test('an invalid key is an error of the caller', async () => {
    await expect(store.target({ key: '../x.png' })).rejects.toThrow(RangeError);
    await expect(store.storage.signedReadUrl('../x.png', null)).rejects.toThrow(RangeError);
    expect(await store.storage.stat('../secret.png', null)).toBeNull();
    await expect(store.storage.openRead('../secret.png', `sha256:${'0'.repeat(64)}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('Reading', () => {
  test('the unsigned url of the upload target is 403, with and without an object', async () => {
    const target = await store.target();
    expect((await send(target.url, { method: 'GET' })).status).toBe(403);
    await putBytes(target.uploadUrl, '0123456789');
    expect((await send(target.url, { method: 'GET' })).status).toBe(403);
    expect((await send(target.uploadUrl, { method: 'GET' })).status).toBe(403);
  });

  test('a signed read URL returns the bytes, never as the page they were sent as', async () => {
    const target = await store.target();
    await putBytes(target.uploadUrl, '<script>01', 'text/html');
    const answer = await send(await store.readUrl(target.key), { method: 'GET' });
    expect(answer).toMatchObject({ status: 200, text: '<script>01' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '10',
      'content-disposition': expect.stringMatching(/^attachment; filename="upl_[0-9a-f]+\.png"$/),
      'x-content-type-options': 'nosniff',
    });
  });

  test('every response forbids sniffing and framing', async () => {
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    const read = await send(await store.readUrl(target.key), { method: 'GET' });
    for (const { headers } of [read, await putBytes(target.uploadUrl, '0'), await send(target.uploadUrl, { method: 'OPTIONS' })]) {
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
    const socket = await openConnection(store.server);
    const reply = readReply(socket);
    socket.write('no HTTP\r\n\r\n');
    expect(await reply).toContain('X-Content-Type-Options: nosniff');
  });

  test('HEAD returns only the headers', async () => {
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    const answer = await send(await store.readUrl(target.key), { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'content-length': '10' });
  });

  test('a read URL expires', async () => {
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    const url = await store.readUrl(target.key);
    nowMs += READ_URL_SECONDS * 1000;
    expect((await send(url, { method: 'GET' })).status).toBe(403);
  });

  test('a signed read URL of no object is 404', async () => {
    const answer = await send(await store.readUrl(newKey()), { method: 'GET' });
    expect(answer.status).toBe(404);
    expect(errorCodeOf(answer)).toBe('NOT_FOUND');
  });
});

describe('Headers and log', () => {
  test('a browser may send a preflight, and upload', async () => {
    const { uploadUrl } = await store.target();
    const headers = {
      Origin: 'https://shop.example',
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'content-type',
    };
    const preflight = await send(uploadUrl, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': 'content-type',
    });
    expect((await putBytes(uploadUrl, '0123456789')).headers['access-control-allow-origin']).toBe('*');
    expect((await putBytes(uploadUrl, '')).headers['access-control-allow-origin']).toBe('*');
  });

  test('every response has a request id, and keeps a valid one of the caller', async () => {
    const { uploadUrl } = await store.target();
    expect((await putBytes(uploadUrl, '')).headers['service-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
    const kept = await send(uploadUrl, { method: 'OPTIONS', headers: { 'Service-Request-Id': 'mine-1' } });
    expect(kept.headers['service-request-id']).toBe('mine-1');
    const insane = await send(uploadUrl, { method: 'OPTIONS', headers: { 'Service-Request-Id': 'a b' } });
    expect(insane.headers['service-request-id']).not.toBe('a b');
  });

  test('the log has ids and sizes, never a URL, key or signature', async () => {
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    await putBytes(target.uploadUrl, '');
    await send(await store.readUrl(target.key), { method: 'GET' });
    await store.server.close();
    const uploadId = /upl_[0-9a-f]+/.exec(target.key)?.[0];
    for (const method of ['PUT', 'GET']) expect(store.logged()).toMatch(new RegExp(`"method":"${method}","uploadId":"${uploadId}"`));
    expect(store.logged()).toContain('"sizeBytes":10');
    expect(store.logged()).not.toMatch(/signature|artwork\/|http:|\.png/);
  });
});

describe('Pipelined requests on a connection that is then lost', () => {
  test('delay nothing: the server stops without waiting for its deadline, and no file stays open', async () => {
    await store.close();
    store = await startTestStore({ closeDeadlineMs: HOUR_MS });
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    const { pathname, search } = new URL(await store.readUrl(target.key));
    for (const asked of ['/x', `${pathname}${search}`]) {
      const socket = await openConnection(store.server);
      socket.write(`GET ${asked} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(50));
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    await expect(store.server.close()).resolves.toBeUndefined();
    if (process.platform === 'linux') await waitFor('no file is open', async () => (await openFilesBelow(store.dir)).length === 0);
  });

  test('delay nothing if the response before them is slow', async () => {
    await store.close();
    let receiving: () => void = () => undefined;
    const received = new Promise<void>((resolve) => (receiving = resolve));
    const arrivalRecorder = { record: () => new Promise<never>(() => receiving()) };
    store = await startTestStore({ closeDeadlineMs: 50, arrivalRecorder });
    const socket = await openConnection(store.server);
    socket.write(`${putRequestHead((await store.target()).uploadUrl, 10)}0123456789${'GET /x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50)}`);
    await received;
    socket.destroy();
    await expect(store.server.close()).resolves.toBeUndefined();
  });
});

test.each(['', 'Host: x\r\nExpect: a-reply\r\n'])('a request with these headers has the security headers: %j', async (headers) => {
  const own = await startTestStore();
  try {
    const answer = await answerTo(own.server.port, `GET /artwork/none HTTP/1.1\r\nConnection: close\r\n${headers}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 [^]*service-request-id: req_[^]*content-security-policy: default-src 'none'[^]*"error":/i);
  } finally {
    await own.close();
  }
});

test('a request that was answered before its body gets no second response when the body is unreadable', async () => {
  const own = await startTestStore();
  try {
    const socket = await openConnection(own.server);
    let answer = '';
    socket.on('data', (bytes) => (answer += String(bytes))).on('error', () => undefined);
    socket.write('GET /artwork/none HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    await waitFor('the response', async () => answer.includes('"error":'));
    const closed = once(socket, 'close');
    socket.write('no chunk\r\n');
    await closed;
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404']);
  } finally {
    await own.close();
  }
});

test('a connection without a request is closed unanswered after some time, because a browser opens some in advance', async () => {
  const impatient = await startTestStore({ headersTimeoutMs: 20 });
  try {
    expect(await answerTo(impatient.server.port, '')).toBe('');
    // On a slow machine, a part of a request can arrive too late.
    const answer = await waitFor('an answer', async () => (await answerTo(impatient.server.port, 'PUT /')) || null);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  } finally {
    await impatient.close();
  }
});

describe('Removing', () => {
  test('deletes record and bytes, also if repeated, and keeps similar keys', async () => {
    const [gone, kept] = [await store.target({ key: 'artwork/acc_1/upl_1.png' }), await store.target({ key: 'artwork/acc_1/upl_12.png' })];
    for (const { uploadUrl } of [gone, gone, kept]) expect((await putBytes(uploadUrl, '0123456789')).status).toBe(200);
    const before = await store.filesOnDisk();
    await store.storage.remove(gone.key);
    await store.storage.remove(gone.key);
    expect(await store.storage.stat(gone.key, null)).toBeNull();
    expect(await store.storage.stat(kept.key, null)).not.toBeNull();
    expect(await store.filesOnDisk()).toEqual(before.filter((name) => name.includes('upl_12')));
  });

  test('accepts a key that was never stored, and ignores an invalid key', async () => {
    await store.storage.remove(newKey());
    await expect(store.storage.remove('artwork/../x.png')).resolves.toBeUndefined();
  });
});

/** Files that this process has open. */
async function openFilesBelow(dir: string): Promise<string[]> {
  const names = await readdir('/proc/self/fd');
  const files = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return files.filter((file) => file.startsWith(dir));
}
