import Joi from 'joi';
import { LIMITS } from '../../domain/limits';
import { optionalText, text } from './text';

/** Body of `POST /orders` (specification "POST /orders"). */
export const orderRequest = Joi.object({
  quoteId: text(1, LIMITS.identifierLength).required().description('good once, with a key of the environment that priced it'),
  specialInstructions: optionalText(LIMITS.specialInstructionsLength).description("for the studio's job sheet; never priced or read"),
});

export interface OrderRequest {
  quoteId: string;
  specialInstructions?: string | null;
}
