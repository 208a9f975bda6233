import { STORED_EVENT_TYPES, type StoredEventType } from '../../domain/events';
import { type Field, listField, oneOfField, nullable } from './text';

export const EVENT_TYPES_DESCRIPTION =
  'the event types that the endpoint receives; null means the six types of a status, not `order.issue_…`. Pings are always sent.';

export const eventTypesField = (): Field<StoredEventType[] | null> =>
  nullable(listField(oneOfField(STORED_EVENT_TYPES), 1, STORED_EVENT_TYPES.length)).description(EVENT_TYPES_DESCRIPTION);
