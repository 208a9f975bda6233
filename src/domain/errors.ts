import { LIMITS } from './limits';
import type { Role } from './roles';

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
  SERVICE_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
  // the artwork store only
  UPLOAD_EXPIRED: 403,
  // studio API only
  SESSION_ENDED: 401,
  SIGNED_IN_AS_ANOTHER: 401,
  ORIGIN_REFUSED: 403,
  REAUTHENTICATION_REQUIRED: 403,
  CORRECTION_REFUSED: 409,
  ACCOUNT_ID_REUSED: 409,
  REMAKE_ID_REUSED: 409,
  NOTE_ID_REUSED: 409,
  NOTE_LIMIT: 409,
  REMAKE_REFUSED: 409,
  ENDPOINT_UNREACHABLE: 409,
  ROTATION_REFUSED: 409,
  CREDIT_INSUFFICIENT: 409,
  PAYMENT_ID_REUSED: 409,
  PAYMENT_REFUSED: 409,
  BADGE_REFUSED: 409,
  SEND_ID_REUSED: 409,
  SEND_REFUSED: 409,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export type ErrorDetails = Record<string, unknown>;

/** A refusal with a stable code. Domain, activity and HTTP code throw it; one middleware writes the response. */
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

/** METHOD_NOT_ALLOWED with the allowed methods, sent as the Allow header. */
export class MethodNotAllowed extends ApiError {
  constructor(
    method: string,
    readonly allow: readonly string[],
  ) {
    super('METHOD_NOT_ALLOWED', `${method} is not allowed at this path; allowed: ${allow.join(', ')}`);
  }
}

/** FORBIDDEN for a token without the role of the endpoint. Admission has audited it. */
export class RoleRefused extends ApiError {
  constructor(needed: Role, own: Role) {
    super('FORBIDDEN', `this endpoint needs a token with the role ${needed}; this token has ${own}`);
  }
}

/** NOT_FOUND for a resource that does not exist or belongs to another account. */
export const notFoundError = (resource: string): ApiError => new ApiError('NOT_FOUND', `there is no such ${resource}`);

/** NOT_FOUND for an unknown path. */
export const routeNotFoundError = (method: string | undefined): ApiError =>
  new ApiError('NOT_FOUND', `there is no ${method} endpoint at this path; see the documentation for the endpoints`);

export interface ValidationIssue {
  /** Dotted path such as `items.0.quantity`; `headers.idempotency-key`, `query.limit`, or `""` for an unreadable body. */
  path: string;
  message: string;
}

/** How many issues the message names; `details` has more. */
const MAX_NAMED_ISSUES = 3;

/** Longer than any path of ours. Only a key that the caller chose can exceed it. */
const MAX_PATH_LENGTH = 200;

const shortenPath = (path: string): string =>
  path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…` : path;

/** `details` is `{ paths, issues }` of the first 200 issues. `omitted` counts the others; long paths are shortened. */
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

/** @throws ApiError PAYMENT_REFUSED, always: a reversed payment is not recorded again */
export function throwAlreadyReversed(kind: 'payment' | 'refund', id: string): never {
  throw new ApiError('PAYMENT_REFUSED', `the ${kind} ${id} was reversed; send a new id`, { invoices: [] });
}

/** For the default case of a switch over a string union. A new member breaks the build here. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
