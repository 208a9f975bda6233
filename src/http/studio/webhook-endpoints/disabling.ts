import { countRecoverable, type RecoveryScope, findRunningRecovery, startRecovery } from '../../../db/repositories/webhook-deliveries';
import { disableEndpoint, enableEndpoint } from '../../../db/repositories/webhook-endpoints';
import { ApiError, validationError } from '../../../domain/errors';
import { RECOVERABLE_STATES } from '../../../domain/webhook-rules';
import { endpointDisabled } from '../../../orders/resend-delivery';
import * as json from '../../openapi/json';
import { queuePing } from '../../ping';
import { pathId } from '../../path-id';
import { type BodyOf, bodySchema, booleanField, listField, oneOfField, optional, textField } from '../../schemas/text';
import type { HandlerResponse } from '../../types';
import { ENABLE_HINT } from '../deliveries';
import { audited } from '../support/audited';
import { timestampField } from '../support/fields';
import { ENDPOINT } from '../support/endpoint-resources';
import type { StudioEndpointRow, StudioRequest } from '../support/types';
import { changeAudited, loadEndpoint, lockExistingEndpoint } from './webhook-endpoints';

export const enableRequest = bodySchema({ skipPing: optional(booleanField()).description('enable the endpoint without a ping') });

export const disableRequest = bodySchema({ reason: optional(textField(1, 200)).description('the reason, shown with the endpoint') });

export const recoverRequest = bodySchema({
  since: timestampField().description('the earliest creation time of the deliveries'),
  until: optional(timestampField()).description('the end of the range, not included; the default is now'),
  states: optional(listField(oneOfField(RECOVERABLE_STATES), 1, RECOVERABLE_STATES.length)).description(
    'only deliveries in these states; the default is both',
  ),
  dryRun: optional(booleanField()).description('true to count the deliveries without sending them'),
});

export const WEBHOOK_DISABLING_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/enable',
    role: 'office',
    body: enableRequest,
    id: 'enableWebhookEndpoint',
    summary: 'Enable a webhook endpoint',
    description: 'Pings the endpoint first. If the ping fails, the endpoint stays disabled.',
    response: ENDPOINT,
    errorCodes: ['ENDPOINT_UNREACHABLE', 'SERVICE_UNAVAILABLE'],
    requestExample: { skipPing: false },
    handler: enable,
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/disable',
    role: 'office',
    body: disableRequest,
    id: 'disableWebhookEndpoint',
    summary: 'Disable a webhook endpoint',
    description: 'Pending deliveries become held, so no event is lost.',
    response: ENDPOINT,
    requestExample: { reason: 'moving house' },
    example: json.exampleWith(ENDPOINT, { state: 'disabled', disabledReason: 'moving house' }),
    handler: disable,
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/recover',
    role: 'office',
    body: recoverRequest,
    id: 'recoverDeliveries',
    summary: 'Recover deliveries',
    description:
      'Sends held or failed deliveries again that were created from `since` to before `until`. Repeating the request while its recovery runs does not start another recovery. A dry run only counts.',
    response: json.object({
      count: json.integer('the number of recovered deliveries; with `dryRun`, the number of deliveries to recover'),
    }),
    errorCodes: ['ENDPOINT_DISABLED'],
    requestExample: { since: '2026-03-01T00:00:00Z', states: ['failed', 'held'], dryRun: true },
    example: { count: 12 },
    handler: recover,
  },
];

/** Enables the endpoint and resets its failure count. */
async function enable(request: StudioRequest<BodyOf<typeof enableRequest>>): Promise<HandlerResponse> {
  const { deps, body, requestId } = request;
  const endpoint = await loadEndpoint(deps.database, request);
  const { id } = endpoint;
  const skipPing = body.skipPing ?? false;
  if (!skipPing) {
    const { ok, status, errorCode } = await queuePing(deps, endpoint, () => deps.temporal.endpoints.ping(id, requestId));
    if (!ok)
      throw new ApiError(
        'ENDPOINT_UNREACHABLE',
        `the ping failed: ${status ?? 'no reply'}, ${errorCode}; repair the endpoint, or send skipPing to enable it without a ping`,
        { status, errorCode },
      );
  }
  return changeAudited(request, 'endpoint.enable', (sql) => enableEndpoint(sql, id, deps.clock.now()), { skipPing });
}

/** Repeating the request with the same reason changes nothing. */
async function disable(request: StudioRequest<BodyOf<typeof disableRequest>>): Promise<HandlerResponse> {
  const { reason } = request.body;
  return changeAudited(request, 'endpoint.disable', async (sql, before) => {
    if (before.state === 'disabled' && reason === undefined) return;
    await disableEndpoint(sql, before.id, reason ?? 'disabled by the studio', request.deps.clock.now());
  });
}

/** A repeated call returns the count of the running recovery, so a second click sends nothing twice. */
async function recover(request: StudioRequest<BodyOf<typeof recoverRequest>>): Promise<HandlerResponse> {
  const { deps, body } = request;
  const scope = readRecoveryScope(request);
  if (body.dryRun ?? false) {
    await loadEndpoint(deps.database, request);
    return { data: { count: await countRecoverable(deps.database, scope) } };
  }
  const count = await audited(request, async (sql, record) => {
    if ((await lockExistingEndpoint(sql, request)).state === 'disabled') throw endpointDisabled(scope.endpointId, ENABLE_HINT);
    const runningCount = await findRunningRecovery(sql, scope);
    if (runningCount !== null) return runningCount;
    const startedCount = await startRecovery(sql, scope, deps.clock.now());
    await record({ action: 'endpoint.recover', subject: scope.endpointId, before: null, after: { ...scope, count: startedCount } });
    return startedCount;
  });
  deps.deliveryNotifier.notify();
  return { data: { count } };
}

/** Normalizes times and the order of states, so equal requests have equal scopes. */
function readRecoveryScope(request: StudioRequest<BodyOf<typeof recoverRequest>>): RecoveryScope {
  const { deps, body } = request;
  const since = new Date(body.since);
  const untilSent = body.until === undefined ? null : new Date(body.until).toISOString();
  const until = untilSent === null ? deps.clock.now() : new Date(untilSent);
  if (since >= until) throw validationError([{ path: 'since', message: 'must be before until; the default of until is now' }]);
  const states = [...new Set<string>(body.states ?? RECOVERABLE_STATES)].sort();
  return { endpointId: pathId(request, 'whe'), since: since.toISOString(), until: until.toISOString(), untilSent, states };
}
