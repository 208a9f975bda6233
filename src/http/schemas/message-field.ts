import Joi from 'joi';
import { LINE_QUANTITY_BOUNDS } from '../../domain/line-quantities';
import type { MessageField } from '../../domain/order-messages/fields';
import { bodySchema, checkedField, type Field, integerField } from './text';

/** Descriptions of the message fields in the contract. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  milestoneId: 'an id of your choice; repeating it with the same content is safe',
  note: 'a note for the studio',
  occurredAt: 'the time of the milestone; the default is the time of the request',
  parcelId: 'an id of your choice for the parcel',
  trackingNumber: "the carrier's tracking number",
  carrier: 'the carrier',
  trackingUrl: 'the URL of the tracking page',
  shippedAt: 'the time of shipping; the default is the time of the request',
  paymentId: 'an id of your choice for the payment',
  amountCents: 'the amount in cents',
  receivedAt: 'the time of receipt; the default is the time of the request',
  reference: 'the reference of the bank, or your own',
  reversalId: 'an id of your choice for the reversal',
  creditNoteId: 'an id of your choice for the credit note',
  reason: 'the reason in words',
};

export function describedMessageField<T = string>(name: string, field: MessageField): Field<T> {
  const schema = messageField<T>(field);
  const description = DESCRIPTIONS[name];
  return description === undefined ? schema : schema.description(description);
}

/** The schema of a message field in a body; the caller decides about null and required fields. */
export function messageField<T = string>({ format, issue }: MessageField): Field<T> {
  if (format.kind === 'pieces') return piecesField() as unknown as Field<T>;
  if (format.kind === 'lines') return linesField() as unknown as Field<T>;
  return checkedField<T>(format, issue);
}

/** Validates each line, so an issue names its entry. */
function linesField(): Joi.ArraySchema {
  const { lines, line } = LINE_QUANTITY_BOUNDS;
  return Joi.array()
    .items(integerField(line.min, line.max))
    .min(1)
    .max(lines)
    .unique()
    .messages({
      'array.min': `must name 1 to ${lines} lines`,
      'array.max': `must name 1 to ${lines} lines`,
      'array.unique': 'must name each line once',
    });
}

/** Validates each part, so an issue names its entry (`src/domain/line-quantities.ts` validates signals). */
function piecesField(): Joi.ArraySchema {
  const { lines, line, quantity } = LINE_QUANTITY_BOUNDS;
  return Joi.array()
    .items(
      bodySchema({
        line: integerField(line.min, line.max).description("the index in the order's `lines`, from 0"),
        quantity: integerField(quantity.min, quantity.max).description('the number of pieces of the line'),
      }),
    )
    .min(1)
    .max(lines)
    .unique('line')
    .messages({
      'array.min': `must name 1 to ${lines} lines, each with its quantity`,
      'array.max': `must name 1 to ${lines} lines, each with its quantity`,
      'array.unique': 'must name each line once',
    })
    .description('the content of the parcel; all parcels together hold at most the ordered quantities. Without it the content is unknown.');
}
