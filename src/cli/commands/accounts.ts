import { PAYMENT_SOURCES } from '../../domain/account-payment';
import { ACCOUNT_STATUSES, ENVIRONMENTS, SCOPES } from '../../domain/limits';
import { ROLES } from '../../domain/roles';
import {
  amount,
  amountOrNone,
  choice,
  day,
  dayOrTime,
  on,
  perCent,
  shares,
  text,
  time,
  whole,
  type ApiCommand,
  type CommandOption,
} from '../api-command';

const ACCOUNT_COLUMNS = [
  'id',
  'name',
  'status',
  'live.outstandingCents=owes',
  'live.creditCents=credit',
  'live.availableCents=may order for',
  'createdAt=since',
];

const PAYMENT_COLUMNS = [
  'receivedAt=when',
  'paymentId=id',
  'environment',
  'source',
  'amountCents',
  'invoiceCount=invoices',
  'unappliedCents=credit',
  'reference',
  'reversedAt',
];

const accountOptions = (needed: boolean): CommandOption[] => [
  text('--name <name>', 'name', 'as invoices have it', { needed }),
  text('--email <address>', 'email', 'where the studio writes to', { needed }),
  perCent('--discount <per cent>', 'tradeDiscountBps', 'trade discount, such as 12.5'),
  amountOrNone('--credit-limit <amount>', 'creditLimitCents', 'what it may owe; none for no limit'),
  whole('--terms <days>', 'paymentTermsDays', 'days to pay'),
  choice('--status <status>', 'status', ACCOUNT_STATUSES, 'suspended turns its keys off at once'),
  on('--api-access', 'apiAccess', 'its keys work'),
  on('--no-api-access', 'apiAccess', 'its keys are refused', false),
];

export const environment = (tells: string, needed = false): CommandOption =>
  choice('--environment <environment>', 'environment', ENVIRONMENTS, tells, { needed });

/** Accounts, their keys and the studio's tokens. */
export const ACCOUNT_COMMANDS: readonly ApiCommand[] = [
  {
    words: 'accounts list',
    tells: 'accounts, newest first, with what each owes and may still order for',
    call: 'GET /accounts',
    options: [
      text('--q <text>', 'q', 'part of its name, e-mail address or id'),
      choice('--status <status>', 'status', ACCOUNT_STATUSES, 'only those'),
      whole('--credit-used-over <per cent>', 'creditUsedOver', 'more than so much of its limit is outstanding on live orders'),
      choice(
        '--sort <order>',
        'sort',
        ['newest', 'name', 'creditUsed', 'createdAt'],
        'the newest first (also as createdAt), by name, or the largest share of a limit first',
      ),
    ],
    shows: { rows: ACCOUNT_COLUMNS },
    examples: ['accounts list --q gallery', 'accounts list --credit-used-over 80 --sort creditUsed', 'accounts list --all --json'],
  },
  {
    words: 'accounts show',
    tells: 'one account',
    call: 'GET /accounts/:account',
    examples: ['accounts show acc_0123abcd'],
  },
  {
    words: 'accounts create',
    tells: 'open an account; without options: no discount, no limit, 30 days to pay',
    call: 'POST /accounts',
    options: accountOptions(true),
    ownId: 'accountRequestId',
    examples: ['accounts create --name "Gallery North" --email orders@gallery.example --discount 20 --credit-limit 5000'],
  },
  {
    words: 'accounts update',
    tells: 'change an account; it bites on its next request',
    call: 'PATCH /accounts/:account',
    options: accountOptions(false),
    examples: ['accounts update acc_0123abcd --credit-limit 8000', 'accounts update acc_0123abcd --status suspended'],
  },
  {
    words: 'accounts erase',
    tells: "replace the personal data of an account's settled orders and expired quotes; counts first, and asks",
    call: 'POST /accounts/:account/erase',
    options: [dayOrTime('--before <day>', 'before', 'placed, or expired unordered, before this day (UTC) or time', { needed: true })],
    asks: 'Erase it for good?',
    untilComplete: true,
    shows: { fields: ['dryRun=only counted', 'orders', 'quotes=expired quotes', 'artwork=artwork files'] },
    examples: ['accounts erase acc_0123abcd --before 2024-07-01 --dry-run', 'accounts erase acc_0123abcd --before 2024-07-01'],
  },
  {
    words: 'accounts statement',
    tells: 'what an account owed when a period began, what was booked in it, and what it owed at its end',
    call: 'GET /accounts/:account/statement',
    options: [environment('live unless said otherwise'), day('--from <day>', 'from', 'first day'), day('--to <day>', 'to', 'last day')],
    shows: {
      fields: [
        'accountName=account',
        'environment',
        'from',
        'to',
        'openingCents',
        'closingCents',
        'now.outstandingCents',
        'now.creditCents',
      ],
      parts: {
        entries: [
          'bookedOn=day',
          'type',
          'amountCents',
          'balanceCents',
          'orderNumber=order',
          'invoiceNumber=invoice',
          'creditNoteNumber=credit note',
          'paymentId=payment',
          'refundId=refund',
          'reference',
        ],
      },
    },
    examples: ['accounts statement acc_0123abcd', 'accounts statement acc_0123abcd --from 2026-03-01 --to 2026-03-31'],
  },
  {
    words: 'accounts statement-pdf',
    tells: 'keep the statement as a PDF',
    call: 'GET /accounts/:account/statement.pdf',
    options: [environment('live unless said otherwise'), day('--from <day>', 'from', 'first day'), day('--to <day>', 'to', 'last day')],
    shows: { file: ([account = '']) => `statement-${account}.pdf` },
    examples: ['accounts statement-pdf acc_0123abcd --from 2026-03-01 --to 2026-03-31'],
  },
  {
    words: 'accounts payments',
    tells: 'payments on account, newest first',
    call: 'GET /accounts/:account/payments',
    options: [environment('both unless said otherwise')],
    shows: { rows: PAYMENT_COLUMNS },
    examples: ['accounts payments acc_0123abcd'],
  },
  {
    words: 'accounts payment',
    tells: 'one payment on account, with what went to each invoice',
    call: 'GET /accounts/:account/payments/:payment',
    examples: ['accounts payment acc_0123abcd bank/2026-118'],
  },
  {
    words: 'accounts pay',
    tells: 'a payment on account: over the invoices that are named, else the oldest first; the rest is credit',
    call: 'POST /accounts/:account/payments',
    options: [
      amount('--amount <amount>', 'amountCents', 'such as 1200.50', { needed: true }),
      environment('whose invoices', true),
      choice('--source <source>', 'source', PAYMENT_SOURCES, 'where it comes from; money unless said otherwise'),
      shares('--invoice <invoice=amount>', 'invoices', 'so much of it to this invoice, once for each', { many: true }),
      on('--as-credit', 'invoices', 'to no invoice: all of it is credit', []),
      time('--received-at <time>', 'receivedAt', 'when (default: now)'),
      text('--reference <text>', 'reference', 'as the bank has it'),
    ],
    ownId: 'paymentId',
    examples: [
      'accounts pay acc_0123abcd --environment live --amount 1200 --reference "March" --id bank/2026-118',
      'accounts pay acc_0123abcd --environment live --amount 300 --invoice INV-10001=100 --invoice INV-10002=120.50 --invoice INV-10003=79.50',
    ],
  },
  {
    words: 'accounts reverse',
    tells: 'take a payment on account back, as a whole',
    call: 'DELETE /accounts/:account/payments/:payment',
    examples: ['accounts reverse acc_0123abcd bank/2026-118'],
  },
  {
    words: 'accounts refund',
    tells: "pay an account's credit back",
    call: 'POST /accounts/:account/refunds',
    options: [
      amount('--amount <amount>', 'amountCents', 'such as 120.50', { needed: true }),
      environment('whose credit', true),
      text('--reference <text>', 'reference', 'as the bank has it'),
    ],
    ownId: 'refundId',
    examples: ['accounts refund acc_0123abcd --environment live --amount 120.50'],
  },
  {
    words: 'accounts refunds',
    tells: 'what was paid back, newest first',
    call: 'GET /accounts/:account/refunds',
    options: [environment('both unless said otherwise')],
    shows: { rows: ['createdAt=when', 'refundId=id', 'environment', 'amountCents', 'reference'] },
    examples: ['accounts refunds acc_0123abcd'],
  },
  {
    words: 'keys list',
    tells: "an account's API keys, never their text",
    call: 'GET /accounts/:account/keys',
    shows: { rows: ['id', 'environment', 'name', 'scopes', 'lastFour=ends in', 'lastUsedAt', 'expiresAt', 'revokedAt'] },
    examples: ['keys list acc_0123abcd'],
  },
  {
    words: 'keys mint',
    tells: 'make an API key; its text is shown this once',
    call: 'POST /accounts/:account/keys',
    options: [
      environment('live or test orders', true),
      choice('--scope <scope>', 'scopes', SCOPES, 'what it may do, once for each', { needed: true, many: true }),
      text('--name <name>', 'name', 'what it is for'),
      time('--expires-at <time>', 'expiresAt', 'until when it works'),
    ],
    examples: ['keys mint acc_0123abcd --environment test --scope price:read --scope orders:read --scope orders:write --name "web shop"'],
  },
  {
    words: 'keys revoke',
    tells: 'turn a key off, from its next request on',
    call: 'DELETE /accounts/:account/keys/:key',
    examples: ['keys revoke acc_0123abcd key_0123abcd'],
  },
  {
    words: 'tokens list',
    tells: 'tokens of the studio API, never their text',
    call: 'GET /tokens',
    shows: { rows: ['id', 'name', 'role', 'lastUsedAt', 'expiresAt', 'revokedAt'] },
    examples: ['tokens list'],
  },
  {
    words: 'tokens mint',
    tells: 'make a token for a person or a program of the studio; its text is shown this once',
    call: 'POST /tokens',
    options: [
      text('--name <name>', 'name', 'whose it is, as timelines and the audit log say', { needed: true }),
      choice('--role <role>', 'role', ROLES, 'what it may do', { needed: true }),
      time('--expires-at <time>', 'expiresAt', 'until when it works'),
    ],
    examples: ['tokens mint --name "Press 7" --role floor'],
  },
  {
    words: 'tokens revoke',
    tells: 'turn a token off, from its next request on',
    call: 'DELETE /tokens/:token',
    examples: ['tokens revoke tok_0123abcd'],
  },
];
