import { TradePrintError, type ErrorFacts } from './errors.js';
import type { DetailsOf, ErrorCode } from './types.js';

/** Creates the error class of a status. The name is a text, so minifiers do not change it. */
function createStatusClass(name: string): StatusClass {
  return class extends TradePrintError {
    override readonly name: string = name;
  };
}

/** 400: the request is invalid. Correct it before sending it again. */
export class BadRequestError extends createStatusClass('BadRequestError') {}
/** 401: the API key is missing or invalid. */
export class UnauthorizedError extends createStatusClass('UnauthorizedError') {}
/** 402: the account's credit does not cover the order. */
export class PaymentRequiredError extends createStatusClass('PaymentRequiredError') {}
/** 403: the key does not have the required scope. */
export class ForbiddenError extends createStatusClass('ForbiddenError') {}
/** 404: the resource does not exist or belongs to another account. */
export class NotFoundError extends createStatusClass('NotFoundError') {}
/** 409: the current state of the resource does not allow the request. */
export class ConflictError extends createStatusClass('ConflictError') {}
/** 412: a precondition of the request no longer holds. */
export class PreconditionFailedError extends createStatusClass('PreconditionFailedError') {}
/** 429: the rate limit is exceeded. */
export class RateLimitedError extends createStatusClass('RateLimitedError') {}
/** 5xx: the service failed to execute the request. Send it again later. */
export class ServerError extends createStatusClass('ServerError') {}

type StatusClass = new (facts: ErrorFacts) => TradePrintError;

type RefusalClass<Code extends ErrorCode, Base extends StatusClass = StatusClass> = new (
  facts: ErrorFacts<DetailsOf<Code>>,
) => InstanceType<Base> & { readonly code: Code; readonly details: DetailsOf<Code> };

/** Creates the error class of a code. Its name comes from the code, so minifiers do not change it. */
function createRefusalClass<Code extends ErrorCode, Base extends StatusClass>(code: Code, base: Base): RefusalClass<Code, Base> {
  const words = code.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  const name = words.join('').replace(/(Error)?$/, 'Error');
  return class extends (base as StatusClass) {
    override readonly name = name;
  } as unknown as RefusalClass<Code, Base>;
}

export class ArtworkInUseError extends createRefusalClass('ARTWORK_IN_USE', PreconditionFailedError) {}
export class ArtworkNotAllowedError extends createRefusalClass('ARTWORK_NOT_ALLOWED', BadRequestError) {}
export class ArtworkRequiredError extends createRefusalClass('ARTWORK_REQUIRED', BadRequestError) {}
export class CreditLimitExceededError extends createRefusalClass('CREDIT_LIMIT_EXCEEDED', PaymentRequiredError) {}
export class EndpointDisabledError extends createRefusalClass('ENDPOINT_DISABLED', ConflictError) {}
export class IdempotencyKeyRequiredError extends createRefusalClass('IDEMPOTENCY_KEY_REQUIRED', BadRequestError) {}
export class IdempotencyKeyReusedError extends createRefusalClass('IDEMPOTENCY_KEY_REUSED', ConflictError) {}
export class InternalError extends createRefusalClass('INTERNAL_ERROR', ServerError) {}
export class InvalidQuantityError extends createRefusalClass('INVALID_QUANTITY', BadRequestError) {}
export class MatBelowMinimumError extends createRefusalClass('MAT_BELOW_MINIMUM', BadRequestError) {}
export class MilestoneIdReusedError extends createRefusalClass('MILESTONE_ID_REUSED', ConflictError) {}
export class MilestoneRefusedError extends createRefusalClass('MILESTONE_REFUSED', ConflictError) {}
export class OrderNotCancellableError extends createRefusalClass('ORDER_NOT_CANCELLABLE', ConflictError) {}
export class OrderNotChangeableError extends createRefusalClass('ORDER_NOT_CHANGEABLE', ConflictError) {}
export class OverloadedError extends createRefusalClass('OVERLOADED', ServerError) {}
export class ProductUnavailableError extends createRefusalClass('PRODUCT_UNAVAILABLE', BadRequestError) {}
export class ProductUnsupportedError extends createRefusalClass('PRODUCT_UNSUPPORTED', BadRequestError) {}
export class QuoteAlreadyOrderedError extends createRefusalClass('QUOTE_ALREADY_ORDERED', ConflictError) {}
export class QuoteEnvironmentMismatchError extends createRefusalClass('QUOTE_ENVIRONMENT_MISMATCH', BadRequestError) {}
export class QuoteExpiredError extends createRefusalClass('QUOTE_EXPIRED', ConflictError) {}
export class ServiceUnavailableError extends createRefusalClass('SERVICE_UNAVAILABLE', ServerError) {}
export class ShippingAddressIncompleteError extends createRefusalClass('SHIPPING_ADDRESS_INCOMPLETE', BadRequestError) {}
export class ShippingUnavailableError extends createRefusalClass('SHIPPING_UNAVAILABLE', BadRequestError) {}
export class StorageQuotaExceededError extends createRefusalClass('STORAGE_QUOTA_EXCEEDED', ConflictError) {}
export class UploadLimitError extends createRefusalClass('UPLOAD_LIMIT', ConflictError) {}
export class ValidationError extends createRefusalClass('VALIDATION_ERROR', BadRequestError) {}

/** The error class of each code in the OpenAPI document. A missing code is a compile error. */
export const REFUSALS = {
  ARTWORK_IN_USE: ArtworkInUseError,
  ARTWORK_NOT_ALLOWED: ArtworkNotAllowedError,
  ARTWORK_REQUIRED: ArtworkRequiredError,
  CREDIT_LIMIT_EXCEEDED: CreditLimitExceededError,
  ENDPOINT_DISABLED: EndpointDisabledError,
  FORBIDDEN: ForbiddenError,
  IDEMPOTENCY_KEY_REQUIRED: IdempotencyKeyRequiredError,
  IDEMPOTENCY_KEY_REUSED: IdempotencyKeyReusedError,
  INTERNAL_ERROR: InternalError,
  INVALID_QUANTITY: InvalidQuantityError,
  MAT_BELOW_MINIMUM: MatBelowMinimumError,
  MILESTONE_ID_REUSED: MilestoneIdReusedError,
  MILESTONE_REFUSED: MilestoneRefusedError,
  NOT_FOUND: NotFoundError,
  ORDER_NOT_CANCELLABLE: OrderNotCancellableError,
  ORDER_NOT_CHANGEABLE: OrderNotChangeableError,
  OVERLOADED: OverloadedError,
  PRODUCT_UNAVAILABLE: ProductUnavailableError,
  PRODUCT_UNSUPPORTED: ProductUnsupportedError,
  QUOTE_ALREADY_ORDERED: QuoteAlreadyOrderedError,
  QUOTE_ENVIRONMENT_MISMATCH: QuoteEnvironmentMismatchError,
  QUOTE_EXPIRED: QuoteExpiredError,
  RATE_LIMITED: RateLimitedError,
  SERVICE_UNAVAILABLE: ServiceUnavailableError,
  SHIPPING_ADDRESS_INCOMPLETE: ShippingAddressIncompleteError,
  SHIPPING_UNAVAILABLE: ShippingUnavailableError,
  STORAGE_QUOTA_EXCEEDED: StorageQuotaExceededError,
  UNAUTHORIZED: UnauthorizedError,
  UPLOAD_LIMIT: UploadLimitError,
  VALIDATION_ERROR: ValidationError,
} as const satisfies { readonly [Code in ErrorCode]: Code extends StatusOnlyCode ? StatusClass : RefusalClass<Code> };

/** Codes that use the class of their status. */
type StatusOnlyCode = 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'RATE_LIMITED';
