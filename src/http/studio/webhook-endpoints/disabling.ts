import { countRecoverable, type RecoveryScope, recoveryUnderWay, startRecovery } from '../../../db/repositories/webhook-deliveries';
import { disableEndpoint, enableEndpoint } from '../../../db/repositories/webhook-endpoints';
import { ApiError, validationError } from '../../../domain/errors';
import { RECOVERABLE_STATES } from '../../../domain/webhook-rules';
import { disabledEndpoint } from '../../../orders/resend-delivery';
import * as json from '../../openapi/json';
import { pathId } from '../../path-id';
import { type BodyOf, bodySchema, booleanField, listOf, oneOfField, optional, textField } from '../../schemas/text';
import type { Answer } from '../../types';
import { howToEnable } from '../deliveries';
import { audited } from '../support/audited';
import { timestamp } from '../support/fields';
import { ENDPOINT } from '../support/resources';
import type { StudioEndpointRow, StudioRequest } from '../support/types';
import { change, loadEndpoint, lockWorking } from './webhook-endpoints';

export const enableRequest = bodySchema({ skipPing: optional(booleanField()).description('enable it without trying it') });

export const disableRequest = bodySchema({ reason: optional(textField(1, 200)).description('shown with the endpoint') });

export const recoverRequest = bodySchema({
  since: timestamp().description('deliveries made from then on'),
  until: optional(timestamp()).description('and before then; now unless said otherwise'),
  states: optional(listOf(oneOfField(RECOVERABLE_STATES), 1, RECOVERABLE_STATES.length)),
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
    answer: ENDPOINT,
    refuses: ['ENDPOINT_UNREACHABLE', 'TEMPORAL_AWAY'],
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
    answer: ENDPOINT,
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
    answer: json.object({ count: json.integer('of deliveries') }),
    refuses: ['ENDPOINT_DISABLED'],
    requestExample: { since: '2026-03-01T00:00:00Z', states: ['failed', 'held'], dryRun: true },
    example: { count: 12 },
    handler: recover,
  },
];

/** The count of failures starts again at 0. */
async function enable(request: StudioRequest<BodyOf<typeof enableRequest>>): Promise<Answer> {
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
  return change(request, 'endpoint.enable', (sql) => enableEndpoint(sql, id, deps.clock.now()), { skipPing });
}

/** Repeating it without another reason changes nothing (ruling 37). */
async function disable(request: StudioRequest<BodyOf<typeof disableRequest>>): Promise<Answer> {
  const { reason } = request.body;
  return change(request, 'endpoint.disable', async (sql, before) => {
    if (before.state === 'disabled' && reason === undefined) return;
    await disableEndpoint(sql, before.id, reason ?? 'disabled by the studio', request.deps.clock.now());
  });
}

/** The same call again answers the count of the one under way: an impatient second click sends nothing twice (ruling 37). */
async function recover(request: StudioRequest<BodyOf<typeof recoverRequest>>): Promise<Answer> {
  const { deps, body } = request;
  const scope = readScope(request);
  if (body.dryRun ?? false) {
    await loadEndpoint(deps.database, request);
    return { data: { count: await countRecoverable(deps.database, scope) } };
  }
  const count = await audited(request, async (sql, record) => {
    if ((await lockWorking(sql, request)).state === 'disabled') throw disabledEndpoint(scope.endpointId, howToEnable(scope.endpointId));
    const joined = await recoveryUnderWay(sql, scope);
    if (joined !== null) return joined;
    const started = await startRecovery(sql, scope, deps.clock.now());
    await record({ action: 'endpoint.recover', subject: scope.endpointId, before: null, after: { ...scope, count: started } });
    return started;
  });
  deps.deliveryBell.ring();
  return { data: { count } };
}

/** Times in UTC and states in one order, however they were sent: the same scope has to be recognised. */
function readScope(request: StudioRequest<BodyOf<typeof recoverRequest>>): RecoveryScope {
  const { deps, body } = request;
  const since = new Date(body.since);
  const untilSent = body.until === undefined ? null : new Date(body.until).toISOString();
  const until = untilSent === null ? deps.clock.now() : new Date(untilSent);
  if (since >= until) throw validationError([{ path: 'since', message: 'must be before until, which is now unless given' }]);
  const states = [...new Set<string>(body.states ?? RECOVERABLE_STATES)].sort();
  return { endpointId: pathId(request, 'whe'), since: since.toISOString(), until: until.toISOString(), untilSent, states };
}
