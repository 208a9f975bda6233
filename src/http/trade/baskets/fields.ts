import Joi from 'joi';
import { VARIANT_KEYS } from '../../../domain/basket/variant-keys';
import { textIssue } from '../../../domain/field-forms';
import { LIMITS, RUSH_TIERS } from '../../../domain/limits';
import { component, documented } from '../../schemas/documented';
import { jsonSchemaOfKind, STORABLE } from '../../schemas/kinds';
import { integerField, machineTextField, oneOfField, urlField } from '../../schemas/text';

/** Joi's typings leave out how a rule reports several issues. */
type ListHelpers = Joi.CustomHelpers & { errorsArray(): Joi.ErrorReport[] };

const SELECTIONS = Object.fromEntries(
  Object.entries(VARIANT_KEYS).map(([key, description]) => [key, { type: 'string', pattern: STORABLE, description }]),
);

/**
 * A map of strings to strings. Unknown keys are ignored, however many and long; what a known key takes is the product's business.
 * Checked in one pass of our own, because a schema for each of 100,000 keys would keep everybody waiting.
 */
const variantSelectionsField = documented(
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

const MADE = {
  productSlug: machineTextField(1, LIMITS.catalogueIdLength).required().description("a slug of the catalogue's products"),
  quantity: integerField(1, LIMITS.quantityPerItem).required().description('the price book may allow less'),
  variantSelections: variantSelectionsField,
};

const externalReference = machineTextField(0, LIMITS.externalReferenceLength).allow(null);

/** One of a quote's `items` (specification "Line item"). */
const lineItemField = component('LineItem', {
  ...MADE,
  imageUrl: urlField().allow(null).description("the `url` of the account's own upload"),
  externalReference: externalReference.description('given back on quote, order and webhooks; never priced or read'),
});

/** The same without artwork (specification "POST /prices"). */
const pricedItemField = component('PricedItem', { ...MADE, externalReference: externalReference.description('given back on the price') });

/** The length is checked first, so that the items of a list that is too long are not looked at one by one. */
function itemsOf(item: Joi.Schema, most: number): Joi.Schema {
  const some = Joi.array().items(item).min(1);
  return documented(
    Joi.alternatives().conditional(Joi.array().max(most), {
      // oxlint-disable-next-line unicorn/no-thenable -- Joi's own word
      then: some,
      otherwise: Joi.array().max(most),
    }),
    (told) => told(some.max(most)),
  )
    .required()
    .description("one for each way of making something; how many is the line's `quantity`");
}

export const quotedItems = itemsOf(lineItemField, LIMITS.itemsPerQuote);

export const pricedItems = itemsOf(pricedItemField, LIMITS.itemsPerPrices);

export const rushTierField = oneOfField(RUSH_TIERS).description('unset is `standard`; `critical` is switched by the studio');
