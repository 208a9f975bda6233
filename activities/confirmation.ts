import { raiseAttention } from '../src/db/repositories/attention';
import { findAccount } from '../src/db/repositories/accounts';
import {
  confirmationOwedSince,
  countCancelledAfterConfirmation,
  findOrderById,
  markConfirmationFailed,
} from '../src/db/repositories/orders';
import { QUOTE } from '../src/db/repositories/quotes';
import type { OrderWithParcels, QuoteRow } from '../src/db/rows';
import { DAY_MS } from '../src/domain/duration';
import { LIMITS } from '../src/domain/limits';
import { MailDelayed, MailRefused } from '../src/mail';
import { createConfirmationMail } from '../src/mail/confirmation';
import type { ActivityDeps } from './deps';
import { hasMailTimedOut } from './mail-timeout';

const FAILED_ATTENTION = { code: 'CONFIRMATION_FAILED', advice: 'tell the customer another way' } as const;
const WITHHELD_ATTENTION = { code: 'CONFIRMATION_WITHHELD', advice: 'ask the account why, and tell the customer another way' } as const;

/**
 * The customer's one confirmation, for live orders with the studio's own packaging. Sent before it is marked: after a
 * crash between the two it goes out again under the same Message-ID rather than not at all. One that is refused for good, or could
 * not be handed over for three days, needs a person (attention CONFIRMATION_FAILED) and is not tried again. An account whose confirmed orders
 * are cancelled by the dozen may be sending its own texts to strangers: beyond a limit its confirmations need a person instead.
 * @throws MailDelayed so that it is tried again
 */
export async function sendConfirmation(deps: ActivityDeps, orderId: string, stop: AbortSignal): Promise<void> {
  const order = await findOrderById(deps.database, orderId);
  if (order === null || confirmationOwedSince(order) === null) return;
  if (await isWithheld(deps, order.account_id)) return recordConfirmationFailure(deps, orderId, OVER_LIMIT_REASON, WITHHELD_ATTENTION);
  const mail = await createConfirmation(deps, order);
  stop.throwIfAborted();
  try {
    await deps.mailer.send(mail);
  } catch (error) {
    return recordConfirmationFailure(deps, orderId, failureReason(error), FAILED_ATTENTION);
  }
  await deps.database.run(`UPDATE orders SET confirmation_sent_at = $2 WHERE id = $1`, [orderId, deps.clock.now()]);
}

const CANCELLED_LIMIT = LIMITS.cancelledConfirmationsPerDay;
const OVER_LIMIT_REASON = `the confirmation was not sent: within a day ${CANCELLED_LIMIT} confirmations of this account went to orders that were then cancelled`;

async function isWithheld({ database, clock }: ActivityDeps, accountId: string): Promise<boolean> {
  const since = new Date(clock.now().getTime() - DAY_MS);
  return (await countCancelledAfterConfirmation(database, accountId, since, CANCELLED_LIMIT)) >= CANCELLED_LIMIT;
}

async function createConfirmation(deps: ActivityDeps, order: OrderWithParcels) {
  const [quote, account] = await Promise.all([
    deps.database.row<QuoteRow>(`SELECT ${QUOTE} FROM quotes WHERE id = $1`, [order.quote_id]),
    findAccount(deps.database, order.account_id),
  ]);
  if (quote === null || account === null) throw new Error(`order ${order.id} has lost its quote or account`);
  return createConfirmationMail(order, quote.shipping_address, account);
}

/** In words for the studio. @throws what failed, while it is worth another try */
function failureReason(error: unknown): string {
  if (error instanceof MailRefused) return `the mail server refused the customer's confirmation for good: ${error.reply}`;
  if (error instanceof MailDelayed && hasMailTimedOut())
    return `the customer's confirmation could not be sent for three days: ${error.message}`;
  throw error;
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
  deps.logger.warn({ orderId, code }, 'the confirmation was given up'); // the reason may name the customer
}
