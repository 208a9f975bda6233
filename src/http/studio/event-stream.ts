import { isCredentialValid, type StudioCredential } from '../../db/repositories/sessions';
import { STREAM_LIMITS } from '../../domain/change-feed';
import * as json from '../openapi/json';
import type { HandlerResponse } from '../types';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const STREAM_DESCRIPTION = [
  'Sends server-sent events while the connection is open. Each committed change arrives within a second and contains only ids.',
  'Each event has JSON as its `data`:',
  '',
  '- `hello`, the first event: `{ kinds }`, the kinds below that this role receives. Later changes are sent, so read your data after it.',
  '- `order`: `{ orderId }`',
  '- `attention`: `{ orderId, code, state }`, where state is `raised` or `cleared`',
  '- `delivery`: `{ deliveryId, orderId }`; `invoice`: `{ invoiceId, orderId, accountId }`; `account`: `{ accountId }`;',
  '  `endpoint`: `{ endpointId, accountId }`; `run`: `{ runId }` of a statement run. These need at least the role office.',
  '- `resync`: `{}`. The service cannot list the changes, for example because there are too many. Read everything again.',
  `- \`alive\`: \`{}\`, every ${STREAM_LIMITS.recheckMs / 1000} seconds. If it does not arrive, the connection is dead: connect again.`,
  '',
  'Events are not stored or repeated, so read everything again after a new connection. Ignore unknown kinds: more may be added.',
  `The service also checks the token or session every ${STREAM_LIMITS.recheckMs / 1000} seconds and ends the stream if it is no longer valid.`,
  `The stream also ends if the client does not read. An open stream does not extend a session. A token or session has at most ${STREAM_LIMITS.perCaller} streams. A token with all its sessions has at most ${STREAM_LIMITS.perToken}, and a process ${STREAM_LIMITS.perProcess}. Further requests are RATE_LIMITED.`,
].join('\n');

export const EVENT_STREAM_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/events/stream',
    role: 'floor',
    unattended: true,
    id: 'listenToEvents',
    summary: 'Stream changes',
    description: STREAM_DESCRIPTION,
    mediaType: 'text/event-stream',
    response: json.string('server-sent events'),
    responseHeaders: { 'X-Accel-Buffering': json.string('`no`: makes proxies forward each event at once') },
    handler: getEventStream,
  },
];

async function getEventStream({ deps, caller: { credential, role, tokenId } }: StudioRequest): Promise<HandlerResponse> {
  const body = await deps.eventStreams.open({
    key: streamKey(credential, tokenId),
    tokenId,
    role,
    isValid: () => isCredentialValid(deps.database, credential),
  });
  return { stream: { contentType: 'text/event-stream', body } };
}

/** Several people may use one token, so one limit applies to each browser and another to all browsers of the token. */
const streamKey = (credential: StudioCredential, tokenId: string): string =>
  credential.kind === 'session' ? credential.idHash.toString('hex') : tokenId;
