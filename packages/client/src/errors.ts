/** What every error of this package tells. */
export interface ErrorFacts<Details = unknown> {
  code: string;
  message: string;
  status: number | null;
  details?: Details;
  requestId: string;
  retryAfterSeconds?: number | null;
  cause?: unknown;
}

/**
 * A refusal of the service, or a failure to reach it. A code that this version knows has a class of its own, which extends the class of
 * its HTTP status; one that came later is of the status's class.
 */
export class TradePrintError<Details = unknown> extends Error {
  override readonly name: string = 'TradePrintError';
  /** Stable: branch on it, or on the class; never on the message. */
  readonly code: string;
  /** HTTP status of the answer; null where none came. */
  readonly status: number | null;
  /** Structured information, whose shape follows the code; undefined where there is none. */
  readonly details: Details;
  /** What the studio finds the request by: that of the answer, else the one this client sent. */
  readonly requestId: string;
  /** Whole seconds to wait before the next try; null where the service did not say. */
  readonly retryAfterSeconds: number | null;

  constructor({ code, message, status, details, requestId, retryAfterSeconds = null, cause }: ErrorFacts<Details>) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details as Details;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No whole answer came: nothing answers there, or the connection broke. `cause` is what fetch said. */
export class ConnectionError extends TradePrintError<undefined> {
  override readonly name = 'ConnectionError';
}

/** `timeoutMs` passed, repeats and waits included. Whether the service did what it was asked for is not known. */
export class TimeoutError extends TradePrintError<undefined> {
  override readonly name = 'TimeoutError';
}

/** What came is no answer of the service, but of something between: `UNEXPECTED_ANSWER`, which has no class of its own. */
export const UNEXPECTED_ANSWER = 'UNEXPECTED_ANSWER';
