import type { EntityManager } from 'typeorm';
import { lockAccount, outstandingCents } from '../src/db/repositories/accounts';
import { findOrderById, loadOrderState } from '../src/db/repositories/orders';
import { row } from '../src/db/data-source';
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
  await deps.dataSource.transaction('READ COMMITTED', async (sql) => {
    const account = await lockAccount(sql, input.accountId);
    const claim = await row<IdempotencyRow>(sql, `SELECT * FROM idempotency_records WHERE id = $1 FOR UPDATE`, [input.idempotencyRecordId]);
    if (claim?.state === 'finished' && claim.order_id === input.orderId) return;
    const quote = await row<QuoteRow>(sql, `SELECT * FROM quotes WHERE id = $1 AND account_id = $2 FOR UPDATE`, [input.quoteId, input.accountId]);
    if (account === null || quote === null) throw new ApiError('NOT_FOUND', 'there is no such quote on this account');
    const now = deps.clock.now();
    assertOrderable({ quoteId: quote.id, environment: quote.environment, expiresAt: quote.expires_at, consumedAt: quote.consumed_at }, input.environment, now);
    assertWithinCredit(account.credit_limit_cents, await outstandingCents(sql, account.id, quote.environment), quote.total_cents);
    if (claim?.state !== 'claimed') {
      throw new ApiError('INTERNAL_ERROR', 'the submission was given up before it was placed; send it again with the same Idempotency-Key');
    }
    await writeOrder(sql, { input, account, quote, claim, now });
  });
  const state = await loadOrderState(deps.dataSource.manager, input.orderId);
  if (state === null) throw new Error('the order is gone right after it was placed');
  return withDeliveries(state, await unstartedDeliveries(deps.dataSource.manager, input.orderId));
}

interface Placement {
  input: PlaceOrder;
  account: AccountRow;
  quote: QuoteRow;
  claim: IdempotencyRow;
  now: Date;
}

async function writeOrder(sql: EntityManager, placement: Placement): Promise<void> {
  const { input, quote, now } = placement;
  await sql.query(`UPDATE quotes SET consumed_at = $2 WHERE id = $1`, [quote.id, now]);
  await insertOrder(sql, placement);
  await insertInvoice(sql, placement);
  const order = await findOrderById(sql, input.orderId);
  if (order === null) throw new Error('the order was not stored');
  await writeEvent(sql, order, 1, now);
  await finishClaim(sql, placement.claim, order);
}

async function insertOrder(sql: EntityManager, { input, quote, claim, now }: Placement): Promise<void> {
  await sql.query(`
    INSERT INTO orders (id, order_number, account_id, environment, quote_id, status, base_status, special_instructions,
      currency, lines, subtotal_cents, discount_cents, shipping_cents, shipping_method, rush_fee_cents, total_cents, gst_cents,
      promised_ready_date, white_label, created_at, updated_at)
    SELECT $1, $2, q.account_id, q.environment, q.id, 'received', 'received', $3,
      q.currency, q.lines, q.subtotal_cents, q.discount_cents, q.shipping_cents, q.shipping_method, q.rush_fee_cents,
      q.total_cents, q.gst_cents, q.promised_ready_date, q.white_label, $4, $4
      FROM quotes q WHERE q.id = $5`,
    [input.orderId, input.orderNumber, claim.special_instructions, now, quote.id]);
}

async function insertInvoice(sql: EntityManager, { input, account, quote, now }: Placement): Promise<void> {
  const dueAt = new Date(now.getTime() + account.payment_terms_days * 86_400_000);
  const prefix = quote.environment === 'test' ? 'TINV' : 'INV';
  await sql.query(`
    INSERT INTO invoices (id, invoice_number, order_id, account_id, environment, amount_cents, gst_cents, issued_at, due_at)
    VALUES ($1, '${prefix}-' || nextval('invoice_numbers_${quote.environment}'), $2, $3, $4, $5, $6, $7, $8)`,
    [newId('inv'), input.orderId, account.id, quote.environment, quote.total_cents, quote.gst_cents, now, dueAt]);
}

/** Status and exact body text of the 201, for every replay. */
async function finishClaim(sql: EntityManager, claim: IdempotencyRow, order: OrderWithParcels): Promise<void> {
  await sql.query(`
    UPDATE idempotency_records SET state = 'finished', order_id = $2, response_status = 201, response_body = $3,
      special_instructions = NULL
     WHERE id = $1`, [claim.id, order.id, successBody(presentOrder(order))]);
}
