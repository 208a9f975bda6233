import { TemporalAway } from '../../../temporal/breaker';
import * as json from '../../openapi/json';
import type { Answer } from '../../types';
import { audited } from '../support/audited';
import type { StudioEndpointRow, StudioRequest } from '../support/types';
import { loadEndpoint } from './webhook-endpoints';

interface Ping {
  ok: boolean;
  status: number | null;
  errorCode: string | null;
  totalMs: number;
  replyExcerpt: string | null;
}

const PING_RESULT = json.resource<Ping>('PingResult', {
  ok: json.boolean(),
  status: json.nullable(json.integer('of the reply')),
  errorCode: json.nullable(json.string('why it failed')),
  totalMs: json.integer(),
  replyExcerpt: json.nullable(json.string('the first of what came back')),
});

export const WEBHOOK_PING_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/ping',
    role: 'office',
    id: 'pingWebhookEndpoint',
    summary: 'Send a signed ping and see what comes back',
    description: 'Whatever state the endpoint is in; it counts for nothing.',
    answer: PING_RESULT,
    example: { ok: true, status: 200, errorCode: null, totalMs: 84, replyExcerpt: 'ok' },
    handler: ping,
  },
];

/** `POST …/ping`: sends a signed ping, whatever state the endpoint is in, and answers what came back. It counts for nothing (ruling 36). */
async function ping(request: StudioRequest): Promise<Answer> {
  const { id } = await loadEndpoint(request.deps.database, request);
  const outcome = await request.deps.temporal.endpoints.ping(id, request.requestId).catch(async (error: unknown) => {
    await recordFailedPing(request, id, { status: null, errorCode: error instanceof TemporalAway ? 'TEMPORAL_AWAY' : 'NOT_SENT' });
    throw error;
  });
  const { ok, status, errorCode } = outcome;
  if (ok)
    await audited(request, (_sql, record) =>
      record({ action: 'endpoint.ping', subject: id, before: null, after: { ok, status, errorCode } }),
    );
  else await recordFailedPing(request, id, { status, errorCode });
  return { data: outcome };
}

/** Failed pings are counted, because they may be a search for addresses that answer. */
function recordFailedPing(
  { deps, caller, requestId }: StudioRequest,
  subject: string,
  after: { status: number | null; errorCode: string | null },
): Promise<void> {
  const actor = { id: caller.tokenId, name: caller.name };
  return deps.failureAudit.record({ action: 'ping.failed', subject, actor, after, requestId });
}
