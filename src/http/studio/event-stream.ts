import { isCredentialValid, type StudioCredential } from '../../db/repositories/sessions';
import { STREAM_LIMITS } from '../../domain/change-feed';
import * as json from '../openapi/json';
import type { HandlerResponse } from '../types';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const STREAM_DESCRIPTION = [
  'Server-sent events, for as long as both sides stay: what was committed by any process of the service, told within a second, by ids alone;',
  'whoever wants to know more asks for it. Each comes with JSON as its `data`:',
  '',
  '- `hello`, first: `{ hears }`, the kinds below that this role hears of. Whatever is committed from now on is told, so read after it.',
  '- `order`: `{ orderId }`',
  '- `attention`: `{ orderId, code, state }`, state `raised` or `cleared`',
  '- `delivery`: `{ deliveryId, orderId }`; `invoice`: `{ invoiceId, orderId, accountId }`; `account`: `{ accountId }`;',
  '  `endpoint`: `{ endpointId, accountId }`. From the role office on.',
  '- `resync`: `{}`. Too much changed to tell one by one, or it is not known what: read everything again.',
  `- \`alive\`: \`{}\`, every ${STREAM_LIMITS.recheckMs / 1000} seconds, however much else is told. Where it stays away the line is dead, though nobody closed it: connect again.`,
  '',
  'Nothing is told twice or kept: who connects again reads again. Kinds may be added; ignore those you do not know.',
  `Every ${STREAM_LIMITS.recheckMs / 1000} seconds, too, the token or session is judged: one that is over ends the stream,`,
  `as does a client that does not read. Listening keeps no session awake. One token or session has at most ${STREAM_LIMITS.perCaller} streams, a token with all sessions signed in by it ${STREAM_LIMITS.perToken}, one process ${STREAM_LIMITS.perProcess}; more are RATE_LIMITED.`,
].join('\n');

export const EVENT_STREAM_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'GET',
    path: '/events/stream',
    role: 'floor',
    unattended: true,
    id: 'listenToEvents',
    summary: 'What changes, as it changes',
    description: STREAM_DESCRIPTION,
    mediaType: 'text/event-stream',
    response: json.string('server-sent events'),
    responseHeaders: { 'X-Accel-Buffering': json.string('`no`: proxies that heed it pass each event on at once') },
    handler: getEventStream,
  },
];

/** Ruling 62. */
async function getEventStream({ deps, caller: { credential, role, tokenId } }: StudioRequest): Promise<HandlerResponse> {
  const body = await deps.eventStreams.open({
    key: streamKey(credential, tokenId),
    tokenId,
    role,
    isValid: () => isCredentialValid(deps.database, credential),
  });
  return { stream: { contentType: 'text/event-stream', body } };
}

/** Several people may have signed in with one token; each browser is counted by itself, and all of them together. */
const streamKey = (credential: StudioCredential, tokenId: string): string =>
  credential.kind === 'session' ? credential.idHash.toString('hex') : tokenId;
