import { aPicture } from '../../support/pictures';
import { useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { aTrader, type Trader } from '../http/support';
import { putBytes } from '../storage/support';

describe('accounts are inspected in turn', () => {
  const service = useService(() => ({ inspector: true, env: { RATE_LIMIT_FACTOR: '50' } }));

  /** This many pictures of a new account, inspected once. */
  async function uploadPictures(count: number): Promise<Trader & { uploadIds: string[] }> {
    const trader = await aTrader(service);
    const bytes = await aPicture(400, 300).png().toBuffer();
    const uploadIds: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const declared = await trader.trade.post('/uploads', { filename: 'a.png', contentType: 'image/png', sizeBytes: bytes.length });
      await putBytes(declared.json.data.uploadUrl, bytes);
      uploadIds.push(declared.json.data.uploadId);
    }
    await untilInspected(uploadIds);
    return { ...trader, uploadIds };
  }

  const untilInspected = (uploadIds: string[]) =>
    waitFor('every picture inspected', async () => {
      const left = await service.deps.database.rows(
        'SELECT 1 FROM uploads u LEFT JOIN artwork_inspections i ON i.upload_id = u.id WHERE u.id = ANY ($1) AND (i.upload_id IS NULL OR u.inspect_at IS NOT NULL)',
        [uploadIds],
      );
      return left.length === 0;
    });

  /** Inspects them again, all due at once, with the first due for longest. Returns their accounts in the order of completion. */
  async function inspectAgain(...traders: { accountId: string; uploadIds: string[] }[]): Promise<string[]> {
    const ids = traders.flatMap(({ uploadIds }) => uploadIds);
    const sql = service.deps.database;
    await sql.run('DELETE FROM artwork_inspections WHERE upload_id = ANY ($1)', [ids]);
    await sql.run(
      `UPDATE uploads u SET inspect_at = clock_timestamp() - interval '1 hour' + n * interval '1 second'
         FROM unnest($1::text[]) WITH ORDINALITY d (id, n) WHERE u.id = d.id`,
      [ids],
    );
    await untilInspected(ids);
    const ended = await sql.rows<{ account_id: string }>(
      'SELECT account_id FROM artwork_inspections i JOIN uploads u ON u.id = i.upload_id WHERE u.id = ANY ($1) ORDER BY inspected_at',
      [ids],
    );
    return ended.map(({ account_id }) => account_id);
  }

  const setCpu = (accountId: string, seconds: number) =>
    service.deps.database.run('UPDATE artwork_usage SET cpu_seconds = $2, cpu_at = clock_timestamp() WHERE account_id = $1', [
      accountId,
      seconds,
    ]);
  const readCpu = async (accountId: string) =>
    (await service.deps.database.row<{ cpu: number }>('SELECT cpu_seconds AS cpu FROM artwork_usage WHERE account_id = $1', [accountId]))
      ?.cpu;

  it('many pictures of one account do not delay a picture of another', async () => {
    const [busy, other] = [await uploadPictures(8), await uploadPictures(1)];
    await setCpu(busy.accountId, 0);
    await setCpu(other.accountId, 0);
    const order = await inspectAgain(busy, other);
    expect(order.indexOf(other.accountId)).toBeLessThan(order.length - 1);
    expect(order).toHaveLength(9);
  });

  it('an account with more recent CPU time waits behind accounts with less, and its pictures add CPU time', async () => {
    const [heavy, first, second] = [await uploadPictures(2), await uploadPictures(3), await uploadPictures(3)];
    for (const { accountId } of [first, second]) await setCpu(accountId, 0);
    await setCpu(heavy.accountId, 1000);
    const order = await inspectAgain(heavy, first, second);
    const lastIndexOf = (accountId: string) => order.lastIndexOf(accountId);
    expect(order.indexOf(heavy.accountId)).toBeGreaterThan(Math.min(lastIndexOf(first.accountId), lastIndexOf(second.accountId)));
    expect(await readCpu(first.accountId)).toBeGreaterThan(0);
    expect(await readCpu(heavy.accountId)).toBeGreaterThan(500); // of 1000; it halves in ten minutes
  });

  it('old CPU time no longer counts', async () => {
    const [former, recent] = [await uploadPictures(1), await uploadPictures(1)];
    const sql = service.deps.database;
    await setCpu(recent.accountId, 10);
    await sql.run(`UPDATE artwork_usage SET cpu_seconds = 1000, cpu_at = clock_timestamp() - interval '1 day' WHERE account_id = $1`, [
      former.accountId,
    ]);
    await inspectAgain(former, recent);
    expect(await readCpu(former.accountId)).toBeLessThan(500);
  });
});
