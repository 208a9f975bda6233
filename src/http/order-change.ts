import Joi from 'joi';
import { checkDestination, pickAddressFields } from '../domain/basket/destination';
import { validationError } from '../domain/errors';
import { LIMITS } from '../domain/limits';
import { LINE_QUANTITY_BOUNDS } from '../domain/line-quantities';
import { changedLineIssues, type OrderChange } from '../domain/pricing/order-change';
import { withJsonSchema } from './schemas/json-schema';
import { shippingAddressField } from './schemas/shipping-address';
import { type Field, integerField, nullable, singleLineTextField, textField } from './schemas/text';

const { lines: linesField, line: lineField } = LINE_QUANTITY_BOUNDS;

const CHANGE_FIELDS = {
  shippingAddress: shippingAddressField.description('the complete new address with its recipient; it replaces the old one'),
  reference: nullable(singleLineTextField(1, LIMITS.referenceLength)).description('the new purchase order number; null removes it'),
  lines: Joi.array()
    .items(
      Joi.object({
        line: integerField(lineField.min, lineField.max).required().description("the index in the order's `lines`, from 0"),
        externalReference: singleLineTextField(0, LIMITS.externalReferenceLength)
          .allow(null)
          .required()
          .description('the new reference; null removes it'),
      }),
    )
    .min(1)
    .max(linesField)
    .description('new references for these lines; other lines stay unchanged'),
  specialInstructions: nullable(textField(0, LIMITS.specialInstructionsLength)).description('the new instructions; null removes them'),
};
const CHANGE_FIELD_NAMES = Object.keys(CHANGE_FIELDS);

/** A body with at least one field of a change, and with other required fields. */
export function orderChangeSchema(others: Record<string, Field> = {}) {
  const required = Object.fromEntries(Object.entries(others).map(([name, field]) => [name, field.required()]));
  const change = Joi.object({ ...required, ...CHANGE_FIELDS })
    .or(...CHANGE_FIELD_NAMES)
    .messages({ 'object.missing': `send at least one of ${CHANGE_FIELD_NAMES.join(', ')}` });
  return withJsonSchema(change, (toJsonSchema) => ({
    ...toJsonSchema(change),
    anyOf: CHANGE_FIELD_NAMES.map((field) => ({ required: [field] })),
  }));
}

/**
 * Validates the sent fields and converts them for storage.
 * @throws ApiError VALIDATION_ERROR, SHIPPING_ADDRESS_INCOMPLETE
 */
export function readOrderChange({ shippingAddress, reference, lines, specialInstructions }: OrderChange, lineCount: number): OrderChange {
  const issues = changedLineIssues(lines ?? [], lineCount);
  if (issues.length > 0) throw validationError(issues);
  return {
    ...(shippingAddress === undefined ? {} : { shippingAddress: pickAddressFields(checkDestination(shippingAddress)) }),
    ...(reference === undefined ? {} : { reference }),
    ...(lines === undefined ? {} : { lines: lines.map(({ line, externalReference }) => ({ line, externalReference })) }),
    ...(specialInstructions === undefined ? {} : { specialInstructions }),
  };
}
