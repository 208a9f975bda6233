/** Client of the trade print ordering API, for Node 20 and browsers. */
export { TradePrint } from './client.js';
export { ConnectionError, TimeoutError, TradePrintError, UNEXPECTED_ANSWER } from './errors.js';
export type { ErrorFacts } from './errors.js';
export {
  REFUSALS,
  ArtworkInUseError,
  ArtworkNotAllowedError,
  ArtworkRequiredError,
  BadRequestError,
  ConflictError,
  CreditLimitExceededError,
  EndpointDisabledError,
  ForbiddenError,
  IdempotencyKeyRequiredError,
  IdempotencyKeyReusedError,
  InternalError,
  InvalidQuantityError,
  MatBelowMinimumError,
  MilestoneIdReusedError,
  MilestoneRefusedError,
  NotFoundError,
  OrderNotCancellableError,
  OrderNotChangeableError,
  OverloadedError,
  PaymentRequiredError,
  PreconditionFailedError,
  ProductUnavailableError,
  ProductUnsupportedError,
  QuoteAlreadyOrderedError,
  QuoteEnvironmentMismatchError,
  QuoteExpiredError,
  RateLimitedError,
  ServerError,
  ShippingAddressIncompleteError,
  ShippingUnavailableError,
  StorageFullError,
  StorageQuotaExceededError,
  TemporalAwayError,
  UnauthorizedError,
  UploadLimitError,
  ValidationError,
} from './refusals.js';
export { issuesOf } from './issues.js';
export { List } from './list.js';
export type { Page } from './list.js';
export type { ClientOptions, Fetch, FetchInit, FetchResponse, RequestOptions } from './options.js';
export type { KeptCatalogue, UploadedArtwork, UploadOptions } from './resources.js';
export type { ArtworkSource } from './uploads/artwork.js';
export type { UploadProgress } from './uploads/put.js';
export type * from './types.js';
export type { components, operations, paths } from './generated/trade.js';
export { VERSION } from './version.js';
export { webhooks } from './webhooks/index.js';
export { DEFAULT_TOLERANCE_SECONDS } from './webhooks/check.js';
export type { WebhookCheckOptions, WebhookHeaders, WebhookRefusal, WebhookVerdict } from './webhooks/check.js';
export type { OrderEvent, PingEvent, UnknownEvent, WebhookEvent } from './webhooks/events.js';
export type { EventToSign, SignedWebhook } from './webhooks/sign.js';
export type { RawBody } from './webhooks/raw-body.js';
export { WebhookVerificationError } from './webhooks/verify.js';
export type { WebhookProblem } from './webhooks/verify.js';
