import { FILE, string } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';
import { ID } from './ids';

const OF_A_LIST =
  'Every row that the list has, filtered and sorted as it is, each page as of its own reading. UTF-8 with a byte order mark; amounts are decimal ' +
  "numbers beside their currency, times on the studio's clock with its offset; text that a spreadsheet would take for a formula begins with `'`. " +
  'A file that is not whole ends with a broken connection.';

/** A file of rows, outside the envelope; its refusals are in it (ruling 64). */
const csv = (operation: Pick<OperationContract, 'id' | 'summary' | 'tag'> & Partial<OperationContract>): OperationContract => ({
  description: OF_A_LIST,
  ...operation,
  media: 'text/csv',
  answer: FILE,
  answerHeaders: { 'Content-Disposition': string('to be saved, under a name with the day') },
  example: { answer: null },
});

/** What the contract says of lists as files (studio API "Endpoints"). */
export const CSV_OPERATIONS = {
  orders: csv({ id: 'exportOrders', tag: 'Orders', summary: 'Orders, as CSV' }),
  invoices: csv({ id: 'exportInvoices', tag: 'Money', summary: 'Invoices, as CSV' }),
  accounts: csv({ id: 'exportAccounts', tag: 'Accounts', summary: 'Accounts, as CSV' }),
  deliveries: csv({ id: 'exportDeliveries', tag: 'Webhooks', summary: 'Deliveries, as CSV' }),
  endpoints: csv({ id: 'exportWebhookEndpoints', tag: 'Webhooks', summary: 'Webhook endpoints with their health, as CSV' }),
  attention: csv({ id: 'exportAttention', tag: 'Attention', summary: 'What needs a person, as CSV' }),
  audit: csv({ id: 'exportAudit', tag: 'Audit', summary: 'The audit log, as CSV' }),
  statement: csv({
    id: 'exportStatement',
    tag: 'Money',
    summary: "An account's statement, as CSV",
    description:
      'Of the same days as the statement itself, and refused where that is: the opening balance, every entry, the closing balance.',
    params: { id: ID.account },
  }),
} satisfies Record<string, OperationContract>;
