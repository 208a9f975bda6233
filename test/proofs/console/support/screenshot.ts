import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { projectRoot } from '../../../../scripts/start/project';
import { waitForAnimations } from './layout';
import { isFullRun } from './full-run';

const FOLDER = join(projectRoot, 'docs', 'console');
/** A screenshot ends at this height. */
const MAX_HEIGHT_PX = 1600;

/**
 * Writes a screenshot as docs/console/<name>[-dark].png with few colors in the full run, otherwise nothing. The window is as
 * high as its content, unless a dialog covers that.
 */
export async function takeScreenshot(page: Page, name: string, colours: 'light' | 'dark'): Promise<void> {
  if (!isFullRun) return;
  mkdirSync(FOLDER, { recursive: true });
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  if ((await page.getByRole('dialog').count()) === 0) {
    const content = await page.evaluate<number>('document.documentElement.scrollHeight');
    await page.setViewportSize({ width, height: Math.min(Math.max(content, height), MAX_HEIGHT_PX) });
  }
  await page.evaluate('window.scrollTo(0, 0)');
  await waitForAnimations(page);
  await sharp(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
    .png({ palette: true, colours: 40, effort: 8, dither: 0 })
    .toFile(join(FOLDER, `${name}${colours === 'dark' ? '-dark' : ''}.png`));
  await page.setViewportSize({ width, height });
}
