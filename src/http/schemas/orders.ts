import Joi from 'joi';
import { timeIssue } from '../../domain/field-forms';
import { LIMITS } from '../../domain/limits';
import { ORDER_STATUSES } from '../../domain/order-status';
import { checked, oneOf, optionalText, text } from './text';

/** Body of `POST /orders` (specification "POST /orders"). */
export const orderRequest = Joi.object({
  quoteId: text(1, LIMITS.identifierLength).required().description('good once, with a key of the environment that priced it'),
  specialInstructions: optionalText(LIMITS.specialInstructionsLength).description("for the studio's job sheet; never priced or read"),
});

export interface OrderRequest {
  quoteId: string;
  specialInstructions?: string | null;
}

/** A time in a query, where a plus sign means a space. */
const queryTime = (): Joi.Schema =>
  checked({ kind: 'timestamp' }, (value) => {
    const issue = timeIssue(value);
    return issue !== null && String(value).includes(' ') ? `${issue}; a plus sign is sent as %2B` : issue;
  });

/** What `GET /orders` filters by (specification "GET /orders", ruling 61). */
export const ORDER_FILTERS = {
  status: oneOf(ORDER_STATUSES).description('orders that have it now'),
  createdAfter: queryTime().description('orders created then or later'),
  createdBefore: queryTime().description('orders created earlier than that'),
  externalReference: text(0, LIMITS.externalReferenceLength).description('orders with a line of exactly this reference'),
} as const;
