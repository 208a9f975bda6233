import Joi from 'joi';
import { CREDIT_NOTE_FIELDS } from '../../../domain/order-message';
import type { NewCreditNote } from '../../../domain/order-status';
import { messageFields } from './fields';

/** Body of `POST /invoices/{id}/credit-notes` (studio API "Endpoints"). */
export const creditNoteRequest = Joi.object(messageFields(CREDIT_NOTE_FIELDS));
export type CreditNoteRequest = NewCreditNote;
