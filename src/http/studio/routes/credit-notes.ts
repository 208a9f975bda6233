import type { Answer } from '../../types';
import { sendSealed } from '../order-messages';
import type { CreditNoteRequest } from '../schemas/credit-notes';
import type { StudioRequest } from '../types';
import { getInvoice, loadInvoice } from './invoices';

/**
 * `POST /invoices/{id}/credit-notes`: credits an invoice, named by its id or number, up to its amount less earlier notes (ruling 55).
 * @throws ApiError MILESTONE_REFUSED, MILESTONE_ID_REUSED
 */
export async function postCreditNote(request: StudioRequest<CreditNoteRequest>): Promise<Answer> {
  const { order_id: orderId } = await loadInvoice(request);
  await sendSealed(request, orderId, { ...request.body, type: 'credit_noted' });
  return getInvoice(request);
}
