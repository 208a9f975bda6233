import { ApiError, validationError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import * as json from '../../openapi/json';
import type { EndpointRow, TradeRequest } from '../../types';

/** Header of an answer that was given before. */
export const REPLAYED_HEADERS = { 'Idempotent-Replayed': 'true' };

/** The part of an endpoint's row that requires an Idempotency-Key; `use` says when to send a new one. */
export const idempotencyKeyHeaders = (
  description: string,
): Required<Pick<EndpointRow, 'checkHeaders' | 'headers' | 'responseHeaders'>> => ({
  checkHeaders: checkIdempotencyKey,
  headers: {
    'Idempotency-Key': {
      schema: json.string(undefined, { minLength: 1, maxLength: LIMITS.idempotencyKeyLength }),
      description: description,
      example: '5f7c1f0e-0b8a-4f7e-9d36-6f2f7a1f4d11',
      required: true,
    },
  },
  responseHeaders: { 'Idempotent-Replayed': json.string('`true` where this is the first answer again', { enum: ['true'] }) },
});

/**
 * The header is taken byte for byte, so that two keys that differ never become one; its length counts code points where it is UTF-8
 * (ruling 43). @throws ApiError IDEMPOTENCY_KEY_REQUIRED where it is missing or blank, VALIDATION_ERROR over 255 characters or sent twice
 */
function checkIdempotencyKey({ 'idempotency-key': key }: TradeRequest['headers']): void {
  if (key === undefined || key === '') {
    throw new ApiError(
      'IDEMPOTENCY_KEY_REQUIRED',
      `send an Idempotency-Key header: any string of at most ${LIMITS.idempotencyKeyLength} characters, new for each request and the same for its retries`,
    );
  }
  if (Array.isArray(key)) throw idempotencyKeyError('must be sent once');
  const length = lengthOf(key);
  if (length > LIMITS.idempotencyKeyLength)
    throw idempotencyKeyError(`must have at most ${LIMITS.idempotencyKeyLength} characters, it has ${length}`);
}

function idempotencyKeyError(message: string): ApiError {
  return validationError([{ path: 'headers.idempotency-key', message }]);
}

/** In code points; Node has made one character of each byte. */
function lengthOf(header: string): number {
  try {
    return [...new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))].length;
  } catch {
    return header.length;
  }
}
