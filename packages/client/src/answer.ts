import { TradePrintError, UNEXPECTED_ANSWER, type ErrorFacts } from './errors.js';
import type { FetchResponse } from './options.js';
import * as refusals from './refusals.js';
import { secondsOfRetryAfter } from './retry.js';
import type { ErrorCode } from './types.js';

/** A success as it came: the resource, and for lists what the next page starts after. */
export interface Answer<T> {
  data: T;
  nextCursor?: string | null;
  /** Names what `data` holds; null where the answer has no ETag. */
  etag: string | null;
}

/** An answer whose body has been read. */
export interface ReadResponse {
  response: FetchResponse;
  bytes: Uint8Array<ArrayBuffer>;
  text: string;
  /** The id that was sent; the answer's own goes before it. */
  requestId: string;
}

/** @throws TradePrintError for a refusal, and for what is no answer of the service. */
export function answerOf<T>(read: ReadResponse): Answer<T> {
  const body = parsed(read.text);
  if (read.response.ok && body !== null && 'data' in body && body.data !== null)
    return { ...(body as unknown as Answer<T>), etag: read.response.headers.get('etag') };
  throw errorOf(read, body);
}

/** The bytes of a PDF. @throws as `answerOf` */
export function pdfOf(read: ReadResponse): Uint8Array<ArrayBuffer> {
  const { ok, headers } = read.response;
  if (ok && headers.get('content-type')?.startsWith('application/pdf')) return read.bytes;
  throw errorOf(read);
}

/** The error of an answer that is none: by its code, or `UNEXPECTED_ANSWER` with the beginning of what came. */
export function errorOf(read: Omit<ReadResponse, 'bytes'>, body = parsed(read.text)): TradePrintError {
  const { response, text } = read;
  const facts = {
    status: response.status,
    requestId: response.headers.get('service-request-id') ?? read.requestId,
    retryAfterSeconds: secondsOfRetryAfter(response.headers.get('retry-after')),
  };
  const error = body?.error as { code?: unknown; message?: unknown; details?: unknown } | null | undefined;
  if (typeof error?.code === 'string')
    return refusalOf({ ...facts, code: error.code, message: String(error.message), details: error.details });
  const message = `the answer ${response.status} is not the service's: ${text.slice(0, 200)}`;
  return new TradePrintError({ ...facts, code: UNEXPECTED_ANSWER, message });
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

type ErrorClass = new (facts: ErrorFacts) => TradePrintError;

/** The error of a refusal: of its code's class, or of its status's where the code came after this version (ruling 74). */
function refusalOf(facts: ErrorFacts): TradePrintError {
  const { REFUSALS } = refusals;
  const known = Object.hasOwn(REFUSALS, facts.code) ? (REFUSALS[facts.code as ErrorCode] as ErrorClass) : classOf(facts.status ?? 0);
  return new known(facts);
}

const STATUSES: Readonly<Record<number, ErrorClass>> = {
  400: refusals.BadRequestError,
  401: refusals.UnauthorizedError,
  402: refusals.PaymentRequiredError,
  403: refusals.ForbiddenError,
  404: refusals.NotFoundError,
  409: refusals.ConflictError,
  412: refusals.PreconditionFailedError,
  429: refusals.RateLimitedError,
};

function classOf(status: number): ErrorClass {
  return STATUSES[status] ?? (status >= 500 ? refusals.ServerError : TradePrintError);
}
