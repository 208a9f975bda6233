import { describeInBrowser, openPage, useBrowser } from '../../support/browser';
import { expectSoon, waitFor } from '../../support/wait-for';
import { useFixture } from '../../support/fixtures';
import { aDay, type Day } from './support/day';
import { findOverflowing, waitForAnimations } from './support/layout';
import { takeScreenshot } from './support/screenshot';
import { SCREENS, type Screen } from './support/screens';
import { seriousFindings, waitUntilLoaded, openSignedIn, type Person } from './support/studio';
import { isFullRun } from './support/full-run';

const checkedScreens = SCREENS.filter(({ always }) => isFullRun || always === true);
const colours = isFullRun ? (['light', 'dark'] as const) : (['light'] as const);
const desktop = { width: 1280, height: 800 };
const phone = { width: 320, height: 640 };
/** Widths beside the navigation: rows as cards, and the widest tables. */
const tablets = [820, 1024].map((width) => ({ width, height: 800 }));

describeInBrowser('every screen of the console', () => {
  const day = useFixture(aDay, (started) => started.stop());
  const browser = useBrowser();

  describe.each(colours)('in %s', (colorScheme) => {
    let person: Person;
    beforeAll(async () => {
      person = await openSignedIn(browser, day.service, { token: day.token, colorScheme, viewport: desktop, locale: 'en-AU' });
    });
    afterAll(() => person.page.context().close());

    it.each(checkedScreens.map((screen) => [screen.name, screen] as const))(
      '%s is accessible, has a title, and fits a phone and a tablet',
      async (name, screen) => {
        const { page } = person;
        await page.setViewportSize(desktop);
        await goTo(person, screen, day);
        await takeScreenshot(page, name, colorScheme);
        expect(await page.title()).toEqual(typeof screen.title === 'string' ? screen.title : expect.stringMatching(screen.title));
        await expectSoon(() => page.getByRole('heading', { level: 1, includeHidden: true }).count()).toBe(1);
        expect(await seriousFindings(page)).toEqual([]);
        await page.setViewportSize(phone);
        if (screen.always === true) await takeScreenshot(page, `${name}-phone`, colorScheme);
        await expectSoon(() => findOverflowing(page)).toEqual([]);
        for (const tablet of tablets) {
          await page.setViewportSize(tablet);
          await expectSoon(async () => [tablet.width, await findOverflowing(page)]).toEqual([tablet.width, []]);
        }
        expect(person.complaints()).toEqual([]);
      },
    );

    it('the browser tab has the title of the screen, also in the history', async () => {
      const { page } = person;
      const untilTitle = (title: string) => waitFor(`the title ${title}`, async () => (await page.title()) === `${title} · Studio`);
      await page.setViewportSize(desktop);
      await person.goTo(`/accounts/${day.north}`);
      for (let visit = 0; visit < 2; visit += 1) {
        await untilTitle('Gallery North');
        await page.getByRole('link', { name: 'All accounts' }).click();
        await untilTitle('Accounts');
        await page.getByRole('link', { name: 'Gallery North' }).click();
      }
      await person.goTo('/prices?view=draft');
      await untilTitle('Price draft');
      await page.getByRole('tab', { name: 'Price books' }).click();
      await untilTitle('Prices');
    });

    it('the sign-in is accessible', async () => {
      const { page, problems } = await openPage(browser, `http://127.0.0.1:${day.service.api.studioPort}/board`, {
        colorScheme,
        viewport: desktop,
        locale: 'en-AU',
      });
      await waitUntilLoaded(page);
      await waitForAnimations(page);
      await takeScreenshot(page, 'sign-in', colorScheme);
      expect(await page.title()).toBe('Sign in · Studio');
      await expectSoon(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await seriousFindings(page)).toEqual([]);
      await page.setViewportSize(phone);
      await expectSoon(() => findOverflowing(page)).toEqual([]);
      expect(problems.filter((complaint) => !/401/.test(complaint))).toEqual([]);
      await page.context().close();
    });
  });
});

async function goTo(person: Person, { path, before }: Screen, day: Day): Promise<void> {
  await person.goTo(path(day));
  await before?.(person.page);
  await waitUntilLoaded(person.page);
  await waitForAnimations(person.page);
}
