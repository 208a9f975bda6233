import Joi from 'joi';
import { type ListedCreditNote, listCreditNotes } from '../../db/repositories/credit-notes';
import { hasCreditNote } from '../../db/repositories/studio-orders';
import { CREDIT_NOTE_FIELDS, REVERSAL_FIELDS, SENT_CREDIT_NOTE_ID } from '../../domain/order-message';
import type { NewCreditNote, NoteReversal } from '../../domain/order-status';
import { CREDIT_NOTE_CSV } from '../../presenters/csv-columns';
import { presentCreditNoteRow } from '../../presenters/invoices';
import * as json from '../openapi/json';
import type { Answer } from '../types';
import { getInvoice, loadInvoice } from './invoices';
import { AT, WHOLE_INVOICE_EXAMPLE } from './support/examples';
import { messageFields } from './support/fields';
import { sendOrderMessage, sendSealed } from './support/order-messages';
import { markByAge } from '../paging';
import { endpointsOfList, type FilteredList } from './support/lists';
import { MONEY_FILTERS, moneyFilterOf } from './support/money-lists';
import { CREDIT_NOTE_FIELDS as CREDIT_NOTE, CURRENCY, ENVIRONMENT, STUDIO_ORDER, WHOLE_INVOICE } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

/** Body of `POST /invoices/{id}/credit-notes` (studio API "Endpoints"). */
const creditNoteRequest = Joi.object(messageFields(CREDIT_NOTE_FIELDS));

type CreditNoteRequest = NewCreditNote;

/** Body of the reversal of a credit note or refund (ruling 66). */
export const reversalRequest = Joi.object(messageFields(REVERSAL_FIELDS));

export type ReversalRequest = Omit<NoteReversal, 'creditNoteId'>;

export const REVERSAL_EXAMPLE: ReversalRequest = { reversalId: 'complaint-17/back', reason: 'wrong order' };
const CREDIT_NOTE_EXAMPLE = {
  id: 'crn_7a1c',
  creditNoteId: 'complaint-17',
  creditNoteNumber: 'CN-10003',
  amountCents: 1000,
  gstCents: 91,
  reason: 'scratched frame',
  createdAt: AT,
  reversedAt: null,
  reversalReason: null,
};

const CREDITED_INVOICE_EXAMPLE = {
  ...WHOLE_INVOICE_EXAMPLE,
  creditedCents: 1000,
  dueCents: 2425,
  creditNotes: [CREDIT_NOTE_EXAMPLE],
};

type CreditNoteOfAll = ReturnType<typeof presentCreditNoteRow>;

const CREDIT_NOTE_ROW = json.resourceWithExample<CreditNoteOfAll>(
  'CreditNoteRow',
  {
    ...CREDIT_NOTE_EXAMPLE,
    invoiceNumber: WHOLE_INVOICE_EXAMPLE.invoiceNumber,
    orderId: WHOLE_INVOICE_EXAMPLE.orderId,
    orderNumber: WHOLE_INVOICE_EXAMPLE.orderNumber,
    accountId: WHOLE_INVOICE_EXAMPLE.accountId,
    accountName: WHOLE_INVOICE_EXAMPLE.accountName,
    environment: 'live',
    currency: 'AUD',
  },
  {
    ...CREDIT_NOTE,
    invoiceNumber: json.string(),
    orderId: json.id('ord'),
    orderNumber: json.string(),
    accountId: json.id('acc'),
    accountName: json.string(),
    environment: ENVIRONMENT,
    currency: CURRENCY,
  },
);

export const CREDIT_NOTES_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/invoices/:id/credit-notes',
    role: 'office',
    body: creditNoteRequest,
    id: 'creditInvoice',
    summary: 'Write a credit note',
    description:
      "Up to the invoice's amount less earlier notes, paid or not: what it then has too much is credit of the account. Safe to repeat by `creditNoteId`.",
    answer: WHOLE_INVOICE,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'TEMPORAL_AWAY'],
    requestExample: { creditNoteId: 'complaint-17', amountCents: 1000, reason: 'scratched frame' },
    example: CREDITED_INVOICE_EXAMPLE,
    handler: postCreditNote,
  },
  ...endpointsOfList({
    path: '/credit-notes',
    role: 'office',
    filters: MONEY_FILTERS,
    id: 'listCreditNotes',
    summary: 'Credit notes of all accounts, newest first',
    description:
      'Of live orders unless test ones are asked for. `from` and `to` are days on which they were issued. Reversed ones are in it, with the time.',
    entry: CREDIT_NOTE_ROW,
    list: creditNoteList,
    csv: { id: 'exportCreditNotes', summary: 'Credit notes, as CSV', columns: CREDIT_NOTE_CSV },
  }),
  {
    method: 'POST',
    path: '/orders/:id/credit-notes/:creditNoteId/reverse',
    role: 'office',
    body: reversalRequest,
    id: 'reverseCreditNote',
    summary: 'Reverse a credit note',
    description:
      'Raises the invoice again. Refused where the credit that the note became has been used, and on a cancelled order. Safe to repeat by `reversalId`.',
    answer: STUDIO_ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'TEMPORAL_AWAY', 'CREDIT_INSUFFICIENT'],
    requestExample: { ...REVERSAL_EXAMPLE },
    handler: postNoteReversal,
  },
];

/**
 * `POST /invoices/{id}/credit-notes`: credits an invoice, named by its id or number, up to its amount less earlier notes (ruling 55).
 * @throws ApiError MILESTONE_REFUSED, MILESTONE_ID_REUSED
 */
async function postCreditNote(request: StudioRequest<CreditNoteRequest>): Promise<Answer> {
  const { order_id: orderId } = await loadInvoice(request);
  await sendSealed(request, orderId, { ...request.body, type: 'credit_noted' });
  return getInvoice(request);
}

/** `GET /credit-notes`: of all accounts. */
function creditNoteList(request: StudioRequest): FilteredList<ListedCreditNote, typeof MONEY_FILTERS, CreditNoteOfAll> {
  return {
    name: 'credit-notes',
    find: async (asked, page) => listCreditNotes(request.deps.database, await moneyFilterOf(request, asked), page),
    mark: markByAge,
    present: presentCreditNoteRow,
  };
}

/**
 * `POST /orders/{id}/credit-notes/{creditNoteId}/reverse`: takes it back, named by its sender's id (ruling 66).
 * @throws ApiError MILESTONE_REFUSED, MILESTONE_ID_REUSED, CREDIT_INSUFFICIENT
 */
function postNoteReversal(request: StudioRequest<ReversalRequest>): Promise<Answer> {
  const creditNoteId = request.params.creditNoteId ?? '';
  return sendOrderMessage(
    request,
    { ...request.body, type: 'credit_note_reversed', creditNoteId },
    async (orderId) => SENT_CREDIT_NOTE_ID.issue(creditNoteId) === null && hasCreditNote(request.deps.database, orderId, creditNoteId),
  );
}
