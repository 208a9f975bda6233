import { readStatement, type StatementEntry, type StatementPeriod, type StatementRow } from '../../db/repositories/statement';
import type { AccountRow } from '../../db/rows';
import { firstUnprintable, MAX_PRINTED_ENTRIES, MAX_PRINTED_LETTERS } from '../../documents/statement';
import { ENTRY_TYPES, MAX_STATEMENT_ENTRIES } from '../../domain/ledger';
import type { Environment } from '../../domain/limits';
import { dayBefore, firstOfMonth } from '../../domain/pricing/ready-date';
import { csvHead, csvRows } from '../../presenters/csv';
import { statementCsv, statementLines } from '../../presenters/csv-columns';
import { type PresentedStatement, presentStatement } from '../../presenters/statement';
import { queryError } from '../cursor';
import { ORDER_EXAMPLE } from '../openapi/examples';
import * as json from '../openapi/json';
import { found, pathId } from '../path-id';
import type { Answer } from '../types';
import { assertInOrder } from './support/money-lists';
import { CSV, csvFile } from './support/lists';
import { readFilters } from '../filters';
import { zoneOf } from '../pdf';
import { ACCOUNT_EXAMPLE, ACCOUNT_ID, INVOICE_ROW_EXAMPLE } from './support/examples';
import { environmentField, PERIOD } from './support/query-filters';
import { creditSchema, ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const STATEMENT_FILTERS = { environment: environmentField, ...PERIOD } as const;

const STATEMENT_EXAMPLE = {
  accountId: ACCOUNT_ID,
  accountName: ACCOUNT_EXAMPLE.name,
  environment: 'live',
  currency: 'AUD',
  from: '2026-03-01',
  to: '2026-03-31',
  openingCents: 0,
  closingCents: 8425,
  closingOutstandingCents: 8425,
  closingCreditCents: 0,
  entries: [
    {
      bookedOn: '2026-03-02',
      type: 'invoice',
      amountCents: 8425,
      outstandingCents: 8425,
      creditCents: 0,
      balanceCents: 8425,
      orderId: ORDER_EXAMPLE.orderId,
      orderNumber: ORDER_EXAMPLE.orderNumber,
      invoiceNumber: INVOICE_ROW_EXAMPLE.invoiceNumber,
      creditNoteNumber: null,
      paymentId: null,
      refundId: null,
      reference: null,
    },
  ],
  openInvoices: [
    {
      invoiceId: INVOICE_ROW_EXAMPLE.invoiceId,
      invoiceNumber: INVOICE_ROW_EXAMPLE.invoiceNumber,
      orderId: ORDER_EXAMPLE.orderId,
      orderNumber: ORDER_EXAMPLE.orderNumber,
      amountCents: 8425,
      dueCents: 8425,
      issuedAt: INVOICE_ROW_EXAMPLE.issuedAt,
      dueAt: INVOICE_ROW_EXAMPLE.dueAt,
      dueDate: INVOICE_ROW_EXAMPLE.dueAt.slice(0, 10),
    },
  ],
  now: { outstandingCents: 8425, creditCents: 0, availableCents: 491_575, usedBps: 168 },
};

type Statement = ReturnType<typeof presentStatement>;

const STATEMENT = json.resourceWithExample<Statement>('Statement', STATEMENT_EXAMPLE, {
  accountId: json.id('acc'),
  accountName: json.string(),
  environment: ENVIRONMENT,
  currency: json.currency("of the account's invoices, else of the price book in force"),
  from: json.date("a day of the studio's calendar, included"),
  to: json.date('the same, included too'),
  openingCents: json.cents('owed before the first entry; negative where the studio owes the account'),
  closingCents: json.cents('owed after the last: what was outstanding less the credit'),
  closingOutstandingCents: json.cents('what was to be paid after the last day, on all open invoices'),
  closingCreditCents: json.cents(
    'credit after the last day, never applied automatically: a payment with `source: credit` pays invoices with it, a refund records that it was paid back',
  ),
  entries: json.list(
    json.object<Statement['entries'][number]>({
      bookedOn: json.date(),
      type: json.oneOf(ENTRY_TYPES),
      amountCents: json.cents('what it adds to the balance; 0 where credit pays an invoice'),
      outstandingCents: json.cents('of that, to what is outstanding'),
      creditCents: json.cents('and to the credit, which counts against it'),
      balanceCents: json.cents('after it'),
      orderId: json.nullable(json.id('ord')),
      orderNumber: json.nullable(json.string()),
      invoiceNumber: json.nullable(json.string()),
      creditNoteNumber: json.nullable(json.string()),
      paymentId: json.nullable(json.string('of the payment on account, or on the order')),
      refundId: json.nullable(json.string()),
      reference: json.nullable(json.string('of the payment or refund; of a credit note its reason')),
    }),
    'as they were booked',
  ),
  openInvoices: json.list(
    json.object<Statement['openInvoices'][number]>({
      invoiceId: json.id('inv'),
      invoiceNumber: json.string(),
      orderId: json.id('ord'),
      orderNumber: json.string(),
      amountCents: json.cents('of the invoice'),
      dueCents: json.cents('to be paid on it after the last day'),
      issuedAt: json.time(),
      dueAt: json.time(),
      dueDate: json.date("the day of `dueAt` on the studio's calendar"),
    }),
    'those with something to be paid after the last day, the oldest first; at most 1,000',
  ),
  now: creditSchema,
});

export const STATEMENT_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/accounts/:id/statement',
    role: 'office',
    query: STATEMENT_FILTERS,
    id: 'getStatement',
    summary: "An account's statement",
    description:
      "Whole days of the studio's calendar, both included: from the first of the month unless said otherwise, to today. The opening balance and every " +
      'entry make the closing balance, which the next period opens with. `openInvoices` has what was to be paid on each invoice after the last day. ' +
      'Up to 10,000 entries, or a single day.',
    answer: STATEMENT,
    handler: getStatement,
  },
  {
    method: 'GET',
    path: '/accounts/:id/statement.csv',
    role: 'office',
    query: STATEMENT_FILTERS,
    ...CSV,
    id: 'exportStatement',
    summary: "An account's statement, as CSV",
    description:
      'Of the same days as the statement itself, and refused where that is: the opening balance, every entry, the closing balance, what of it is ' +
      'outstanding and what is credit, and the open invoices.',
    handler: exportStatement,
  },
];

/** `GET /accounts/{id}/statement`: whole days of the studio's calendar, this month up to today unless said otherwise (ruling 52). */
async function getStatement(request: StudioRequest): Promise<Answer> {
  const period = await statementPeriod(request);
  const account = await readAsked(request, period, period.from === period.to ? null : MAX_STATEMENT_ENTRIES + 1);
  assertBounded(period, account.entries);
  return { data: presentStatement(account, period, await studioOf(request)) };
}

/** `GET /accounts/{id}/statement.csv`: the same, between its two balances. */
async function exportStatement(request: StudioRequest): Promise<Answer> {
  const { data } = await getStatement(request);
  const statement = data as PresentedStatement;
  const columns = statementCsv(statement);
  const lines = [csvHead(columns), csvRows(columns, statementLines(statement), await zoneOf(request))];
  return csvFile(`statement-${statement.from}-${statement.to}`, lines);
}

async function studioOf(request: StudioRequest): Promise<{ currency: string; timeZone: string }> {
  const { pricingTerms, database, clock } = request.deps;
  return { currency: await pricingTerms.currency(database, clock.now()), timeZone: await zoneOf(request) };
}

interface ToPrint {
  statement: PresentedStatement;
  /** As it is stored. */
  account: AccountRow;
}

/** The same for paper, which holds less. @throws ApiError NOT_FOUND, VALIDATION_ERROR */
export async function statementToPrint(request: StudioRequest): Promise<ToPrint> {
  const period = await statementPeriod(request);
  const account = await readAsked(request, period, MAX_PRINTED_ENTRIES + 1);
  const statement = presentStatement(account, period, await studioOf(request));
  assertPrintable(period, statement.entries);
  return { statement, account };
}

async function readAsked(request: StudioRequest, period: StatementPeriod, limit: number | null): Promise<StatementRow> {
  return found(request, 'acc', await readStatement(request.deps.database, period, limit));
}

/** @throws ApiError VALIDATION_ERROR */
async function statementPeriod(request: StudioRequest): Promise<StatementPeriod> {
  const { deps, query } = request;
  const accountId = pathId(request, 'acc');
  const { environment = 'live', from: first, to: last } = readFilters(query, STATEMENT_FILTERS);
  assertInOrder('from', first, 'to', last);
  const to = last ?? (await deps.pricingTerms.today(deps.database, deps.clock.now()));
  const from = first ?? firstOfMonth(to);
  if (from > to) throw queryError('from', `must not be after to, which is today unless it is sent: ${to}`);
  return { accountId, environment: environment as Environment, from, to };
}

/** A single day is answered whatever was booked on it. @throws ApiError VALIDATION_ERROR that says up to when it is not too much */
function assertBounded({ from, to }: StatementPeriod, entries: readonly StatementEntry[]): void {
  const beyond = entries[MAX_STATEMENT_ENTRIES];
  if (beyond === undefined || from === to) return;
  const fits = beyond.booked_on > from ? dayBefore(beyond.booked_on) : from;
  throw queryError(
    'to',
    `covers more than ${MAX_STATEMENT_ENTRIES} entries; to=${fits} does not, and the next statement begins the day after`,
  );
}

/** @throws ApiError VALIDATION_ERROR that says up to when a PDF holds it, or that none does */
function assertPrintable({ accountId, from, to }: StatementPeriod, entries: PresentedStatement['entries']): void {
  const beyond = entries[firstUnprintable(entries)];
  if (beyond === undefined) return;
  const name = `covers more than a PDF holds, ${MAX_PRINTED_ENTRIES} entries or ${MAX_PRINTED_LETTERS} letters`;
  const asJson = `/accounts/${accountId}/statement?from=${from}&to=${from}`;
  if (beyond.bookedOn === from)
    throw queryError('to', `${name}, ${to === from ? '' : 'already '}on ${from} alone; read that day as JSON: ${asJson}`);
  throw queryError('to', `${name}; to=${dayBefore(beyond.bookedOn)} does not, and the next statement begins the day after`);
}
