import { resolveCommands } from '../api-command';
import { ACCOUNT_COMMANDS } from './accounts';
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

export const API_COMMANDS = resolveCommands({
  ...ACCOUNT_COMMANDS,
  ...ORDER_COMMANDS,
  ...INVOICE_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...STUDIO_COMMANDS,
});
