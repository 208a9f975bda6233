import { DAY_MS, HOUR_MS, MINUTE_MS } from './duration';

/** The numbers of specification "Limits" and of its field tables, in one place. */
export const LIMITS = {
  quoteLifetimeMs: DAY_MS,
  idempotencyLifetimeMs: DAY_MS,
  idempotencyKeyLength: 255,
  itemsPerQuote: 200,
  basketsPerPrices: 10,
  itemsPerPrices: 10,
  quantityPerItem: 990,
  pageSize: 100,
  defaultPageSize: 25,
  /** A page ends before the item that would exceed this size, but has at least one item. */
  pageBytes: 1024 * 1024,
  uploadBytes: 524_288_000,
  /** Upload targets of one account whose URL is valid and whose file has not arrived. */
  openTargetsPerAccount: 200,
  bodyBytes: 2 * 1024 * 1024,
  orderBodyBytes: 128 * 1024,
  uploadBodyBytes: 16 * 1024,
  pricesBodyBytes: 512 * 1024,
  issuesListed: 200,
  /** Size of one basket's issues, as JSON. */
  issuesBytes: 32 * 1024,
  specialInstructionsLength: 2000,
  externalReferenceLength: 128,
  referenceLength: 128,
  metadataEntries: 20,
  metadataKeyLength: 40,
  metadataValueLength: 200,
  identifierLength: 64,
  catalogueIdLength: 100,
  urlLength: 2000,
  emailLength: 320,
  authenticationFailuresPerMinute: 20,
  noteLength: 2000,
  /** Notes on one order or account. */
  notesPerSubject: 200,
  /** Per studio token and endpoint. */
  studioRequestsPerMinute: 600,
  /** For this time the floor may undo the last milestone of its own token. */
  floorUndoMs: MINUTE_MS,
  /** Orders of a milestone batch, and of a document with several job sheets. */
  ordersPerBatch: 100,
  /** The maximum duration of a browser session of the studio API, even if it is in use. */
  studioSessionMs: 12 * HOUR_MS,
  /** A session ends after this time without a request by the user. */
  studioSessionIdleMs: 30 * MINUTE_MS,
  /** For this time after its token was sent, a session may create keys, tokens and webhook secrets. */
  studioReauthenticationMs: 5 * MINUTE_MS,
  signInBodyBytes: 4 * 1024,
  /** Mails with documents that a token sends in 24 hours. */
  sendsPerDay: 200,
  mailSubjectLength: 200,
  mailTextLength: 5000,
  catalogueCacheSeconds: 60,
  /** How many of an account's confirmed orders may be cancelled within a day. Above that, its confirmations are withheld. */
  cancelledConfirmationsPerDay: 50,
} as const;

/** Maximum of the money fields, in cents. */
export const MAX_CENTS = Number.MAX_SAFE_INTEGER;

export const UPLOAD_CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/tiff', 'image/heic'] as const;
export type UploadContentType = (typeof UPLOAD_CONTENT_TYPES)[number];

export const ENVIRONMENTS = ['live', 'test'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];
export const SCOPES = ['price:read', 'orders:read', 'orders:write'] as const;
export type Scope = (typeof SCOPES)[number];
export const RUSH_TIERS = ['standard', 'express', 'critical'] as const;
export type RushTier = (typeof RUSH_TIERS)[number];

export const DEFAULT_RUSH_TIER: RushTier = 'standard';

/** Who gets a mail when an order to collect is ready. */
export const READY_MAILS = ['none', 'customer', 'account'] as const;
export type ReadyMail = (typeof READY_MAILS)[number];

export const ACCOUNT_STATUSES = ['active', 'suspended'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];
