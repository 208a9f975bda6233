import Joi from 'joi';
import { LIMITS } from '../../domain/limits';
import { boolean, email, integer, oneOf, optionalText, text, textProblem, url } from './text';

/** A string to string map; keys are as free as the products need, values are never long. */
const variantSelections = Joi.object()
  .required()
  .custom((value: Record<string, unknown>, helpers) => {
    if (Object.keys(value).length > 100) return helpers.message({ custom: 'must have at most 100 keys' });
    return value;
  })
  .pattern(Joi.any(), Joi.any().custom((value: unknown, helpers) => {
    const problem = textProblem(value, 0, 200);
    return problem === null ? value : helpers.message({ custom: problem });
  }));

/** Specification "Line item". */
const lineItem = Joi.object({
  productSlug: text(1, 100).required(),
  quantity: integer(1, LIMITS.quantityPerItem).required(),
  variantSelections,
  imageUrl: url(2000).allow(null),
  externalReference: optionalText(128),
});

/** Specification "Shipping address"; that the country exists is judged later, as SHIPPING_ADDRESS_INCOMPLETE (ruling 18). */
const shippingAddress = Joi.object({
  name: text(1, 200).required(),
  company: optionalText(200),
  line1: text(1, 200).required(),
  line2: optionalText(200),
  city: text(1, 100).required(),
  state: text(1, 100).required(),
  postcode: text(1, 20).required(),
  country: text(0, 100).required(),
  phone: optionalText(50),
  email: email(320).required(),
});

/** Specification "POST /quotes". */
export const quoteRequest = Joi.object({
  items: Joi.array().items(lineItem).min(1).max(LIMITS.itemsPerQuote).required(),
  shippingMethodId: optionalText(100),
  shippingAddress: shippingAddress.required(),
  rushTier: oneOf(['standard', 'express', 'critical']),
  whiteLabel: boolean(),
});
