import Joi from 'joi';
import { countRecoverable, type RecoveryScope, recoveryUnderWay, startRecovery } from '../../../db/repositories/webhook-deliveries';
import { disableEndpoint, enableEndpoint } from '../../../db/repositories/webhook-endpoints';
import { ApiError, validationError } from '../../../domain/errors';
import { RECOVERABLE_STATES, type RecoverableState } from '../../../domain/webhook-rules';
import { disabledEndpoint } from '../../../orders/resend-delivery';
import * as json from '../../openapi/json';
import { pathId } from '../../path-id';
import { booleanField, listOf, oneOfField, textField } from '../../schemas/text';
import type { Answer } from '../../types';
import { howToEnable } from '../deliveries';
import { audited } from '../support/audited';
import { ENDPOINT_EXAMPLE } from '../support/examples';
import { timestamp } from '../support/fields';
import { ENDPOINT } from '../support/resources';
import type { StudioEndpointRow, StudioRequest } from '../support/types';
import { change, loadEndpoint, lockWorking } from './webhook-endpoints';

export const enableRequest = Joi.object({ skipPing: booleanField().description('enable it without trying it') });

interface EnableRequest {
  skipPing?: boolean;
}

export const disableRequest = Joi.object({ reason: textField(1, 200).description('shown with the endpoint') });

interface DisableRequest {
  reason?: string;
}

export const recoverRequest = Joi.object({
  since: timestamp().required().description('deliveries made from then on'),
  until: timestamp().description('and before then; now unless said otherwise'),
  states: listOf(oneOfField(RECOVERABLE_STATES), 1, RECOVERABLE_STATES.length),
  dryRun: booleanField().description('only count'),
});

interface RecoverRequest {
  since: string;
  until?: string;
  states?: RecoverableState[];
  dryRun?: boolean;
}

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
    example: { ...ENDPOINT_EXAMPLE, state: 'disabled', disabledReason: 'moving house' },
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

/**
 * `POST …/enable`: pings first, and leaves the endpoint disabled where that fails. The count of failures starts again at 0.
 * @throws ApiError ENDPOINT_UNREACHABLE, TEMPORAL_AWAY
 */
async function enable(request: StudioRequest<EnableRequest>): Promise<Answer> {
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

/**
 * `POST …/disable`: pending deliveries become held, so nothing is lost. Repeating it without another reason changes nothing (ruling 37).
 */
async function disable(request: StudioRequest<DisableRequest>): Promise<Answer> {
  const { reason } = request.body;
  return change(request, 'endpoint.disable', async (sql, before) => {
    if (before.state === 'disabled' && reason === undefined) return;
    await disableEndpoint(sql, before.id, reason ?? 'disabled by the studio', request.deps.clock.now());
  });
}

/**
 * `POST …/recover`: sends again what was held or failed, of deliveries made from `since` to before `until`. The same call again joins the
 * one under way and answers its count, so that an impatient second click sends nothing twice; a dry run only counts (ruling 37).
 * @throws ApiError ENDPOINT_DISABLED
 */
async function recover(request: StudioRequest<RecoverRequest>): Promise<Answer> {
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
function readScope(request: StudioRequest<RecoverRequest>): RecoveryScope {
  const { deps, body } = request;
  const since = new Date(body.since);
  const untilSent = body.until === undefined ? null : new Date(body.until).toISOString();
  const until = untilSent === null ? deps.clock.now() : new Date(untilSent);
  if (since >= until) throw validationError([{ path: 'since', message: 'must be before until, which is now unless given' }]);
  const states = [...new Set<string>(body.states ?? RECOVERABLE_STATES)].sort();
  return { endpointId: pathId(request, 'whe'), since: since.toISOString(), until: until.toISOString(), untilSent, states };
}
