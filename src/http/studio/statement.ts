import { readStatement, type StatementEntry, type StatementPeriod } from '../../db/repositories/statement';
import { MAX_PRINTED_LETTERS } from '../../documents/printed-letters';
import { loadStatement as loadStatementDocument, type LoadedStatement } from '../../orders/documents';
import { MAX_PRINTED_ENTRIES } from '../../documents/statement';
import { validationError } from '../../domain/errors';
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
import { type Filters, readFilters } from '../filters';
import { studioCurrency, studioTimeZone, studioToday } from './support/book-in-force';
import { ACCOUNT_ID, ACCOUNT_NAME, EXAMPLE_TIME, EXAMPLE_DUE_TIME, INVOICE_ID, INVOICE_NUMBER } from './support/examples';
import { creditSchema, ENVIRONMENT } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const STATEMENT_PERIOD = DAY_RANGE_FILTERS;

export const STATEMENT_FILTERS = { environment: environmentField, ...STATEMENT_PERIOD } as const;

type Statement = ReturnType<typeof presentStatement>;

const STATEMENT = json.resource<Statement>('Statement', {
  accountId: [json.id('acc'), ACCOUNT_ID],
  accountName: [json.string(), ACCOUNT_NAME],
  environment: [ENVIRONMENT, 'live'],
  currency: [json.currency("the currency of the account's invoices; without invoices, the currency of the price book in force"), 'AUD'],
  from: [json.date("the first day, on the studio's calendar"), '2026-03-01'],
  to: [json.date("the last day, on the studio's calendar"), '2026-03-31'],
  openingCents: [json.cents('the balance before the first entry; negative if the studio owes the account'), 0],
  closingCents: [json.cents('the balance after the last entry: outstanding − credit'), 8425],
  closingOutstandingCents: [json.cents('the unpaid part of all open invoices after the last day'), 8425],
  closingCreditCents: [
    json.cents(
      'the credit after the last day. It is never applied automatically: a payment with `source: credit` uses it, and a refund pays it back.',
    ),
    0,
  ],
  entries: json.list(
    json.object<Statement['entries'][number]>({
      bookedOn: [json.date("the day on which the entry was recorded, on the studio's calendar"), '2026-03-02'],
      receivedOn: json.nullable(json.date("the day on which the money of a payment arrived, on the studio's calendar")),
      refundedOn: json.nullable(json.date("the day on which the money of a refund was sent, on the studio's calendar")),
      line: [json.integer('the line of the statement, from 1; the shares of one payment have the same line'), 1],
      type: [
        json.openEnum(ENTRY_TYPES, '`void`: the open part of a cancelled invoice; `reversal`: of a payment, credit note or refund'),
        'invoice',
      ],
      amountCents: [json.cents('the change of the balance; 0 if credit pays an invoice'), 8425],
      outstandingCents: [json.cents('the change of the outstanding amount'), 8425],
      creditCents: [json.cents('the change of the credit; credit reduces the balance'), 0],
      balanceCents: [json.cents('the balance after the entry'), 8425],
      orderId: [json.nullable(json.id('ord', 'null if the entry concerns the account, not an order')), ORDER_EXAMPLE.orderId],
      orderNumber: [json.nullable(json.string()), ORDER_EXAMPLE.orderNumber],
      invoiceNumber: [json.nullable(json.string('null if the entry concerns no invoice')), INVOICE_NUMBER],
      creditNoteNumber: json.nullable(json.string('the number of the credit note; entries of its reversal have it too')),
      paymentId: json.nullable(json.string('the payment on account or on the order; entries of its reversal have it too')),
      refundId: json.nullable(json.string('the refund; entries of its reversal have it too')),
      reference: json.nullable(
        json.string(
          'the reference of the payment or refund, or the reason of the credit note or reversal. The PDF has no reasons of reversals.',
        ),
      ),
    }),
    'the entries in booking order',
  ),
  openInvoices: json.list(
    json.object<Statement['openInvoices'][number]>({
      invoiceId: [json.id('inv'), INVOICE_ID],
      invoiceNumber: [json.string(), INVOICE_NUMBER],
      orderId: [json.id('ord'), ORDER_EXAMPLE.orderId],
      orderNumber: [json.string(), ORDER_EXAMPLE.orderNumber],
      amountCents: [json.cents('the amount of the invoice'), 8425],
      dueCents: [json.cents('the unpaid amount after the last day'), 8425],
      issuedAt: [json.time(), EXAMPLE_TIME],
      dueAt: [json.time(), EXAMPLE_DUE_TIME],
      dueDate: [json.date("the day of `dueAt` on the studio's calendar"), '2026-04-01'],
    }),
    'invoices unpaid after the last day, the oldest first; at most 1,000',
  ),
  now: [
    { ...creditSchema, description: 'the balances at the time of the request, not at the end of the period' },
    { outstandingCents: 8425, creditCents: 0, availableCents: 491_575, usedBps: 168 },
  ],
});

export const STATEMENT_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/accounts/:id/statement',
    role: 'office',
    query: STATEMENT_FILTERS,
    id: 'getStatement',
    summary: 'Retrieve a statement',
    description:
      "Covers whole days of the studio's calendar, including `from` and `to`. The default is from the first of the month to today. The opening balance and all entries add up to the closing balance, which opens the next period. `openInvoices` lists the unpaid invoices after the last day. A statement of more than one day has at most 10,000 entries.",
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
    summary: 'Export a statement as CSV',
    description:
      'Covers the same days as the statement, with the same limits. The file contains the opening balance, every entry, the closing balance with its outstanding amount and credit, and the open invoices.',
    handler: exportStatement,
  },
];

async function getStatement(request: StudioRequest): Promise<HandlerResponse> {
  const period = await statementPeriod(request, readFilters(request.query, STATEMENT_FILTERS));
  const limit = period.from === period.to ? null : MAX_STATEMENT_ENTRIES + 1;
  const statementRow = requireFound(request, 'acc', await readStatement(request.deps.database, period, limit));
  assertBounded(period, statementRow.entries);
  return {
    data: presentStatement(statementRow, period, { currency: await studioCurrency(request), timeZone: await studioTimeZone(request) }),
  };
}

async function exportStatement(request: StudioRequest): Promise<HandlerResponse> {
  const { data } = await getStatement(request);
  const statement = data as PresentedStatement;
  const columns = statementCsv(statement);
  const lines = [csvHead(columns), csvRows(columns, statementLines(statement), await studioTimeZone(request))];
  return csvResponse(`statement-${statement.from}-${statement.to}`, lines);
}

type RequestedStatement = Filters<typeof STATEMENT_FILTERS>;

/** The statement for a PDF, which holds fewer entries. @throws ApiError NOT_FOUND, VALIDATION_ERROR */
export async function loadPrintableStatement(request: StudioRequest<unknown>, requested: RequestedStatement): Promise<LoadedStatement> {
  const period = await statementPeriod(request, requested);
  const loaded = requireFound(request, 'acc', await loadStatementDocument(request.deps, period));
  assertPrintable(period, loaded);
  return loaded;
}

/** @throws ApiError VALIDATION_ERROR */
async function statementPeriod(
  request: StudioRequest<unknown>,
  { environment = 'live', from: first, to: last }: RequestedStatement,
): Promise<StatementPeriod> {
  const accountId = pathId(request, 'acc');
  assertInOrder('from', first, 'to', last);
  const to = last ?? (await studioToday(request));
  const from = first ?? firstOfMonth(to);
  if (from > to) throw queryError('from', `must not be after "to" (${to}); the default of "to" is today`);
  return { accountId, environment, from, to };
}

/** The period of a request body; by default the month until today. @throws ApiError VALIDATION_ERROR */
export async function periodOfBody(
  request: StudioRequest<unknown>,
  { periodFrom, periodTo }: { periodFrom?: string | undefined; periodTo?: string | undefined },
): Promise<{ from: string; to: string }> {
  const to = periodTo ?? (await studioToday(request));
  const from = periodFrom ?? firstOfMonth(to);
  if (from > to) throw validationError([{ path: 'periodFrom', message: `must not be after "periodTo" (${to}); its default is today` }]);
  return { from, to };
}

/** Limits the entries of a statement; a single day has no limit. @throws ApiError VALIDATION_ERROR with the last day that fits */
function assertBounded({ from, to }: StatementPeriod, entries: readonly StatementEntry[]): void {
  const firstOmitted = entries[MAX_STATEMENT_ENTRIES];
  if (firstOmitted === undefined || from === to) return;
  const lastFittingDay = firstOmitted.booked_on > from ? previousDay(firstOmitted.booked_on) : from;
  throw queryError(
    'to',
    `covers more than ${MAX_STATEMENT_ENTRIES} entries; send to=${lastFittingDay}, and begin the next statement on the day after`,
  );
}

/** @throws ApiError VALIDATION_ERROR with the last day that fits, or without a day if even the first day is too long */
function assertPrintable({ from }: StatementPeriod, { statement, firstUnprintable }: LoadedStatement): void {
  const firstOmitted = statement.entries[firstUnprintable];
  if (firstOmitted === undefined) return;
  const problem = `covers more than a PDF holds, ${MAX_PRINTED_ENTRIES} entries or ${MAX_PRINTED_LETTERS} characters`;
  if (firstOmitted.bookedOn === from) throw queryError('to', `${problem}, and ${from} alone has more; export that day as CSV`);
  throw queryError('to', `${problem}; send to=${previousDay(firstOmitted.bookedOn)}, and begin the next statement on the day after`);
}
