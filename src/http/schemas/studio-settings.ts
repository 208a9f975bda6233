import Joi from 'joi';
import { timestamp } from './studio-fields';
import { boolean } from './text';

/** Body of `PATCH /settings` (studio API "Endpoints"). */
export const settingsChange = Joi.object({ criticalRushEnabled: boolean().required() });

/** `book` is judged by `validatePriceBook`, which names every issue. */
export const priceBookRequest = Joi.object({ book: Joi.any().required(), effectiveAt: timestamp().allow(null) });

export interface PriceBookRequest {
  book: unknown;
  effectiveAt?: string | null;
}
