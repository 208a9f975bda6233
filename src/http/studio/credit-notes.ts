import Joi from 'joi';
import { hasCreditNote } from '../../db/repositories/studio-orders';
import { CREDIT_NOTE_FIELDS, REVERSAL_FIELDS, SENT_CREDIT_NOTE_ID } from '../../domain/order-message';
import type { NewCreditNote, NoteReversal } from '../../domain/order-status';
import type { Answer } from '../types';
import { getInvoice, loadInvoice } from './invoices';
import { AT, WHOLE_INVOICE_EXAMPLE } from './support/examples';
import { messageFields } from './support/fields';
import { sendOrderMessage, sendSealed } from './support/order-messages';
import { STUDIO_ORDER, WHOLE_INVOICE } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

/** Body of `POST /invoices/{id}/credit-notes` (studio API "Endpoints"). */
const creditNoteRequest = Joi.object(messageFields(CREDIT_NOTE_FIELDS));

type CreditNoteRequest = NewCreditNote;

/** Body of the reversal of a credit note or refund (ruling 66). */
export const reversalRequest = Joi.object(messageFields(REVERSAL_FIELDS));

export type ReversalRequest = Omit<NoteReversal, 'creditNoteId'>;

export const REVERSAL_EXAMPLE: ReversalRequest = { reversalId: 'complaint-17/back', reason: 'wrong order' };

const CREDITED_INVOICE_EXAMPLE = {
  ...WHOLE_INVOICE_EXAMPLE,
  creditedCents: 1000,
  dueCents: 2425,
  creditNotes: [
    {
      id: 'crn_7a1c',
      creditNoteId: 'complaint-17',
      creditNoteNumber: 'CN-10003',
      amountCents: 1000,
      gstCents: 91,
      reason: 'scratched frame',
      createdAt: AT,
      reversedAt: null,
      reversalReason: null,
    },
  ],
};

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
