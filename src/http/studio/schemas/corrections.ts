import Joi from 'joi';
import { CORRECTION_FIELDS } from '../../../domain/order-message';
import { messageFields } from './fields';

const { reason } = CORRECTION_FIELDS;

/** Body of `POST /orders/{id}/milestones/{milestoneId}/correct` (studio API "Endpoints"). */
export const correctionRequest = Joi.object(messageFields({ reason }));

export interface CorrectionRequest {
  reason: string;
}
