import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { inspectUpload, type InspectionDeps } from '../../../src/artwork/inspections';
import { Inspector } from '../../../src/inspection/inspector';
import type { ArtworkStorage } from '../../../src/storage';
import { decoderPath } from '../../support/infrastructure';
import { aPicture } from '../../support/pictures';
import { useFixture, useService } from '../../support/fixtures';
import { aTrader, waitForLockWaiters } from '../http/support';
import { putBytes } from '../storage/support';

describe('an inspection while files arrive', () => {
  const folder = useFixture(
    async () => ({ path: await mkdtemp(path.join(tmpdir(), 'races-')) }),
    (made) => rm(made.path, { recursive: true, force: true }),
  );
  const service = useService(() => ({ worker: false, env: { RATE_LIMIT_FACTOR: '50' } }));
  const trader = useFixture(() => aTrader(service));
  const useInspector = (name: string, program: () => string): Inspector =>
    useFixture(
      () => Inspector.open(path.join(folder.path, name), service.deps.logger, { program: program() }),
      (opened) => opened.close(),
    );
  const inspector = useInspector('a', decoderPath);
  const broken = useInspector('b', () => path.join(folder.path, 'none.js'));
  let picture: Buffer;
  beforeAll(async () => {
    picture = await aPicture(400, 300).png({ compressionLevel: 0 }).toBuffer();
  });

  interface Upload {
    uploadId: string;
    uploadUrl: string;
    key: string;
  }
  async function upload(bytes = picture): Promise<Upload> {
    const declared = await trader.trade.post('/uploads', { filename: 'a.png', contentType: 'image/png', sizeBytes: bytes.length });
    await send(declared.json.data, bytes);
    return declared.json.data;
  }
  const send = async ({ uploadUrl }: Upload, bytes = picture) => expect((await putBytes(uploadUrl, bytes)).status).toBe(200);
  const inspect = ({ uploadId }: Upload, changes: Partial<InspectionDeps> = {}) =>
    inspectUpload({ ...service.deps, inspector, ...changes }, uploadId, new AbortController().signal);
  const isDue = async ({ uploadId }: Upload) =>
    service.deps.database.value<boolean>('SELECT inspect_at IS NOT NULL FROM uploads WHERE id = $1', [uploadId]);
  const claim = ({ uploadId }: Upload) =>
    service.deps.database.run(`UPDATE uploads SET inspection_claimed_until = now() + interval '1 minute' WHERE id = $1`, [uploadId]);
  /** The store, with a function that runs after each query for a file. It gets the number of the query. */
  const storageWithStat = (afterStat: (call: number) => Promise<unknown>): ArtworkStorage => {
    let calls = 0;
    return Object.assign(Object.create(service.deps.storage) as ArtworkStorage, {
      async stat(key: string, checksum: string | null) {
        const stat = await service.deps.storage.stat(key, checksum);
        await afterStat((calls += 1));
        return stat;
      },
    });
  };
  /** Counts the opened files. */
  const counting = () => {
    const opened = { count: 0 };
    const inspectCounted: InspectionDeps['inspector']['inspect'] = (...parameters) => {
      opened.count += 1;
      return inspector.inspect(...parameters);
    };
    return { opened, inspector: { inspect: inspectCounted } };
  };

  it('inspects a file that arrives between the query for it and the end', async () => {
    const lost = await upload();
    await service.deps.storage.remove(lost.key);
    const storage = storageWithStat(async (call) => call === 1 && send(lost));
    expect(await inspect(lost, { storage })).toBe('replaced'); // the workflow inspects again
    expect(await isDue(lost)).toBe(true);
    expect(await inspect(lost)).toBe('ok');
    expect(await isDue(lost)).toBe(false);
  });

  it('a file that arrives during the last query is recorded after the end, and is due again', async () => {
    const lost = await upload();
    await claim(lost);
    await service.deps.storage.remove(lost.key);
    let sending: Promise<unknown> = Promise.resolve();
    const storage = storageWithStat(async (call) => {
      if (call !== 2) return;
      sending = send(lost);
      await waitForLockWaiters(service);
    });
    expect(await inspect(lost, { storage })).toBe('gone');
    await sending;
    expect(await isDue(lost)).toBe(true);
    expect(await inspect(lost)).toBe('ok');
  });

  it('inspects the same bytes that are sent again after the file was lost', async () => {
    const lost = await upload();
    await service.deps.storage.remove(lost.key);
    expect(await inspect(lost)).toBe('gone');
    expect(await isDue(lost)).toBe(false);
    await send(lost);
    expect(await isDue(lost)).toBe(true);
    expect(await inspect(lost)).toBe('ok');
    await send(lost);
    expect(await isDue(lost)).toBe(false); // inspected already
  });

  it('reuses a result of the current decoder only', async () => {
    const { opened, inspector: counted } = counting();
    const inspected = await upload();
    expect(await inspect(inspected, { inspector: counted })).toBe('ok');
    expect(await inspect(inspected, { inspector: counted })).toBe('ok');
    expect(opened.count).toBe(1);
    await service.deps.database.run('UPDATE artwork_inspections SET decoder_version = 0 WHERE upload_id = $1', [inspected.uploadId]);
    expect(await inspect(inspected, { inspector: counted })).toBe('ok');
    expect(opened.count).toBe(2);
  });

  it('a file that is replaced and restored during an inspection gets its own preview back', async () => {
    const dark = await sharp({ create: { width: 400, height: 300, channels: 4, background: 'black' } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const restored = await upload();
    expect(dark).toHaveLength(picture.length);
    expect(await inspect(restored)).toBe('ok');
    await send(restored, dark);
    const inspectAndRestore: InspectionDeps['inspector']['inspect'] = async (...parameters) => {
      const inspection = await inspector.inspect(...parameters);
      await send(restored);
      return inspection;
    };
    expect(await inspect(restored, { inspector: { inspect: inspectAndRestore } })).toBe('replaced');
    expect(await inspect(restored)).toBe('ok');
    const { channels } = await sharp((await service.deps.storage.readPreview(restored.key, 'large')) ?? '').stats();
    expect(channels[0]?.max).toBeGreaterThan(200);
  });

  it('counts the CPU time of a decoder that does not start, and inspects again', async () => {
    const waiting = await upload();
    const readCpu = () =>
      service.deps.database.value<number>('SELECT cpu_seconds FROM artwork_usage WHERE account_id = $1', [trader.accountId]);
    await service.deps.database.run('UPDATE artwork_usage SET cpu_seconds = 0, cpu_at = now() WHERE account_id = $1', [trader.accountId]);
    await expect(inspect(waiting, { inspector: broken })).rejects.toThrow(/the decoder failed/);
    expect(await readCpu()).toBeGreaterThan(0);
    expect(await isDue(waiting)).toBe(true);
  });

  it('a new order does not make a late inspection look punctual', async () => {
    const late = await upload();
    await service.deps.database.run(`UPDATE uploads SET inspect_at = now() - interval '11 minutes' WHERE id = $1`, [late.uploadId]);
    await send(late);
    const read = async () => (await trader.trade.get(`/uploads/${late.uploadId}`)).json.data;
    expect(await read()).toMatchObject({ inspection: null, inspectionOverdue: true });
    await claim(late);
    expect((await read()).inspectionOverdue).toBe(true);
    expect(await inspect(late)).toBe('ok');
    expect(await read()).toMatchObject({ inspection: { state: 'ok' }, inspectionOverdue: false });
  });
});
