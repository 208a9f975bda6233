import { raiseAttention } from '../src/db/repositories/attention';
import { findAccount } from '../src/db/repositories/accounts';
import {
  confirmationOwedSince,
  countCancelledAfterConfirmation,
  findOrderById,
  markConfirmationFailed,
} from '../src/db/repositories/orders';
import { QUOTE } from '../src/db/repositories/quotes';
import type { OrderWithRelations, QuoteRow } from '../src/db/rows';
import { DAY_MS } from '../src/domain/duration';
import { LIMITS } from '../src/domain/limits';
import { createConfirmationMail } from '../src/mail/confirmation';
import type { ActivityDeps } from './deps';
import { hasMailTimedOut, mailFailureReason } from './mail-timeout';

const FAILED_ATTENTION = { code: 'CONFIRMATION_FAILED', advice: 'contact the customer in another way' } as const;
const WITHHELD_ATTENTION = {
  code: 'CONFIRMATION_WITHHELD',
  advice: 'ask the account for the reason, and contact the customer in another way',
} as const;

/**
 * Sends the customer one confirmation of a live order in the studio's packaging. The order is marked after the mail is sent, so a crash in
 * between repeats the mail under the same Message-ID. A mail that is permanently refused, or that fails for three days, raises
 * CONFIRMATION_FAILED and is not retried. An account whose orders are often confirmed and then cancelled may be using the mails to send
 * texts to strangers. Above a limit its confirmations are withheld and raise CONFIRMATION_WITHHELD.
 * @throws MailDelayed to have the mail retried
 */
export async function sendConfirmation(deps: ActivityDeps, orderId: string, abortSignal: AbortSignal): Promise<void> {
  const order = await findOrderById(deps.database, orderId);
  if (order === null || confirmationOwedSince(order) === null) return;
  if (await isWithheld(deps, order.account_id)) return recordConfirmationFailure(deps, orderId, OVER_LIMIT_REASON, WITHHELD_ATTENTION);
  const mail = await createConfirmation(deps, order);
  abortSignal.throwIfAborted();
  try {
    await deps.mailer.send(mail);
  } catch (error) {
    const reason = mailFailureReason(error, "the customer's confirmation", hasMailTimedOut());
    return recordConfirmationFailure(deps, orderId, reason, FAILED_ATTENTION);
  }
  await deps.database.run(`UPDATE orders SET confirmation_sent_at = $2 WHERE id = $1`, [orderId, deps.clock.now()]);
}

const CANCELLED_LIMIT = LIMITS.cancelledConfirmationsPerDay;
const OVER_LIMIT_REASON = `the confirmation was not sent, because ${CANCELLED_LIMIT} confirmed orders of this account were cancelled within a day`;

async function isWithheld({ database, clock }: ActivityDeps, accountId: string): Promise<boolean> {
  const since = new Date(clock.now().getTime() - DAY_MS);
  return (await countCancelledAfterConfirmation(database, accountId, since, CANCELLED_LIMIT)) >= CANCELLED_LIMIT;
}

async function createConfirmation(deps: ActivityDeps, order: OrderWithRelations) {
  const [quote, account] = await Promise.all([
    deps.database.row<QuoteRow>(`SELECT ${QUOTE} FROM quotes WHERE id = $1`, [order.quote_id]),
    findAccount(deps.database, order.account_id),
  ]);
  if (quote === null || account === null) throw new Error(`order ${order.id} has no quote or no account`);
  return createConfirmationMail(order, quote.shipping_address, account);
}

async function recordConfirmationFailure(
  deps: ActivityDeps,
  orderId: string,
  reason: string,
  { code, advice }: typeof FAILED_ATTENTION | typeof WITHHELD_ATTENTION,
): Promise<void> {
  const now = deps.clock.now();
  await deps.database.transaction(async (sql) => {
    await markConfirmationFailed(sql, orderId, reason, now);
    await raiseAttention(sql, { orderId, code, subject: 'confirmation' }, `${reason}; ${advice}`, now);
  });
  deps.logger.warn({ orderId, code }, 'the confirmation will not be sent'); // no reason, because it may name the customer
}
