import type { Page } from 'playwright-core';
import { expectSoon } from '../../../support/wait-for';
import { waitForText } from './studio';

/** Waits until a second scan, or Enter in the field for scans, confirms the step. A scan before that confirms nothing. */
export async function waitUntilArmed(page: Page, orderNumber: string, step: string): Promise<void> {
  const region = page.getByRole('region', { name: orderNumber });
  await region.getByRole('button', { name: step, exact: true }).waitFor();
  await waitForText(region, 'Scan again or press Enter to confirm.');
  await expectSoon(() => page.evaluate<string | null>('document.activeElement.ariaLabel')).toBe('Scan');
}
