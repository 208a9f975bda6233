import type { HandlerDeps } from './deps';
import type { EndpointView } from '../db/repositories/webhook-endpoints';
import { TemporalUnavailable } from '../temporal/breaker';
import type { PingResult } from '../../activities/webhook-contract';
import * as json from './openapi/json';

export const PING_RESULT = json.resource<PingResult>('PingResult', {
  ok: [json.boolean('whether the reply was 2xx'), true],
  status: [json.nullable(json.integer('the HTTP status of the reply')), 200],
  errorCode: json.nullable(json.string('the cause of the failure')),
  totalMs: [json.integer('the duration in milliseconds'), 84],
  replyExcerpt: [json.nullable(json.string('the beginning of the reply')), 'ok'],
});

interface PingRequest {
  deps: HandlerDeps;
  requestId: string;
  endpointId: string;
  actor: { id: string; name: string };
}

/** The key of an account's requests in `HandlerDeps.slowRequestQueue`. */
export const slowRequestQueueKey = (accountId: string, environment: string): string => `${accountId}/${environment}`;

/** Runs a ping that the studio requested. It waits in the same queue as pings of the endpoint's account. */
export function queuePing<T>(deps: HandlerDeps, endpoint: EndpointView, ping: () => Promise<T>): Promise<T> {
  return deps.slowRequestQueue.run(slowRequestQueueKey(endpoint.account_id, endpoint.environment), ping);
}

/**
 * Sends a signed ping, also to a disabled endpoint, and returns the reply. It does not change the failure count. The audit log records
 * failed pings, because a caller could use them to scan for reachable addresses.
 * @throws ApiError SERVICE_UNAVAILABLE
 */
export async function pingEndpoint({ deps, requestId, endpointId, actor }: PingRequest): Promise<PingResult> {
  const recordFailure = (after: Pick<PingResult, 'status' | 'errorCode'>): Promise<void> =>
    deps.failureAudit.record({ action: 'ping.failed', subject: endpointId, actor, after: { ...after }, requestId });
  const outcome = await deps.temporal.endpoints.ping(endpointId, requestId).catch(async (error: unknown) => {
    await recordFailure({ status: null, errorCode: error instanceof TemporalUnavailable ? 'SERVICE_UNAVAILABLE' : 'NOT_SENT' });
    throw error;
  });
  if (!outcome.ok) await recordFailure({ status: outcome.status, errorCode: outcome.errorCode });
  return outcome;
}
