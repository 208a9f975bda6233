import {
  findInvoice,
  listInvoices,
  type BilledInvoice,
  type InvoiceFilter,
  type InvoiceSort,
  type WholeInvoice,
} from '../../../db/repositories/invoices';
import { noSuch } from '../../../domain/errors';
import { INVOICE_STATES, UNPAID_STATES } from '../../../domain/ledger';
import type { Environment } from '../../../domain/limits';
import { invoiceNamed } from '../../../domain/order-number';
import { nextDay, startOfDay } from '../../../domain/pricing/ready-date';
import { presentInvoiceRow, presentWholeInvoice } from '../../../presenters/invoices';
import { INVOICE_CSV } from '../../../presenters/csv-columns';
import type { Answer } from '../../types';
import { answerCsv } from '../csv';
import { queryError } from '../../cursor';
import { answerFiltered, type FilteredList, type Filters } from '../filters';
import { INVOICE_FILTERS } from '../schemas/filters';
import type { StudioRequest } from '../types';

type InvoiceFilters = Filters<typeof INVOICE_FILTERS>;

/** `GET /invoices`: those of live orders unless test ones are asked for. */
export async function getInvoices(request: StudioRequest): Promise<Answer> {
  return answerFiltered(request, invoiceList(request));
}

/** `GET /invoices.csv` (ruling 64). */
export async function exportInvoices(request: StudioRequest): Promise<Answer> {
  return answerCsv(request, invoiceList(request), INVOICE_CSV);
}

function invoiceList({ deps }: StudioRequest): FilteredList<BilledInvoice, typeof INVOICE_FILTERS, ReturnType<typeof presentInvoiceRow>> {
  const now = deps.clock.now();
  return {
    name: 'invoices',
    schemas: INVOICE_FILTERS,
    find: async (asked, page) => listInvoices(deps.database, await filterOf(deps, asked, now), page),
    mark: (invoice, { sort }) => ({ createdAt: markedBy(invoice, sort), id: invoice.id }),
    present: (invoice) => presentInvoiceRow(invoice, now),
  };
}

/** Marks are times: cents stand in for one. */
function markedBy(invoice: BilledInvoice, sort: string | undefined): Date {
  if (sort === 'outstanding') return new Date(invoice.amount_cents - invoice.paid_cents - invoice.credited_cents);
  return sort === 'dueDate' ? invoice.due_at : invoice.issued_at;
}

/** `GET /invoices/{id}`, by its id or its number. */
export async function getInvoice(request: StudioRequest): Promise<Answer> {
  return { data: presentWholeInvoice(await loadInvoice(request), request.deps.clock.now()) };
}

/** The invoice of the path. @throws ApiError NOT_FOUND */
export async function loadInvoice({ deps, params }: StudioRequest): Promise<WholeInvoice> {
  const by = invoiceNamed(params.id ?? '');
  const invoice = by === null ? null : await findInvoice(deps.database, by);
  if (invoice === null) throw noSuch('invoice');
  return invoice;
}

/** @throws ApiError VALIDATION_ERROR where the days are the wrong way round */
async function filterOf(deps: StudioRequest['deps'], asked: InvoiceFilters, now: Date): Promise<InvoiceFilter> {
  return {
    environment: (asked.environment ?? 'live') as Environment,
    accountId: asked.accountId ?? null,
    states: statesOf(asked),
    ...(await issuedIn(deps, asked, now)),
    dueBefore: asked.overdue === undefined ? null : now,
    sort: (asked.sort ?? 'newest') as InvoiceSort,
  };
}

/** Days of the studio's calendar as times. */
async function issuedIn({ database, pricingTerms }: StudioRequest['deps'], { from, to }: InvoiceFilters, now: Date) {
  if (from !== undefined && to !== undefined && from > to) throw queryError('from', `must not be after to, which is ${to}`);
  const timeZone = await pricingTerms.timeZone(database, now);
  return {
    issuedFrom: from === undefined ? null : startOfDay(timeZone, from),
    issuedBefore: to === undefined ? null : startOfDay(timeZone, nextDay(to)),
  };
}

/** Of what is overdue something is unpaid; and whoever lists by what is due means that, unless they name a state. */
function statesOf({ state, overdue, sort }: InvoiceFilters) {
  const unpaid = overdue !== undefined || (state === undefined && (sort === 'dueDate' || sort === 'outstanding'));
  return (unpaid ? UNPAID_STATES : INVOICE_STATES).filter((one) => state === undefined || one === state);
}
