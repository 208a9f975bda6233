import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalStorage } from '../../../src/storage';
import { errorCodeOf, newKey, putBytes, SECRET, send } from '../../service/storage/support';
import { aLine, aQuote, placeOrder } from '../../support/baskets';
import type { HttpClient } from '../../support/client';
import { startService, type TestService } from '../../support/service';
import { limitFiles, findLimitProblem, SmallVolume, findVolumeProblem } from './support/small-volume';
import { builtFile } from '../../support/infrastructure';

const MIB = 1024 * 1024;
const FREE_BYTES = 2 * MIB;

/** Reports machines that cannot run this proof, so it is not counted as passed. */
function describeIfPossible(what: string, problem: string | undefined): jest.Describe {
  if (problem === undefined) return describe;
  process.stderr.write(`SKIPPED, uploads to ${what}: ${problem}\n`);
  return describe.skip;
}

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

/** `EFBIG` counts as an internal error, because more space would not help. */
async function expectStorageFull(uploadUrl: string, bytes: Buffer, [status, code] = [507, 'STORAGE_FULL']): Promise<void> {
  const refusal = await putBytes(uploadUrl, bytes, 'image/jpeg');
  expect([refusal.status, errorCodeOf(refusal), refusal.headers['content-type']]).toEqual([
    status,
    code,
    'application/json; charset=utf-8',
  ]);
  expect(refusal.headers['service-request-id']).toMatch(/^req_/);
}

async function expectAccepted(uploadUrl: string, bytes: Buffer): Promise<void> {
  expect((await putBytes(uploadUrl, bytes, 'image/jpeg')).status).toBe(200);
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trade-print-full-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describeIfPossible('a volume that runs full', findVolumeProblem())('an upload to a volume that runs full', () => {
  let volume: SmallVolume;
  let service: TestService;
  let trade: HttpClient;
  beforeEach(async () => {
    mkdirSync(join(folder, 'artwork'));
    volume = new SmallVolume(join(folder, 'artwork'), FREE_BYTES);
    service = await startService({ env: { DATA_DIR: folder } });
    trade = service.trade(service.account.testKey);
  });
  afterEach(async () => {
    await service.stop();
    volume.close();
  });

  async function anUpload(sizeBytes: number): Promise<{ url: string; uploadUrl: string; bytes: Buffer }> {
    const { url, uploadUrl } = (await trade.post('/uploads', { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes })).json.data;
    return { url, uploadUrl, bytes: Buffer.alloc(sizeBytes, url) };
  }
  const listStoredFiles = () => filesBelow(join(folder, 'artwork'));
  const anOrderOf = async (url: string) =>
    (await placeOrder(trade, (await aQuote(trade, { items: [aLine(url)] })).quoteId)).json.data.orderId as string;
  /** The artwork of this order's only line from the studio API; null if it has none. */
  async function readArtwork(orderId: string): Promise<Buffer | null> {
    const [line] = (await service.studio().get(`/orders/${orderId}`)).json.data.job.lines;
    const read = await send(line.artworkUrl, { method: 'GET' });
    expect(line.artworkReceived).toBe(read.status === 200);
    return read.status === 404 ? null : Buffer.from(read.text, 'latin1');
  }

  it.each([5 * MIB, 24 * MIB])(
    '(%i bytes) is refused and leaves no file; other requests work, and with free space the same URL accepts it',
    async (sizeBytes) => {
      const { url, uploadUrl, bytes } = await anUpload(sizeBytes);
      const basket = { items: [aLine(url)] };
      const before = await aQuote(trade, basket);
      await expectStorageFull(uploadUrl, bytes);
      await expectStorageFull(uploadUrl, bytes);
      expect(listStoredFiles()).toEqual([]);

      const after = await aQuote(trade, basket);
      expect([after.totalCents, after.lines]).toEqual([before.totalCents, before.lines]);
      const placed = await placeOrder(trade, before.quoteId);
      expect(placed.status).toBe(201);
      expect(await readArtwork(placed.json.data.orderId)).toBeNull();
      const small = await anUpload(1000);
      await expectAccepted(small.uploadUrl, small.bytes);

      volume.makeRoom();
      await expectAccepted(uploadUrl, bytes);
      expect((await readArtwork(placed.json.data.orderId))?.equals(bytes)).toBe(true);
    },
  );

  it('that would replace a file does not change it', async () => {
    const { url, uploadUrl, bytes } = await anUpload(1.5 * MIB);
    await expectAccepted(uploadUrl, bytes);
    const files = listStoredFiles();
    await expectStorageFull(uploadUrl, Buffer.alloc(bytes.length, 'another'));
    expect(listStoredFiles()).toEqual(files);
    expect((await readArtwork(await anOrderOf(url)))?.equals(bytes)).toBe(true);
  });
});

/** A proof without special rights: it limits the file size of the writing process. */
describeIfPossible('a disk where files may not grow', findLimitProblem())('an upload to a disk where files may not grow', () => {
  it('is refused and leaves no file; a small one is accepted, and without the limit the same URL accepts it', async () => {
    const script = `
      const { startStorageServer } = require(${JSON.stringify(builtFile('src', 'storage', 'index.js'))});
      const [dir, secret] = process.argv.slice(1);
      startStorageServer({ dir, secret, bindAddress: '127.0.0.1', port: 0 }).then(({ url }) => process.stdout.write(url));`;
    const server = spawn(process.execPath, ['-e', script, folder, SECRET], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(server, 'close');
    try {
      const publicUrl = String(await Promise.race([once(server.stdout, 'data'), ended]));
      const storage = createLocalStorage({ dir: folder, secret: SECRET, publicUrl });
      const targets = await Promise.all(
        [5 * MIB, 1000].map((sizeBytes) => storage.createUploadTarget({ key: newKey(), contentType: 'image/png', sizeBytes })),
      );
      const [large = '', small = ''] = targets.map(({ uploadUrl }) => uploadUrl);
      limitFiles(server.pid ?? 0, FREE_BYTES);
      await expectStorageFull(large, Buffer.alloc(5 * MIB), [500, 'INTERNAL_ERROR']);
      expect(filesBelow(folder)).toEqual([]);
      await expectAccepted(small, Buffer.alloc(1000));
      limitFiles(server.pid ?? 0, 'unlimited');
      await expectAccepted(large, Buffer.alloc(5 * MIB));
    } finally {
      server.kill();
      await ended;
    }
  });
});
