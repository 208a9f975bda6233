import type { AuditEntry } from '../../../db/repositories/audit';
import { countRecoverable, recoveryUnderWay, startRecovery, type RecoveryScope } from '../../../db/repositories/webhook-deliveries';
import {
  changeEndpointUrl,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  findEndpointView,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  rotateSecret,
  type EndpointView,
} from '../../../db/repositories/webhook-endpoints';
import { listAllEndpoints, type EndpointHealth } from '../../../db/repositories/endpoint-list';
import type { Sql } from '../../../db/database';
import type { Environment } from '../../../domain/limits';
import { ApiError, validationError } from '../../../domain/errors';
import { auditedEndpoint, presentEndpoint, presentEndpointHealth } from '../../../presenters/webhook-endpoints';
import { newId } from '../../../security/ids';
import { newWebhookSecret, standardSecret } from '../../../security/webhook-signature';
import type {
  DisableRequest,
  EnableRequest,
  EndpointChange,
  EndpointRequest,
  RecoverRequest,
  RotateRequest,
} from '../schemas/webhook-endpoints';
import { ENDPOINT_CSV } from '../../../presenters/csv-columns';
import type { Answer } from '../../types';
import { answerCsv } from '../csv';
import { audited } from '../audited';
import { answerFiltered, type FilteredList } from '../filters';
import { markByAge } from '../paging';
import { ENDPOINT_FILTERS, OF_ACCOUNT_FILTERS } from '../schemas/filters';
import type { StudioRequest } from '../types';
import { acceptWebhookUrl } from '../webhook-url';
import { existingAccountId } from './accounts';
import { disabledEndpoint } from '../../../orders/resend-delivery';
import { howToEnable } from './deliveries';
import { RECOVERABLE_STATES, DEFAULT_OVERLAP_HOURS, type EndpointState } from '../../../domain/webhook-rules';
import { found, pathId } from '../../path-id';
import { HOUR_MS } from '../../../domain/duration';

/** `POST /accounts/{id}/webhook-endpoints`: the only answer that shows the secret (specification "Registering an endpoint"). */
export async function createEndpoint(request: StudioRequest<EndpointRequest>): Promise<Answer> {
  const { deps, body } = request;
  const accountId = await existingAccountId(request);
  const url = await acceptedUrl(request);
  const secret = newWebhookSecret();
  const stored = await audited(request, async (sql, record) => {
    const { id } = await insertEndpoint(sql, deps.secretBox, {
      id: newId('whe'),
      accountId,
      environment: body.environment,
      url,
      secret,
      now: deps.clock.now(),
    });
    const made = await loadEndpoint(sql, request, id);
    await record({ action: 'endpoint.create', subject: id, before: null, after: auditedEndpoint(made) });
    return made;
  });
  return { data: { ...presentEndpoint(stored, deps.clock.now()), ...shown(secret) } };
}

/** `GET /accounts/{id}/webhook-endpoints`, newest first, of both environments unless one is named. */
export async function getEndpoints(request: StudioRequest): Promise<Answer> {
  const { deps } = request;
  const accountId = await existingAccountId(request);
  return answerFiltered(request, {
    name: `webhook-endpoints/${accountId}`,
    schemas: OF_ACCOUNT_FILTERS,
    find: ({ environment }, { limit, after }) =>
      listEndpoints(deps.database, { accountId, environment: (environment ?? null) as Environment | null }, limit, after),
    mark: markByAge,
    present: (endpoint: EndpointView) => presentEndpoint(endpoint, deps.clock.now()),
  });
}

/** `GET /webhook-endpoints`: of all accounts, with how each fares. */
export async function getAllEndpoints(request: StudioRequest): Promise<Answer> {
  return answerFiltered(request, endpointList(request));
}

/** `GET /webhook-endpoints.csv` (ruling 64). */
export async function exportEndpoints(request: StudioRequest): Promise<Answer> {
  return answerCsv(request, endpointList(request), ENDPOINT_CSV);
}

function endpointList({
  deps,
}: StudioRequest): FilteredList<EndpointView & EndpointHealth, typeof ENDPOINT_FILTERS, ReturnType<typeof presentEndpointHealth>> {
  return {
    name: 'webhook-endpoints',
    schemas: ENDPOINT_FILTERS,
    find: ({ environment, accountId, state, failing }, page) =>
      listAllEndpoints(
        deps.database,
        {
          environment: environment as Environment | undefined,
          accountId,
          state: state as EndpointState | undefined,
          failing: failing !== undefined,
        },
        page,
      ),
    mark: markByAge,
    present: (endpoint) => presentEndpointHealth(endpoint, deps.clock.now()),
  };
}

export async function getEndpoint(request: StudioRequest): Promise<Answer> {
  return answerWith(request, await loadEndpoint(request.deps.database, request));
}

/** `PATCH /webhook-endpoints/{id}`: the very next attempt goes to the new URL. */
export async function patchEndpoint(request: StudioRequest<EndpointChange>): Promise<Answer> {
  const { deps } = request;
  await loadEndpoint(deps.database, request);
  const url = await acceptedUrl(request);
  return change(request, 'endpoint.change', (sql, before) => changeEndpointUrl(sql, before.id, url, deps.clock.now()), {
    urlChanged: true,
  });
}

/** `DELETE /webhook-endpoints/{id}`: pending deliveries become held; repeating it changes nothing. */
export async function removeEndpoint(request: StudioRequest): Promise<Answer> {
  const id = pathId(request, 'whe');
  const gone = await audited(request, async (sql, record) => {
    const before = found(request, 'whe', await lockEndpoint(sql, id));
    if (before.deleted_at !== null) return before;
    await deleteEndpoint(sql, id, request.deps.clock.now());
    const after = found(request, 'whe', await lockEndpoint(sql, id));
    await record({ action: 'endpoint.delete', subject: id, before: auditedEndpoint(before), after: auditedEndpoint(after) });
    return after;
  });
  return { data: { ...presentEndpoint(gone, request.deps.clock.now()), deletedAt: gone.deleted_at?.toISOString() ?? null } };
}

/**
 * `POST …/enable`: pings first, and leaves the endpoint disabled where that fails. The count of failures starts again at 0.
 * @throws ApiError ENDPOINT_UNREACHABLE
 */
export async function enable(request: StudioRequest<EnableRequest>): Promise<Answer> {
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
export async function disable(request: StudioRequest<DisableRequest>): Promise<Answer> {
  const { reason } = request.body;
  return change(request, 'endpoint.disable', async (sql, before) => {
    if (before.state === 'disabled' && reason === undefined) return;
    await disableEndpoint(sql, before.id, reason ?? 'disabled by the studio', request.deps.clock.now());
  });
}

/** `POST …/rotate-secret`: the only answer that shows the new secret; both secrets sign until the overlap ends. */
export async function rotate(request: StudioRequest<RotateRequest>): Promise<Answer> {
  const now = request.deps.clock.now();
  const overlapMs = (request.body.overlapHours ?? DEFAULT_OVERLAP_HOURS) * HOUR_MS;
  const secret = newWebhookSecret();
  const overlapUntil = overlapMs === 0 ? null : new Date(now.getTime() + overlapMs);
  const { data } = await change(request, 'endpoint.rotate_secret', (sql, before) =>
    rotateSecret(sql, request.deps.secretBox, before.id, { secret, overlapUntil, now }),
  );
  return { data: { ...(data as object), ...shown(secret) } };
}

/** A new secret, and the same as libraries of Standard Webhooks take it (ruling 63). */
const shown = (secret: string) => ({ secret, standardSecret: standardSecret(secret) });

/** `POST …/ping`: sends a signed ping, whatever state the endpoint is in, and answers what came back. It counts for nothing (ruling 36). */
export async function ping(request: StudioRequest): Promise<Answer> {
  const { id } = await loadEndpoint(request.deps.database, request);
  const outcome = await request.deps.temporal.endpoints.ping(id, request.requestId);
  const { ok, status, errorCode } = outcome;
  await audited(request, (_sql, record) =>
    record({ action: 'endpoint.ping', subject: id, before: null, after: { ok, status, errorCode } }),
  );
  return { data: outcome };
}

/**
 * `POST …/recover`: sends again what was held or failed, of deliveries made from `since` to before `until`. The same call again joins the
 * one under way and answers its count, so that an impatient second click sends nothing twice; a dry run only counts (ruling 37).
 * @throws ApiError ENDPOINT_DISABLED
 */
export async function recover(request: StudioRequest<RecoverRequest>): Promise<Answer> {
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

/** One change of the endpoint the path names, audited with `notes`; answers the endpoint as it is then. */
async function change(
  request: StudioRequest,
  action: string,
  work: (sql: Sql, before: EndpointView) => Promise<unknown>,
  notes: AuditEntry['after'] = null,
): Promise<Answer> {
  const id = pathId(request, 'whe');
  const after = await audited(request, async (sql, record) => {
    const before = await lockWorking(sql, request);
    await work(sql, before);
    const changed = await loadEndpoint(sql, request);
    await record({ action, subject: id, before: auditedEndpoint(before), after: { ...auditedEndpoint(changed), ...notes } });
    return changed;
  });
  return answerWith(request, after);
}

function answerWith({ deps }: StudioRequest, endpoint: EndpointView): Answer {
  return { data: presentEndpoint(endpoint, deps.clock.now()) };
}

function acceptedUrl({ deps, body }: StudioRequest<EndpointChange>): Promise<string> {
  return acceptWebhookUrl(body.url, { allowedOrigins: deps.config.webhookAllowedOrigins });
}

/** Locked; a deleted one is there no more. */
async function lockWorking(sql: Sql, request: StudioRequest): Promise<EndpointView> {
  const endpoint = await lockEndpoint(sql, pathId(request, 'whe'));
  return found(request, 'whe', endpoint?.deleted_at === null ? endpoint : null);
}

async function loadEndpoint(sql: Sql, request: StudioRequest, id = pathId(request, 'whe')): Promise<EndpointView> {
  return found(request, 'whe', await findEndpointView(sql, id));
}
