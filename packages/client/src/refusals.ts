import { TradePrintError, type ErrorFacts } from './errors.js';
import type { DetailsOf, ErrorCode } from './types.js';

type RefusalClass<Code extends ErrorCode> = new (facts: ErrorFacts<DetailsOf<Code>>) => TradePrintError<DetailsOf<Code>> & {
  readonly code: Code;
};

/** The class of one code, named after it: a minifier leaves the name alone. */
function refusal<Code extends ErrorCode>(code: Code): RefusalClass<Code> {
  const words = code.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase());
  const name = words.join('').replace(/(Error)?$/, 'Error');
  return class extends TradePrintError<DetailsOf<Code>> {
    override readonly name = name;
    declare readonly code: Code;
  };
}

export class ArtworkInUseError extends refusal('ARTWORK_IN_USE') {}
export class ArtworkNotAllowedError extends refusal('ARTWORK_NOT_ALLOWED') {}
export class ArtworkRequiredError extends refusal('ARTWORK_REQUIRED') {}
export class CreditLimitExceededError extends refusal('CREDIT_LIMIT_EXCEEDED') {}
export class EndpointDisabledError extends refusal('ENDPOINT_DISABLED') {}
export class ForbiddenError extends refusal('FORBIDDEN') {}
export class IdempotencyKeyRequiredError extends refusal('IDEMPOTENCY_KEY_REQUIRED') {}
export class IdempotencyKeyReusedError extends refusal('IDEMPOTENCY_KEY_REUSED') {}
export class InternalError extends refusal('INTERNAL_ERROR') {}
export class InvalidQuantityError extends refusal('INVALID_QUANTITY') {}
export class MatBelowMinimumError extends refusal('MAT_BELOW_MINIMUM') {}
export class MilestoneIdReusedError extends refusal('MILESTONE_ID_REUSED') {}
export class MilestoneRefusedError extends refusal('MILESTONE_REFUSED') {}
export class NotFoundError extends refusal('NOT_FOUND') {}
export class OrderNotCancellableError extends refusal('ORDER_NOT_CANCELLABLE') {}
export class OrderNotChangeableError extends refusal('ORDER_NOT_CHANGEABLE') {}
export class OverloadedError extends refusal('OVERLOADED') {}
export class ProductUnavailableError extends refusal('PRODUCT_UNAVAILABLE') {}
export class ProductUnsupportedError extends refusal('PRODUCT_UNSUPPORTED') {}
export class QuoteAlreadyOrderedError extends refusal('QUOTE_ALREADY_ORDERED') {}
export class QuoteEnvironmentMismatchError extends refusal('QUOTE_ENVIRONMENT_MISMATCH') {}
export class QuoteExpiredError extends refusal('QUOTE_EXPIRED') {}
export class RateLimitedError extends refusal('RATE_LIMITED') {}
export class ShippingAddressIncompleteError extends refusal('SHIPPING_ADDRESS_INCOMPLETE') {}
export class ShippingUnavailableError extends refusal('SHIPPING_UNAVAILABLE') {}
export class StorageFullError extends refusal('STORAGE_FULL') {}
export class StorageQuotaExceededError extends refusal('STORAGE_QUOTA_EXCEEDED') {}
export class TemporalAwayError extends refusal('TEMPORAL_AWAY') {}
export class UnauthorizedError extends refusal('UNAUTHORIZED') {}
export class UploadLimitError extends refusal('UPLOAD_LIMIT') {}
export class ValidationError extends refusal('VALIDATION_ERROR') {}

/** One class for each code of the document: one that is missing here does not compile. */
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
  SHIPPING_ADDRESS_INCOMPLETE: ShippingAddressIncompleteError,
  SHIPPING_UNAVAILABLE: ShippingUnavailableError,
  STORAGE_FULL: StorageFullError,
  STORAGE_QUOTA_EXCEEDED: StorageQuotaExceededError,
  TEMPORAL_AWAY: TemporalAwayError,
  UNAUTHORIZED: UnauthorizedError,
  UPLOAD_LIMIT: UploadLimitError,
  VALIDATION_ERROR: ValidationError,
} as const satisfies { readonly [Code in ErrorCode]: RefusalClass<Code> };

/** The error of a refusal: of its code's class, or plain where the code came after this version. */
export function refusalOf(facts: ErrorFacts): TradePrintError {
  const known = Object.hasOwn(REFUSALS, facts.code) ? REFUSALS[facts.code as ErrorCode] : TradePrintError;
  return new (known as new (facts: ErrorFacts) => TradePrintError)(facts);
}
