import type { EndpointHealth } from '../db/repositories/endpoint-list';
import type { EndpointView } from '../db/repositories/webhook-endpoints';
import { fieldsOf } from './fields';

/** A webhook endpoint at `now` in the studio API, without secrets (specification "Registering an endpoint"). */
export function presentEndpoint(endpoint: EndpointView, now: Date) {
  return {
    ...fieldsOf(endpoint, 'id', 'account_id', 'environment', 'url', 'event_types', 'state', 'disabled_reason', 'consecutive_failures'),
    secretOverlapUntil: overlapUntil(endpoint, now),
    deliveries: fieldsOf(endpoint, 'held', 'failed'),
    ...fieldsOf(endpoint, 'created_at', 'updated_at'),
  };
}

/** A webhook endpoint with its health (studio API "Endpoints"). */
export function presentEndpointHealth(endpoint: EndpointView & EndpointHealth, now: Date) {
  return {
    ...presentEndpoint(endpoint, now),
    accountName: endpoint.account_name,
    health: {
      lastSuccessAt: endpoint.last_success_at?.toISOString() ?? null,
      lastFailureAt: endpoint.last_failure_at?.toISOString() ?? null,
      lastErrorCode: endpoint.last_error,
      pending: endpoint.pending,
    },
  };
}

/** A webhook endpoint in the trade API. */
export function presentOwnEndpoint(endpoint: EndpointView, now: Date) {
  const { accountId: _own, environment: _ofTheKey, ...visible } = presentEndpoint(endpoint, now);
  return visible;
}

/** The audited fields of an endpoint. They contain only the origin of the URL, because path and query may hold tokens. */
export function auditedEndpoint(endpoint: EndpointView) {
  return {
    ...fieldsOf(endpoint, 'account_id', 'environment'),
    origin: new URL(endpoint.url).origin,
    ...fieldsOf(endpoint, 'event_types', 'state', 'disabled_reason'),
    secretOverlapUntil: endpoint.previous_secret_until?.toISOString() ?? null,
    ...fieldsOf(endpoint, 'deleted_at'),
  };
}

/** The time until which the previous secret also signs; null afterwards. */
function overlapUntil({ previous_secret_until: until }: EndpointView, now: Date): string | null {
  return until !== null && until > now ? until.toISOString() : null;
}
