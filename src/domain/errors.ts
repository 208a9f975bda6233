import { LIMITS } from './limits';

/** Each code with its one HTTP status (specification "Errors"; studio API "Refusals"). */
export const ERROR_STATUS = {
  ARTWORK_NOT_ALLOWED: 400,
  ARTWORK_REQUIRED: 400,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  INVALID_QUANTITY: 400,
  MAT_BELOW_MINIMUM: 400,
  PRODUCT_UNAVAILABLE: 400,
  PRODUCT_UNSUPPORTED: 400,
  QUOTE_ENVIRONMENT_MISMATCH: 400,
  SHIPPING_ADDRESS_INCOMPLETE: 400,
  SHIPPING_UNAVAILABLE: 400,
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  CREDIT_LIMIT_EXCEEDED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  IDEMPOTENCY_KEY_REUSED: 409,
  ENDPOINT_DISABLED: 409,
  MILESTONE_ID_REUSED: 409,
  MILESTONE_REFUSED: 409,
  ORDER_NOT_CANCELLABLE: 409,
  ORDER_NOT_CHANGEABLE: 409,
  QUOTE_ALREADY_ORDERED: 409,
  QUOTE_EXPIRED: 409,
  STORAGE_QUOTA_EXCEEDED: 409,
  UPLOAD_LIMIT: 409,
  ARTWORK_IN_USE: 412,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  OVERLOADED: 503,
  TEMPORAL_AWAY: 503,
  STORAGE_FULL: 507,
  // the artwork store only (ruling 71)
  UPLOAD_EXPIRED: 403,
  // studio API only
  SESSION_ENDED: 401,
  SIGNED_IN_AS_ANOTHER: 401,
  ORIGIN_REFUSED: 403,
  REAUTHENTICATION_REQUIRED: 403,
  CORRECTION_REFUSED: 409,
  ACCOUNT_ID_REUSED: 409,
  REMAKE_ID_REUSED: 409,
  REMAKE_REFUSED: 409,
  ENDPOINT_UNREACHABLE: 409,
  CREDIT_INSUFFICIENT: 409,
  PAYMENT_ID_REUSED: 409,
  PAYMENT_REFUSED: 409,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export type ErrorDetails = Record<string, unknown>;

/** A refusal the caller is told about. Throw it from domain, activity or HTTP code; one middleware writes it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: ErrorDetails,
    /** Whole seconds, sent as the Retry-After header. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** METHOD_NOT_ALLOWED, with what does work there: sent as the Allow header (ruling 62). */
export class MethodNotAllowed extends ApiError {
  constructor(
    method: string,
    readonly allow: readonly string[],
  ) {
    super('METHOD_NOT_ALLOWED', `${method} is not allowed at this path; allowed: ${allow.join(', ')}`);
  }
}

/** NOT_FOUND, for whoever asks for something that is not there or not theirs. */
export const notFoundError = (resource: string): ApiError => new ApiError('NOT_FOUND', `there is no such ${resource}`);

/** NOT_FOUND, for a path that leads to nothing. */
export const routeNotFoundError = (method: string | undefined): ApiError =>
  new ApiError('NOT_FOUND', `there is no ${method} endpoint at this path; see the documentation for the endpoints`);

export interface ValidationIssue {
  /** Dotted path such as `items.0.quantity`; `headers.idempotency-key`, `query.limit`, or `""` for an unreadable body. */
  path: string;
  message: string;
}

/** How many issues the message names; `details` lists more. */
const MAX_NAMED_ISSUES = 3;

/** Longer than any path of ours: only a key that the caller chose makes a longer one. */
const MAX_PATH_LENGTH = 200;

const shortenPath = (path: string): string =>
  path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…` : path;

/** `details` is `{ paths, issues }` of the first 200 issues; `omitted` counts the rest, if any; long paths are shortened (rulings 5 and 41). */
export function validationError(all: ValidationIssue[]): ApiError {
  const issues = all.slice(0, LIMITS.issuesListed).map((issue) => ({ ...issue, path: shortenPath(issue.path) }));
  const paths = [...new Set(issues.map((issue) => issue.path))];
  const summary = issues
    .slice(0, MAX_NAMED_ISSUES)
    .map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message))
    .join('; ');
  const more = all.length > MAX_NAMED_ISSUES ? `; and ${all.length - MAX_NAMED_ISSUES} more` : '';
  const omitted = all.length - issues.length;
  return new ApiError('VALIDATION_ERROR', `${summary}${more}`, { paths, issues, ...(omitted > 0 ? { omitted } : {}) });
}

/** @throws ApiError PAYMENT_ID_REUSED, always */
export function throwIdReused(kind: 'payment' | 'refund' | 'reversal', id: string): never {
  throw new ApiError('PAYMENT_ID_REUSED', `the id ${id} was used for another ${kind} of this account; send a new id`);
}

/** @throws ApiError PAYMENT_REFUSED, always: what was reversed is not recorded again */
export function throwAlreadyReversed(kind: 'payment' | 'refund', id: string): never {
  throw new ApiError('PAYMENT_REFUSED', `the ${kind} ${id} was reversed; send a new id`, { invoices: [] });
}

/** For the default arm of a switch over a string union: a new member fails the build here. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
