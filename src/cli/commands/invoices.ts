import { ATTENTION_ABOUT, ATTENTION_CODES } from '../../domain/attention';
import { AGEING_BUCKETS } from '../../domain/pricing/invoice-ageing';
import { INVOICE_STATES } from '../../domain/ledger';
import { amount, choice, day, dayOrTime, flag, text, type ApiCommand, type CommandOption } from '../api-command';
import { environment } from './accounts';

/** Options of lists of money across accounts. */
const moneyOptions = (verb: string): CommandOption[] => [
  environment('environment (default: live)'),
  text('--account <account>', 'accountId', 'only this account, by its id'),
  day('--from <day>', 'from', `${verb} on this day or later`),
  day('--to <day>', 'to', `${verb} on this day or earlier`),
  day('--reversed-from <day>', 'reversedFrom', 'reversed on this day or later'),
  day('--reversed-to <day>', 'reversedTo', 'reversed on this day or earlier'),
  choice('--sort <order>', 'sort', ['newest', 'oldest'], 'order of rows (default: newest)'),
];

export const INVOICE_COMMANDS: readonly ApiCommand[] = [
  {
    name: 'invoices list',
    description: 'list invoices with their unpaid amounts, newest first',
    call: 'GET /invoices',
    options: [
      environment('environment (default: live)'),
      text('--account <account>', 'accountId', 'only this account, by its id'),
      choice('--state <state>', 'state', INVOICE_STATES, 'only this state'),
      flag('--overdue', 'overdue', 'only unpaid invoices whose due date has passed'),
      choice(
        '--bucket <bucket>',
        'bucket',
        [...AGEING_BUCKETS, 'paidThisMonth'],
        'only invoices that "invoices ageing" counts under this name',
      ),
      text('--q <number>', 'q', 'start of an invoice number, or of the number of an order or credit note'),
      day('--from <day>', 'from', 'issued on this day or later'),
      day('--to <day>', 'to', 'issued on this day or earlier'),
      day('--voided-from <day>', 'voidedFrom', 'voided on this day or later'),
      day('--voided-to <day>', 'voidedTo', 'voided on this day or earlier'),
      choice(
        '--sort <order>',
        'sort',
        ['newest', 'oldest', 'dueDate', 'outstanding'],
        'order of rows; dueDate and outstanding list unpaid invoices, the earliest or largest first',
      ),
    ],
    output: {
      rows: [
        'invoiceNumber=invoice',
        'orderNumber=order',
        'accountName=account',
        'amountCents',
        'dueCents=to pay',
        'state',
        'dueDate=due',
        'overdue',
      ],
    },
    examples: [
      'invoices list --bucket days31To60 --sort dueDate',
      'invoices list --overdue',
      'invoices list --account acc_0123abcd --state open --all',
    ],
  },
  {
    name: 'invoices ageing',
    description: 'count unpaid invoices by the days since their due date, and those paid this month',
    call: 'GET /invoices/ageing',
    options: [environment('environment (default: live)'), text('--account <account>', 'accountId', 'only this account, by its id')],
    examples: ['invoices ageing', 'invoices ageing --account acc_0123abcd'],
  },
  {
    name: 'invoices show',
    description: 'show an invoice with its payments and credit notes',
    call: 'GET /invoices/:invoice',
    examples: ['invoices show INV-10001'],
  },
  {
    name: 'invoices pdf',
    description: 'save the invoice as PDF',
    call: 'GET /invoices/:invoice.pdf',
    output: { file: ([invoice = '']) => `${invoice}.pdf` },
    examples: ['invoices pdf INV-10001', 'invoices pdf INV-10001 --out march.pdf --force'],
  },
  {
    name: 'invoices credit-notes',
    description: 'list credit notes of all accounts, newest first',
    call: 'GET /credit-notes',
    options: moneyOptions('issued'),
    output: {
      rows: [
        'creditNoteNumber=note',
        'invoiceNumber=invoice',
        'accountName=account',
        'amountCents',
        'gstCents=gst',
        'reason',
        'createdAt=issued',
        'reversedAt',
      ],
    },
    examples: ['invoices credit-notes --from 2026-07-01 --to 2026-09-30'],
  },
  {
    name: 'payment list',
    description: 'list payments of all accounts by receipt, newest first; a payment on account is one row',
    call: 'GET /payments',
    options: moneyOptions('received'),
    output: {
      rows: [
        'receivedAt=received',
        'accountName=account',
        'amountCents',
        'source',
        'reference',
        'paymentId=id',
        'orderNumber=order',
        'reversedAt',
      ],
    },
    examples: ['payment list --from 2026-03-05 --to 2026-03-05'],
  },
  {
    name: 'refunds list',
    description: 'list refunds of all accounts, newest first',
    call: 'GET /refunds',
    options: moneyOptions('recorded'),
    output: { rows: ['createdAt=recorded', 'accountName=account', 'amountCents', 'reference', 'refundId=id', 'reversedAt'] },
    examples: ['refunds list --from 2026-03-05 --to 2026-03-05'],
  },
  {
    name: 'invoices credit-note-pdf',
    description: 'save a credit note as PDF',
    call: 'GET /credit-notes/:note.pdf',
    output: { file: ([note = '']) => `${note}.pdf` },
    examples: ['invoices credit-note-pdf CN-10001'],
  },
  {
    name: 'invoices credit',
    description: 'issue a credit note for an invoice; a paid part becomes credit of the account',
    call: 'POST /invoices/:invoice/credit-notes',
    options: [
      amount('--amount <amount>', 'amountCents', 'amount, such as 20.00', { isRequired: true }),
      text('--reason <text>', 'reason', 'reason, printed on the credit note', { isRequired: true }),
    ],
    ownIdField: 'creditNoteId',
    examples: ['invoices credit INV-10001 --amount 20 --reason "a mark on the mat"'],
  },
  {
    name: 'attention list',
    description: 'list open attention, oldest first',
    call: 'GET /attention',
    options: [
      choice('--code <code>', 'code', ATTENTION_CODES, 'only this code'),
      choice('--about <topic>', 'about', ATTENTION_ABOUT, 'only attention about this'),
      text('--account <account>', 'accountId', 'only this account, by its id'),
      environment('environment (default: live)'),
      dayOrTime('--from <day>', 'from', 'raised at this time or later'),
      dayOrTime('--to <day>', 'to', 'raised before this time, or before the end of this day'),
      choice('--sort <order>', 'sort', ['newest', 'oldest'], 'order of rows (default: oldest)'),
    ],
    output: { rows: ['since', 'orderNumber=order', 'status', 'accountName=account', 'code', 'message'] },
    examples: ['attention list', 'attention list --code DELIVERY_FAILED'],
  },
  {
    name: 'attention count',
    description: 'count open attention by code, the longest open first',
    call: 'GET /attention/counts',
    options: [
      environment('environment (default: live)'),
      choice('--about <topic>', 'about', ATTENTION_ABOUT, 'count only attention about this'),
    ],
    output: { rows: ['code', 'open', 'orders', 'oldestSince=since'] },
    examples: ['attention count', 'attention count --about work'],
  },
  {
    name: 'attention resolve',
    description: 'resolve attention of an order',
    call: 'POST /orders/:order/attention/:code/resolve',
    options: [text('--note <text>', 'note', 'note about the solution', { isRequired: true })],
    output: { fields: ['orderNumber=order', 'status'], lists: { attention: ['code', 'since', 'message'] } },
    examples: ['attention resolve P-10001 ARTWORK_MISSING --note "they sent it by mail"'],
  },
];
