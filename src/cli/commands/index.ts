import type { ApiCommand } from '../api-command';
import { ACCOUNT_COMMANDS } from './accounts';
import { CATALOGUE_COMMANDS } from './catalogue';
import { withCsv } from './csv';
import { INVOICE_COMMANDS } from './invoices';
import { ORDER_COMMANDS } from './orders';
import { STUDIO_COMMANDS } from './studio';
import { WEBHOOK_COMMANDS } from './webhooks';

/** What the first words of commands are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  accounts: 'trade accounts, what they owe and have paid',
  keys: 'API keys of an account',
  tokens: 'tokens of the studio API',
  orders: 'the board, one order, its documents',
  milestone: 'what the floor has done with an order',
  parcel: 'parcels of an order',
  payment: "payments on one order's invoice",
  invoices: 'invoices and credit notes',
  attention: 'what needs a person',
  endpoints: "webhook endpoints of accounts' programs",
  deliveries: 'webhooks that were sent, or could not be',
  catalogue: 'what is on offer',
  'price-books': 'published rates',
  settings: "the studio's settings",
};

/** Every command that is a call of the studio API. */
export const API_COMMANDS: readonly ApiCommand[] = [
  ...ACCOUNT_COMMANDS,
  ...ORDER_COMMANDS,
  ...INVOICE_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...CATALOGUE_COMMANDS,
  ...STUDIO_COMMANDS,
].flatMap(withCsv);
