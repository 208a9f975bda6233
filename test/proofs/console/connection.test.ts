import { OrderFactory } from '../../service/http/studio/support';
import { isFullRun, skipWithTodo } from './support/full-run';
import { describeInBrowser, useBrowser } from '../../support/browser';
import { useFixture, useService } from '../../support/fixtures';
import { waitFor } from '../../support/wait-for';
import { TcpProxy } from '../../support/tcp-proxy';
import { performAction, openActionDialog, navigateTo, regionNamed, type Person, waitForText, openSignedIn } from './support/studio';

const HEARTBEAT_MS = 100;
/** Two heartbeats of another stream of the same page. Between them, each stream of the page gets one. */
const TWO_HEARTBEATS = `new Promise((resolve) => {
  const stream = new EventSource('/studio/v1/events/stream');
  let count = 0;
  stream.addEventListener('alive', () => ((count += 1) === 3 ? resolve(stream.close()) : undefined));
})`;

(isFullRun ? describeInBrowser : skipWithTodo)('the console on a bad line', () => {
  const service = useService(() => ({ streamRecheckMs: HEARTBEAT_MS }));
  const line = useFixture(
    () => TcpProxy.to(`127.0.0.1:${service.api.studioPort}`),
    (proxy) => proxy.close(),
  );
  const browser = useBrowser();
  const maker = useFixture(() => new OrderFactory(service));
  let person: Person;
  let order: { orderId: string; orderNumber: string };
  beforeEach(async () => {
    order = await maker.place();
    person = await openSignedIn(browser, service, { root: `http://${line.address}`, at: `/orders/${order.orderNumber}` });
    await waitForText(person.page, /^Connected$/);
  });
  afterEach(async () => {
    line.mend();
    await person.page.close();
  });

  const timelineEntries = async (type: string): Promise<{ milestoneId: string; type: string }[]> =>
    (await service.studio().get(`/orders/${order.orderId}`)).json.data.timeline.filter((entry: { type: string }) => entry.type === type);
  const sendMilestone = (type: string, note?: string) =>
    service.studio().post(`/orders/${order.orderId}/milestones`, { milestoneId: `by-api-${type}`, type, note });
  const expectConnectionLost = (): Promise<void> => waitForText(person.page.getByRole('alert'), 'Connection lost');

  it('a lost connection is shown, and missed changes appear when it is back', async () => {
    const { page } = person;
    line.cut();
    await expectConnectionLost();
    await waitForText(page.getByRole('banner'), 'Not connected');
    expect((await sendMilestone('production_started')).status).toBe(200);
    line.mend();
    await waitForText(regionNamed(page, 'Timeline'), 'Production started');
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await waitForText(page.getByRole('banner'), /^Connected$/);
    expect(person.loads()).toBe(0);
  });

  it('a dead connection counts as lost, and an idle one does not', async () => {
    const { page } = person;
    await page.clock.install();
    await page.reload();
    await waitForText(page.getByRole('banner'), 'Connected');
    let streams = 0;
    page.on('request', (request) => (streams += Number(request.url().endsWith('/events/stream'))));
    for (let quiet = 0; quiet < 3; quiet += 1) {
      await page.clock.fastForward(30_000);
      await page.evaluate(TWO_HEARTBEATS);
    }
    expect([streams, await page.getByRole('banner').innerText()]).toEqual([3, expect.stringContaining('Connected')]); // only the streams of this test
    line.stall();
    expect((await sendMilestone('production_started')).status).toBe(200);
    await page.clock.fastForward(41_000);
    await expectConnectionLost();
    line.mend();
    await page.clock.fastForward(41_000); // it has tried to connect over the dead line
    await waitForText(regionNamed(page, 'Timeline'), 'Production started');
    await waitForText(page.getByRole('banner'), 'Connected');
  });

  it('a form sent without a connection reports the missing response, keeps its input, and is sent again once', async () => {
    const { page } = person;
    const dialog = await openActionDialog(page, 'Hold');
    await waitForText(dialog, / is not notified: the account has no webhook endpoint\./);
    await dialog.getByLabel('Note').fill('the glass is cracked');
    line.cut();
    await dialog.getByRole('button', { name: 'Hold', exact: true }).click();
    await waitForText(dialog.getByRole('alert'), 'No answer');
    await waitForText(dialog.getByRole('alert'), /Sending again is safe/);
    expect(await timelineEntries('held')).toEqual([]);
    line.mend();
    await dialog.getByRole('button', { name: 'Hold: send again' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await waitForText(regionNamed(page, 'Timeline'), 'Note: the glass is cracked');
    expect(await timelineEntries('held')).toHaveLength(1);
  });

  it('an action with a lost response happens once, also if it is sent again several times', async () => {
    const { page } = person;
    const dialog = await openActionDialog(page, 'Add parcel');
    await dialog.getByLabel('Tracking number').fill('AP-LOST-1');
    line.cutAfter('"trackingNumber":"AP-LOST-1"');
    await dialog.getByRole('button', { name: 'Add parcel', exact: true }).click();
    await waitForText(dialog.getByRole('alert'), 'No answer');
    const [first] = await waitFor('the parcel without a response', async () => {
      const parcels = await timelineEntries('parcel_added');
      return parcels.length > 0 && parcels;
    });
    line.mend();
    await dialog.getByRole('button', { name: 'Add parcel: send again' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await waitForText(regionNamed(page, 'Parcels'), 'AP-LOST-1');
    expect(await timelineEntries('parcel_added')).toEqual([first]);
    // A new one is a separate entry.
    await performAction(page, 'Add parcel', { fill: (next) => next.getByLabel('Tracking number').fill('AP-LOST-2') });
    await waitForText(regionNamed(page, 'Parcels'), 'AP-LOST-2');
    expect(await timelineEntries('parcel_added')).toHaveLength(2);
  });

  it("an action that became impossible while its dialog was open is refused with the API's message", async () => {
    const { page } = person;
    const dialog = await openActionDialog(page, 'Start production');
    expect((await sendMilestone('cancelled', 'the client has called')).status).toBe(200);
    await page.getByText('Cancelled', { exact: true }).first().waitFor({ state: 'attached' });
    const same = await service
      .studio()
      .post(`/orders/${order.orderId}/milestones`, { milestoneId: 'as-the-page', type: 'production_started' });
    expect([same.status, same.json.error?.message]).toEqual([409, expect.stringMatching(/cancelled/)]);
    await dialog.getByRole('button', { name: 'Start production', exact: true }).click();
    await waitForText(dialog.getByRole('alert'), 'That was refused');
    await waitForText(dialog.getByRole('alert'), same.json.error?.message ?? '');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Start production' }).waitFor({ state: 'hidden' });
  });

  it('an action that is not idempotent warns before a repeat after a lost response', async () => {
    const { page } = person;
    await navigateTo(page, 'Settings');
    const dialog = await openActionDialog(page, 'Create token');
    await dialog.getByLabel('Name').fill('press-7');
    line.cutAfter('press-7');
    await dialog.getByRole('button', { name: 'Create token', exact: true }).click();
    await waitForText(dialog.getByRole('alert'), /Check the list first/);
    line.mend();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('cell', { name: 'press-7' }).first().waitFor();
  });
});
