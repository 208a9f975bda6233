import { ApiError, validationError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import * as json from '../../openapi/json';
import type { EndpointRow, TradeRequest } from '../../types';

/** The header of a stored response that is sent again. */
export const REPLAYED_HEADERS = { 'Idempotent-Replayed': 'true' };

/** The part of an endpoint's row that requires an Idempotency-Key. `description` tells clients when to send a new key. */
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
  responseHeaders: { 'Idempotent-Replayed': json.string('`true` if this repeats the first response') },
});

/**
 * Compares keys byte for byte, so different keys stay different. The length counts code points of UTF-8.
 * @throws ApiError IDEMPOTENCY_KEY_REQUIRED if it is missing or blank; VALIDATION_ERROR over 255 characters or if sent twice
 */
function checkIdempotencyKey({ 'idempotency-key': key }: TradeRequest['headers']): void {
  if (key === undefined || key === '') {
    throw new ApiError(
      'IDEMPOTENCY_KEY_REQUIRED',
      `the Idempotency-Key header is missing; send a string of at most ${LIMITS.idempotencyKeyLength} characters, new for each request and the same for its retries`,
    );
  }
  if (Array.isArray(key)) throw idempotencyKeyError('must be sent once');
  const length = lengthOf(key);
  if (length > LIMITS.idempotencyKeyLength)
    throw idempotencyKeyError(`must have at most ${LIMITS.idempotencyKeyLength} characters, but has ${length}`);
}

function idempotencyKeyError(message: string): ApiError {
  return validationError([{ path: 'headers.idempotency-key', message }]);
}

/** Counts code points; Node decodes headers as latin1. */
function lengthOf(header: string): number {
  try {
    return [...new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))].length;
  } catch {
    return header.length;
  }
}
