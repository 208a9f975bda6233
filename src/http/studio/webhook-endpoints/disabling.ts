import { countRecoverable, type RecoveryScope, findRunningRecovery, startRecovery } from '../../../db/repositories/webhook-deliveries';
import { disableEndpoint, enableEndpoint } from '../../../db/repositories/webhook-endpoints';
import { ApiError, validationError } from '../../../domain/errors';
import { RECOVERABLE_STATES } from '../../../domain/webhook-rules';
import { endpointDisabled } from '../../../orders/resend-delivery';
import * as json from '../../openapi/json';
import { pathId } from '../../path-id';
import { type BodyOf, bodySchema, booleanField, listField, oneOfField, optional, textField } from '../../schemas/text';
import type { HandlerResponse } from '../../types';
import { enableHint } from '../deliveries';
import { audited } from '../support/audited';
import { timestampField } from '../support/fields';
import { ENDPOINT } from '../support/endpoint-resources';
import type { StudioEndpointRow, StudioRequest } from '../support/types';
import { changeAudited, loadEndpoint, lockExistingEndpoint } from './webhook-endpoints';

export const enableRequest = bodySchema({ skipPing: optional(booleanField()).description('enable it without trying it') });

export const disableRequest = bodySchema({ reason: optional(textField(1, 200)).description('shown with the endpoint') });

export const recoverRequest = bodySchema({
  since: timestampField().description('deliveries made from then on'),
  until: optional(timestampField()).description('and before then; now unless said otherwise'),
  states: optional(listField(oneOfField(RECOVERABLE_STATES), 1, RECOVERABLE_STATES.length)),
  dryRun: optional(booleanField()).description('only count'),
});

export const WEBHOOK_DISABLING_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/enable',
    role: 'office',
    body: enableRequest,
    id: 'enableWebhookEndpoint',
    summary: 'Enable an endpoint',
    description: 'It is pinged first, and stays disabled where that fails.',
    response: ENDPOINT,
    errorCodes: ['ENDPOINT_UNREACHABLE', 'TEMPORAL_AWAY'],
    requestExample: { skipPing: false },
    handler: enable,
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/disable',
    role: 'office',
    body: disableRequest,
    id: 'disableWebhookEndpoint',
    summary: 'Disable an endpoint',
    description: 'What is pending becomes held, so nothing is lost.',
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
    summary: 'Send again what was held or failed',
    description: 'Of deliveries made from `since` to before `until`. The same call again joins the one under way; a dry run only counts.',
    response: json.object({ count: json.integer('of deliveries') }),
    errorCodes: ['ENDPOINT_DISABLED'],
    requestExample: { since: '2026-03-01T00:00:00Z', states: ['failed', 'held'], dryRun: true },
    example: { count: 12 },
    handler: recover,
  },
];

/** The count of failures starts again at 0. */
async function enable(request: StudioRequest<BodyOf<typeof enableRequest>>): Promise<HandlerResponse> {
  const { deps, body, requestId } = request;
  const { id } = await loadEndpoint(deps.database, request);
  const skipPing = body.skipPing ?? false;
  if (!skipPing) {
    const { ok, status, errorCode } = await deps.temporal.endpoints.ping(id, requestId);
    if (!ok)
      throw new ApiError(
        'ENDPOINT_UNREACHABLE',
        `the ping failed: ${status ?? 'no reply'}, ${errorCode}; skipPing enables it all the same`,
        { status, errorCode },
      );
  }
  return changeAudited(request, 'endpoint.enable', (sql) => enableEndpoint(sql, id, deps.clock.now()), { skipPing });
}

/** Repeating it without another reason changes nothing (ruling 37). */
async function disable(request: StudioRequest<BodyOf<typeof disableRequest>>): Promise<HandlerResponse> {
  const { reason } = request.body;
  return changeAudited(request, 'endpoint.disable', async (sql, before) => {
    if (before.state === 'disabled' && reason === undefined) return;
    await disableEndpoint(sql, before.id, reason ?? 'disabled by the studio', request.deps.clock.now());
  });
}

/** The same call again answers the count of the one under way: an impatient second click sends nothing twice (ruling 37). */
async function recover(request: StudioRequest<BodyOf<typeof recoverRequest>>): Promise<HandlerResponse> {
  const { deps, body } = request;
  const scope = readRecoveryScope(request);
  if (body.dryRun ?? false) {
    await loadEndpoint(deps.database, request);
    return { data: { count: await countRecoverable(deps.database, scope) } };
  }
  const count = await audited(request, async (sql, record) => {
    if ((await lockExistingEndpoint(sql, request)).state === 'disabled')
      throw endpointDisabled(scope.endpointId, enableHint(scope.endpointId));
    const runningCount = await findRunningRecovery(sql, scope);
    if (runningCount !== null) return runningCount;
    const startedCount = await startRecovery(sql, scope, deps.clock.now());
    await record({ action: 'endpoint.recover', subject: scope.endpointId, before: null, after: { ...scope, count: startedCount } });
    return startedCount;
  });
  deps.deliveryNotifier.notify();
  return { data: { count } };
}

/** Times in UTC and states in one order, however they were sent: the same scope has to be recognised. */
function readRecoveryScope(request: StudioRequest<BodyOf<typeof recoverRequest>>): RecoveryScope {
  const { deps, body } = request;
  const since = new Date(body.since);
  const untilSent = body.until === undefined ? null : new Date(body.until).toISOString();
  const until = untilSent === null ? deps.clock.now() : new Date(untilSent);
  if (since >= until) throw validationError([{ path: 'since', message: 'must be before until, which is now unless given' }]);
  const states = [...new Set<string>(body.states ?? RECOVERABLE_STATES)].sort();
  return { endpointId: pathId(request, 'whe'), since: since.toISOString(), until: until.toISOString(), untilSent, states };
}
