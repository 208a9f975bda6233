import { LIMITS } from '../../domain/limits';
import { DELIVERY_STATES } from '../../domain/webhook-rules';
import { integerField, oneOfField, textField } from './text';

/** Longer than any cursor; a longer text is not looked at. */
export const MAX_CURSOR_LENGTH = 2000;

/** What every list takes (ruling 10). */
export const PAGE_PARAMETERS = {
  limit: integerField(1, LIMITS.pageSize).description(`how many, ${LIMITS.defaultPageSize} unless said otherwise`),
  cursor: textField(1, MAX_CURSOR_LENGTH).description(
    'the `nextCursor` of the page before; opaque, good for the same list with the same filters',
  ),
} as const;

/** What the feed of events takes (ruling 61). */
export const EVENT_PAGE_PARAMETERS = {
  after: textField(1, LIMITS.identifierLength).description(
    'the id of the last event that this list returned, not of a webhook; left out, the oldest come first',
  ),
  limit: PAGE_PARAMETERS.limit,
} as const;

/** What `GET /webhook-deliveries` takes. */
export const DELIVERY_PAGE_PARAMETERS = {
  ...PAGE_PARAMETERS,
  state: oneOfField(DELIVERY_STATES).description('deliveries that have it now'),
} as const;
