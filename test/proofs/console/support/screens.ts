import type { Page } from 'playwright-core';
import type { Day } from './day';

/** A screen as the console's address has it, and what is done there before it is looked at. */
export interface Screen {
  /** Of its pictures. */
  name: string;
  path: (day: Day) => string;
  /** What the tab of the browser says. */
  title: RegExp | string;
  before?: (page: Page) => Promise<void>;
  /** Looked at by every `npm test`, and its picture is taken at the width of a phone too. */
  always?: true;
}

const accountTab = (name: string): Screen => ({
  name: `account-${name}`,
  path: ({ north }) => `/accounts/${north}?tab=${name}`,
  title: 'Gallery North · Studio',
});

const openPrintedDialog = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Mark as printed' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as printed' }).waitFor();
};

const openPriceTrial = async (page: Page): Promise<void> => {
  await page.getByLabel('Start from').selectOption('1');
  await page.getByRole('button', { name: 'Take this book' }).click();
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByRole('heading', { name: 'Lines that change' }).waitFor();
};

/** Every screen and tab there is. */
export const SCREENS: readonly Screen[] = [
  { name: 'today', path: () => '/', title: 'Today · Studio', always: true },
  { name: 'board', path: () => '/board', title: 'Board · Studio', always: true },
  { name: 'order', path: ({ order }) => `/orders/${order}`, title: /^P-\d+ · Studio$/, always: true },
  { name: 'dialog', path: ({ order }) => `/orders/${order}`, title: /^P-\d+ · Studio$/, before: openPrintedDialog, always: true },
  { name: 'accounts', path: () => '/accounts', title: 'Accounts · Studio' },
  { name: 'account', path: ({ north }) => `/accounts/${north}`, title: 'Gallery North · Studio' },
  accountTab('invoices'),
  accountTab('payments'),
  accountTab('statement'),
  accountTab('endpoints'),
  accountTab('keys'),
  { name: 'deliveries', path: () => '/deliveries', title: 'Deliveries · Studio' },
  { name: 'delivery', path: ({ failed }) => `/deliveries/${failed}`, title: /· Studio$/ },
  { name: 'catalogue', path: () => '/catalogue?section=mouldings', title: 'Catalogue: Mouldings · Studio' },
  { name: 'prices', path: () => '/prices', title: 'Prices · Studio' },
  { name: 'price-book', path: () => '/prices?book=2', title: 'Price book 2 · Studio' },
  { name: 'prices-compared', path: () => '/prices?view=compare', title: 'Price books compared · Studio' },
  { name: 'prices-draft', path: () => '/prices?view=draft', title: 'Draft of a price book · Studio', before: openPriceTrial },
  { name: 'audit', path: () => '/audit', title: 'Audit · Studio' },
  { name: 'settings', path: () => '/settings', title: 'Settings · Studio' },
  { name: 'sessions', path: () => '/sessions', title: 'Your sessions · Studio' },
  { name: 'no-such-screen', path: () => '/board/nowhere', title: 'No such screen · Studio' },
];
