import type { Page } from 'playwright-core';
import { aToken } from '../../service/http/studio/support';
import { aLine, anOrder, uploadArtwork } from '../../support/baskets';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useService } from '../../support/fixtures';
import { expectSoon } from '../../support/wait-for';
import { anItem } from '../../unit/domain/pricing/basket';
import { pressKeys } from './support/keys';
import { findOverflowing, waitForAnimations } from './support/layout';
import { waitUntilArmed } from './support/station';
import { openActionDialog, openSignedIn, seriousFindings, waitForText } from './support/studio';

describeInBrowser('stages of production (ruling 105)', () => {
  const service = useService();
  const browser = useBrowser();
  let order: { orderId: string; orderNumber: string };
  let page: Page;
  let goTo: (path: string) => Promise<void>;
  beforeAll(async () => {
    const token = await aToken(service, 'admin');
    ({ page, goTo } = await openSignedIn(browser, service, { token, at: '/settings' }));
    const trade = service.trade(service.account.liveKey);
    const imageUrl = await uploadArtwork(trade);
    order = await anOrder(trade, { items: [{ ...anItem('custom-framing'), imageUrl }, aLine(imageUrl), aLine(imageUrl)] });
    await service.studio().post(`/orders/${order.orderId}/milestones`, { milestoneId: 'start', type: 'production_started' });
  });

  const read = async (): Promise<any> => (await service.studio().get(`/orders/${order.orderId}`)).json.data;
  const scan = (pauseMs = 2000): Promise<void> => pressKeys(page, 'scanner', [...order.orderNumber, 'Enter'], pauseMs);
  const scanTwice = async (step: string): Promise<void> => {
    await scan();
    await waitUntilArmed(page, order.orderNumber, step);
    await scan();
    // A scan before the answer confirms nothing.
    await waitForText(page.getByRole('status'), new RegExp(`${order.orderNumber} ${step.toLowerCase()}$`));
  };
  const station = () => page.getByRole('region', { name: order.orderNumber });
  const button = (name: string) => station().getByRole('button', { name, exact: true });

  it('an admin chooses the stages', async () => {
    const panel = page.getByRole('region', { name: 'Stages' });
    await waitForText(panel, 'Printed');
    await openActionDialog(page, 'Edit stages');
    for (const stage of ['Framed', 'Ready']) await page.getByRole('dialog').getByRole('checkbox', { name: stage }).check();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await waitForText(panel, 'Printed → Framed → Ready');
  });

  it('the station records the lines that are chosen by a click, and a second scan the remaining ones', async () => {
    await goTo('/station');
    await scan();
    await button('Printed').waitFor();
    await station().getByText('Line 2', { exact: true }).first().click();
    await waitForText(station(), '1 of 3 lines');
    expect(await seriousFindings(page)).toEqual([]);
    await button('Printed').click();
    await waitForText(page.getByRole('status'), `${order.orderNumber} printed: line 2`);
    await expectSoon(async () => (await read()).stageLines.printed).toEqual([1]);
    await waitForText(station(), '1 of 3 lines printed');
    await scanTwice('Printed');
    await expectSoon(async () => (await read()).stage).toBe('printed');
    await scanTwice('Framed');
    await expectSoon(async () => (await read()).stage).toBe('framed');
    await button('Ready').waitFor();
  });

  it('chosen lines stay chosen while another person records lines, and do not become all lines when they are done', async () => {
    const trade = service.trade(service.account.liveKey);
    const imageUrl = await uploadArtwork(trade);
    const other = await anOrder(trade, { items: [aLine(imageUrl), aLine(imageUrl), aLine(imageUrl)] });
    const record = (body: Record<string, unknown>) => service.studio().post(`/orders/${other.orderId}/milestones`, body);
    await record({ milestoneId: 'start', type: 'production_started' });
    await goTo(`/station?order=${other.orderNumber}`);
    const shown = page.getByRole('region', { name: other.orderNumber });
    const printed = shown.getByRole('button', { name: 'Printed', exact: true });
    await shown.getByText('Line 2', { exact: true }).first().click();
    await waitForText(shown, '1 of 3 lines');
    await record({ milestoneId: 'second', type: 'printed', lines: [1] });
    await waitForText(shown.getByRole('alert'), 'Recorded elsewhere: line 2.');
    expect(await seriousFindings(page)).toEqual([]);
    expect(await printed.isDisabled()).toBe(true);
    await shown.getByRole('button', { name: 'Choose the rest' }).click();
    await waitForText(shown, 'All lines');
    await shown.getByText('Line 1', { exact: true }).first().click();
    await waitForText(shown, '1 of 2 lines');
    await record({ milestoneId: 'third', type: 'printed', lines: [2] });
    await waitForText(shown, '2 of 3 lines printed');
    await printed.click();
    await waitForText(page.getByRole('status'), `${other.orderNumber} printed: line 1`);
  });

  it('the board filters by stage, and the page of the order shows the steps', async () => {
    await goTo('/board?stage=framed');
    await page.getByRole('link', { name: order.orderNumber }).waitFor();
    await page.getByLabel('Stage', { exact: true }).selectOption('Ready');
    await waitForText(page, 'No live orders found');
    await goTo(`/orders/${order.orderNumber}`);
    const steps = page.getByRole('list', { name: 'Progress' });
    await expectSoon(async () => (await steps.getByRole('listitem').allInnerTexts()).map((text) => text.trim().split('\n')[0])).toEqual([
      'Received',
      'In production',
      'Printed',
      'Framed',
      'Ready',
      'Shipped',
      'Completed',
    ]);
    const dialog = await openActionDialog(page, 'Mark ready');
    await dialog.getByText('Line 1', { exact: true }).click();
    await waitForText(dialog, 'The pieces of line 1 are ready.');
    await dialog.getByRole('button', { name: 'Mark ready' }).click();
    await waitForText(steps, '1 of 3 lines');
    expect((await read()).stageLines.ready).toEqual([0]);
    await waitForText(page.getByRole('region', { name: 'Timeline' }), 'Line 1');
    expect(await seriousFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    await waitForAnimations(page);
    await expectSoon(() => findOverflowing(page)).toEqual([]);
    await goTo(`/station?order=${order.orderNumber}`);
    await button('Ready').waitFor();
    await expectSoon(() => findOverflowing(page)).toEqual([]);
  });
});
