import { openAsBlob } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { ConnectionError, TradePrint, TradePrintError, type ArtworkSource, type UploadOptions } from '@trade-print/client';
import { artworkDir } from '../../../src/processes/dependencies';
import { sharedService, type TestService } from '../../support/service';
import { aClient, startStub, cutConnection, rejectionOf, neverAnswer, refuseWith, answerWith } from './support';

const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));

let service: TestService;
let client: TradePrint;
let folder: string;
beforeAll(async () => {
  service = await sharedService({ worker: false });
  client = aClient(service);
  folder = await mkdtemp(path.join(tmpdir(), 'trade-print-artwork-'));
  await writeFile(path.join(folder, 'dunes.png'), BYTES);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The stored bytes. */
async function readStored(key: string): Promise<Buffer> {
  const at = path.join(artworkDir(service.deps.config), path.dirname(key));
  const uploadId = path.basename(key, path.extname(key));
  const names = (await readdir(at)).filter((name) => name.startsWith(uploadId));
  expect(names).toHaveLength(1);
  return readFile(path.join(at, names[0] ?? ''));
}

async function* bytesInPieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < BYTES.length; at += 70_000) yield BYTES.subarray(at, at + 70_000);
}

const aWebStream = () => Readable.toWeb(Readable.from(bytesInPieces(), { objectMode: false })) as ReadableStream<Uint8Array>;

const sources: [string, () => ArtworkSource | Promise<ArtworkSource>, UploadOptions][] = [
  ['bytes', () => BYTES, {}],
  ['an ArrayBuffer', () => new Uint8Array(BYTES).buffer, {}],
  ['a Blob', () => new Blob([BYTES]), {}],
  ['a file that is read while it is sent', () => openAsBlob(path.join(folder, 'dunes.png')), {}],
  ['a Node stream of known length', () => Readable.from(bytesInPieces(), { objectMode: false }), { sizeBytes: BYTES.length }],
  ['a Node stream of unknown length', () => Readable.from(bytesInPieces(), { objectMode: false }), {}],
  ['a web stream', () => aWebStream(), { sizeBytes: BYTES.length }],
  ['a web stream of unknown length', () => aWebStream(), {}],
  ['a generator', bytesInPieces, { sizeBytes: BYTES.length }],
];

describe('upload', () => {
  it.each(sources)('accepts %s, and reports progress', async (_what, source, options) => {
    const progress: number[] = [];
    const uploaded = await client.uploads.upload(await source(), {
      ...options,
      filename: 'dunes.png',
      onProgress: ({ sentBytes, totalBytes }) => {
        expect(totalBytes).toBe(BYTES.length);
        progress.push(sentBytes);
      },
    });
    expect(uploaded).toMatchObject({ contentType: 'image/png', sizeBytes: BYTES.length });
    expect((await readStored(uploaded.key)).equals(BYTES)).toBe(true);
    expect(await client.uploads.get(uploaded.uploadId)).toMatchObject({ url: uploaded.url, received: true, sizeBytes: BYTES.length });
    expect([progress[0], progress.at(-1)]).toEqual([0, BYTES.length]);
    expect(progress).toEqual([...new Set(progress)].toSorted((a, b) => a - b));
    expect(progress.length).toBeGreaterThan(2);
  });

  it('uses name and type of a File, or the given type', async () => {
    const file = new File([BYTES], 'dunes.JPEG');
    expect(await client.uploads.upload(file)).toMatchObject({ contentType: 'image/jpeg' });
    expect(await client.uploads.upload(file, { contentType: 'image/tiff' })).toMatchObject({ contentType: 'image/tiff' });
  });

  it.each([
    ['too short', BYTES.length + 1, /yielded 300000 bytes, but sizeBytes is 300001/],
    ['too long', BYTES.length - 1, /bytes or more, but sizeBytes is 299999/],
  ])('refuses a stream that is %s', async (_what, sizeBytes, message) => {
    const error = await rejectionOf(client.uploads.upload(bytesInPieces(), { filename: 'a.png', sizeBytes }));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(message);
  });

  it.each<[string, unknown, UploadOptions]>([
    ['a length that differs from the bytes', BYTES, { filename: 'a.png', sizeBytes: 5 }],
    ['a name without a type', BYTES, { filename: 'a.pdf' }],
    ['no name', BYTES, {}],
    ['text', 'dunes', { filename: 'a.png' }],
    ['a stream of text', Readable.from(['dunes']), { filename: 'a.png' }],
  ])('refuses %s before any request', async (_what, source, options) => {
    expect(await rejectionOf(client.uploads.upload(source as never, options))).toBeInstanceOf(TypeError);
  });

  it.each(['phone.HEIC', 'phone.heif', 'DSC00001.HIF'])('knows the type of %s', async (filename) => {
    expect(await client.uploads.upload(BYTES, { filename })).toMatchObject({ contentType: 'image/heic' });
  });

  it('ends at once when the signal aborts during a stalled stream', async () => {
    const abort = new AbortController();
    const stuck = async function* () {
      yield BYTES;
      abort.abort(new Error('changed my mind'));
      await new Promise(() => undefined);
    };
    expect((await rejectionOf(client.uploads.upload(stuck(), { filename: 'a.png', signal: abort.signal }))).message).toBe(
      'changed my mind',
    );
  });

  it('reports the error of a stream', async () => {
    const broken = async function* () {
      yield BYTES;
      throw new Error('the disk is gone');
    };
    const error = await rejectionOf(client.uploads.upload(broken(), { filename: 'a.png', sizeBytes: BYTES.length * 2 }));
    expect(String(error.message)).toContain('the disk is gone');
  });
});

/** A service that returns a target, and a store with these responses. */
async function startStore(...answer: Parameters<typeof startStub>) {
  const store = await startStub(...answer);
  const target = { uploadUrl: `${store.url}/place`, contentType: 'image/png', url: 'https://art.example/1', key: 'k' };
  const api = await startStub(answerWith(201, { data: target, error: null }));
  const close = () => Promise.all([store.close(), api.close()]);
  return { store, api, close, client: new TradePrint({ apiKey: 'k', baseUrl: api.url }) };
}

describe('an upload whose URL expires', () => {
  /** A service that returns targets of a store with these responses. */
  async function startApiAndStore(store: Parameters<typeof startStub>, renewal: Parameters<typeof startStub>[number] | null) {
    const stub = await startStub(...store);
    const target = { uploadUrl: `${stub.url}/place`, uploadId: 'upl_1', contentType: 'image/png', url: 'https://art.example/1', key: 'k' };
    const api = await startStub(
      answerWith(201, { data: target, error: null }),
      renewal ?? answerWith(200, { data: { ...target, uploadUrl: `${stub.url}/renewed` }, error: null }),
    );
    const close = () => Promise.all([stub.close(), api.close()]);
    return { stub, api, close, client: new TradePrint({ apiKey: 'k', baseUrl: api.url }) };
  }
  const requestedUrls = ({ api, stub }: Awaited<ReturnType<typeof startApiAndStore>>) =>
    [...api.requests, ...stub.requests].map(({ url }) => url.replace('/stub/v1', ''));

  it.each([
    ['the embedded store', refuseWith(403, 'UPLOAD_EXPIRED')],
    ['an S3-compatible store', answerWith(403, '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>')],
  ])('at %s is renewed and sent again', async (_which, expired) => {
    const world = await startApiAndStore([expired, (response) => void response.writeHead(200).end()], null);
    expect(await world.client.uploads.upload(BYTES, { filename: 'a.png' })).toMatchObject({ uploadId: 'upl_1', sizeBytes: BYTES.length });
    await world.close();
    expect(requestedUrls(world)).toEqual(['/uploads', '/uploads/upl_1/renew', '/place', '/renewed']);
  });

  it('is complete if the bytes had arrived', async () => {
    const world = await startApiAndStore([refuseWith(403, 'UPLOAD_EXPIRED')], refuseWith(412, 'ARTWORK_IN_USE'));
    expect(await world.client.uploads.upload(BYTES, { filename: 'a.png' })).toMatchObject({ uploadId: 'upl_1' });
    await world.close();
  });

  it('fails after maxRetries renewals, and at once for a stream', async () => {
    const world = await startApiAndStore([refuseWith(403, 'UPLOAD_EXPIRED')], null);
    expect(await rejectionOf(world.client.uploads.upload(BYTES, { filename: 'a.png' }))).toMatchObject({ code: 'UPLOAD_EXPIRED' });
    expect(world.stub.requests).toHaveLength(4);
    await world.close();
    const once = await startApiAndStore([refuseWith(403, 'UPLOAD_EXPIRED')], null);
    const error = await rejectionOf(once.client.uploads.upload(bytesInPieces(), { filename: 'a.png', sizeBytes: BYTES.length }));
    expect([error.code, once.api.requests.length]).toEqual(['UPLOAD_EXPIRED', 1]);
    await once.close();
  });
});

describe('the PUT', () => {
  it.each([
    ['bytes', () => BYTES],
    ['a Blob', () => new Blob([BYTES])],
  ])('of %s is sent again after the store failed or the connection broke', async (_what, source) => {
    const world = await startStore(refuseWith(503, 'SLOW_DOWN'), cutConnection, (response) => void response.writeHead(200).end());
    await world.client.uploads.upload(source(), { filename: 'a.png' });
    await world.close();
    expect(world.store.requests.map(({ method, body }) => [method, body.length])).toEqual(
      Array.from({ length: 3 }, () => ['PUT', BYTES.toString().length]),
    );
    expect(world.store.requests[0]?.headers).toMatchObject({ 'content-length': String(BYTES.length), 'content-type': 'image/png' });
    expect(world.store.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(world.api.requests).toHaveLength(1);
  });

  it.each([
    ['at the beginning', 0, 0],
    ['on the way', 1, 1],
    ['at the end', BYTES.length, 1],
  ])('is sent once, and fails with the error that onProgress throws %s', async (_when, from, sent) => {
    const world = await startStore((response) => void response.writeHead(200).end());
    // The error looks like a failure to retry.
    const thrown = new ConnectionError({ code: 'CONNECTION_ERROR', message: 'the progress bar is gone', status: null, requestId: 'r' });
    const onProgress = ({ sentBytes }: { sentBytes: number }) => {
      if (sentBytes >= from) throw thrown;
    };
    const error = await rejectionOf(world.client.uploads.upload(BYTES, { filename: 'a.png', onProgress }));
    await world.close();
    expect(error).toBe(thrown);
    expect(world.api.requests).toHaveLength(1);
    expect(world.store.requests.length).toBeLessThanOrEqual(sent);
  });

  it('of a stream is sent once, because its bytes are consumed', async () => {
    const world = await startStore(cutConnection);
    const error = await rejectionOf(world.client.uploads.upload(bytesInPieces(), { filename: 'a.png', sizeBytes: BYTES.length }));
    await world.close();
    expect(error).toBeInstanceOf(ConnectionError);
    expect(world.store.requests).toHaveLength(1);
  });

  it("that is refused reports the store's message", async () => {
    const world = await startStore((response) => void response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>'));
    const error = await rejectionOf(world.client.uploads.upload(BYTES, { filename: 'a.png' }));
    await world.close();
    expect(error).toBeInstanceOf(TradePrintError);
    expect(error).toMatchObject({ status: 403, code: 'UNEXPECTED_ANSWER' });
    expect(error.message).toContain('AccessDenied');
  });

  it.each([302, 303, 307])('that is redirected by %i fails, and does not follow the redirect', async (status) => {
    const world = await startStore(answerWith(status, '', { location: '/elsewhere' }), answerWith(200, 'welcome'));
    const error = await rejectionOf(world.client.uploads.upload(BYTES, { filename: 'a.png' }));
    await world.close();
    expect(error).toBeInstanceOf(TradePrintError);
    expect(error).toMatchObject({ status, code: 'UNEXPECTED_ANSWER' });
    expect(world.store.requests).toHaveLength(1);
  });

  it('ends at once when the signal aborts', async () => {
    const abort = new AbortController();
    const world = await startStore((response, at) => {
      neverAnswer(response, at);
      abort.abort(new Error('changed my mind'));
    });
    const error = await rejectionOf(world.client.uploads.upload(BYTES, { filename: 'a.png', signal: abort.signal }));
    await world.close();
    expect(error.message).toBe('changed my mind');
  });
});
