import { type BilledInvoice, findInvoice, type InvoiceFilter, listInvoices, type InvoiceWithRecords } from '../../db/repositories/invoices';
import { notFoundError } from '../../domain/errors';
import { INVOICE_STATES, UNPAID_STATES } from '../../domain/ledger';
import { parseInvoiceReference } from '../../domain/order-number';
import { startOfDay, type StudioDay } from '../../domain/pricing/ready-date';
import { INVOICE_CSV } from '../../presenters/csv-columns';
import { presentInvoiceRow, presentInvoiceDetail } from '../../presenters/invoices';
import * as json from '../openapi/json';
import { oneOfField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { defineList } from './support/lists';
import type { Filters } from '../filters';
import { dayField } from './support/fields';
import { accountIdField, assertInOrder, environmentField, DAY_RANGE_FILTERS, resolveTimeRange } from './support/query-filters';
import { INVOICE_ROW_FIELDS, type InvoiceRow, INVOICE_DETAIL } from './support/invoice-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const INVOICE_SORTS = ['newest', 'oldest', 'dueDate', 'outstanding'] as const;

const INVOICE_FILTERS = {
  environment: environmentField,
  accountId: accountIdField,
  state: oneOfField(INVOICE_STATES),
  overdue: oneOfField(['true']).description('only unpaid invoices whose due date has passed'),
  ...DAY_RANGE_FILTERS,
  voidedFrom: dayField().description('only invoices voided on that day or later'),
  voidedTo: dayField().description('only invoices voided on that day or earlier'),
  sort: oneOfField(INVOICE_SORTS).description(
    'the default is `newest`; `dueDate` lists the earliest first and `outstanding` the largest, both only unpaid invoices unless `state` is sent',
  ),
} as const;

const INVOICE_ROW = json.resource<InvoiceRow>('InvoiceRow', INVOICE_ROW_FIELDS);

export const INVOICES_ENDPOINTS: readonly StudioEndpointRow[] = [
  ...defineList({
    path: '/invoices',
    role: 'office',
    filters: INVOICE_FILTERS,
    id: 'listInvoices',
    summary: 'List invoices',
    description:
      "Lists the newest first, of live orders unless `environment` is `test`. `from` and `to` are days of issue on the studio's calendar, both included.",
    entry: INVOICE_ROW,
    links: {
      readIt: {
        operationId: 'getInvoice',
        parameters: { id: '$response.body#/data/0/invoiceNumber' },
        description: 'Retrieves the newest invoice.',
      },
    },
    list: async (request) => {
      const studioDay = await loadStudioDay(request.deps);
      return {
        name: 'invoices',
        find: async (filters, page) => listInvoices(request.deps.database, await toInvoiceFilter(request, filters, studioDay), page),
        cursorOf: (invoice, { sort }) => ({ createdAt: cursorTime(invoice, sort), id: invoice.id }),
        present: (invoice) => presentInvoiceRow(invoice, studioDay),
      };
    },
    csv: { id: 'exportInvoices', summary: 'Export invoices as CSV', columns: INVOICE_CSV },
  }),
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

type InvoiceFilters = Filters<typeof INVOICE_FILTERS>;

/** A cursor position is a time, so the cents are encoded as one. */
function cursorTime(invoice: BilledInvoice, sort: string | undefined): Date {
  if (sort === 'outstanding') return new Date(invoice.amount_cents - invoice.paid_cents - invoice.credited_cents);
  return sort === 'dueDate' ? invoice.due_at : invoice.issued_at;
}

export async function getInvoice(request: StudioRequest): Promise<HandlerResponse> {
  return { data: presentInvoiceDetail(await loadInvoice(request), await loadStudioDay(request.deps)) };
}

const loadStudioDay = ({ database, pricingTerms, clock }: StudioRequest['deps']): Promise<StudioDay> =>
  pricingTerms.studioDay(database, clock.now());

/** @throws ApiError NOT_FOUND */
export async function loadInvoice({ deps, params }: StudioRequest): Promise<InvoiceWithRecords> {
  const reference = parseInvoiceReference(params.id ?? '');
  const invoice = reference === null ? null : await findInvoice(deps.database, reference);
  if (invoice === null) throw notFoundError('invoice');
  return invoice;
}

/** @throws ApiError VALIDATION_ERROR if `from` is after `to` */
async function toInvoiceFilter(request: StudioRequest, filters: InvoiceFilters, { timeZone, today }: StudioDay): Promise<InvoiceFilter> {
  const { from, to, voidedFrom, voidedTo } = filters;
  assertInOrder('from', from, 'to', to);
  assertInOrder('voidedFrom', voidedFrom, 'voidedTo', voidedTo);
  const [issued, voided] = [
    await resolveTimeRange(request, { from, to }),
    await resolveTimeRange(request, { from: voidedFrom, to: voidedTo }),
  ];
  return {
    environment: filters.environment ?? 'live',
    accountId: filters.accountId ?? null,
    states: requestedStates(filters),
    issuedFrom: issued.from ?? null,
    issuedBefore: issued.to ?? null,
    dueBefore: filters.overdue === undefined ? null : startOfDay(timeZone, today),
    sort: filters.sort ?? 'newest',
    voidedFrom: voided.from ?? null,
    voidedBefore: voided.to ?? null,
  };
}

/** Overdue invoices are unpaid. A list by due date or amount shows unpaid invoices unless a state is sent. */
function requestedStates({ state, overdue, sort, voidedFrom, voidedTo }: InvoiceFilters) {
  const isVoidedSearch = voidedFrom !== undefined || voidedTo !== undefined;
  const isUnpaidSearch =
    overdue !== undefined || (state === undefined && !isVoidedSearch && (sort === 'dueDate' || sort === 'outstanding'));
  const candidates = isUnpaidSearch ? UNPAID_STATES : isVoidedSearch ? (['void'] as const) : INVOICE_STATES;
  return candidates.filter((one) => state === undefined || one === state);
}
