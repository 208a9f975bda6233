import { type BilledInvoice, findInvoice, type InvoiceFilter, listInvoices, type WholeInvoice } from '../../db/repositories/invoices';
import { noSuch } from '../../domain/errors';
import { INVOICE_STATES, UNPAID_STATES } from '../../domain/ledger';
import { invoiceNamed } from '../../domain/order-number';
import { startOfDay, type StudioDay } from '../../domain/pricing/ready-date';
import { INVOICE_CSV } from '../../presenters/csv-columns';
import { presentInvoiceRow, presentWholeInvoice } from '../../presenters/invoices';
import * as json from '../openapi/json';
import { oneOfField } from '../schemas/text';
import type { Answer } from '../types';
import { endpointsOfList } from './support/lists';
import { type Filters } from '../filters';
import { dayField } from './support/fields';
import { accountIdField, assertInOrder, environmentField, PERIOD, timesOf } from './support/query-filters';
import { INVOICE_ROW_FIELDS, type InvoiceRow, WHOLE_INVOICE } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const INVOICE_SORTS = ['newest', 'oldest', 'dueDate', 'outstanding'] as const;

const INVOICE_FILTERS = {
  environment: environmentField,
  accountId: accountIdField,
  state: oneOfField(INVOICE_STATES),
  overdue: oneOfField(['true']).description('only those of which something is unpaid after its day'),
  ...PERIOD,
  voidedFrom: dayField().description('only those that were voided on that day or later'),
  voidedTo: dayField().description('only those that were voided on that day or before'),
  sort: oneOfField(INVOICE_SORTS).description(
    '`newest` first unless said otherwise; `oldest` first; `dueDate`, the soonest first, and `outstanding`, the most first: the unpaid ones unless a state is named',
  ),
} as const;

const INVOICE_ROW = json.resource<InvoiceRow>('InvoiceRow', INVOICE_ROW_FIELDS);

export const INVOICES_ENDPOINTS: readonly StudioEndpointRow[] = [
  ...endpointsOfList({
    path: '/invoices',
    role: 'office',
    filters: INVOICE_FILTERS,
    id: 'listInvoices',
    summary: 'Invoices, newest first',
    description:
      "Of live orders unless test ones are asked for. `from` and `to` are days of the studio's calendar on which they were issued, both included.",
    entry: INVOICE_ROW,
    links: {
      readIt: {
        operationId: 'getInvoice',
        parameters: { id: '$response.body#/data/0/invoiceNumber' },
        description: 'Reads the newest invoice.',
      },
    },
    list: async (request) => {
      const studioDay = await studioDayOf(request.deps);
      return {
        name: 'invoices',
        find: async (asked, page) => listInvoices(request.deps.database, await filterOf(request, asked, studioDay), page),
        mark: (invoice, { sort }) => ({ createdAt: markedBy(invoice, sort), id: invoice.id }),
        present: (invoice) => presentInvoiceRow(invoice, studioDay),
      };
    },
    csv: { id: 'exportInvoices', summary: 'Invoices, as CSV', columns: INVOICE_CSV },
  }),
  {
    method: 'GET',
    path: '/invoices/:id',
    role: 'office',
    id: 'getInvoice',
    summary: 'One invoice with its payments and credit notes',
    description: 'By its id or by its number.',
    answer: WHOLE_INVOICE,
    handler: getInvoice,
  },
];

type InvoiceFilters = Filters<typeof INVOICE_FILTERS>;

/** Marks are times: cents stand in for one. */
function markedBy(invoice: BilledInvoice, sort: string | undefined): Date {
  if (sort === 'outstanding') return new Date(invoice.amount_cents - invoice.paid_cents - invoice.credited_cents);
  return sort === 'dueDate' ? invoice.due_at : invoice.issued_at;
}

export async function getInvoice(request: StudioRequest): Promise<Answer> {
  return { data: presentWholeInvoice(await loadInvoice(request), await studioDayOf(request.deps)) };
}

const studioDayOf = ({ database, pricingTerms, clock }: StudioRequest['deps']): Promise<StudioDay> =>
  pricingTerms.studioDay(database, clock.now());

/** The invoice of the path. @throws ApiError NOT_FOUND */
export async function loadInvoice({ deps, params }: StudioRequest): Promise<WholeInvoice> {
  const by = invoiceNamed(params.id ?? '');
  const invoice = by === null ? null : await findInvoice(deps.database, by);
  if (invoice === null) throw noSuch('invoice');
  return invoice;
}

/** @throws ApiError VALIDATION_ERROR where the days are the wrong way round */
async function filterOf(request: StudioRequest, asked: InvoiceFilters, { timeZone, today }: StudioDay): Promise<InvoiceFilter> {
  const { from, to, voidedFrom, voidedTo } = asked;
  assertInOrder('from', from, 'to', to);
  assertInOrder('voidedFrom', voidedFrom, 'voidedTo', voidedTo);
  const [issued, voided] = [await timesOf(request, { from, to }), await timesOf(request, { from: voidedFrom, to: voidedTo })];
  return {
    environment: asked.environment ?? 'live',
    accountId: asked.accountId ?? null,
    states: statesOf(asked),
    issuedFrom: issued.from ?? null,
    issuedBefore: issued.to ?? null,
    dueBefore: asked.overdue === undefined ? null : startOfDay(timeZone, today),
    sort: asked.sort ?? 'newest',
    voidedFrom: voided.from ?? null,
    voidedBefore: voided.to ?? null,
  };
}

/** Of what is overdue something is unpaid; and whoever lists by what is due means that, unless they name a state. */
function statesOf({ state, overdue, sort, voidedFrom, voidedTo }: InvoiceFilters) {
  const voided = voidedFrom !== undefined || voidedTo !== undefined;
  const unpaid = overdue !== undefined || (state === undefined && !voided && (sort === 'dueDate' || sort === 'outstanding'));
  const asked = unpaid ? UNPAID_STATES : voided ? (['void'] as const) : INVOICE_STATES;
  return asked.filter((one) => state === undefined || one === state);
}
