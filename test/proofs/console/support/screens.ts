import type { Page } from 'playwright-core';
import type { Day } from './day';
import { openActionDialog } from './studio';

/** A screen by its address, with the steps before it is checked. */
export interface Screen {
  /** Name of its screenshots. */
  name: string;
  path: (day: Day) => string;
  /** Title of the browser tab. */
  title: RegExp | string;
  before?: (page: Page) => Promise<void>;
  /** Checked by every `npm test`, with a screenshot at the width of a phone too. */
  always?: true;
}

const accountTab = (name: string): Screen => ({
  name: `account-${name}`,
  path: ({ north }) => `/accounts/${north}?tab=${name}`,
  title: 'Gallery North · Studio',
});

const openPrintedDialog = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Mark printed' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Mark printed' }).waitFor();
};

const openMailDialog = async (page: Page): Promise<void> => {
  const dialog = await openActionDialog(page, 'Send');
  await dialog.getByLabel('Text').waitFor();
};

const openPriceTrial = async (page: Page): Promise<void> => {
  await page.getByLabel('Start from').selectOption('1');
  await page.getByRole('button', { name: 'Use book' }).click();
  await page.getByRole('button', { name: 'Run test' }).click();
  await page.getByRole('heading', { name: 'Changed lines' }).waitFor();
};

/** Every screen and tab. */
export const SCREENS: readonly Screen[] = [
  { name: 'today', path: () => '/', title: 'Today · Studio', always: true },
  { name: 'board', path: () => '/board', title: 'Board · Studio', always: true },
  { name: 'station', path: ({ order }) => `/station?order=${order}`, title: 'Station · Studio', always: true },
  { name: 'labels', path: () => '/labels', title: 'Labels · Studio' },
  { name: 'order', path: ({ order }) => `/orders/${order}`, title: /^P-\d+ · Studio$/, always: true },
  { name: 'dialog', path: ({ order }) => `/orders/${order}`, title: /^P-\d+ · Studio$/, before: openPrintedDialog, always: true },
  {
    name: 'change-order',
    path: ({ received }) => `/orders/${received}`,
    title: /^P-\d+ · Studio$/,
    before: async (page) => void (await openActionDialog(page, 'Change order')),
  },
  {
    name: 'note',
    path: ({ received }) => `/orders/${received}`,
    title: /^P-\d+ · Studio$/,
    before: async (page) => (await openActionDialog(page, 'Add note')).getByRole('textbox').fill('Rang: collects on Friday, pack flat'),
  },
  { name: 'accounts', path: () => '/accounts', title: 'Accounts · Studio' },
  { name: 'account', path: ({ north }) => `/accounts/${north}`, title: 'Gallery North · Studio' },
  { name: 'invoices', path: () => '/invoices', title: 'Invoices · Studio' },
  { name: 'payments', path: () => '/payments', title: 'Payments · Studio' },
  { name: 'refunds', path: () => '/payments?tab=refunds', title: 'Payments · Studio' },
  { name: 'credit-notes', path: () => '/payments?tab=credit-notes', title: 'Payments · Studio' },
  accountTab('invoices'),
  accountTab('payments'),
  accountTab('statement'),
  accountTab('mails'),
  {
    name: 'mail-dialog',
    path: ({ north }) => `/accounts/${north}?tab=statement`,
    title: 'Gallery North · Studio',
    before: openMailDialog,
  },
  accountTab('endpoints'),
  accountTab('keys'),
  { name: 'mails', path: () => '/sends', title: 'Mails · Studio' },
  { name: 'deliveries', path: () => '/deliveries', title: 'Webhook deliveries · Studio' },
  { name: 'delivery', path: ({ failed }) => `/deliveries/${failed}`, title: /· Studio$/ },
  { name: 'catalogue', path: () => '/catalogue?section=mouldings', title: 'Catalogue: Mouldings · Studio' },
  { name: 'prices', path: () => '/prices', title: 'Prices · Studio' },
  { name: 'price-book', path: () => '/prices?book=2', title: 'Price book 2 · Studio' },
  { name: 'prices-compared', path: () => '/prices?view=compare', title: 'Compare price books · Studio' },
  { name: 'prices-draft', path: () => '/prices?view=draft', title: 'Price draft · Studio', before: openPriceTrial },
  { name: 'audit', path: () => '/audit', title: 'Audit · Studio' },
  { name: 'settings', path: () => '/settings', title: 'Settings · Studio' },
  { name: 'sessions', path: () => '/sessions', title: 'Your sessions · Studio' },
  { name: 'no-such-screen', path: () => '/board/nowhere', title: 'Page not found · Studio' },
];
