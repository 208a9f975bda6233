import type { ApiCommand } from '../api-command';
import { shownTime } from '../values';
import { ACCOUNT_COMMANDS } from './accounts';
import { CATALOGUE_COMMANDS } from './catalogue';
import { INVOICE_COMMANDS } from './invoices';
import { ORDER_COMMANDS } from './orders';
import { STUDIO_COMMANDS } from './studio';
import { WEBHOOK_COMMANDS } from './webhooks';

export const GROUPS: Readonly<Record<string, string>> = {
  accounts: 'trade accounts, what they owe and have paid',
  keys: 'API keys of an account',
  tokens: 'tokens of the studio API',
  orders: 'the board, one order, its documents',
  milestone: 'what the floor has done with an order',
  parcel: 'parcels of an order',
  payment: "payments of all accounts, and those on one order's invoice",
  invoices: 'invoices and credit notes',
  'credit-note': "credit notes on one order's invoice",
  refunds: 'credit that was paid back',
  attention: 'what needs a person',
  endpoints: "webhook endpoints of accounts' programs",
  deliveries: 'webhooks that were sent, or could not be',
  catalogue: 'what is on offer',
  'price-books': 'published rates',
  settings: "the studio's settings",
};

/** Lists that are files of rows as well, by the words of the list: those of the file, what it has, and its name. */
const FILES: Readonly<Record<string, { words: string; of: string; name: string }>> = {
  'accounts list': { words: 'accounts csv', of: 'accounts', name: 'accounts' },
  'accounts statement': { words: 'accounts statement-csv', of: 'the statement', name: 'statement' },
  'orders list': { words: 'orders csv', of: 'the job list', name: 'orders' },
  'invoices list': { words: 'invoices csv', of: 'invoices', name: 'invoices' },
  'invoices credit-notes': { words: 'invoices credit-notes-csv', of: 'credit notes', name: 'credit-notes' },
  'payment list': { words: 'payment csv', of: 'payments', name: 'payments' },
  'refunds list': { words: 'refunds csv', of: 'refunds', name: 'refunds' },
  'attention list': { words: 'attention csv', of: 'everything that needs a person', name: 'attention' },
  'endpoints list': { words: 'endpoints csv', of: 'endpoints with their health', name: 'endpoints' },
  'deliveries list': { words: 'deliveries csv', of: 'webhooks', name: 'deliveries' },
  audit: { words: 'audit-csv', of: 'who did what, with before and after,', name: 'audit' },
};

/** The command, and after it the one that keeps the same rows as CSV, where there is one. */
function withCsv(command: ApiCommand): ApiCommand[] {
  const file = FILES[command.words];
  if (file === undefined) return [command];
  const { words, of, name } = file;
  const argument = command.call.includes(':account') ? ' acc_0123abcd' : '';
  const rows: ApiCommand = {
    words,
    tells: `keep ${of} as CSV, every row, by the same options`,
    call: `${command.call}.csv`,
    ...(command.options === undefined ? {} : { options: command.options }),
    shows: { file: ([account]) => `${name}-${account ?? shownTime(new Date()).slice(0, 10)}.csv` },
    examples: [`${words}${argument}`, `${words}${argument} --out - > ${name}.csv`],
  };
  return [command, rows];
}

export const API_COMMANDS: readonly ApiCommand[] = [
  ...ACCOUNT_COMMANDS,
  ...ORDER_COMMANDS,
  ...INVOICE_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...CATALOGUE_COMMANDS,
  ...STUDIO_COMMANDS,
].flatMap(withCsv);
