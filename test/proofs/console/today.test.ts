import { describeInBrowser, useBrowser } from '../../support/browser';
import { aToken } from '../../service/http/studio/support';
import { useFixture } from '../../support/fixtures';
import { aDay } from './support/day';
import { openSignedIn, performAction, regionNamed, waitUntilLoaded, type Person } from './support/studio';
import { expectSoon } from '../../support/wait-for';

const WINDOW = { width: 1280, height: 900 };

describeInBrowser('Today', () => {
  const day = useFixture(aDay, (started) => started.stop());
  const browser = useBrowser();
  let person: Person;
  beforeAll(async () => {
    await day.service.deps.database.run(
      "UPDATE orders SET due_date = current_date + 3 WHERE status = 'received' AND due_date > current_date::text",
    );
    person = await openSignedIn(browser, day.service, { token: day.token, viewport: WINDOW });
    await waitUntilLoaded(person.page);
  });

  const causes = () => regionNamed(person.page, 'Needs attention').getByRole('heading');

  it('fits one window, with figures that lead to their orders', async () => {
    const { page } = person;
    await page.getByRole('img', { name: /^Orders due: / }).waitFor();
    await causes().first().waitFor();
    await expectSoon(() => page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(WINDOW.height);
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Late\s*1$/ })
      .click();
    await page.getByRole('table', { name: 'Orders' }).waitFor();
    await expectSoon(() => page.getByRole('table', { name: 'Orders' }).getByRole('link', { name: /^P-/ }).count()).toBe(1);
    await person.goTo('/');
  });

  it('a failing endpoint is in one row, with the action that resends its webhooks', async () => {
    const { page } = person;
    const list = regionNamed(page, 'Needs attention');
    await list.getByRole('button', { name: /^Webhooks not delivered/ }).click();
    const endpoints = list.getByRole('table', { name: 'Failing endpoints' });
    await endpoints.waitFor();
    const { accountName } = (await day.service.studio(day.token).get('/webhook-endpoints?failing=true')).json.data[0];
    await expectSoon(() => page.getByRole('link', { name: accountName }).count()).toBe(1);
    await endpoints.getByRole('row').filter({ hasText: accountName }).getByRole('button', { name: 'Resend failed and held' }).waitFor();
    expect(page.url()).toContain('code=DELIVERY_FAILED');
  });

  it('one note resolves all orders of a cause', async () => {
    const cause = causes().filter({ hasText: 'Artwork resolution too low' });
    await cause.waitFor();
    const row = regionNamed(person.page, 'Needs attention').getByRole('button', { name: 'Resolve all “Artwork resolution too low”' });
    await performAction(row.locator('..'), 'Resolve all “Artwork resolution too low”', {
      confirm: 'Resolve all',
      fill: (dialog) => dialog.getByLabel('Note').fill('the client prints it anyway'),
    });
    await cause.waitFor({ state: 'hidden' });
    expect((await day.service.studio(day.token).get('/attention?code=ARTWORK_LOW_RESOLUTION')).json.data).toEqual([]);
  });

  it('test orders have no cause about the credit limit, which counts live orders', async () => {
    const limit = causes().filter({ hasText: 'of the credit limit used' });
    const choose = (environment: string): Promise<void> =>
      person.page.getByRole('navigation', { name: 'Screens' }).getByText(environment, { exact: true }).click();
    await limit.waitFor();
    await choose('Test');
    await limit.waitFor({ state: 'hidden' });
    await choose('Live');
    await limit.waitFor();
  });

  it('the floor sees no money and no webhooks', async () => {
    const floor = await openSignedIn(browser, day.service, { token: await aToken(day.service, 'floor'), viewport: WINDOW });
    await waitUntilLoaded(floor.page);
    await regionNamed(floor.page, 'Needs attention')
      .getByText(/Nothing needs attention|Partly shipped/)
      .waitFor();
    const text = await floor.page.getByRole('main').innerText();
    expect(text).toContain('To start');
    expect(text).not.toMatch(/AUD|Outstanding|Revenue|Webhooks|credit/);
    expect(floor.complaints()).toEqual([]);
  });

  it('no request was refused and no policy violated', () => expect(person.complaints()).toEqual([]));
});
