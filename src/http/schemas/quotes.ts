import Joi from 'joi';
import { textIssue } from '../../domain/field-forms';
import { LIMITS, RUSH_TIERS } from '../../domain/limits';
import { VARIANT_KEYS } from '../../domain/basket/variant-keys';
import { component, documented } from './documented';
import { jsonSchemaOfKind } from './kinds';
import { boolean, email, integer, oneOf, optionalText, text, url } from './text';

/** Joi's typings leave out how a rule reports several issues. */
type ListHelpers = Joi.CustomHelpers & { errorsArray(): Joi.ErrorReport[] };

const SELECTIONS = Object.fromEntries(Object.entries(VARIANT_KEYS).map(([key, description]) => [key, { type: 'string', description }]));

/**
 * A map of strings to strings. Unknown keys are ignored, however many and long; what a known key takes is the product's business.
 * Checked in one pass of our own, because a schema for each of 100,000 keys would keep everybody waiting.
 */
const variantSelections = documented(
  Joi.object()
    .meta({ kind: 'selections' })
    .messages({ 'selection.text': '{#problem}' })
    .custom((value: Record<string, unknown>, helpers) => {
      const errors = (helpers as ListHelpers).errorsArray();
      for (const [key, selection] of Object.entries(value)) {
        const problem = textIssue(selection, 0, Number.POSITIVE_INFINITY);
        if (problem === null) continue;
        errors.push(
          helpers.error('selection.text', { problem }, helpers.state.localize?.([...(helpers.state.path ?? []), key], [], helpers.schema)),
        );
      }
      return errors.length > 0 ? errors : value;
    }),
  () => ({ ...jsonSchemaOfKind({ kind: 'selections' }), properties: SELECTIONS }),
)
  .required()
  .description('How it is made; every value a string. Keys that the product does not know are ignored.');

/** One of `items` (specification "Line item"). */
const lineItem = component('LineItem', {
  productSlug: text(1, LIMITS.catalogueIdLength).required().description("a slug of the catalogue's products"),
  quantity: integer(1, LIMITS.quantityPerItem).required().description('the price book may allow less'),
  variantSelections,
  imageUrl: url().allow(null).description("the `url` of the account's own upload"),
  externalReference: optionalText(LIMITS.externalReferenceLength).description(
    'given back on quote, order and webhooks; never priced or read',
  ),
});

/** Where it goes. That the country exists is judged later, as SHIPPING_ADDRESS_INCOMPLETE (specification "Shipping address", ruling 18). */
export const shippingAddress = component('ShippingAddress', {
  name: text(1, 200).required(),
  company: optionalText(200),
  line1: text(1, 200).required(),
  line2: optionalText(200),
  city: text(1, 100).required(),
  state: text(1, 100).required(),
  postcode: text(1, 20).required().description('in Australia four digits'),
  country: text(0, Number.POSITIVE_INFINITY).required().description('two letters, ISO 3166 alpha-2'),
  phone: optionalText(50),
  email: email().required().description("the customer's, which goes to the carrier with the parcel"),
});

/** The length is checked first, so that the items of a list that is too long are not looked at one by one. */
const someItems = Joi.array().items(lineItem).min(1);
const items = documented(
  Joi.alternatives().conditional(Joi.array().max(LIMITS.itemsPerQuote), {
    // oxlint-disable-next-line unicorn/no-thenable -- Joi's own word
    then: someItems,
    otherwise: Joi.array().max(LIMITS.itemsPerQuote),
  }),
  (told) => told(someItems.max(LIMITS.itemsPerQuote)),
);

/** Body of `POST /quotes` (specification "POST /quotes"). */
export const quoteRequest = Joi.object({
  items: items.required().description("one for each way of making something; how many is the line's `quantity`"),
  shippingMethodId: optionalText(100).description('leave it out to learn the delivery methods'),
  shippingAddress: shippingAddress.required(),
  rushTier: oneOf(RUSH_TIERS).description('unset is `standard`; `critical` is switched by the studio'),
  whiteLabel: boolean().description(
    "true unless said otherwise; false is the studio's own packaging, and a mail to the customer of a live order",
  ),
});
