import { row, transaction, type Sql } from '../src/db/data-source';
import { lockAccount, unpaidCents } from '../src/db/repositories/accounts';
import { confirmationDue, loadOrderState, orderFacts } from '../src/db/repositories/orders';
import { QUOTE_COLUMNS } from '../src/db/repositories/quotes';
import { unstartedDeliveries } from '../src/db/repositories/webhook-deliveries';
import type { AccountRow, IdempotencyRow, OrderWithParcels, QuoteRow } from '../src/db/rows';
import { assertWithinCredit } from '../src/domain/credit';
import { ApiError } from '../src/domain/errors';
import { assertOrderable } from '../src/domain/quote-state';
import { successBody } from '../src/presenters/envelope';
import { presentOrder } from '../src/presenters/orders';
import { newId } from '../src/security/ids';
import type { OrderState, SubmitOrder } from '../workflows/messages';
import type { ToDeliver } from './contract';
import { withDeliveries, writeEvent } from './events';
import type { ActivityDeps } from './index';

export type PlaceOrder = SubmitOrder & { orderNumber: string };

/**
 * Everything an order is, in one transaction (ruling 34): after it the order exists with its invoice, spent quote, first
 * event and finished idempotency record; before it nothing does. Checks in the order of ruling 3. A second run answers
 * the first one's order.
 */
export async function placeOrder(deps: ActivityDeps, input: PlaceOrder): Promise<OrderState & ToDeliver> {
  const placed = await transaction(deps.dataSource, async (sql) => {
    const account = await lockAccount(sql, input.accountId);
    const quote = await lockSubmission(sql, input, account?.credit_limit_cents !== null);
    if (quote?.claim_state === 'finished' && quote.claim_order_id === input.orderId) return null;
    if (account === null || quote === null) throw new ApiError('NOT_FOUND', 'there is no such quote on this account');
    const now = deps.clock.now();
    assertOrderable({ quoteId: quote.id, environment: quote.environment, expiresAt: quote.expires_at, consumedAt: quote.consumed_at }, input.environment, now);
    assertWithinCredit(account.credit_limit_cents, quote.outstanding_cents, quote.total_cents);
    if (quote.claim_state !== 'claimed') {
      throw new ApiError('INTERNAL_ERROR', 'the submission was given up before it was placed; send it again with the same Idempotency-Key');
    }
    return writeSubmission(sql, { input, account, quote, now });
  });
  releaseHold(deps, input.quoteId);
  return placed ?? answerAgain(deps, input.orderId);
}

/** Without waiting: the quote's row is spent already, this only ends the timer of its hold. */
function releaseHold({ temporal, logger }: ActivityDeps, quoteId: string): void {
  temporal.releaseHold(quoteId, (error) => logger.info({ err: error, quoteId }, 'the hold was not told; it ends when the quote expires'));
}

async function answerAgain(deps: ActivityDeps, orderId: string): Promise<OrderState & ToDeliver> {
  const state = await loadOrderState(deps.dataSource.manager, orderId);
  if (state === null) throw new Error('the order is gone right after it was placed');
  return withDeliveries(state, await unstartedDeliveries(deps.dataSource.manager, orderId));
}

/** The quote with the claim on it and what is outstanding, in cents (ruling 32); not asked where there is no limit. */
interface Submission extends QuoteRow {
  claim_state: IdempotencyRow['state'] | null;
  claim_order_id: string | null;
  claim_instructions: string | null;
  outstanding_cents: number;
}

/** Locks the quote and the claim. Comes after the account's lock, so that it sees every invoice written under that lock. */
function lockSubmission(sql: Sql, { quoteId, accountId, idempotencyRecordId }: PlaceOrder, hasLimit: boolean): Promise<Submission | null> {
  return row(sql, `
    WITH quote AS (SELECT ${QUOTE_COLUMNS} FROM quotes WHERE id = $1 AND account_id = $2 FOR UPDATE),
         claim AS (SELECT state, order_id, special_instructions FROM idempotency_records WHERE id = $3 FOR UPDATE)
    SELECT ${QUOTE_COLUMNS}, claim.state AS claim_state, claim.order_id AS claim_order_id, claim.special_instructions AS claim_instructions,
           CASE WHEN $4 THEN ${unpaidCents('quote.account_id', 'quote.environment')} ELSE 0 END AS outstanding_cents
      FROM quote LEFT JOIN claim ON true`, [quoteId, accountId, idempotencyRecordId, hasLimit]);
}

interface Placement {
  input: PlaceOrder;
  account: AccountRow;
  quote: Submission;
  now: Date;
}

async function writeSubmission(sql: Sql, placement: Placement): Promise<OrderState & ToDeliver> {
  const order = orderOf(placement);
  await writeOrder(sql, order, placement);
  const deliveries = await writeEvent(sql, order, order.event_sequence, placement.now);
  const state = { version: order.version, facts: orderFacts(order, [], []), applied: {}, quoteId: order.quote_id, confirmationDue: confirmationDue(order) };
  return withDeliveries(state, deliveries);
}

/** The order that the quote becomes: the quote's own figures, never priced again (ruling 27). */
function orderOf({ input, quote, now }: Placement): OrderWithParcels {
  const { currency, lines, subtotal_cents, discount_cents, shipping_cents, shipping_method, rush_fee_cents, total_cents, gst_cents, promised_ready_date } = quote;
  return {
    id: input.orderId, order_number: input.orderNumber, account_id: quote.account_id, environment: quote.environment, quote_id: quote.id,
    status: 'received', base_status: 'received', held_from: null, printed: false, version: 1, event_sequence: 1,
    special_instructions: quote.claim_instructions, white_label: quote.white_label, settled_at: null, confirmation_sent_at: null,
    currency, lines, subtotal_cents, discount_cents, shipping_cents, shipping_method, rush_fee_cents, total_cents, gst_cents, promised_ready_date,
    created_at: now, updated_at: now, parcels: [],
  };
}

/** Spends the quote, stores order and invoice, and finishes the claim with the exact body text of the 201, for every replay. */
async function writeOrder(sql: Sql, order: OrderWithParcels, { input, account, now }: Placement): Promise<void> {
  const { environment } = order;
  const dueAt = new Date(now.getTime() + account.payment_terms_days * 86_400_000);
  await sql.query(`
    WITH spent AS (UPDATE quotes SET consumed_at = $4 WHERE id = $5),
    placed AS (
      INSERT INTO orders (id, order_number, account_id, environment, quote_id, status, base_status, special_instructions,
        currency, lines, subtotal_cents, discount_cents, shipping_cents, shipping_method, rush_fee_cents, total_cents, gst_cents,
        promised_ready_date, white_label, created_at, updated_at)
      SELECT $1, $2, q.account_id, q.environment, q.id, 'received', 'received', $3,
        q.currency, q.lines, q.subtotal_cents, q.discount_cents, q.shipping_cents, q.shipping_method, q.rush_fee_cents,
        q.total_cents, q.gst_cents, q.promised_ready_date, q.white_label, $4, $4
        FROM quotes q WHERE q.id = $5),
    billed AS (
      INSERT INTO invoices (id, invoice_number, order_id, account_id, environment, amount_cents, gst_cents, issued_at, due_at)
      SELECT $6, '${environment === 'test' ? 'TINV' : 'INV'}-' || nextval('invoice_numbers_${environment}'), $1, q.account_id, q.environment,
        q.total_cents, q.gst_cents, $4, $7
        FROM quotes q WHERE q.id = $5)
    UPDATE idempotency_records SET state = 'finished', order_id = $1, response_status = 201, response_body = $8,
      special_instructions = NULL
     WHERE id = $9`,
    [order.id, order.order_number, order.special_instructions, now, order.quote_id, newId('inv'), dueAt, successBody(presentOrder(order)),
      input.idempotencyRecordId]);
}
