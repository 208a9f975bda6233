import Joi from 'joi';
import { MILESTONE_FIELDS } from '../../../domain/order-message';
import { MILESTONE_TYPES, type MilestoneType } from '../../../domain/order-status';
import { oneOf } from '../../schemas/text';
import { messageFields } from './fields';

/** Body of `POST /orders/{id}/milestones` (studio API "Endpoints"). */
export const milestoneRequest = Joi.object({ ...messageFields(MILESTONE_FIELDS), type: oneOf(MILESTONE_TYPES).required() });

export interface MilestoneRequest {
  milestoneId: string;
  type: MilestoneType;
  note?: string | null;
  occurredAt?: string | null;
}
