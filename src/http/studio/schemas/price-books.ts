import Joi from 'joi';
import { ENVIRONMENTS, type Environment } from '../../../domain/limits';
import { integer, oneOf } from '../../schemas/text';
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

const MAX_TRIED_QUOTES = 200;
export const DEFAULT_TRIED_QUOTES = 50;

export const trialRequest = Joi.object({
  book: Joi.any().required().description('the whole draft, as it would be published'),
  quotes: integer(1, MAX_TRIED_QUOTES).description(`how many of the newest; ${DEFAULT_TRIED_QUOTES} unless said otherwise`),
  environment: oneOf(ENVIRONMENTS).description('whose quotes; live unless said otherwise'),
});

export interface TrialRequest {
  book: unknown;
  quotes?: number;
  environment?: Environment;
}
