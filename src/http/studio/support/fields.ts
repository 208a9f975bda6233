import { validationError } from '../../../domain/errors';
import { dayIssue, timeIssue } from '../../../domain/field-formats';
import type { MessageField } from '../../../domain/order-messages/fields';
import { describedMessageField } from '../../schemas/message-field';
import { checkedField, type Field, nullable, optional } from '../../schemas/text';
import type { StudioRequest } from './types';

/** An RFC 3339 time on an existing calendar day, stored unchanged. */
export const timestampField = (): Field => checkedField({ kind: 'timestamp' }, timeIssue);

/** An RFC 3339 time, or a day, which means its first moment in UTC. */
export function dayOrTimestampField(): Field {
  const problem = 'must be a day such as 2026-01-31, or an RFC 3339 time such as 2026-01-31T09:30:00Z, in the years 1970 to 9998';
  return checkedField({ kind: 'dayOrTimestamp' }, (value) =>
    timeIssue(value) === null || timeIssue(`${String(value)}T00:00:00Z`) === null ? null : problem,
  );
}

/** The expiry of a key or token; null if it does not expire. @throws ApiError VALIDATION_ERROR for a past time */
export function futureTime({ deps }: StudioRequest, expiresAt: string | null | undefined): Date | null {
  if (expiresAt === undefined || expiresAt === null) return null;
  const time = new Date(expiresAt);
  if (time <= deps.clock.now()) throw validationError([{ path: 'expiresAt', message: 'must be in the future' }]);
  return time;
}

/** A day of the studio's calendar. */
export const dayField = (): Field => checkedField({ kind: 'date' }, dayIssue);

/** The fields of a message, from the list that signals also use (`src/domain/order-messages`). */
export function messageFields<T>(fields: Readonly<Record<keyof T, MessageField>>): { [K in keyof T]-?: Field<T[K]> } {
  const schemas = Object.entries<MessageField>(fields).map(([name, field]) => {
    const schema = describedMessageField(name, field);
    return [name, field.optional ? optional(nullable(schema)) : schema];
  });
  return Object.fromEntries(schemas) as { [K in keyof T]-?: Field<T[K]> };
}
