import { LIMITS } from '../../domain/limits';
import { DELIVERY_STATES } from '../../domain/webhook-rules';
import { integerField, oneOfField, textField } from './text';

/** Longer than any valid cursor. */
export const MAX_CURSOR_LENGTH = 2000;

/** Parameters of every list. */
export const PAGE_PARAMETERS = {
  limit: integerField(1, LIMITS.pageSize).description(`the page size; the default is ${LIMITS.defaultPageSize}`),
  cursor: textField(1, MAX_CURSOR_LENGTH).description(
    'the `nextCursor` of the previous page; opaque, valid for the same list with the same filters',
  ),
} as const;

/** Parameters of the list of events. */
export const EVENT_PAGE_PARAMETERS = {
  after: textField(1, LIMITS.identifierLength).description(
    'the id of the last event that this list returned, not of a webhook; without it the list begins with the oldest',
  ),
  limit: PAGE_PARAMETERS.limit,
  issues: oneOfField(['true']).description('also lists `order.issue_raised` and `order.issue_resolved`'),
} as const;

/** Parameters of `GET /webhook-deliveries`. */
export const DELIVERY_PAGE_PARAMETERS = {
  ...PAGE_PARAMETERS,
  state: oneOfField(DELIVERY_STATES).description('only deliveries in this state'),
} as const;
