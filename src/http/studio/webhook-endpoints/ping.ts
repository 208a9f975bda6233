import { PING_EXAMPLE, PING_RESULT, pingEndpoint } from '../../ping';
import type { Answer } from '../../types';
import { audited } from '../support/audited';
import type { StudioEndpointRow, StudioRequest } from '../support/types';
import { loadEndpoint } from './webhook-endpoints';

export const WEBHOOK_PING_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/ping',
    role: 'office',
    id: 'pingWebhookEndpoint',
    summary: 'Send a signed ping and see what comes back',
    description: 'Whatever state the endpoint is in; it counts for nothing.',
    answer: PING_RESULT,
    refuses: ['TEMPORAL_AWAY'],
    example: PING_EXAMPLE,
    handler: ping,
  },
];

async function ping(request: StudioRequest): Promise<Answer> {
  const { deps, caller, requestId } = request;
  const { id } = await loadEndpoint(deps.database, request);
  const outcome = await pingEndpoint({ deps, requestId, endpointId: id, actor: { id: caller.tokenId, name: caller.name } });
  const { ok, status, errorCode } = outcome;
  if (ok)
    await audited(request, (_sql, record) =>
      record({ action: 'endpoint.ping', subject: id, before: null, after: { ok, status, errorCode } }),
    );
  return { data: outcome };
}
