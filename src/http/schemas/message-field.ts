import Joi from 'joi';
import { PIECES_BOUNDS } from '../../domain/line-pieces';
import type { MessageField } from '../../domain/order-message';
import { checked, integerField } from './text';

/** A field of a message as a body has it; null and what has to be there are the caller's. */
export function messageField({ form, issue }: MessageField): Joi.Schema {
  return form.kind === 'pieces' ? pieces() : checked(form, issue);
}

/** Told part by part, so that an issue names its entry (`src/domain/line-pieces.ts` judges the same of signals). */
function pieces(): Joi.Schema {
  const { lines, line, quantity } = PIECES_BOUNDS;
  return Joi.array()
    .items(
      Joi.object({
        line: integerField(line.min, line.max).required().description("counts from 0, as in the order's `lines`"),
        quantity: integerField(quantity.min, quantity.max).required(),
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
