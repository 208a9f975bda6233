import {
  type BilledInvoice,
  countInvoicesByAge,
  findInvoice,
  type InvoiceFilter,
  type InvoiceListFilter,
  listInvoices,
  type InvoiceWithRecords,
} from '../../db/repositories/invoices';
import { toSearchForm } from '../../db/repositories/order-search';
import { notFoundError } from '../../domain/errors';
import { AGEING_BUCKETS, ageingPeriods, currentMonth, type TimePeriod } from '../../domain/pricing/invoice-ageing';
import { INVOICE_STATES, type InvoiceState, UNPAID_STATES } from '../../domain/ledger';
import { parseInvoiceReference } from '../../domain/order-number';
import { startOfDay, type StudioDay } from '../../domain/pricing/ready-date';
import { parseNumberStart } from '../../domain/search-text';
import { INVOICE_CSV } from '../../presenters/csv-columns';
import { presentInvoiceAgeing, presentInvoiceRow, presentInvoiceDetail } from '../../presenters/invoices';
import * as json from '../openapi/json';
import { oneOfField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { studioDay } from './support/book-in-force';
import { defineList } from './support/lists';
import { type Filters, readFilters } from '../filters';
import { dayField } from './support/fields';
import {
  accountIdField,
  assertInOrder,
  environmentField,
  DAY_RANGE_FILTERS,
  resolveTimeRange,
  searchTextField,
} from './support/query-filters';
import { ENVIRONMENT } from './support/resources';
import { INVOICE_ROW_FIELDS, type InvoiceRow, INVOICE_DETAIL } from './support/invoice-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const INVOICE_SORTS = ['newest', 'oldest', 'dueDate', 'outstanding'] as const;

const BUCKETS = [...AGEING_BUCKETS, 'paidThisMonth'] as const;

const AGEING_FILTERS = {
  environment: environmentField,
  accountId: accountIdField,
  state: oneOfField(INVOICE_STATES).description('only this state'),
  overdue: oneOfField(['true']).description('only unpaid invoices whose due date has passed'),
  q: searchTextField().description(
    'the start of an invoice number, such as `INV-100` or `100`; the start of a credit-note or order number lists its invoice',
  ),
  ...DAY_RANGE_FILTERS,
  voidedFrom: dayField().description('only invoices voided on that day or later'),
  voidedTo: dayField().description('only invoices voided on that day or earlier'),
} as const;

const INVOICE_FILTERS = {
  ...AGEING_FILTERS,
  bucket: oneOfField(BUCKETS).description('only the invoices that the ageing counts under this name'),
  sort: oneOfField(INVOICE_SORTS).description(
    'the default is `newest`; `dueDate` lists the earliest first and `outstanding` the largest, both only unpaid invoices unless `state` is sent',
  ),
} as const;

const INVOICE_ROW = json.resource<InvoiceRow>('InvoiceRow', INVOICE_ROW_FIELDS);

type Ageing = ReturnType<typeof presentInvoiceAgeing>;

const ageingBucket = (description: string) =>
  json.object<Ageing['buckets']['current']>(
    { invoices: json.integer('the number of unpaid invoices'), dueCents: json.cents('the sum of their `dueCents`') },
    { description },
  );

const INVOICE_AGEING = json.resource<Ageing>('InvoiceAgeing', {
  environment: [ENVIRONMENT, 'live'],
  date: [json.date("today on the studio's calendar"), '2026-04-13'],
  buckets: [
    json.object<Ageing['buckets']>({
      current: ageingBucket('due today or later'),
      days1To30: ageingBucket('due 1 to 30 days ago'),
      days31To60: ageingBucket('due 31 to 60 days ago'),
      days61Plus: ageingBucket('due 61 or more days ago'),
    }),
    {
      current: { invoices: 12, dueCents: 101_100 },
      days1To30: { invoices: 3, dueCents: 25_275 },
      days31To60: { invoices: 1, dueCents: 8425 },
      days61Plus: { invoices: 0, dueCents: 0 },
    },
  ],
  paidThisMonth: [
    json.object<Ageing['paidThisMonth']>({
      invoices: json.integer('invoices with a payment received this month, without void ones'),
      paidCents: json.cents('the sum of these payments, without reversed ones'),
    }),
    { invoices: 4, paidCents: 33_700 },
  ],
});

export const INVOICES_ENDPOINTS: readonly StudioEndpointRow[] = [
  ...defineList({
    path: '/invoices',
    role: 'office',
    filters: INVOICE_FILTERS,
    id: 'listInvoices',
    summary: 'List invoices',
    description:
      "Lists the newest first, of live orders unless `environment` is `test`. `from` and `to` are days of issue on the studio's calendar, inclusive.",
    entry: INVOICE_ROW,
    links: {
      readIt: {
        operationId: 'getInvoice',
        parameters: { id: '$response.body#/data/0/invoiceNumber' },
        description: 'Retrieves the newest invoice.',
      },
    },
    list: async (request) => {
      const day = await studioDay(request);
      return {
        find: async (filters, page) => listInvoices(request.deps.database, await toListFilter(request, filters, day), page),
        cursorOf: (invoice, { sort }) => ({ createdAt: cursorTime(invoice, sort), id: invoice.id }),
        present: (invoice) => presentInvoiceRow(invoice, day),
      };
    },
    csv: { id: 'exportInvoices', summary: 'Export invoices as CSV', columns: INVOICE_CSV },
  }),
  {
    method: 'GET',
    path: '/invoices/ageing',
    role: 'office',
    query: AGEING_FILTERS,
    id: 'getInvoiceAgeing',
    summary: 'Retrieve the ageing of invoices',
    description:
      "Counts unpaid invoices by the days since their due date, on the studio's calendar, and the invoices with a payment received this month. Counts live invoices unless `environment` is `test`. The other filters are those of the list.",
    response: INVOICE_AGEING,
    handler: getInvoiceAgeing,
  },
  {
    method: 'GET',
    path: '/invoices/:id',
    role: 'office',
    id: 'getInvoice',
    summary: 'Retrieve an invoice',
    description: 'The response contains its payments and credit notes. The path takes the id or the number of the invoice.',
    response: INVOICE_DETAIL,
    handler: getInvoice,
  },
];

type AgeingFilters = Filters<typeof AGEING_FILTERS>;
type InvoiceFilters = Filters<typeof INVOICE_FILTERS>;

/** A cursor position is a time, so the cents are encoded as one. */
function cursorTime(invoice: BilledInvoice, sort: string | undefined): Date {
  if (sort === 'outstanding') return new Date(invoice.amount_cents - invoice.paid_cents - invoice.credited_cents);
  return sort === 'dueDate' ? invoice.due_at : invoice.issued_at;
}

async function getInvoiceAgeing(request: StudioRequest): Promise<HandlerResponse> {
  const filters = readFilters(request.query, AGEING_FILTERS);
  const day = await studioDay(request);
  const filter = await toInvoiceFilter(request, filters, day);
  const periods = { periods: ageingPeriods(day), paidIn: currentMonth(day) };
  return { data: presentInvoiceAgeing(filter.environment, day, await countInvoicesByAge(request.deps.database, filter, periods)) };
}

export async function getInvoice(request: StudioRequest): Promise<HandlerResponse> {
  return { data: presentInvoiceDetail(await loadInvoice(request), await studioDay(request)) };
}

/** @throws ApiError NOT_FOUND */
export async function loadInvoice({ deps, params }: StudioRequest): Promise<InvoiceWithRecords> {
  const reference = parseInvoiceReference(params.id ?? '');
  const invoice = reference === null ? null : await findInvoice(deps.database, reference);
  if (invoice === null) throw notFoundError('invoice');
  return invoice;
}

/** @throws ApiError VALIDATION_ERROR if `from` is after `to` */
async function toInvoiceFilter(request: StudioRequest, filters: AgeingFilters, { timeZone, today }: StudioDay): Promise<InvoiceFilter> {
  const { environment = 'live', from, to, voidedFrom, voidedTo, q } = filters;
  assertInOrder('from', from, 'to', to);
  assertInOrder('voidedFrom', voidedFrom, 'voidedTo', voidedTo);
  const [issued, voided] = [
    await resolveTimeRange(request, { from, to }),
    await resolveTimeRange(request, { from: voidedFrom, to: voidedTo }),
  ];
  const number = q === undefined ? null : parseNumberStart(await toSearchForm(request.deps.database, q), environment);
  return {
    environment,
    accountId: filters.accountId ?? null,
    // A text that is no number matches no invoice.
    states: q !== undefined && number === null ? [] : requestedStates(filters),
    issuedFrom: issued.from ?? null,
    issuedBefore: issued.to ?? null,
    dueFrom: null,
    dueBefore: filters.overdue === undefined ? null : startOfDay(timeZone, today),
    number,
    voidedFrom: voided.from ?? null,
    voidedBefore: voided.to ?? null,
  };
}

async function toListFilter(request: StudioRequest, filters: InvoiceFilters, day: StudioDay): Promise<InvoiceListFilter> {
  const { bucket, sort = 'newest' } = filters;
  const filter = await toInvoiceFilter(request, filters, day);
  const due = bucket === undefined || bucket === 'paidThisMonth' ? ANY_TIME : ageingPeriods(day)[bucket];
  return {
    ...filter,
    states: filter.states.filter((state) => isListed(state, filters)),
    dueFrom: due.from,
    dueBefore: earlierOf(due.before, filter.dueBefore),
    paidIn: bucket === 'paidThisMonth' ? currentMonth(day) : null,
    sort,
  };
}

const ANY_TIME: TimePeriod = { from: null, before: null };

function earlierOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** The states that all filters allow. */
function requestedStates({ state, overdue, voidedFrom, voidedTo }: AgeingFilters): InvoiceState[] {
  const isVoidedSearch = voidedFrom !== undefined || voidedTo !== undefined;
  return INVOICE_STATES.filter(
    (candidate) =>
      (state === undefined || candidate === state) &&
      (overdue === undefined || isUnpaid(candidate)) &&
      (!isVoidedSearch || candidate === 'void'),
  );
}

const isUnpaid = (state: InvoiceState): boolean => UNPAID_STATES.some((unpaid) => unpaid === state);

/** A list by due date or amount has unpaid invoices unless a filter asks for others. */
function isListed(candidate: InvoiceState, { state, bucket, sort, voidedFrom, voidedTo }: InvoiceFilters): boolean {
  if (bucket === 'paidThisMonth') return PAID_STATES.some((paid) => paid === candidate);
  const isUnpaidByDefault = (sort === 'dueDate' || sort === 'outstanding') && (state ?? voidedFrom ?? voidedTo) === undefined;
  return (bucket === undefined && !isUnpaidByDefault) || isUnpaid(candidate);
}

/** An open invoice has no payments. The payments of a void invoice are credit. */
const PAID_STATES = ['part_paid', 'paid', 'credited'] as const;
