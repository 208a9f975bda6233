import { ApiError } from '../../../src/domain/errors';
import { overloadCause } from '../../../src/http/overload';
import { toRefusal } from '../../../src/http/refusal';
import { createLogger } from '../../../src/platform/logger';
import { QueueOverloaded } from '../../../src/runtime/keyed-queue';
import { TemporalUnavailable } from '../../../src/temporal/breaker';

/** The refusal of an error, and its log line. */
function refuse(error: Error) {
  const lines: string[] = [];
  const logger = createLogger('info', 'test', { write: (line) => void lines.push(line) });
  const { code, retryAfterSeconds } = toRefusal(error, { logger, requestId: 'req_1' });
  const { msg, cause, err } = JSON.parse(lines.join('')) as { msg: string; cause?: string; err?: { stack: string } };
  return { code, retryAfterSeconds, msg, cause, hasStack: err?.stack !== undefined };
}

it.each([
  [
    'a full queue',
    new QueueOverloaded('full'),
    { code: 'OVERLOADED', retryAfterSeconds: 1, msg: 'overloaded', cause: 'queue', hasStack: false },
  ],
  [
    'a locked row',
    Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }),
    { code: 'OVERLOADED', retryAfterSeconds: 1, msg: 'overloaded', cause: 'lock', hasStack: true },
  ],
  [
    'a statement that PostgreSQL does not finish in time',
    Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
    { code: 'OVERLOADED', retryAfterSeconds: 1, msg: 'overloaded', cause: 'answer', hasStack: true },
  ],
  [
    'a message to a locked order',
    new ApiError('OVERLOADED', 'another transaction has locked the order or its account', { cause: 'lock' }, 1),
    { code: 'OVERLOADED', retryAfterSeconds: 1, msg: 'overloaded', cause: 'lock', hasStack: true },
  ],
  [
    'a message of an account whose queue is full',
    new ApiError('OVERLOADED', 'too many messages of the account wait', { cause: 'queue' }, 1),
    { code: 'OVERLOADED', retryAfterSeconds: 1, msg: 'overloaded', cause: 'queue', hasStack: false },
  ],
  [
    'Temporal that is away',
    new TemporalUnavailable(),
    { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5, msg: 'Temporal does not answer', cause: undefined, hasStack: false },
  ],
])('%s has a refusal and one log line that names it', (_what, error, expected) => {
  expect(refuse(error)).toEqual(expected);
});

it('an artwork store that is away is refused with its own message, and is not counted as a locked row', () => {
  const away = new ApiError('OVERLOADED', 'the artwork store does not answer; repeat the request', undefined, 1);
  expect(toRefusal(away, { logger: createLogger('info', 'test', { write: () => undefined }), requestId: 'req_1' })).toBe(away);
  expect(overloadCause(away)).toBeNull();
});
