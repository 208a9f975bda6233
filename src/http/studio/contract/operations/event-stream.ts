import { STREAMS } from '../../../../domain/news';
import { string } from '../../../contract/json';
import type { OperationContract } from '../../../contract/operation';

const DESCRIPTION = [
  'Server-sent events, for as long as both sides stay: what was committed by any process of the service, told within a second, by ids alone;',
  'whoever wants to know more asks for it. Each comes with JSON as its `data`:',
  '',
  '- `hello`, first: `{ hears }`, the kinds below that this role hears of. Whatever is committed from now on is told, so read after it.',
  '- `order`: `{ orderId }`',
  '- `attention`: `{ orderId, code, state }`, state `raised` or `cleared`',
  '- `delivery`: `{ deliveryId, orderId }`; `invoice`: `{ invoiceId, orderId, accountId }`; `account`: `{ accountId }`;',
  '  `endpoint`: `{ endpointId, accountId }`. From the role office on.',
  '- `resync`: `{}`. Too much changed to tell one by one, or it is not known what: read everything again.',
  `- \`alive\`: \`{}\`, every ${STREAMS.judgedMs / 1000} seconds, however much else is told. Where it stays away the line is dead, though nobody closed it: connect again.`,
  '',
  'Nothing is told twice or kept: who connects again reads again. Kinds may be added; ignore those you do not know.',
  `Every ${STREAMS.judgedMs / 1000} seconds, too, the token or session is judged: one that is over ends the stream,`,
  `as does a client that does not read. Listening keeps no session awake. One token or session has at most ${STREAMS.perCaller} streams, a token with all sessions signed in by it ${STREAMS.perToken}, one process ${STREAMS.perProcess}; more are RATE_LIMITED.`,
].join('\n');

/** What the contract says of the event stream (studio API "Event stream"). */
export const EVENT_STREAM_OPERATIONS = {
  listen: {
    id: 'listenToEvents',
    tag: 'Events',
    summary: 'What changes, as it changes',
    description: DESCRIPTION,
    media: 'text/event-stream',
    answer: string('server-sent events'),
    answerHeaders: { 'X-Accel-Buffering': string('`no`: proxies that heed it pass each event on at once') },
    example: { answer: null },
  },
} satisfies Record<string, OperationContract>;
