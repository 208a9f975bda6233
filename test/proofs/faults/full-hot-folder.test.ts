import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { aToken, OrderFactory, sendMilestone } from '../../service/http/studio/support';
import { aKey } from '../../support/accounts';
import { aLine } from '../../support/baskets';
import { runTradePrint } from '../../support/command-line';
import { useService } from '../../support/fixtures';
import { findVolumeProblem, SmallVolume } from './support/small-volume';

const MIB = 1024 * 1024;
const problem = findVolumeProblem();
if (problem !== undefined) process.stderr.write(`SKIPPED, artwork for a folder that runs full: ${problem}\n`);

(problem === undefined ? describe : describe.skip)('orders artwork into a folder that runs full', () => {
  const service = useService();
  let folder: string;
  let volume: SmallVolume;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'trade-print-hot-folder-'));
    volume = new SmallVolume(folder, 4 * MIB);
  });
  afterEach(() => {
    volume.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('names the disk, keeps complete files only, and continues when there is room', async () => {
    const trade = service.trade(await aKey(service.deps.database, service.account.accountId, { environment: 'live' }));
    const files = [1, 2, 3].map((letter) => Buffer.alloc(1.5 * MIB, letter));
    const items = [];
    for (const body of files) {
      const { json } = await trade.post('/uploads', { filename: 'a.jpg', contentType: 'image/jpeg', sizeBytes: body.length });
      await request(json.data.uploadUrl, { method: 'PUT', body, headers: { 'content-type': 'image/jpeg' } });
      items.push(aLine(json.data.url));
    }
    const { orderId, orderNumber } = await new OrderFactory(service, 'live', { items }).place();
    await sendMilestone(service.studio(), orderId, 'production_started');
    const names = files.map((_, at) => `${orderNumber}_${at + 1}_300x400_cotton-rag-310_x1.jpg`);
    const env = { STUDIO_URL: `http://127.0.0.1:${service.api.studioPort}`, STUDIO_TOKEN: await aToken(service, 'floor') };
    const run = () => runTradePrint(['orders', 'artwork', '--out', folder], env);
    const visible = () => readdirSync(folder).filter((name) => !name.startsWith('.'));

    const full = await run();
    expect([full.code, full.stderr]).toEqual([
      1,
      'cannot write to the folder: the disk is full. The files so far are complete; run the command again to continue.\n',
    ]);
    expect([full.stdout, visible()]).toEqual([`${names[0]}\n${names[1]}\n`, names.slice(0, 2)]);
    volume.makeRoom();
    const rest = await run();
    expect([rest.code, rest.stdout, rest.stderr]).toEqual([0, `${names[2]}\n`, '1 fetched, 2 fetched before, 0 not ready, 0 failed\n']);
    names.forEach((name, at) => expect(readFileSync(join(folder, name)).equals(files[at] as Buffer)).toBe(true));
    expect(readdirSync(join(folder, '.trade-print'))).toEqual(['manifest.jsonl']);
  });
});
