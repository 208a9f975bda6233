import Joi from 'joi';
import { timestamp } from './fields';

/** `book` is judged by `validatePriceBook`, which names every issue. */
export const priceBookRequest = Joi.object({
  book: Joi.any().required().description('the whole book; see docs/pricing.md'),
  effectiveAt: timestamp().allow(null),
});

export interface PriceBookRequest {
  book: unknown;
  effectiveAt?: string | null;
}
