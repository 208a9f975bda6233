import Joi from 'joi';
import { CREDIT_NOTE_FIELDS } from '../../domain/order-message';
import type { NewCreditNote } from '../../domain/order-status';
import type { Answer } from '../types';
import { getInvoice, loadInvoice } from './invoices';
import { AT, WHOLE_INVOICE_EXAMPLE } from './support/examples';
import { messageFields } from './support/fields';
import { sendSealed } from './support/order-messages';
import { WHOLE_INVOICE } from './support/resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

/** Body of `POST /invoices/{id}/credit-notes` (studio API "Endpoints"). */
const creditNoteRequest = Joi.object(messageFields(CREDIT_NOTE_FIELDS));

type CreditNoteRequest = NewCreditNote;

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
