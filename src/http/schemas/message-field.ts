import Joi from 'joi';
import { PIECES_BOUNDS } from '../../domain/line-pieces';
import type { MessageField } from '../../domain/message-fields';
import { checkedField, integerField } from './text';

/** What each field of a message holds, for the contract. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  milestoneId: 'an id of your own: the same id with the same content is recorded once',
  note: 'for the studio',
  occurredAt: 'when it happened; the time of the request where it is left out',
  parcelId: 'an id of your own for the parcel',
  trackingNumber: "the carrier's number of it",
  carrier: 'who carries it',
  trackingUrl: 'page where it can be followed',
  shippedAt: 'when it left the studio; the time of the request where it is left out',
  paymentId: 'an id of your own for the payment',
  amountCents: 'how much, in cents',
  receivedAt: 'when the money came in; the time of the request where it is left out',
  reference: "the bank's or your own",
  creditNoteId: 'an id of your own for the credit note',
  reason: 'why, in words',
};

/** The same under its name, which says what it holds. */
export function describedMessageField(name: string, field: MessageField): Joi.Schema {
  const schema = messageField(field);
  const description = DESCRIPTIONS[name];
  return description === undefined ? schema : schema.description(description);
}

/** A field of a message as a body has it; null and what has to be there are the caller's. */
export function messageField({ format, issue }: MessageField): Joi.Schema {
  return format.kind === 'pieces' ? piecesField() : checkedField(format, issue);
}

/** Told part by part, so that an issue names its entry (`src/domain/line-pieces.ts` judges the same of signals). */
function piecesField(): Joi.Schema {
  const { lines, line, quantity } = PIECES_BOUNDS;
  return Joi.array()
    .items(
      Joi.object({
        line: integerField(line.min, line.max).required().description("counts from 0, as in the order's `lines`"),
        quantity: integerField(quantity.min, quantity.max).required().description('how many pieces of the line'),
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
    .description('what it holds, no more than was ordered over all parcels; left out: not told');
}
