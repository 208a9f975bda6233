import { utimes, writeFile } from 'node:fs/promises';
import * as nodeFs from 'node:fs/promises';
import * as path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { ApiError } from '../../../src/domain/errors';
import {
  readDigest,
  errorCodeOf,
  newKey,
  openConnection,
  putBytes,
  putRequestHead,
  readReply,
  send,
  startTestStore,
  type TestStore,
} from './support';

let store: TestStore;
beforeEach(async () => {
  store = await startTestStore();
});
afterEach(() => store.close());

async function expectNothingStored(key: string): Promise<void> {
  expect(await store.storage.stat(key, null)).toBeNull();
  expect(await store.filesOnDisk()).toEqual([]);
}

describe('Success', () => {
  test('the declared number of bytes is stored', async () => {
    const target = await store.target();
    const answer = await putBytes(target.uploadUrl, '0123456789');
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ data: { sizeBytes: 10, contentType: 'image/png' }, error: null });
    expect(await store.storage.stat(target.key, null)).toEqual({
      sizeBytes: 10,
      checksum: `sha256:${createHash('sha256').update('0123456789').digest('hex')}`,
    });
    expect((await buffer(await store.read(target.key))).toString()).toBe('0123456789');
  });

  test('the target names the storage host, the type to send, and a url without a signature', async () => {
    const key = newKey();
    const target = await store.target({ key });
    expect(target).toMatchObject({ contentType: 'image/png', key, url: `${store.server.url}/${key}` });
    expect(target.uploadUrl).toMatch(/\?expires=[0-9]+&size=10&signature=[0-9a-f]{64}$/);
  });

  test('a wrong or missing content type is accepted', async () => {
    const target = await store.target();
    expect((await putBytes(target.uploadUrl, '0123456789', 'text/html')).status).toBe(200);
    expect((await send(target.uploadUrl, { body: '0123456789', headers: { 'Content-Length': 10 } })).status).toBe(200);
  });

  test('a second PUT to the same URL replaces the file, and of the same content changes nothing', async () => {
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    await putBytes(target.uploadUrl, 'abcdefghij');
    expect((await buffer(await store.read(target.key))).toString()).toBe('abcdefghij');
    const files = await store.filesOnDisk();
    expect(files).toHaveLength(1);
    expect((await putBytes(target.uploadUrl, 'abcdefghij')).status).toBe(200);
    expect(await store.filesOnDisk()).toEqual(files);
  });

  test('concurrent PUTs to one URL leave one whole object', async () => {
    const target = await store.target({ sizeBytes: 100_000 });
    const bodies = [...'abcdefgh'].map((letter) => letter.repeat(100_000));
    const answers = await Promise.all(bodies.map((body) => putBytes(target.uploadUrl, body)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 429]));
    const text = (await buffer(await store.read(target.key))).toString();
    expect(bodies).toContain(text);
    expect(await store.filesOnDisk()).toHaveLength(1);
  });

  test('the checksum decides which file of a key is read, and a missing one is not replaced by another', async () => {
    const target = await store.target();
    const checksumOf = (content: string) => `sha256:${createHash('sha256').update(content).digest('hex')}`;
    await putBytes(target.uploadUrl, '0123456789');
    const [first = ''] = await store.filesOnDisk();
    const bytes = await nodeFs.readFile(path.join(store.dir, first));
    await putBytes(target.uploadUrl, 'abcdefghij');
    await writeFile(path.join(store.dir, first), bytes); // as between the write of a file and the record of its arrival
    const read = async (content: string) => buffer(await store.storage.openRead(target.key, checksumOf(content)));
    expect([String(await read('0123456789')), String(await read('abcdefghij'))]).toEqual(['0123456789', 'abcdefghij']);
    for (const content of ['0123456789', 'abcdefghij']) {
      expect(await store.storage.stat(target.key, checksumOf(content))).toEqual({ sizeBytes: 10, checksum: checksumOf(content) });
      const url = await store.storage.signedReadUrl(target.key, checksumOf(content));
      expect((await send(url, { method: 'GET' })).text).toBe(content);
    }
    await expect(read('other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const missing = await store.storage.signedReadUrl(target.key, checksumOf('other'));
    expect((await send(missing, { method: 'GET' })).status).toBe(404);
    await store.storage.remove(target.key);
    expect(await store.filesOnDisk()).toEqual([]);
  });

  test('a client that waits for 100 Continue gets it only after its URL is accepted', async () => {
    const target = await store.target();
    const socket = await openConnection(store.server);
    socket.once('data', () => socket.write('0123456789'));
    socket.write(putRequestHead(target.uploadUrl, 10, ['Expect: 100-continue', 'Connection: close']));
    expect(await readReply(socket)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    expect(await store.storage.stat(target.key, null)).toMatchObject({ sizeBytes: 10 });
  });

  test('a path in the public URL is removed, whether the proxy strips it or not', async () => {
    await store.close();
    store = await startTestStore({ publicUrl: 'http://studio.example/files/' });
    const target = await store.target();
    expect(new URL(target.url).pathname).toBe(`/files/${target.key}`);
    expect((await putBytes(target.uploadUrl, '0123456789')).status).toBe(200);
    expect((await putBytes(target.uploadUrl.replace('/files/', '/'), '0123456789')).status).toBe(200);
  });

  test('64 MB are written to disk as they arrive, and not kept in memory', async () => {
    const disk = { written: 0 };
    await store.close();
    store = await startTestStore({ fileOperations: countWrites(disk) });
    const sizeBytes = 64 * 1024 * 1024;
    const target = await store.target({ sizeBytes });
    const hash = createHash('sha256');
    const chunk = Buffer.alloc(256 * 1024, 'artwork');
    let furthestAhead = 0;
    function* chunks(): Generator<Buffer> {
      for (let sent = 0; sent < sizeBytes; sent += chunk.length) {
        furthestAhead = Math.max(furthestAhead, sent - disk.written);
        hash.update(chunk);
        yield chunk;
      }
    }
    const request = httpRequest(target.uploadUrl, { method: 'PUT', headers: { 'Content-Length': sizeBytes } });
    const response = new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
    await pipeline(Readable.from(chunks()), request);
    expect((await response).resume().statusCode).toBe(200);
    expect(await readDigest(await store.read(target.key))).toEqual({ sizeBytes, sha256: hash.digest('hex') });
    // Data in transit is in the two sockets and streams. A server that buffers the body falls 64 MB behind.
    expect(furthestAhead).toBeLessThan(sizeBytes / 2);
  });
});

describe('The record of an arrival', () => {
  /** A recorder that answers with `outcome`, and the files on disk when it was asked. */
  async function withRecorder(outcome: () => Error | null): Promise<{ filesAtRecord: string[][] }> {
    const filesAtRecord: string[][] = [];
    await store.close();
    store = await startTestStore({
      arrivalRecorder: {
        async record() {
          filesAtRecord.push(await store.filesOnDisk());
          const error = outcome();
          if (error !== null) throw error;
        },
      },
    });
    return { filesAtRecord };
  }

  test('is made when the file is on disk under its own name, next to the earlier one, which goes afterwards', async () => {
    const { filesAtRecord } = await withRecorder(() => null);
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    await putBytes(target.uploadUrl, 'abcdefghij');
    expect(filesAtRecord.map((files) => files.length)).toEqual([1, 2]);
    expect((await buffer(await store.read(target.key))).toString()).toBe('abcdefghij');
    expect(await store.filesOnDisk()).toHaveLength(1);
  });

  test('may refuse the file, which is then removed, but not one that was stored before', async () => {
    let outcome: Error | null = null;
    await withRecorder(() => outcome);
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    const files = await store.filesOnDisk();
    outcome = new ApiError('ARTWORK_IN_USE', 'in use');
    for (const content of ['abcdefghij', '0123456789']) expect((await putBytes(target.uploadUrl, content)).status).toBe(412);
    expect(await store.filesOnDisk()).toEqual(files);
  });

  test('may fail without an answer, as when the database is lost: both files stay until the next arrival', async () => {
    let outcome: Error | null = null;
    await withRecorder(() => outcome);
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    outcome = new ApiError('OVERLOADED', 'the commit may have succeeded');
    expect((await putBytes(target.uploadUrl, 'abcdefghij')).status).toBe(503);
    expect(await store.filesOnDisk()).toHaveLength(2);
    outcome = new Error('the connection was lost');
    expect((await putBytes(target.uploadUrl, 'klmnopqrst')).status).toBe(500);
    expect(await store.filesOnDisk()).toHaveLength(3);
    outcome = null;
    expect((await putBytes(target.uploadUrl, 'abcdefghij')).status).toBe(200);
    expect(await store.filesOnDisk()).toHaveLength(1);
  });
});

describe('Size', () => {
  test.each([0, 9, 11, 1000])('%d bytes to a URL signed for 10 are refused and nothing is kept', async (length) => {
    const target = await store.target();
    const answer = await putBytes(target.uploadUrl, 'x'.repeat(length));
    expect(answer.status).toBe(400);
    expect(errorCodeOf(answer)).toBe('VALIDATION_ERROR');
    expect(JSON.parse(answer.text)).toMatchObject({ error: { details: { paths: ['headers.content-length'] } } });
    await expectNothingStored(target.key);
  });

  test('a refused PUT leaves the stored object unchanged', async () => {
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    await putBytes(target.uploadUrl, 'too short');
    expect((await buffer(await store.read(target.key))).toString()).toBe('0123456789');
  });

  test('a chunked body is refused in the envelope', async () => {
    const target = await store.target();
    const answer = await send(target.uploadUrl, { body: '0123456789', headers: { 'Transfer-Encoding': 'chunked' } });
    expect(answer.status).toBe(400);
    expect(errorCodeOf(answer)).toBe('VALIDATION_ERROR');
    await expectNothingStored(target.key);
  });

  test.each([
    ['both a length and chunked framing', ['Transfer-Encoding: chunked']],
    ['two lengths', ['Content-Length: 11']],
    ['headers over the limit', [`X-Long: ${'x'.repeat(20_000)}`]],
  ])('%s is refused in the envelope', async (_case, extra) => {
    const target = await store.target();
    const socket = await openConnection(store.server);
    socket.write(`${putRequestHead(target.uploadUrl, 10, extra)}0123456789`);
    const reply = await readReply(socket);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain('"data":null,"error":{"code":"VALIDATION_ERROR"');
    await expectNothingStored(target.key);
  });

  test('a client that sends a large body to a refused URL can still read the reason', async () => {
    const target = await store.target();
    const answer = await putBytes(target.uploadUrl, Buffer.alloc(8 * 1024 * 1024));
    expect(errorCodeOf(answer)).toBe('VALIDATION_ERROR');
  });

  test('a refused body is read only up to a limit', async () => {
    const target = await store.target();
    const socket = await openConnection(store.server);
    const chunk = Buffer.alloc(1024 * 1024);
    let sent = 0;
    function* endless(): Generator<Buffer> {
      for (; sent < 200; sent += 1) yield chunk;
    }
    socket.write(putRequestHead(target.uploadUrl, 200 * chunk.length));
    await expect(pipeline(Readable.from(endless()), socket)).rejects.toThrow();
    expect(sent).toBeLessThan(100);
  });

  test('a refused client that waits for 100 Continue never gets it', async () => {
    const target = await store.target();
    const socket = await openConnection(store.server);
    socket.write(putRequestHead(target.uploadUrl, 11, ['Expect: 100-continue']));
    expect(await readReply(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

/** A connection with an incomplete body. */
async function openWaitingUpload(uploadUrl: string, sizeBytes: number): Promise<Socket> {
  const socket = await openConnection(store.server);
  socket.write(putRequestHead(uploadUrl, sizeBytes, ['Expect: 100-continue']));
  const [reply] = (await once(socket, 'data')) as [Buffer];
  expect(reply.toString()).toMatch(/^HTTP\/1\.1 100 /);
  return socket;
}

describe('Concurrent uploads', () => {
  test('one body for each URL: others are 429 at once, and the first is stored', async () => {
    const target = await store.target();
    const socket = await openWaitingUpload(target.uploadUrl, 10);
    const others = await Promise.all(Array.from({ length: 100 }, () => putBytes(target.uploadUrl, 'abcdefghij')));
    for (const answer of others) {
      expect([answer.status, errorCodeOf(answer), answer.headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '1']);
    }
    const stored = once(socket, 'data');
    socket.write('0123456789');
    expect(String((await stored)[0])).toMatch(/^HTTP\/1\.1 200 OK/);
    expect((await buffer(await store.read(target.key))).toString()).toBe('0123456789');
    expect((await putBytes(target.uploadUrl, 'abcdefghij')).status).toBe(200);
    socket.destroy();
  });
});

describe('Interruptions', () => {
  test('a connection lost half way leaves nothing', async () => {
    const target = await store.target({ sizeBytes: 1_000_000 });
    const socket = await openConnection(store.server);
    socket.write(putRequestHead(target.uploadUrl, 1_000_000, ['Expect: 100-continue']));
    await new Promise<void>((resolve) => socket.once('data', () => resolve()));
    await new Promise((resolve) => socket.write(Buffer.alloc(500_000), resolve));
    socket.destroy();
    // Closing waits for requests in progress, so leftovers of the upload exist now.
    await store.server.close();
    await expectNothingStored(target.key);
  });

  test('a client that stops sending is disconnected and leaves nothing', async () => {
    await store.close();
    store = await startTestStore({ idleTimeoutMs: 100 });
    const target = await store.target();
    const socket = await openConnection(store.server);
    socket.write(`${putRequestHead(target.uploadUrl, 10)}01234`);
    expect(await readReply(socket)).toBe('');
    await store.server.close();
    await expectNothingStored(target.key);
  });

  test('close aborts an upload after its deadline, and leaves nothing', async () => {
    await store.close();
    store = await startTestStore({ closeDeadlineMs: 50 });
    const target = await store.target();
    const socket = await openConnection(store.server);
    const cut = readReply(socket);
    socket.write(`${putRequestHead(target.uploadUrl, 10)}01234`);
    await store.server.close();
    expect(await cut).toBe('');
    await expectNothingStored(target.key);
  });

  test('close lets an upload in progress finish', async () => {
    const target = await store.target();
    const socket = await openConnection(store.server);
    socket.write(putRequestHead(target.uploadUrl, 10, ['Expect: 100-continue']));
    await new Promise<void>((resolve) => socket.once('data', () => resolve()));
    const reply = readReply(socket);
    const closed = store.server.close();
    socket.write('0123456789');
    await closed;
    expect(await reply).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(await store.storage.stat(target.key, null)).toMatchObject({ sizeBytes: 10 });
  });

  test('files that a crash left are deleted at the next start, and a recent upload is not', async () => {
    const stale = path.join(store.dir, 'incoming', '0000000000000000.part');
    const fresh = path.join(store.dir, 'incoming', '1111111111111111.part');
    await Promise.all([writeFile(stale, 'half'), writeFile(fresh, 'half')]);
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(stale, hourAgo, hourAgo);
    const second = await startTestStore({ dir: store.dir });
    expect(await second.filesOnDisk()).toEqual(['incoming/1111111111111111.part']);
    await second.server.close();
  });
});

describe('Disk', () => {
  test('file and folder are synced before the response', async () => {
    const steps: string[] = [];
    await store.close();
    store = await startTestStore({ fileOperations: recordOperations(steps) });
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    const names = steps.map((step) => step.replace(/acc_\w+|upl_\w+/g, 'ID').replace(/[0-9a-f]{64}/g, 'SHA256'));
    expect(names.map((step) => step.replace(/[0-9a-f]{16}/g, 'R'))).toEqual([
      'sync R.part',
      'sync artwork',
      'rename ID.SHA256.png',
      'sync ID',
    ]);
  });

  test('a full disk is 507 STORAGE_FULL with Retry-After, and nothing is kept', async () => {
    await store.close();
    store = await startTestStore({ fileOperations: limitedDisk(1_000_000) });
    const target = await store.target({ sizeBytes: 3_000_000 });
    const answer = await putBytes(target.uploadUrl, Buffer.alloc(3_000_000));
    expect([answer.status, errorCodeOf(answer), answer.headers['retry-after']]).toEqual([507, 'STORAGE_FULL', '60']);
    expect(store.logged()).toContain('no space');
    await expectNothingStored(target.key);
  });

  test('a failed rename is 500, and the stored object does not change', async () => {
    const target = await store.target();
    await putBytes(target.uploadUrl, '0123456789');
    const files = await store.filesOnDisk();
    const failing = { ...nodeFs, rename: () => Promise.reject(new Error('no')) };
    const second = await startTestStore({ dir: store.dir, fileOperations: failing });
    const other = target.uploadUrl.replace(store.server.url, second.server.url);
    expect((await putBytes(other, 'abcdefghij')).status).toBe(500);
    expect(await store.filesOnDisk()).toEqual(files);
    await second.server.close();
  });
});

type Operations = Pick<typeof nodeFs, 'open' | 'rename'>;

/** The real file system, with a record of each sync in sequence. */
function recordOperations(steps: string[]): Operations {
  const open: Operations['open'] = async (file, ...rest) => {
    const handle = await nodeFs.open(file, ...rest);
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      await sync();
      steps.push(`sync ${path.basename(String(file))}`);
    };
    return handle;
  };
  const rename: Operations['rename'] = async (from, to) => {
    await nodeFs.rename(from, to);
    steps.push(`rename ${path.basename(String(to))}`);
  };
  return { open, rename };
}

/** The real file system, which calls `before` with the length of every write. */
function interceptWrites(before: (length: number) => void): Operations {
  const open: Operations['open'] = async (file, ...rest) => {
    const handle = await nodeFs.open(file, ...rest);
    const write = handle.write.bind(handle) as (chunk: Buffer, offset: number, length: number) => Promise<unknown>;
    const watched = async (chunk: Buffer, offset: number, length: number): Promise<unknown> => {
      before(length);
      return write(chunk, offset, length);
    };
    return Object.assign(handle, { write: watched });
  };
  return { open, rename: nodeFs.rename };
}

function countWrites(disk: { written: number }): Operations {
  return interceptWrites((length) => (disk.written += length));
}

/** A disk with space for `room` more bytes. */
function limitedDisk(room: number): Operations {
  return interceptWrites((length) => {
    room -= length;
    if (room < 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  });
}
