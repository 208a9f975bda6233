import type { ApiCommand } from '../api-command';
import { formatTime } from '../values';
import { ACCOUNT_COMMANDS } from './accounts';
import { CATALOGUE_COMMANDS } from './catalogue';
import { INVOICE_COMMANDS } from './invoices';
import { ORDER_COMMANDS } from './orders';
import { STUDIO_COMMANDS } from './studio';
import { WEBHOOK_COMMANDS } from './webhooks';

export const GROUP_DESCRIPTIONS: Readonly<Record<string, string>> = {
  accounts: 'manage accounts, their balances, payments and refunds',
  keys: 'manage API keys of an account',
  tokens: 'manage studio API tokens',
  orders: 'show orders and their documents',
  milestone: 'record milestones of an order',
  parcel: 'record parcels of an order',
  payment: 'list payments, and record payments for an order',
  invoices: 'show invoices and credit notes',
  'credit-note': 'reverse credit notes of an order',
  refunds: 'list refunds of all accounts',
  attention: 'list and resolve attention',
  endpoints: 'manage webhook endpoints',
  deliveries: 'show and resend webhook deliveries',
  catalogue: 'manage the catalogue',
  'price-books': 'manage price books',
  settings: 'manage the settings of the studio',
};

/** Lists with a CSV export, by the name of the list command. */
const CSV_EXPORTS: Readonly<Record<string, { commandName: string; contents: string; fileName: string }>> = {
  'accounts list': { commandName: 'accounts csv', contents: 'accounts', fileName: 'accounts' },
  'accounts statement': { commandName: 'accounts statement-csv', contents: 'the statement', fileName: 'statement' },
  'orders list': { commandName: 'orders csv', contents: 'orders', fileName: 'orders' },
  'invoices list': { commandName: 'invoices csv', contents: 'invoices', fileName: 'invoices' },
  'invoices credit-notes': { commandName: 'invoices credit-notes-csv', contents: 'credit notes', fileName: 'credit-notes' },
  'payment list': { commandName: 'payment csv', contents: 'payments', fileName: 'payments' },
  'refunds list': { commandName: 'refunds csv', contents: 'refunds', fileName: 'refunds' },
  'attention list': { commandName: 'attention csv', contents: 'open attention', fileName: 'attention' },
  'endpoints list': { commandName: 'endpoints csv', contents: 'endpoints with their health', fileName: 'endpoints' },
  'deliveries list': { commandName: 'deliveries csv', contents: 'deliveries', fileName: 'deliveries' },
  audit: { commandName: 'audit-csv', contents: 'the audit log', fileName: 'audit' },
};

/** The command, followed by its CSV export if there is one. */
function withCsvCommand(command: ApiCommand): ApiCommand[] {
  const file = CSV_EXPORTS[command.name];
  if (file === undefined) return [command];
  const { commandName, contents, fileName } = file;
  const argument = command.call.includes(':account') ? ' acc_0123abcd' : '';
  const csvCommand: ApiCommand = {
    name: commandName,
    description: `save ${contents} as CSV, all rows, with the same options`,
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
