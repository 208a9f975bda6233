import { PAYMENT_SOURCES } from '../../domain/account-payment';
import { ACCOUNT_STATUSES, ENVIRONMENTS, SCOPES } from '../../domain/limits';
import { ROLES } from '../../domain/roles';
import {
  amount,
  amountOrNone,
  choice,
  day,
  dayOrTime,
  flag,
  perCent,
  invoiceShares,
  text,
  time,
  integer,
  type ApiCommand,
  type CommandOption,
} from '../api-command';

const ACCOUNT_COLUMNS = [
  'id',
  'name',
  'status',
  'live.outstandingCents=owes',
  'live.creditCents=credit',
  'live.availableCents=available',
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

const accountOptions = (isRequired: boolean): CommandOption[] => [
  text('--name <name>', 'name', 'name on invoices', { isRequired }),
  text('--email <address>', 'email', 'e-mail address of the account', { isRequired }),
  perCent('--discount <percent>', 'tradeDiscountBps', 'trade discount in percent, such as 12.5'),
  amountOrNone('--credit-limit <amount>', 'creditLimitCents', 'credit limit; none means no limit'),
  integer('--terms <days>', 'paymentTermsDays', 'days to pay an invoice'),
  choice('--status <status>', 'status', ACCOUNT_STATUSES, 'suspended disables all keys at once'),
  flag('--api-access', 'apiAccess', 'allow API access'),
  flag('--no-api-access', 'apiAccess', 'refuse API access', false),
];

export const environment = (description: string, isRequired = false): CommandOption =>
  choice('--environment <environment>', 'environment', ENVIRONMENTS, description, { isRequired });

export const ACCOUNT_COMMANDS: readonly ApiCommand[] = [
  {
    name: 'accounts list',
    description: 'list accounts with their balances, newest first',
    call: 'GET /accounts',
    options: [
      text('--q <text>', 'q', 'part of the name, e-mail address or id'),
      choice('--status <status>', 'status', ACCOUNT_STATUSES, 'only this status'),
      integer(
        '--credit-used-over <percent>',
        'creditUsedOver',
        'only accounts whose live orders use more than this percentage of the limit',
      ),
      choice(
        '--sort <order>',
        'sort',
        ['newest', 'name', 'creditUsed', 'createdAt'],
        'order of rows; createdAt means newest, creditUsed lists the largest used share of a limit first',
      ),
    ],
    output: { rows: ACCOUNT_COLUMNS },
    examples: ['accounts list --q gallery', 'accounts list --credit-used-over 80 --sort creditUsed', 'accounts list --all --json'],
  },
  {
    name: 'accounts show',
    description: 'show an account',
    call: 'GET /accounts/:account',
    examples: ['accounts show acc_0123abcd'],
  },
  {
    name: 'accounts create',
    description: 'create an account; the defaults are no discount, no credit limit and 30 days to pay',
    call: 'POST /accounts',
    options: accountOptions(true),
    ownIdField: 'accountRequestId',
    examples: ['accounts create --name "Gallery North" --email orders@gallery.example --discount 20 --credit-limit 5000'],
  },
  {
    name: 'accounts update',
    description: 'update an account; changes apply from its next request on',
    call: 'PATCH /accounts/:account',
    options: accountOptions(false),
    examples: ['accounts update acc_0123abcd --credit-limit 8000', 'accounts update acc_0123abcd --status suspended'],
  },
  {
    name: 'accounts erase',
    description: 'erase personal data of settled orders and expired quotes; counts first and asks for confirmation',
    call: 'POST /accounts/:account/erase',
    options: [
      dayOrTime('--before <day>', 'before', 'orders placed and quotes expired before this day (UTC) or time', { isRequired: true }),
    ],
    dryRunQuestion: 'Erase this data permanently?',
    repeatsUntilComplete: true,
    output: { fields: ['dryRun=only counted', 'orders', 'quotes=expired quotes', 'artwork=artwork files'] },
    examples: ['accounts erase acc_0123abcd --before 2024-07-01 --dry-run', 'accounts erase acc_0123abcd --before 2024-07-01'],
  },
  {
    name: 'accounts statement',
    description:
      'show the statement of an account with opening balance, entries, closing balance and open invoices; to use credit, run accounts pay --source credit or accounts refund',
    call: 'GET /accounts/:account/statement',
    options: [environment('environment (default: live)'), day('--from <day>', 'from', 'first day'), day('--to <day>', 'to', 'last day')],
    output: {
      fields: [
        'accountName=account',
        'environment',
        'from',
        'to',
        'openingCents',
        'closingCents',
        'closingOutstandingCents=to pay',
        'closingCreditCents=credit',
        'now.outstandingCents',
        'now.creditCents',
      ],
      lists: {
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
        openInvoices: ['invoiceNumber=invoice', 'orderNumber=order', 'issuedAt=issued', 'dueDate=due', 'amountCents', 'dueCents=to pay'],
      },
    },
    examples: ['accounts statement acc_0123abcd', 'accounts statement acc_0123abcd --from 2026-03-01 --to 2026-03-31'],
  },
  {
    name: 'accounts statement-pdf',
    description: 'save the statement as PDF',
    call: 'GET /accounts/:account/statement.pdf',
    options: [environment('environment (default: live)'), day('--from <day>', 'from', 'first day'), day('--to <day>', 'to', 'last day')],
    output: { file: ([account = '']) => `statement-${account}.pdf` },
    examples: ['accounts statement-pdf acc_0123abcd --from 2026-03-01 --to 2026-03-31'],
  },
  {
    name: 'accounts payments',
    description: 'list payments on account, newest first',
    call: 'GET /accounts/:account/payments',
    options: [environment('environment (default: both)')],
    output: { rows: PAYMENT_COLUMNS },
    examples: ['accounts payments acc_0123abcd'],
  },
  {
    name: 'accounts payment',
    description: 'show a payment on account with its invoices',
    call: 'GET /accounts/:account/payments/:payment',
    examples: ['accounts payment acc_0123abcd bank/2026-118'],
  },
  {
    name: 'accounts pay',
    description: 'record a payment on account: for the given invoices, or the oldest first; the rest becomes credit',
    call: 'POST /accounts/:account/payments',
    options: [
      amount('--amount <amount>', 'amountCents', 'amount, such as 1200.50', { isRequired: true }),
      environment('environment of the invoices', true),
      choice('--source <source>', 'source', PAYMENT_SOURCES, 'source of the payment (default: money)'),
      invoiceShares('--invoice <invoice=amount>', 'invoices', 'amount for an invoice; repeat it for each invoice', { isRepeatable: true }),
      flag('--as-credit', 'invoices', 'pay no invoice; the complete amount becomes credit', []),
      time('--received-at <time>', 'receivedAt', 'time of receipt (default: now)'),
      text('--reference <text>', 'reference', 'reference on the bank statement'),
    ],
    ownIdField: 'paymentId',
    examples: [
      'accounts pay acc_0123abcd --environment live --amount 1200 --reference "March" --id bank/2026-118',
      'accounts pay acc_0123abcd --environment live --amount 15.75 --source credit --invoice INV-10001=15.75',
      'accounts pay acc_0123abcd --environment live --amount 300 --invoice INV-10001=100 --invoice INV-10002=120.50 --invoice INV-10003=79.50',
    ],
  },
  {
    name: 'accounts reverse',
    description: 'reverse a payment on account',
    call: 'DELETE /accounts/:account/payments/:payment',
    examples: ['accounts reverse acc_0123abcd bank/2026-118'],
  },
  {
    name: 'accounts refund',
    description: 'record a refund of credit',
    call: 'POST /accounts/:account/refunds',
    options: [
      amount('--amount <amount>', 'amountCents', 'amount, such as 120.50', { isRequired: true }),
      environment('environment of the credit', true),
      text('--reference <text>', 'reference', 'reference on the bank statement'),
    ],
    ownIdField: 'refundId',
    examples: ['accounts refund acc_0123abcd --environment live --amount 120.50'],
  },
  {
    name: 'accounts refunds',
    description: 'list refunds of an account, newest first',
    call: 'GET /accounts/:account/refunds',
    options: [environment('environment (default: both)')],
    output: { rows: ['createdAt=when', 'refundId=id', 'environment', 'amountCents', 'reference', 'reversedAt'] },
    examples: ['accounts refunds acc_0123abcd'],
  },
  {
    name: 'accounts reverse-refund',
    description: 'reverse a refund; the money becomes credit again',
    call: 'POST /accounts/:account/refunds/:refund/reverse',
    options: [text('--reason <text>', 'reason', 'reason, printed on the statement', { isRequired: true })],
    ownIdField: 'reversalId',
    examples: ['accounts reverse-refund acc_0123abcd bank/2026-120 --reason "their bank account is closed"'],
  },
  {
    name: 'keys list',
    description: 'list the API keys of an account, without secrets',
    call: 'GET /accounts/:account/keys',
    output: { rows: ['id', 'environment', 'name', 'scopes', 'lastFour=ends in', 'lastUsedAt', 'expiresAt', 'revokedAt'] },
    examples: ['keys list acc_0123abcd'],
  },
  {
    name: 'keys mint',
    description: 'create an API key; its secret is shown only once',
    call: 'POST /accounts/:account/keys',
    options: [
      environment('environment of the key', true),
      choice('--scope <scope>', 'scopes', SCOPES, 'scope; repeat it for each scope', { isRequired: true, isRepeatable: true }),
      text('--name <name>', 'name', 'name of the key'),
      time('--expires-at <time>', 'expiresAt', 'time of expiry'),
    ],
    examples: ['keys mint acc_0123abcd --environment test --scope price:read --scope orders:read --scope orders:write --name "web shop"'],
  },
  {
    name: 'keys revoke',
    description: 'revoke an API key; its next request is refused',
    call: 'DELETE /accounts/:account/keys/:key',
    examples: ['keys revoke acc_0123abcd key_0123abcd'],
  },
  {
    name: 'tokens list',
    description: 'list studio API tokens, without secrets',
    call: 'GET /tokens',
    output: { rows: ['id', 'name', 'role', 'lastUsedAt', 'expiresAt', 'revokedAt'] },
    examples: ['tokens list'],
  },
  {
    name: 'tokens mint',
    description: 'create a studio API token for a person or program; its secret is shown only once',
    call: 'POST /tokens',
    options: [
      text('--name <name>', 'name', 'name in timelines and the audit log', { isRequired: true }),
      choice('--role <role>', 'role', ROLES, 'role', { isRequired: true }),
      time('--expires-at <time>', 'expiresAt', 'time of expiry'),
    ],
    examples: ['tokens mint --name "Press 7" --role floor'],
  },
  {
    name: 'tokens revoke',
    description: 'revoke a studio API token; its next request is refused',
    call: 'DELETE /tokens/:token',
    examples: ['tokens revoke tok_0123abcd'],
  },
];
