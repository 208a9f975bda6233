import { readStatement, type StatementEntry, type StatementPeriod, type StatementRow } from '../../db/repositories/statement';
import type { AccountRow } from '../../db/rows';
import { findFirstUnprintable, MAX_PRINTED_ENTRIES, MAX_PRINTED_LETTERS } from '../../documents/statement';
import { ENTRY_TYPES, MAX_STATEMENT_ENTRIES } from '../../domain/ledger';
import { previousDay, firstOfMonth } from '../../domain/pricing/ready-date';
import { csvHead, csvRows } from '../../presenters/csv';
import { statementCsv, statementLines } from '../../presenters/csv-columns';
import { type PresentedStatement, presentStatement } from '../../presenters/statement';
import { queryError } from '../cursor';
import { ORDER_EXAMPLE } from '../openapi/examples';
import * as json from '../openapi/json';
import { requireFound, pathId } from '../path-id';
import type { HandlerResponse } from '../types';
import { assertInOrder, environmentField, DAY_RANGE_FILTERS } from './support/query-filters';
import { CSV_RESPONSE, csvResponse } from './support/lists';
import { readFilters } from '../filters';
import { studioTimeZone } from '../pdf';
import { ACCOUNT_ID, ACCOUNT_NAME, EXAMPLE_TIME, EXAMPLE_DUE_TIME, INVOICE_ID, INVOICE_NUMBER } from './support/examples';
import { creditSchema, ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const STATEMENT_FILTERS = { environment: environmentField, ...DAY_RANGE_FILTERS } as const;

type Statement = ReturnType<typeof presentStatement>;

const STATEMENT = json.resource<Statement>('Statement', {
  accountId: [json.id('acc'), ACCOUNT_ID],
  accountName: [json.string(), ACCOUNT_NAME],
  environment: [ENVIRONMENT, 'live'],
  currency: [json.currency("of the account's invoices, else of the price book in force"), 'AUD'],
  from: [json.date("a day of the studio's calendar, included"), '2026-03-01'],
  to: [json.date('the same, included too'), '2026-03-31'],
  openingCents: [json.cents('owed before the first entry; negative where the studio owes the account'), 0],
  closingCents: [json.cents('owed after the last: what was outstanding less the credit'), 8425],
  closingOutstandingCents: [json.cents('what was to be paid after the last day, on all open invoices'), 8425],
  closingCreditCents: [
    json.cents(
      'credit after the last day, never applied automatically: a payment with `source: credit` pays invoices with it, a refund records that it was paid back',
    ),
    0,
  ],
  entries: json.list(
    json.object<Statement['entries'][number]>({
      bookedOn: [json.date(), '2026-03-02'],
      type: [json.openEnum(ENTRY_TYPES), 'invoice'],
      amountCents: [json.cents('what it adds to the balance; 0 where credit pays an invoice'), 8425],
      outstandingCents: [json.cents('of that, to what is outstanding'), 8425],
      creditCents: [json.cents('and to the credit, which counts against it'), 0],
      balanceCents: [json.cents('after it'), 8425],
      orderId: [json.nullable(json.id('ord')), ORDER_EXAMPLE.orderId],
      orderNumber: [json.nullable(json.string()), ORDER_EXAMPLE.orderNumber],
      invoiceNumber: [json.nullable(json.string()), INVOICE_NUMBER],
      creditNoteNumber: json.nullable(json.string()),
      paymentId: json.nullable(json.string('of the payment on account, or on the order')),
      refundId: json.nullable(json.string()),
      reference: json.nullable(json.string('of the payment or refund; of a credit note its reason')),
    }),
    'as they were booked',
  ),
  openInvoices: json.list(
    json.object<Statement['openInvoices'][number]>({
      invoiceId: [json.id('inv'), INVOICE_ID],
      invoiceNumber: [json.string(), INVOICE_NUMBER],
      orderId: [json.id('ord'), ORDER_EXAMPLE.orderId],
      orderNumber: [json.string(), ORDER_EXAMPLE.orderNumber],
      amountCents: [json.cents('of the invoice'), 8425],
      dueCents: [json.cents('to be paid on it after the last day'), 8425],
      issuedAt: [json.time(), EXAMPLE_TIME],
      dueAt: [json.time(), EXAMPLE_DUE_TIME],
      dueDate: [json.date("the day of `dueAt` on the studio's calendar"), '2026-04-01'],
    }),
    'those with something to be paid after the last day, the oldest first; at most 1,000',
  ),
  now: [creditSchema, { outstandingCents: 8425, creditCents: 0, availableCents: 491_575, usedBps: 168 }],
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
    response: STATEMENT,
    handler: getStatement,
  },
  {
    method: 'GET',
    path: '/accounts/:id/statement.csv',
    role: 'office',
    query: STATEMENT_FILTERS,
    ...CSV_RESPONSE,
    id: 'exportStatement',
    summary: "An account's statement, as CSV",
    description:
      'Of the same days as the statement itself, and refused where that is: the opening balance, every entry, the closing balance, what of it is ' +
      'outstanding and what is credit, and the open invoices.',
    handler: exportStatement,
  },
];

/** Ruling 52. */
async function getStatement(request: StudioRequest): Promise<HandlerResponse> {
  const period = await statementPeriod(request);
  const account = await loadStatement(request, period, period.from === period.to ? null : MAX_STATEMENT_ENTRIES + 1);
  assertBounded(period, account.entries);
  return { data: presentStatement(account, period, await loadCurrencyAndZone(request)) };
}

async function exportStatement(request: StudioRequest): Promise<HandlerResponse> {
  const { data } = await getStatement(request);
  const statement = data as PresentedStatement;
  const columns = statementCsv(statement);
  const lines = [csvHead(columns), csvRows(columns, statementLines(statement), await studioTimeZone(request))];
  return csvResponse(`statement-${statement.from}-${statement.to}`, lines);
}

async function loadCurrencyAndZone(request: StudioRequest): Promise<{ currency: string; timeZone: string }> {
  const { pricingTerms, database, clock } = request.deps;
  return { currency: await pricingTerms.currency(database, clock.now()), timeZone: await studioTimeZone(request) };
}

interface PrintableStatement {
  statement: PresentedStatement;
  /** As it is stored. */
  account: AccountRow;
}

/** The same for paper, which holds less. @throws ApiError NOT_FOUND, VALIDATION_ERROR */
export async function loadPrintableStatement(request: StudioRequest): Promise<PrintableStatement> {
  const period = await statementPeriod(request);
  const account = await loadStatement(request, period, MAX_PRINTED_ENTRIES + 1);
  const statement = presentStatement(account, period, await loadCurrencyAndZone(request));
  assertPrintable(period, statement.entries);
  return { statement, account };
}

async function loadStatement(request: StudioRequest, period: StatementPeriod, limit: number | null): Promise<StatementRow> {
  return requireFound(request, 'acc', await readStatement(request.deps.database, period, limit));
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
  return { accountId, environment, from, to };
}

/** A single day is answered whatever was booked on it. @throws ApiError VALIDATION_ERROR that says up to when it is not too much */
function assertBounded({ from, to }: StatementPeriod, entries: readonly StatementEntry[]): void {
  const firstOmitted = entries[MAX_STATEMENT_ENTRIES];
  if (firstOmitted === undefined || from === to) return;
  const lastFittingDay = firstOmitted.booked_on > from ? previousDay(firstOmitted.booked_on) : from;
  throw queryError(
    'to',
    `covers more than ${MAX_STATEMENT_ENTRIES} entries; to=${lastFittingDay} does not, and the next statement begins the day after`,
  );
}

/** @throws ApiError VALIDATION_ERROR that says up to when a PDF holds it, or that none does */
function assertPrintable({ accountId, from, to }: StatementPeriod, entries: PresentedStatement['entries']): void {
  const firstOmitted = entries[findFirstUnprintable(entries)];
  if (firstOmitted === undefined) return;
  const name = `covers more than a PDF holds, ${MAX_PRINTED_ENTRIES} entries or ${MAX_PRINTED_LETTERS} letters`;
  const asJson = `/accounts/${accountId}/statement?from=${from}&to=${from}`;
  if (firstOmitted.bookedOn === from)
    throw queryError('to', `${name}, ${to === from ? '' : 'already '}on ${from} alone; read that day as JSON: ${asJson}`);
  throw queryError('to', `${name}; to=${previousDay(firstOmitted.bookedOn)} does not, and the next statement begins the day after`);
}
