/** Properties of every error of this package. */
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
 * An error response of the service, or a failure to reach it. Each error code that this version knows has its own class, which extends
 * the class of its HTTP status. An unknown code gives an instance of the status's class.
 */
export class TradePrintError<Details = unknown> extends Error {
  override readonly name: string = 'TradePrintError';
  /** The error code. It is stable: branch on the code or the class, never on the message. */
  readonly code: string;
  /** HTTP status of the response; null if no response arrived. */
  readonly status: number | null;
  /** Structured information. Its shape depends on the code; undefined if the response has none. */
  readonly details: Details;
  /** Identifies the request in the service's log: the id in the response, else the id that this client sent. */
  readonly requestId: string;
  /** Whole seconds to wait before the next attempt (`Retry-After`); null if the service sent none. */
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

/** No complete response arrived: the host did not answer, or the connection broke. `cause` is the error of fetch. */
export class ConnectionError extends TradePrintError<undefined> {
  override readonly name = 'ConnectionError';
}

/** The call, with its retries and waits, took longer than `timeoutMs`. The service may have executed the request. */
export class TimeoutError extends TradePrintError<undefined> {
  override readonly name = 'TimeoutError';
}

/** The code of errors for responses that did not come from the service, such as a proxy's error page. No error class exists for it. */
export const UNEXPECTED_ANSWER = 'UNEXPECTED_ANSWER';
