import type { ApiCommand } from '../api-command';
import { formatTime } from '../values';
import { ACCOUNT_COMMANDS } from './accounts';
import { CATALOGUE_COMMANDS } from './catalogue';
import { INVOICE_COMMANDS } from './invoices';
import { ORDER_COMMANDS } from './orders';
import { STUDIO_COMMANDS } from './studio';
import { WEBHOOK_COMMANDS } from './webhooks';

export const GROUP_DESCRIPTIONS: Readonly<Record<string, string>> = {
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
const CSV_EXPORTS: Readonly<Record<string, { commandName: string; contents: string; fileName: string }>> = {
  'accounts list': { commandName: 'accounts csv', contents: 'accounts', fileName: 'accounts' },
  'accounts statement': { commandName: 'accounts statement-csv', contents: 'the statement', fileName: 'statement' },
  'orders list': { commandName: 'orders csv', contents: 'the job list', fileName: 'orders' },
  'invoices list': { commandName: 'invoices csv', contents: 'invoices', fileName: 'invoices' },
  'invoices credit-notes': { commandName: 'invoices credit-notes-csv', contents: 'credit notes', fileName: 'credit-notes' },
  'payment list': { commandName: 'payment csv', contents: 'payments', fileName: 'payments' },
  'refunds list': { commandName: 'refunds csv', contents: 'refunds', fileName: 'refunds' },
  'attention list': { commandName: 'attention csv', contents: 'everything that needs a person', fileName: 'attention' },
  'endpoints list': { commandName: 'endpoints csv', contents: 'endpoints with their health', fileName: 'endpoints' },
  'deliveries list': { commandName: 'deliveries csv', contents: 'webhooks', fileName: 'deliveries' },
  audit: { commandName: 'audit-csv', contents: 'who did what, with before and after,', fileName: 'audit' },
};

/** The command, and after it the one that keeps the same rows as CSV, where there is one. */
function withCsvCommand(command: ApiCommand): ApiCommand[] {
  const file = CSV_EXPORTS[command.name];
  if (file === undefined) return [command];
  const { commandName, contents, fileName } = file;
  const argument = command.call.includes(':account') ? ' acc_0123abcd' : '';
  const csvCommand: ApiCommand = {
    name: commandName,
    description: `keep ${contents} as CSV, every row, by the same options`,
    call: `${command.call}.csv`,
    ...(command.options === undefined ? {} : { options: command.options }),
    output: { file: ([account]) => `${fileName}-${account ?? formatTime(new Date()).slice(0, 10)}.csv` },
    examples: [`${commandName}${argument}`, `${commandName}${argument} --out - > ${fileName}.csv`],
  };
  return [command, csvCommand];
}

export const API_COMMANDS: readonly ApiCommand[] = [
  ...ACCOUNT_COMMANDS,
  ...ORDER_COMMANDS,
  ...INVOICE_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...CATALOGUE_COMMANDS,
  ...STUDIO_COMMANDS,
].flatMap(withCsvCommand);
