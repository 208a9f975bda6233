import type { OrderState } from '../domain/order-status';
import type { Clock } from '../platform/clock';
import type { Database, Sql, Transaction } from '../db/database';
import { lockAccount } from '../db/repositories/accounts';
import { findIdempotencyRecord, tryLockIdempotencyKey } from '../db/repositories/idempotency';
import {
  drawNumbers,
  figuresOfQuote,
  insertPlacedOrder,
  lockMissingArtwork,
  lockQuote,
  type LockedQuote,
} from '../db/repositories/order-placement';
import type { PriceBookReader } from '../db/repositories/price-book-reader';
import { confirmationOwedSince, toOrderFacts } from '../db/repositories/orders';
import type { AccountRow, IdempotencyRow, OrderWithRelations } from '../db/rows';
import { buyerOf } from '../domain/account-record';
import { assertWithinCredit } from '../domain/credit';
import { ApiError, notFoundError } from '../domain/errors';
import { LIMITS, type Environment } from '../domain/limits';
import type { Metadata } from '../domain/metadata';
import type { StoredIssue } from '../domain/order-issues';
import { addDays, localDate } from '../domain/pricing/ready-date';
import { assertOrderable, orderIdOfQuote } from '../domain/quote-state';
import { successBody } from '../presenters/envelope';
import { presentOrder } from '../presenters/orders';
import { firstCheckAt } from '../artwork/order-artwork';
import { newId } from '../security/ids';
import type { ArtworkStorage } from '../storage';
import type { DeliveryNotifier } from './delivery-notifier';
import { eventOf } from './events';
import { replayResponse, type KeyedRequest, type KeyedResponse } from './idempotency';
import type { WorkflowStarter } from './workflow-starter';
import type { KeyedQueue } from '../runtime/keyed-queue';

/** A request to place an order, with its account and Idempotency-Key. */
export interface Submission extends KeyedRequest {
  environment: Environment;
  quoteId: string;
  specialInstructions: string | null;
  /** The reference of the order; null to keep the quote's reference or that of the account. */
  reference: string | null;
  /** Metadata of the order; null to keep the quote's metadata. */
  metadata: Metadata | null;
  requestId: string;
}

export interface PlaceOrderDeps {
  database: Database;
  clock: Clock;
  storage: Pick<ArtworkStorage, 'arrivals'>;
  priceBooks: PriceBookReader;
  /** Serializes transactions that lock an account's row. */
  accountWriteQueue: KeyedQueue;
  /** Idempotency keys that this process is placing an order for. */
  inFlightKeys: Set<string>;
  workflowStarter: WorkflowStarter;
  deliveryNotifier: DeliveryNotifier;
}

/**
 * Places an order in one transaction: consumes the quote, and stores the order, its invoice with ledger entry, its first event with
 * deliveries, and the idempotency record. After a crash, a retry finds the complete order or none (ruling 34). An advisory lock marks a key
 * as in use; a second request with the key is refused without waiting. The order's workflow starts after the commit and is not awaited.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED (Retry-After while in flight), NOT_FOUND, QUOTE_ENVIRONMENT_MISMATCH,
 * QUOTE_ALREADY_ORDERED, QUOTE_EXPIRED, CREDIT_LIMIT_EXCEEDED, checked in this order (ruling 3)
 */
export async function placeOrder(deps: PlaceOrderDeps, submission: Submission): Promise<KeyedResponse> {
  if (cannotStartNow(deps, submission)) {
    const record = await findIdempotencyRecord(deps.database, submission);
    if (isValid(record, deps)) return replayResponse(record, submission);
  }
  return withInFlightKey(deps.inFlightKeys, submission, async () => {
    const outcome = await deps.accountWriteQueue.run(submission.accountId, () =>
      deps.database.transaction((sql) => placeInTransaction(deps, sql, submission)),
    );
    if ('record' in outcome) return replayResponse(outcome.record, submission);
    const { order, body, deliveries, artworkDue } = outcome;
    if (deliveries > 0) deps.deliveryNotifier.notify();
    deps.workflowStarter.startOrder({ orderId: order.id, state: initialState(order, artworkDue), requestId: submission.requestId });
    return { body, replayed: false };
  });
}

/** Whether the request would wait for its account or be refused. A stored response answers it first. */
const cannotStartNow = ({ inFlightKeys, accountWriteQueue }: PlaceOrderDeps, submission: Submission): boolean =>
  inFlightKeys.has(inFlightKeyOf(submission)) || accountWriteQueue.size(submission.accountId) > 0;

const isValid = (record: IdempotencyRow | null, { clock }: PlaceOrderDeps): record is IdempotencyRow =>
  record !== null && record.expires_at > clock.now();

const inFlightKeyOf = ({ accountId, idempotencyKey }: Submission): string => `${accountId} ${idempotencyKey}`;

/** @throws ApiError IDEMPOTENCY_KEY_REUSED with Retry-After while this process is handling the key */
async function withInFlightKey<T>(inFlightKeys: Set<string>, submission: Submission, work: () => Promise<T>): Promise<T> {
  const key = inFlightKeyOf(submission);
  if (inFlightKeys.has(key)) throw keyInFlight();
  inFlightKeys.add(key);
  try {
    return await work();
  } finally {
    inFlightKeys.delete(key);
  }
}

function keyInFlight(): ApiError {
  return new ApiError(
    'IDEMPOTENCY_KEY_REUSED',
    'the first request with this Idempotency-Key is still running; send it again shortly',
    undefined,
    1,
  );
}

type PlacementOutcome =
  { record: IdempotencyRow } | { order: OrderWithRelations; body: string; deliveries: number; artworkDue: Date | null };

/**
 * Four round trips. Nothing that can wait for a lock is sent before the answer about the key. Reads data that a lock protects in a statement
 * after the lock, because that statement sees all changes committed before the lock.
 */
async function placeInTransaction(deps: PlaceOrderDeps, sql: Transaction, submission: Submission): Promise<PlacementOutcome> {
  const { accountId, quoteId } = submission;
  const [isFree, record] = await Promise.all([tryLockIdempotencyKey(sql, submission), findIdempotencyRecord(sql, submission)]);
  if (isValid(record, deps)) return { record };
  if (!isFree) throw keyInFlight();
  const [account, locked] = await Promise.all([lockAccount(sql, accountId), lockQuote(sql, quoteId, accountId, deps.clock.now())]);
  if (account === null) throw new Error(`account ${accountId} is gone`);
  const now = deps.clock.now();
  const quote = await orderableQuote(deps, sql, locked, { submission, account, now });
  const timeZone = quote.book_version === null ? 'UTC' : (await deps.priceBooks.read(sql, quote.book_version)).timeZone;
  const urls = artworkOf(quote);
  const [missingUrls, { orderNumber, invoiceNumber }] = await Promise.all([
    lockMissingArtwork(sql, accountId, urls),
    drawNumbers(sql, submission.environment), // last, so that refused orders use no number
  ]);
  const order = {
    ...createOrder(quote, submission, account, now),
    order_number: orderNumber,
    issues: missingArtworkIssues(quote, missingUrls),
  };
  const body = successBody(presentOrder(order));
  const placed = {
    order,
    invoice: {
      id: newId('inv'),
      invoice_number: invoiceNumber,
      due_at: addDays(timeZone, now, account.payment_terms_days),
      buyer: buyerOf(account),
    },
    record: { ...submission, id: newId('idm'), body, expiresAt: new Date(now.getTime() + LIMITS.idempotencyLifetimeMs) },
    today: localDate(timeZone, now),
    artwork: { urls, firstCheckAt: firstCheckAt(deps, now) },
    event: eventOf(order, order.event_sequence, now),
  };
  const { waiting: deliveries, artworkDue } = await sql.commitWith(() => insertPlacedOrder(sql, placed));
  return { order, body, deliveries, artworkDue };
}

function artworkOf({ jobs }: LockedQuote): string[] {
  return [...new Set(jobs.flatMap(({ imageUrl }) => (imageUrl === null ? [] : [imageUrl])))];
}

function missingArtworkIssues({ jobs }: LockedQuote, missingUrls: readonly string[]): StoredIssue[] {
  return jobs.flatMap(({ imageUrl }, line) =>
    imageUrl !== null && missingUrls.includes(imageUrl) ? [{ code: 'ARTWORK_MISSING', line, message: null }] : [],
  );
}

/** Checks that the locked quote can be ordered and that the account has enough credit. */
async function orderableQuote(
  deps: PlaceOrderDeps,
  sql: Sql,
  quote: LockedQuote | null,
  { submission: { environment }, account, now }: { submission: Submission; account: AccountRow; now: Date },
): Promise<LockedQuote> {
  if (quote === null) throw notFoundError('quote on this account');
  assertOrderable(
    { quoteId: quote.id, environment: quote.environment, expiresAt: quote.expires_at, consumedAt: quote.consumed_at },
    environment,
    now,
  );
  const { newest_version: newest } = quote;
  if (newest !== null) assertCurrency(quote, (await deps.priceBooks.read(sql, newest)).currency);
  const sums = { outstandingCents: quote.outstanding_cents, creditCents: quote.credit_cents };
  assertWithinCredit(account.credit_limit_cents, sums, quote.total_cents);
  return quote;
}

/** Orders must have the studio's currency. @throws ApiError QUOTE_EXPIRED for a quote from before a change of currency */
function assertCurrency({ currency, expires_at: expiresAt }: LockedQuote, studioCurrency: string): void {
  if (currency === studioCurrency) return;
  const message = `the quote is in ${currency}, but the studio now sells in ${studioCurrency}; request a new quote with POST /quotes`;
  throw new ApiError('QUOTE_EXPIRED', message, { expiresAt: expiresAt.toISOString() });
}

/** Creates the order with the quote's amounts, because an order is never priced again. */
function createOrder(
  quote: LockedQuote,
  { specialInstructions, reference, metadata }: Submission,
  account: AccountRow,
  now: Date,
): Omit<OrderWithRelations, 'order_number'> {
  return {
    id: orderIdOfQuote(quote.id),
    account_id: quote.account_id,
    environment: quote.environment,
    quote_id: quote.id,
    status: 'received',
    base_status: 'received',
    held_from: null,
    printed: false,
    printed_lines: [],
    stage: null,
    stage_lines: { printed: [], framed: [], checked: [], ready: [] },
    version: 1,
    event_sequence: 1,
    special_instructions: specialInstructions,
    reference: reference ?? quote.reference ?? account.default_reference,
    metadata: metadata ?? quote.metadata,
    white_label: quote.white_label,
    settled_at: null,
    confirmation_sent_at: null,
    confirmation_failed_at: null,
    erased_at: null,
    ...figuresOfQuote(quote),
    created_at: now,
    updated_at: now,
    parcels: [],
    is_paid: false,
    cancelled_at: null,
    remakes: [],
    issues: [],
  };
}

/** The initial state of the order's workflow. */
function initialState(order: OrderWithRelations, artworkDue: Date | null): Required<OrderState> {
  return {
    orderNumber: order.order_number,
    accountId: order.account_id,
    environment: order.environment,
    version: order.version,
    facts: toOrderFacts({ ...order, line_count: order.lines.length }, [], [], []),
    confirmationOwedSince: confirmationOwedSince(order)?.toISOString() ?? null,
    artworkDue: artworkDue?.toISOString() ?? null,
  };
}
