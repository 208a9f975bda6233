import Joi from 'joi';
import { VARIANT_KEYS } from '../../../domain/basket/variant-keys';
import type { ValidationIssue } from '../../../domain/errors';
import { textIssue } from '../../../domain/field-formats';
import { LIMITS, RUSH_TIERS } from '../../../domain/limits';
import { objectComponent, withJsonSchema } from '../../schemas/json-schema';
import { jsonSchemaOfKind, STORABLE_PATTERN } from '../../schemas/field-kinds';
import { type Field, integerField, nullable, oneOfField, optional, singleLineTextField, urlField } from '../../schemas/text';

const SELECTION_PROPERTIES = Object.fromEntries(
  Object.entries(VARIANT_KEYS).map(([key, description]) => [key, { type: 'string', pattern: STORABLE_PATTERN, description }]),
);

/**
 * A map of strings to strings. Unknown keys are ignored, and the product validates known keys. All invalid keys are one joi error, because
 * thousands of joi errors take too long.
 */
const variantSelectionsField = withJsonSchema(
  Joi.object<Record<string, string>>()
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
).description('the selections of the product; every value is a string. Unknown keys are ignored.');

const ITEM_FIELDS = {
  productSlug: singleLineTextField(1, LIMITS.catalogueIdLength).description('the slug of a product in the catalogue'),
  quantity: integerField(1, LIMITS.quantityPerItem).description('the number of pieces; the price book may allow fewer'),
  variantSelections: variantSelectionsField,
};

const externalReference = optional(nullable(singleLineTextField(0, LIMITS.externalReferenceLength)));

/** An entry of a quote's `items`. */
const lineItemField = objectComponent('LineItem', {
  ...ITEM_FIELDS,
  imageUrl: optional(nullable(urlField())).description('the `url` of an upload of the account'),
  externalReference: externalReference.description('your reference for the line; the quote, order and webhooks return it'),
});

/** An item, also without artwork (specification "POST /prices"). */
const pricedItemField = objectComponent('PricedItem', {
  ...ITEM_FIELDS,
  imageUrl: optional(nullable(singleLineTextField(0, 2_000))).description(
    'the `url` of an upload of the account, whose picture is checked; others are ignored',
  ),
  externalReference: externalReference.description('your reference for the line; the response returns it'),
});

/** A list of 1 to `max` entries. The entries of a longer list are not validated, so it has only one issue. */
export function boundedListField<T>(element: Field<T>, max: number): Field<T[]> {
  const list = Joi.array<T[]>().items(element).min(1);
  return withJsonSchema<T[]>(
    Joi.alternatives<T[]>().conditional(Joi.array().max(max), {
      // oxlint-disable-next-line unicorn/no-thenable -- an option of Joi
      then: list,
      otherwise: Joi.array().max(max),
    }),
    (toJsonSchema) => toJsonSchema(list.max(max)),
  );
}

const itemsField = <T>(item: Field<T>, max: number): Field<T[]> =>
  boundedListField(item, max).description('one item for each product and set of selections; the number of pieces is its `quantity`');

export const quoteItemsField = itemsField(lineItemField, LIMITS.itemsPerQuote);

export const pricedItemsField = itemsField(pricedItemField, LIMITS.itemsPerPrices);

export const rushTierField = oneOfField(RUSH_TIERS).description('the default is `standard`; the studio can disable `critical`');
