import { TradePrintError, UNEXPECTED_ANSWER, type ErrorFacts } from './errors.js';
import type { FetchResponse } from './options.js';
import * as refusals from './refusals.js';
import { parseRetryAfter } from './retry.js';
import type { ErrorCode } from './types.js';

/** A success as it came: the resource, and for lists what the next page starts after. */
export interface ApiResponse<T> {
  data: T;
  nextCursor?: string | null;
  /** Names what `data` holds; null where the answer has no ETag. */
  etag: string | null;
}

/** An answer whose body has been read. */
export interface BufferedResponse {
  response: FetchResponse;
  bytes: Uint8Array<ArrayBuffer>;
  text: string;
  /** The id that was sent; the answer's own goes before it. */
  requestId: string;
}

/** @throws TradePrintError for a refusal, and for what is no answer of the service. */
export function parseResponse<T>(buffered: BufferedResponse): ApiResponse<T> {
  const body = parseObject(buffered.text);
  if (buffered.response.ok && body !== null && 'data' in body && body.data !== null)
    return { ...(body as unknown as ApiResponse<T>), etag: buffered.response.headers.get('etag') };
  throw toError(buffered, body);
}

/** The bytes of a PDF. @throws as `answerOf` */
export function parsePdf(buffered: BufferedResponse): Uint8Array<ArrayBuffer> {
  const { ok, headers } = buffered.response;
  if (ok && headers.get('content-type')?.startsWith('application/pdf')) return buffered.bytes;
  throw toError(buffered);
}

/** The error of an answer that is none: by its code, or `UNEXPECTED_ANSWER` with the beginning of what came. */
export function toError(buffered: Omit<BufferedResponse, 'bytes'>, body = parseObject(buffered.text)): TradePrintError {
  const { response, text } = buffered;
  const facts = {
    status: response.status,
    requestId: response.headers.get('service-request-id') ?? buffered.requestId,
    retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after')),
  };
  const error = body?.error as { code?: unknown; message?: unknown; details?: unknown } | null | undefined;
  if (typeof error?.code === 'string')
    return toRefusal({ ...facts, code: error.code, message: String(error.message), details: error.details });
  const message = `the answer ${response.status} is not the service's: ${text.slice(0, 200)}`;
  return new TradePrintError({ ...facts, code: UNEXPECTED_ANSWER, message });
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

type ErrorClass = new (facts: ErrorFacts) => TradePrintError;

/** The error of a refusal: of its code's class, or of its status's where the code came after this version (ruling 74). */
function toRefusal(facts: ErrorFacts): TradePrintError {
  const { REFUSALS } = refusals;
  const errorClass = Object.hasOwn(REFUSALS, facts.code)
    ? (REFUSALS[facts.code as ErrorCode] as ErrorClass)
    : errorClassFor(facts.status ?? 0);
  return new errorClass(facts);
}

const ERROR_CLASS_BY_STATUS: Readonly<Record<number, ErrorClass>> = {
  400: refusals.BadRequestError,
  401: refusals.UnauthorizedError,
  402: refusals.PaymentRequiredError,
  403: refusals.ForbiddenError,
  404: refusals.NotFoundError,
  409: refusals.ConflictError,
  412: refusals.PreconditionFailedError,
  429: refusals.RateLimitedError,
};

function errorClassFor(status: number): ErrorClass {
  return ERROR_CLASS_BY_STATUS[status] ?? (status >= 500 ? refusals.ServerError : TradePrintError);
}
