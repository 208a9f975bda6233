import Joi from 'joi';
import { VARIANT_KEYS } from '../../../domain/basket/variant-keys';
import type { ValidationIssue } from '../../../domain/errors';
import { textIssue } from '../../../domain/field-formats';
import { LIMITS, RUSH_TIERS } from '../../../domain/limits';
import { objectComponent, withJsonSchema } from '../../schemas/json-schema';
import { jsonSchemaOfKind, STORABLE_PATTERN } from '../../schemas/field-kinds';
import { integerField, machineTextField, oneOfField, urlField } from '../../schemas/text';

const SELECTION_PROPERTIES = Object.fromEntries(
  Object.entries(VARIANT_KEYS).map(([key, description]) => [key, { type: 'string', pattern: STORABLE_PATTERN, description }]),
);

/**
 * A map of strings to strings. Unknown keys are ignored, however many and long; what a known key takes is the product's business.
 * Checked in one pass and reported as one error, because an error of joi's for each of thousands of keys takes too long (ruling 41).
 */
const variantSelectionsField = withJsonSchema(
  Joi.object()
    .meta({ kind: 'selections' })
    .messages({ 'selection.text': 'must be strings' })
    .custom((value: Record<string, unknown>, helpers) => {
      const within = Object.entries(value).flatMap(([path, selection]): ValidationIssue[] => {
        const message = textIssue(selection, 0, Number.POSITIVE_INFINITY);
        return message === null ? [] : [{ path, message }];
      });
      return within.length > 0 ? helpers.error('selection.text', { within }) : value;
    }),
  () => ({ ...jsonSchemaOfKind({ kind: 'selections' }), properties: SELECTION_PROPERTIES }),
)
  .required()
  .description('How it is made; every value a string. Keys that the product does not know are ignored.');

const ITEM_FIELDS = {
  productSlug: machineTextField(1, LIMITS.catalogueIdLength).required().description("a slug of the catalogue's products"),
  quantity: integerField(1, LIMITS.quantityPerItem).required().description('the price book may allow less'),
  variantSelections: variantSelectionsField,
};

const externalReference = machineTextField(0, LIMITS.externalReferenceLength).allow(null);

/** One of a quote's `items` (trade endpoints "LineItem object"). */
const lineItemField = objectComponent('LineItem', {
  ...ITEM_FIELDS,
  imageUrl: urlField().allow(null).description("the `url` of the account's own upload"),
  externalReference: externalReference.description('given back on quote, order and webhooks; never priced or read'),
});

/** The same without artwork (specification "POST /prices"). */
const pricedItemField = objectComponent('PricedItem', {
  ...ITEM_FIELDS,
  externalReference: externalReference.description('given back on the price'),
});

/** A list of 1 to `most`. Its length is checked first: a list that is too long has one issue, whatever its elements are (ruling 41). */
export function boundedListField(element: Joi.Schema, max: number): Joi.Schema {
  const list = Joi.array().items(element).min(1);
  return withJsonSchema(
    Joi.alternatives().conditional(Joi.array().max(max), {
      // oxlint-disable-next-line unicorn/no-thenable -- Joi's own word
      then: list,
      otherwise: Joi.array().max(max),
    }),
    (toJsonSchema) => toJsonSchema(list.max(max)),
  ).required();
}

const itemsField = (item: Joi.Schema, max: number): Joi.Schema =>
  boundedListField(item, max).description("one for each way of making something; how many is the line's `quantity`");

export const quoteItemsField = itemsField(lineItemField, LIMITS.itemsPerQuote);

export const pricedItemsField = itemsField(pricedItemField, LIMITS.itemsPerPrices);

export const rushTierField = oneOfField(RUSH_TIERS).description('unset is `standard`; `critical` is switched by the studio');
