import dns from 'node:dns';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createArtworkStorage, type ArtworkStorage } from '../../../src/storage';
import { S3ArtworkStorage } from '../../../src/storage/s3';
import { BUCKET, CREDENTIALS, REGION, startS3Gateway, type S3Gateway } from './s3-gateway';
import { newKey, putBytes, send } from './support';
import { listen } from '../../support/listen';

let gateway: S3Gateway;
let endpoint: string;
let storage: ArtworkStorage;

beforeAll(async () => {
  gateway = await startS3Gateway();
  endpoint = gateway.endpoint;
  storage = storageAt({});
});

afterAll(async () => {
  await storage?.close?.();
  await gateway?.stop();
});

function storageAt(changes: { publicUrl?: string; bucket?: string; credentials?: typeof CREDENTIALS | null }): ArtworkStorage {
  const publicUrl = `${endpoint}/${BUCKET}`;
  const s3 = { bucket: BUCKET, region: REGION, endpoint, publicUrl, credentials: CREDENTIALS, forcePathStyle: true, ...changes };
  return createArtworkStorage({ s3, local: { dir: 'unused', secret: 'unused', publicUrl: 'http://unused' } });
}

function target(sizeBytes = 10): ReturnType<ArtworkStorage['createUploadTarget']> {
  return storage.createUploadTarget({ key: newKey(), contentType: 'image/png', sizeBytes });
}

describe('Upload', () => {
  test('the declared number of bytes is stored', async () => {
    const { uploadUrl, key } = await target();
    expect((await putBytes(uploadUrl, '0123456789')).status).toBe(200);
    expect(await storage.stat(key, null)).toEqual({
      sizeBytes: 10,
      checksum: expect.stringMatching(/^etag:[^"]+$/),
    });
    expect((await buffer(await storage.openRead(key, null))).toString()).toBe('0123456789');
  });

  test('a file that was replaced since is not read as the one before', async () => {
    const { uploadUrl, key } = await target();
    await putBytes(uploadUrl, '0123456789');
    const before = (await storage.stat(key, null))?.checksum ?? null;
    expect((await buffer(await storage.openRead(key, before))).toString()).toBe('0123456789');
    await putBytes(uploadUrl, '9876543210');
    await expect(storage.openRead(key, before)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each([0, 9, 11])('%d bytes to a URL signed for 10 are refused and nothing is kept', async (length) => {
    const { uploadUrl, key } = await target();
    expect((await putBytes(uploadUrl, 'x'.repeat(length))).status).toBe(403);
    expect(await storage.stat(key, null)).toBeNull();
  });

  test('an empty file is signed as such', async () => {
    const { uploadUrl, key } = await target(0);
    expect((await putBytes(uploadUrl, 'x')).status).toBe(403);
    expect((await putBytes(uploadUrl, '')).status).toBe(200);
    expect(await storage.stat(key, null)).toMatchObject({ sizeBytes: 0 });
  });

  test('a wrong content type is accepted', async () => {
    const { uploadUrl, key } = await target();
    expect((await putBytes(uploadUrl, '0123456789', 'text/plain')).status).toBe(200);
    expect(await storage.stat(key, null)).toMatchObject({ sizeBytes: 10 });
  });

  test('host and content-length are signed, and nothing else', async () => {
    const { searchParams } = new URL((await target()).uploadUrl);
    expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host');
    expect(searchParams.get('X-Amz-Expires')).toBe('900');
    expect([...searchParams.keys()].filter((name) => /checksum|content-type/i.test(name))).toEqual([]);
  });

  test('a URL for another key is refused', async () => {
    const { uploadUrl } = await target();
    const other = newKey();
    const tampered = uploadUrl.replace(/artwork\/[^?]+/, other);
    expect((await putBytes(tampered, '0123456789')).status).toBe(403);
    expect(await storage.stat(other, null)).toBeNull();
  });

  test("the url of the target is the object's, and unreadable without a signature", async () => {
    const { uploadUrl, url, key } = await target();
    await putBytes(uploadUrl, '0123456789');
    expect(url).toBe(`${endpoint}/${BUCKET}/${key}`);
    expect((await send(url, { method: 'GET' })).status).toBe(403);
    expect(await send(await storage.signedReadUrl(key, null), { method: 'GET' })).toMatchObject({ status: 200, text: '0123456789' });
  });

  test('bytes sent as a page are read as a file, never as a page', async () => {
    const { uploadUrl, key } = await target();
    await putBytes(uploadUrl, '<script>01', 'text/html');
    const answer = await send(await storage.signedReadUrl(key, null), { method: 'GET' });
    expect(answer).toMatchObject({ status: 200, text: '<script>01' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; filename="upl_[0-9a-f]+\.png"$/),
    });
  });

  test('the type and disposition of a read URL cannot be removed', async () => {
    const { uploadUrl, key } = await target();
    await putBytes(uploadUrl, '<script>01', 'text/html');
    const url = await storage.signedReadUrl(key, null);
    for (const changed of [url.replace(/&response-content-type=[^&]*/, ''), url.replace('attachment', 'inline')]) {
      expect(changed).not.toBe(url);
      expect((await send(changed, { method: 'GET' })).status).toBe(403);
    }
  });

  test('a public address without the bucket in its path is signed unchanged', async () => {
    const virtual = storageAt({ publicUrl: 'https://artwork-test.s3.example' });
    const { uploadUrl, url, key } = await virtual.createUploadTarget({ key: newKey(), contentType: 'image/png', sizeBytes: 1 });
    expect(url).toBe(`https://artwork-test.s3.example/${key}`);
    expect(uploadUrl.startsWith(`${url}?`)).toBe(true);
    expect((await virtual.signedReadUrl(key, null)).startsWith(`${url}?`)).toBe(true);
    await virtual.close?.();
  });

  test('clients get the public address, and the service uses its own', async () => {
    const behindProxy = storageAt({ publicUrl: `${endpoint.replace('127.0.0.1', 'localhost')}/${BUCKET}` });
    const { uploadUrl, url, key } = await behindProxy.createUploadTarget({ key: newKey(), contentType: 'image/png', sizeBytes: 10 });
    expect(new URL(uploadUrl).hostname).toBe('localhost');
    expect(new URL(url).hostname).toBe('localhost');
    const headers = { Host: new URL(uploadUrl).host, 'Content-Length': 10 };
    const reached = uploadUrl.replace('localhost', '127.0.0.1');
    expect((await send(reached, { body: '0123456789', headers })).status).toBe(200);
    expect(await behindProxy.stat(key, null)).toMatchObject({ sizeBytes: 10 });
    await behindProxy.close?.();
  });
});

describe('Nothing stored', () => {
  test('stat is null, openRead is NOT_FOUND', async () => {
    expect(await storage.stat(newKey(), null)).toBeNull();
    await expect(storage.openRead(newKey(), null)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a missing bucket is an error, and not missing artwork', async () => {
    const misconfigured = storageAt({ bucket: 'no-such-bucket' });
    try {
      await expect(misconfigured.openRead(newKey(), null)).rejects.toMatchObject({ name: 'NoSuchBucket' });
      await expect(misconfigured.stat(newKey(), null)).rejects.toMatchObject({ name: 'NoSuchBucket' });
    } finally {
      await misconfigured.close?.();
    }
  });

  test('an invalid key is an error of the caller', async () => {
    const input = { key: '../x.png', contentType: 'image/png', sizeBytes: 1 } as const;
    await expect(storage.createUploadTarget(input)).rejects.toThrow(RangeError);
  });
});

test('removing deletes the object, also if repeated, and accepts a key that was never stored', async () => {
  const { uploadUrl, key } = await target();
  expect((await putBytes(uploadUrl, '0123456789')).status).toBe(200);
  await storage.remove(key);
  await storage.remove(key);
  await storage.remove(newKey());
  expect(await storage.stat(key, null)).toBeNull();
});

test('a store that answers 404 to the removal of a missing object, like that of Google Cloud, has nothing to remove', async () => {
  const missing = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>';
  const strict = createServer((_request, response) => void response.writeHead(404, { 'content-type': 'application/xml' }).end(missing));
  const strictEndpoint = `http://${await listen(strict)}`;
  const settings = { bucket: BUCKET, region: REGION, endpoint: strictEndpoint, publicUrl: strictEndpoint, credentials: CREDENTIALS };
  const store = new S3ArtworkStorage({ ...settings, forcePathStyle: true });
  try {
    await store.removePreview(newKey());
    await store.remove(newKey());
  } finally {
    await store.close();
    strict.close();
  }
});

test('a store that stops sending ends the read, and is asked again for an answer', async () => {
  let requests = 0;
  const stalled = createServer((_request, response) => {
    requests += 1;
    if (requests === 1) return; // no answer
    response.writeHead(200, { 'content-length': 10 }).write('01234');
  });
  const stalledEndpoint = `http://${await listen(stalled)}`;
  const settings = { bucket: BUCKET, region: REGION, endpoint: stalledEndpoint, publicUrl: stalledEndpoint, credentials: CREDENTIALS };
  const store = new S3ArtworkStorage({ ...settings, forcePathStyle: true }, 6_000);
  try {
    await expect(buffer(await store.openRead(newKey(), null))).rejects.toThrow(/inactivity|aborted/);
    expect(requests).toBe(2);
  } finally {
    await store.close();
    stalled.closeAllConnections();
    stalled.close();
  }
});

test('a store whose name server does not answer is unavailable', async () => {
  const failed = Object.assign(new Error('getaddrinfo EAI_AGAIN store.test'), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' });
  const lookUp = dns.lookup as (host: string, options: object, done: (error: Error) => void) => void;
  const mocked = jest
    .spyOn(dns, 'lookup')
    .mockImplementation(((...[host, options, done]: Parameters<typeof lookUp>) =>
      host === 'store.test' ? done(failed) : lookUp(host, options, done)) as never);
  const away = new S3ArtworkStorage({
    bucket: BUCKET,
    region: REGION,
    credentials: CREDENTIALS,
    forcePathStyle: true,
    endpoint: 'http://store.test:9',
    publicUrl: 'http://store.test:9/artwork',
  });
  try {
    await expect(away.stat(newKey())).rejects.toMatchObject({ name: 'StoreUnavailable' });
  } finally {
    mocked.mockRestore();
    await away.close?.();
  }
});
