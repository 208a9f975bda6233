import type { Clock } from '../platform/clock';
import type { Database, Sql } from '../db/database';
import { writeAudit, type AuditActor } from '../db/repositories/audit';
import { updateEndpoint, lockEndpoint, type EndpointView } from '../db/repositories/webhook-endpoints';
import type { StoredEventType } from '../domain/events';
import { auditedEndpoint } from '../presenters/webhook-endpoints';

interface EventTypeChoice {
  /** Locks and reads the endpoint; throws if the caller has no such endpoint. */
  load: (sql: Sql) => Promise<EndpointView>;
  /** Null for the types of a status. */
  eventTypes: StoredEventType[] | null;
  by: Omit<AuditActor, 'at'>;
}

/** Changes the event types of an endpoint from the next event on, with an audit entry. @returns the changed endpoint */
export function chooseEventTypes(
  { database, clock }: { database: Database; clock: Clock },
  { load, eventTypes, by }: EventTypeChoice,
): Promise<EndpointView> {
  return database.transaction(async (sql) => {
    const before = await load(sql);
    const at = clock.now();
    await updateEndpoint(sql, { ...before, event_types: eventTypes }, at);
    const after = await lockEndpoint(sql, before.id);
    if (after === null) throw new Error(`endpoint ${before.id} does not exist although its row is locked`);
    const entry = { action: 'endpoint.change', subject: before.id, before: auditedEndpoint(before), after: auditedEndpoint(after) };
    await writeAudit(sql, { ...by, at }, entry);
    return after;
  });
}
