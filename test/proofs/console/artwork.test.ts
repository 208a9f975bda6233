import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { aToken } from '../../service/http/studio/support';
import { aLine, anOrder } from '../../support/baskets';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { aPicture } from '../../support/pictures';
import { useService } from '../../support/fixtures';
import { expectSoon, waitFor } from '../../support/wait-for';
import { putBytes } from '../../service/storage/support';
import { readZip } from '../../support/zip';
import { findOverflowing } from './support/layout';
import { openActionDialog, openSignedIn, performAction, type Person, seriousFindings, waitForText } from './support/studio';

const REASON = 'TIFF with ZSTD compression: no preview here; the studio opens the file';

describeInBrowser('artwork in the console', () => {
  const service = useService(() => ({ inspector: true }));
  const browser = useBrowser();
  let office: Person;
  let order: { orderNumber: string };
  beforeAll(async () => {
    const trade = service.trade(service.account.liveKey);
    const bytes = await aPicture(1800, 2400).jpeg().toBuffer();
    const file = { filename: 'dunes.jpg', contentType: 'image/jpeg', sizeBytes: bytes.length };
    const { url, uploadUrl, uploadId, key } = (await trade.post('/uploads', file)).json.data;
    expect((await putBytes(uploadUrl, bytes, 'image/jpeg')).status).toBe(200);
    order = await anOrder(trade, { items: [aLine(url)] });
    await untilInspected(uploadId);
    // As an earlier decoder might have left it.
    await service.deps.storage.removePreview(key);
    await service.deps.database.run(
      `UPDATE artwork_inspections SET state = 'no_preview', reason = $2, media_type = 'image/tiff', pages = 3, extra_channels = 2 WHERE upload_id = $1`,
      [uploadId, REASON],
    );
    office = await openSignedIn(browser, service);
  });
  afterAll(() => expect(office.complaints()).toEqual([]));

  /** Asks the database, because a key may not ask as often as a slow inspection needs. */
  const untilInspected = (uploadId: string): Promise<unknown> =>
    waitFor('the inspection', () => service.deps.database.row('SELECT 1 FROM artwork_inspections WHERE upload_id = $1', [uploadId]));

  const lineOf = ({ page }: Person): Locator => page.getByRole('article', { name: 'Line 1' });
  const sourceOf = (image: Locator): Promise<string> =>
    image.getAttribute('src').then((source) => new URL(source ?? '', office.root).search);

  it('says why a file has no preview and what production must know; the office has it inspected again', async () => {
    const line = lineOf(office);
    await office.goTo(`/orders/${order.orderNumber}`);
    for (const text of [
      REASON,
      'Sent as image/jpeg, contains image/tiff',
      '3 pages, the largest one is the picture',
      '2 extra channels, not printed',
    ])
      await waitForText(line, text);
    expect(await seriousFindings(office.page)).toEqual([]);
    await office.page.setViewportSize({ width: 320, height: 640 });
    await expectSoon(() => findOverflowing(office.page)).toEqual([]);
    await office.page.setViewportSize({ width: 1280, height: 900 });

    const floor = await openSignedIn(browser, service, { token: await aToken(service, 'floor'), at: `/orders/${order.orderNumber}` });
    await waitForText(lineOf(floor), REASON);
    expect(
      await lineOf(floor)
        .getByRole('button', { name: /^Inspect again/ })
        .count(),
    ).toBe(0);
    await floor.page.context().close();

    expect(await performAction(line, 'Inspect again the artwork of line 1', { confirm: 'Inspect again' })).toContain(
      'The client is not notified.',
    );
    await line.getByRole('button', { name: 'Enlarge dunes.jpg of line 1' }).waitFor();
    await expectSoon(() => line.getByText(REASON).count()).toBe(0);
    await expectSoon(() => line.getByRole('button', { name: /^Inspect again/ }).count()).toBe(0);
  });

  it('downloads the artwork of a line or an order in one click', async () => {
    const { page } = office;
    await office.goTo(`/orders/${order.orderNumber}`);
    const clickFor = async (link: Locator) => {
      const downloading = page.waitForEvent('download');
      await link.click();
      const download = await downloading;
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    const { json } = await service.studio().get(`/orders/artwork?q=${order.orderNumber}`);
    const [file] = json.data[0].files as { name: string; checksum: string }[];
    const one = await clickFor(lineOf(office).getByRole('link', { name: 'Download artwork of line 1' }));
    expect(one.name).toBe(file?.name);
    expect(`sha256:${createHash('sha256').update(one.bytes).digest('hex')}`).toBe(file?.checksum);
    const all = await clickFor(page.getByRole('link', { name: 'Download artwork (ZIP)' }));
    expect([all.name, Object.keys(readZip(all.bytes))]).toEqual([`artwork-${order.orderNumber}.zip`, [file?.name]]);
  });

  it('loads the small picture where it is small, and the large one where it is large', async () => {
    const { page } = office;
    await office.goTo(`/orders/${order.orderNumber}`);
    const thumbnail = lineOf(office).getByRole('img');
    await thumbnail.waitFor();
    expect(await sourceOf(thumbnail)).toBe('?size=small');
    await page.getByRole('button', { name: 'Enlarge dunes.jpg of line 1' }).click();
    const enlarged = page.getByRole('dialog').locator('img');
    await enlarged.waitFor();
    expect(await sourceOf(enlarged)).toBe('?size=large');
    await page.keyboard.press('Escape');
    await office.goTo('/board');
    const onBoard = page.getByRole('row').filter({ hasText: order.orderNumber }).locator('img');
    await onBoard.waitFor();
    expect(await sourceOf(onBoard)).toBe('?size=small');
  });

  it('draws the crop or the margins of a picture of another shape, as the office chooses', async () => {
    const trade = service.trade(service.account.liveKey);
    const bytes = await aPicture(3000, 2000).withIccProfile('srgb').jpeg().toBuffer();
    const file = { filename: 'coast.jpg', contentType: 'image/jpeg', sizeBytes: bytes.length };
    const { url, uploadUrl, uploadId } = (await trade.post('/uploads', file)).json.data;
    expect((await putBytes(uploadUrl, bytes, 'image/jpeg')).status).toBe(200);
    await untilInspected(uploadId);
    const variantSelections = { artworkWidthMm: '250', artworkHeightMm: '200', mediaId: 'media-cotton-rag-310' };
    const { orderNumber } = await anOrder(trade, { items: [aLine(url, { variantSelections })] });
    await office.goTo(`/orders/${orderNumber}`);
    const line = lineOf(office);
    /** The share of the picture, or of the print, that the drawn rectangle covers. */
    const shares = async (outer: Locator, inner: Locator): Promise<[number, number]> => {
      const [whole, part] = [await outer.boundingBox(), await inner.boundingBox()];
      return [(part?.width ?? 0) / (whole?.width ?? 1), (part?.height ?? 0) / (whole?.height ?? 1)];
    };
    const dialog = await openActionDialog(line, 'Choose fit of line 1');
    await dialog.getByText('differs by 20 %').waitFor();
    const drawn = (name: string) => dialog.getByRole('img', { name });
    await drawn('Cropped to the size').waitFor();
    const [cropWidth, cropHeight] = await shares(
      drawn('Cropped to the size').locator('img'),
      drawn('Cropped to the size').locator('.crop'),
    );
    expect([cropWidth, cropHeight]).toEqual([expect.closeTo(1.25 / 1.5, 1), expect.closeTo(1, 1)]);
    const [pictureWidth, pictureHeight] = await shares(drawn('With white margins'), drawn('With white margins').locator('img'));
    expect([pictureWidth, pictureHeight]).toEqual([expect.closeTo(1, 1), expect.closeTo(1.25 / 1.5, 1)]);
    expect(await seriousFindings(office.page)).toEqual([]);
    await dialog.getByRole('radio', { name: 'White margins' }).check();
    await dialog.getByRole('button', { name: 'Choose fit' }).click();
    await line.getByRole('img', { name: 'With white margins' }).waitFor();
    await waitForText(line, 'whole picture, with white margins');
    await waitForText(office.page.getByRole('main'), 'Artwork fit chosen');
  });
});
