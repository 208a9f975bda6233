import Joi from 'joi';
import { LIMITS } from '../../domain/limits';
import { optionalText, text } from './text';

/** Body of `POST /orders` (specification "POST /orders"). */
export const orderRequest = Joi.object({
  quoteId: text(1, LIMITS.identifierLength).required(),
  specialInstructions: optionalText(LIMITS.specialInstructionsLength),
});

export interface OrderRequest {
  quoteId: string;
  specialInstructions?: string | null;
}
