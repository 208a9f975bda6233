import { findInvoice, listInvoices, type InvoiceFilter, type WholeInvoice } from '../../../db/repositories/invoices';
import { noSuch } from '../../../domain/errors';
import { INVOICE_STATES, UNPAID_STATES } from '../../../domain/ledger';
import { ENVIRONMENTS } from '../../../domain/limits';
import { invoiceNamed } from '../../../domain/order-number';
import { nextDay, startOfDay } from '../../../domain/pricing/ready-date';
import { presentInvoiceRow, presentWholeInvoice } from '../../../presenters/invoices';
import type { Answer } from '../../types';
import { answerPage } from '../paging';
import { idOf, oneOf, periodOf, type Period } from '../query';
import type { StudioRequest } from '../types';

/** `GET /invoices`: those of live orders unless test ones are asked for, newest first. */
export async function getInvoices(request: StudioRequest): Promise<Answer> {
  const { deps, query } = request;
  const now = deps.clock.now();
  const asked = readFilter(query);
  const { environment, accountId } = asked;
  const filter: InvoiceFilter = {
    environment,
    accountId,
    states: statesOf(asked),
    ...(await issuedIn(deps, asked, now)),
    dueBefore: asked.overdue ? now : null,
  };
  return answerPage(request, {
    name: `invoices/${JSON.stringify(asked)}`,
    find: (limit, after) => listInvoices(deps.database, filter, { limit, after }),
    mark: ({ issued_at: createdAt, id }) => ({ createdAt, id }),
    present: (invoice) => presentInvoiceRow(invoice, now),
  });
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

function readFilter(query: URLSearchParams) {
  return {
    environment: oneOf(query, 'environment', ENVIRONMENTS) ?? ('live' as const),
    accountId: idOf(query, 'accountId', 'acc', 'an account'),
    state: oneOf(query, 'state', INVOICE_STATES),
    overdue: oneOf(query, 'overdue', ['true']) !== null,
    ...periodOf(query),
  };
}

/** Days of the studio's calendar as times. */
async function issuedIn({ database, pricingTerms }: StudioRequest['deps'], { from, to }: Period, now: Date) {
  const timeZone = await pricingTerms.timeZone(database, now);
  return {
    issuedFrom: from === null ? null : startOfDay(timeZone, from),
    issuedBefore: to === null ? null : startOfDay(timeZone, nextDay(to)),
  };
}

/** Of what is overdue something is unpaid. */
function statesOf({ state, overdue }: ReturnType<typeof readFilter>) {
  return (overdue ? UNPAID_STATES : INVOICE_STATES).filter((one) => state === null || one === state);
}
