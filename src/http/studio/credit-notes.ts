import { listCreditNotes, sumCreditNotes } from '../../db/repositories/credit-notes';
import { hasRecord } from '../../db/repositories/studio-orders';
import { REVERSAL_FIELDS, EXISTING_CREDIT_NOTE_ID, type CreditNoteReversal } from '../../domain/order-messages/credit-note-reversed';
import { CREDIT_NOTE_FIELDS, type NewCreditNote } from '../../domain/order-messages/credit-noted';
import { CREDIT_NOTE_CSV } from '../../presenters/csv-columns';
import { presentCreditNoteRow } from '../../presenters/invoices';
import * as json from '../openapi/json';
import { type BodyOf, bodySchema } from '../schemas/text';
import { afterChange } from '../overload';
import type { HandlerResponse } from '../types';
import { getInvoice, loadInvoice } from './invoices';
import { messageFields } from './support/fields';
import { sendOrderMessage, sendStudioMessage } from './support/order-messages';
import { cursorByAge } from '../paging';
import { defineList } from './support/lists';
import { moneyTotals, presentMoneyTotals } from './support/money-totals';
import { MONEY_FILTERS, toMoneyFilter } from './support/query-filters';
import {
  CREDIT_NOTE,
  CREDIT_NOTE_FIELDS as FIELDS_OF_CREDIT_NOTE,
  INVOICE_DETAIL,
  INVOICE_REFERENCE_FIELDS,
} from './support/invoice-resources';
import { STUDIO_ORDER } from './support/order-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const creditNoteRequest = bodySchema(messageFields<NewCreditNote>(CREDIT_NOTE_FIELDS));

/** The reversal of a credit note or refund. */
export const reversalRequest = bodySchema(messageFields<Omit<CreditNoteReversal, 'creditNoteId'>>(REVERSAL_FIELDS));

export type ReversalRequest = BodyOf<typeof reversalRequest>;

export const REVERSAL_EXAMPLE: ReversalRequest = { reversalId: 'complaint-17/back', reason: 'wrong order' };

const CREDIT_NOTE_ROW = json.resource<ReturnType<typeof presentCreditNoteRow>>('CreditNoteRow', {
  ...FIELDS_OF_CREDIT_NOTE,
  ...INVOICE_REFERENCE_FIELDS,
});

export const CREDIT_NOTES_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/invoices/:id/credit-notes',
    role: 'office',
    body: creditNoteRequest,
    id: 'creditInvoice',
    summary: 'Issue a credit note',
    description:
      'The amount is at most the invoice less earlier credit notes, whether it is paid or not. The part that the client already paid becomes credit of the account. Repeating the request with the same `creditNoteId` is safe.',
    response: INVOICE_DETAIL,
    errorCodes: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'SERVICE_UNAVAILABLE'],
    requestExample: { creditNoteId: 'complaint-17', amountCents: 1000, reason: 'scratched frame' },
    example: json.exampleWith(INVOICE_DETAIL, { creditedCents: 1000, dueCents: 2425, creditNotes: [json.exampleOf(CREDIT_NOTE)] }),
    handler: postCreditNote,
  },
  ...defineList({
    path: '/credit-notes',
    role: 'office',
    filters: MONEY_FILTERS,
    id: 'listCreditNotes',
    summary: 'List credit notes',
    description:
      'Lists credit notes of all accounts, the newest first, of live orders unless `environment` is `test`. `from` and `to` are days of issue. Reversed credit notes are listed with their time.',
    entry: CREDIT_NOTE_ROW,
    list: (request) => ({
      find: async (filters, page) => listCreditNotes(request.deps.database, await toMoneyFilter(request, filters), page),
      cursorOf: cursorByAge,
      present: presentCreditNoteRow,
    }),
    csv: { id: 'exportCreditNotes', summary: 'Export credit notes as CSV', columns: CREDIT_NOTE_CSV },
    totals: {
      id: 'sumCreditNotes',
      summary: 'Sum credit notes',
      description: 'Counts and sums the credit notes that the list has with the same filters.',
      response: moneyTotals('CreditNoteTotals', { valid: 'credit notes that are not reversed' }),
      find: async (request, filters) => {
        const filter = await toMoneyFilter(request, filters);
        return presentMoneyTotals(filter.environment, await sumCreditNotes(request.deps.database, filter));
      },
    },
  }),
  {
    method: 'POST',
    path: '/orders/:id/credit-notes/:creditNoteId/reverse',
    role: 'office',
    body: reversalRequest,
    id: 'reverseCreditNote',
    summary: 'Reverse a credit note',
    description:
      'Raises the invoice again. The service refuses this if the credit from the note has been used, or if the order is cancelled. Repeating the request with the same `reversalId` is safe.',
    response: STUDIO_ORDER,
    errorCodes: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'SERVICE_UNAVAILABLE', 'CREDIT_INSUFFICIENT'],
    requestExample: { ...REVERSAL_EXAMPLE },
    handler: postCreditNoteReversal,
  },
];

async function postCreditNote(request: StudioRequest<BodyOf<typeof creditNoteRequest>>): Promise<HandlerResponse> {
  const { order_id: orderId } = await loadInvoice(request);
  await sendStudioMessage(request, orderId, { ...request.body, type: 'credit_noted' });
  return afterChange(() => getInvoice(request));
}

function postCreditNoteReversal(request: StudioRequest<ReversalRequest>): Promise<HandlerResponse> {
  const creditNoteId = request.params.creditNoteId ?? '';
  return sendOrderMessage(
    request,
    { ...request.body, type: 'credit_note_reversed', creditNoteId },
    async (orderId) =>
      EXISTING_CREDIT_NOTE_ID.issue(creditNoteId) === null && hasRecord(request.deps.database, 'credit_notes', orderId, creditNoteId),
  );
}
