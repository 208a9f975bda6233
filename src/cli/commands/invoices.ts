import { ATTENTION_ABOUT, ATTENTION_CODES } from '../../domain/attention';
import { INVOICE_STATES } from '../../domain/ledger';
import { amount, choice, day, dayOrTime, flag, text, type ApiCommand, type CommandOption } from '../api-command';
import { environment } from './accounts';

/** Options of the lists of money across accounts. */
const moneyOptions = (verb: string): CommandOption[] => [
  environment('live unless said otherwise'),
  text('--account <account>', 'accountId', "only this account's, by its id"),
  day('--from <day>', 'from', `${verb} on that day or later`),
  day('--to <day>', 'to', `${verb} on that day or before`),
  day('--reversed-from <day>', 'reversedFrom', 'reversed on that day or later'),
  day('--reversed-to <day>', 'reversedTo', 'reversed on that day or before'),
  choice('--sort <order>', 'sort', ['newest', 'oldest'], 'the newest first, or the oldest'),
];

export const INVOICE_COMMANDS: readonly ApiCommand[] = [
  {
    name: 'invoices list',
    description: 'invoices, newest first, with what is due on each',
    call: 'GET /invoices',
    options: [
      environment('live unless said otherwise'),
      text('--account <account>', 'accountId', "only this account's, by its id"),
      choice('--state <state>', 'state', INVOICE_STATES, 'only those'),
      flag('--overdue', 'overdue', 'only those of which something is unpaid after its day'),
      day('--from <day>', 'from', 'issued on that day or later'),
      day('--to <day>', 'to', 'issued on that day or before'),
      day('--voided-from <day>', 'voidedFrom', 'voided on that day or later'),
      day('--voided-to <day>', 'voidedTo', 'voided on that day or before'),
      choice(
        '--sort <order>',
        'sort',
        ['newest', 'oldest', 'dueDate', 'outstanding'],
        'the newest first, the oldest, or of the unpaid ones the soonest due or the largest',
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
    examples: ['invoices list --overdue', 'invoices list --account acc_0123abcd --state open --all'],
  },
  {
    name: 'invoices show',
    description: 'one invoice with its payments and credit notes',
    call: 'GET /invoices/:invoice',
    examples: ['invoices show INV-10001'],
  },
  {
    name: 'invoices pdf',
    description: 'keep the invoice as a PDF',
    call: 'GET /invoices/:invoice.pdf',
    output: { file: ([invoice = '']) => `${invoice}.pdf` },
    examples: ['invoices pdf INV-10001', 'invoices pdf INV-10001 --out march.pdf --force'],
  },
  {
    name: 'invoices credit-notes',
    description: 'credit notes of all accounts, newest first',
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
    description: 'payments of all accounts as they were received, newest first; one on account once, whatever it paid',
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
    description: 'refunds of all accounts, newest first',
    call: 'GET /refunds',
    options: moneyOptions('recorded'),
    output: { rows: ['createdAt=recorded', 'accountName=account', 'amountCents', 'reference', 'refundId=id', 'reversedAt'] },
    examples: ['refunds list --from 2026-03-05 --to 2026-03-05'],
  },
  {
    name: 'invoices credit-note-pdf',
    description: 'keep a credit note as a PDF',
    call: 'GET /credit-notes/:note.pdf',
    output: { file: ([note = '']) => `${note}.pdf` },
    examples: ['invoices credit-note-pdf CN-10001'],
  },
  {
    name: 'invoices credit',
    description: 'a credit note on an invoice, up to what stands; what was paid beyond it is credit of the account',
    call: 'POST /invoices/:invoice/credit-notes',
    options: [
      amount('--amount <amount>', 'amountCents', 'such as 20.00', { isRequired: true }),
      text('--reason <text>', 'reason', 'stands on the note', { isRequired: true }),
    ],
    ownIdField: 'creditNoteId',
    examples: ['invoices credit INV-10001 --amount 20 --reason "a mark on the mat"'],
  },
  {
    name: 'attention list',
    description: 'everything that needs a person, oldest first',
    call: 'GET /attention',
    options: [
      choice('--code <code>', 'code', ATTENTION_CODES, 'only of this kind'),
      choice('--about <what>', 'about', ATTENTION_ABOUT, 'only about the work, or about money'),
      text('--account <account>', 'accountId', "only this account's, by its id"),
      environment('live unless said otherwise'),
      dayOrTime('--from <day>', 'from', 'raised then or later'),
      dayOrTime('--to <day>', 'to', 'raised before that time; a day is included'),
      choice('--sort <order>', 'sort', ['newest', 'oldest'], 'the oldest first, or the newest'),
    ],
    output: { rows: ['since', 'orderNumber=order', 'status', 'accountName=account', 'code', 'message'] },
    examples: ['attention list', 'attention list --code DELIVERY_FAILED'],
  },
  {
    name: 'attention resolve',
    description: 'somebody has seen to it',
    call: 'POST /orders/:order/attention/:code/resolve',
    options: [text('--note <text>', 'note', 'what was done', { isRequired: true })],
    output: { fields: ['orderNumber=order', 'status'], lists: { attention: ['code', 'since', 'message'] } },
    examples: ['attention resolve P-10001 ARTWORK_MISSING --note "they sent it by mail"'],
  },
];
