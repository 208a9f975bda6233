import type { Bytes } from './body.js';
import { TradePrintError, UNEXPECTED_ANSWER, type ErrorFacts } from './errors.js';
import type { FetchResponse } from './options.js';
import * as refusals from './refusals.js';
import { parseRetryAfter } from './retry.js';
import type { ErrorCode } from './types.js';

/** A successful response: the resource, and for lists the cursor of the next page. */
export interface ApiResponse<T> {
  data: T;
  nextCursor?: string | null;
  /** The ETag of `data`; null if the response has none. */
  etag: string | null;
}

/** A response whose body has been read. */
export interface BufferedResponse {
  response: FetchResponse;
  bytes: Bytes;
  text: string;
  /** The id that was sent. The id in the response takes precedence. */
  requestId: string;
}

/** @throws TradePrintError for an error response, and for a response that did not come from the service */
export function parseResponse<T>(buffered: BufferedResponse): ApiResponse<T> {
  const body = parseObject(buffered.text);
  if (buffered.response.ok && body !== null && 'data' in body && body.data !== null)
    return { ...(body as unknown as ApiResponse<T>), etag: buffered.response.headers.get('etag') };
  throw toError(buffered, body);
}

/** Returns the bytes of a PDF. @throws TradePrintError as `parseResponse` */
export function parsePdf(buffered: BufferedResponse): Bytes {
  const { ok, headers } = buffered.response;
  if (ok && headers.get('content-type')?.startsWith('application/pdf')) return buffered.bytes;
  throw toError(buffered);
}

/** Creates the error of an unsuccessful response. Without an error code, it is `UNEXPECTED_ANSWER` with the start of the body. */
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
  const message = `the response ${response.status} did not come from the service: ${text.slice(0, 200)}`;
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

/** An error of the code's class, or of the status's class for codes that this version does not know. */
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
