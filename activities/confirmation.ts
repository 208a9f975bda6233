import { raiseAttention } from '../src/db/repositories/attention';
import { findAccount } from '../src/db/repositories/accounts';
import { confirmationDue, findOrderById, markConfirmationFailed } from '../src/db/repositories/orders';
import { QUOTE } from '../src/db/repositories/quotes';
import type { OrderWithParcels, QuoteRow } from '../src/db/rows';
import { MailDelayed, MailRefused } from '../src/mail';
import { confirmationMail } from '../src/mail/confirmation';
import type { ActivityDeps } from './deps';
import { hasTriedForDays } from './patience';

/**
 * The customer's one confirmation, for live orders with the studio's own packaging. Sent before it is marked: after a
 * crash between the two it goes out again under the same Message-ID rather than not at all. One that is refused for good, or could
 * not be handed over for three days, needs a person (attention CONFIRMATION_FAILED) and is not tried again.
 * @throws MailDelayed so that it is tried again
 */
export async function sendConfirmation(deps: ActivityDeps, orderId: string): Promise<void> {
  const order = await findOrderById(deps.database, orderId);
  if (order === null || !confirmationDue(order)) return;
  const mail = await confirmationOf(deps, order);
  try {
    await deps.mailer.send(mail);
  } catch (error) {
    return giveUp(deps, orderId, failureOf(error));
  }
  await deps.database.run(`UPDATE orders SET confirmation_sent_at = $2 WHERE id = $1`, [orderId, deps.clock.now()]);
}

async function confirmationOf(deps: ActivityDeps, order: OrderWithParcels) {
  const [quote, account] = await Promise.all([
    deps.database.row<QuoteRow>(`SELECT ${QUOTE} FROM quotes WHERE id = $1`, [order.quote_id]),
    findAccount(deps.database, order.account_id),
  ]);
  if (quote === null || account === null) throw new Error(`order ${order.id} has lost its quote or account`);
  return confirmationMail(order, quote.shipping_address, account);
}

/** In words for the studio. @throws what failed, while it is worth another try */
function failureOf(error: unknown): string {
  if (error instanceof MailRefused) return `the mail server refused the customer's confirmation for good: ${error.reply}`;
  if (error instanceof MailDelayed && hasTriedForDays())
    return `the customer's confirmation could not be sent for three days: ${error.message}`;
  throw error;
}

async function giveUp(deps: ActivityDeps, orderId: string, reason: string): Promise<void> {
  const now = deps.clock.now();
  await deps.database.transaction(async (sql) => {
    await markConfirmationFailed(sql, orderId, reason, now);
    await raiseAttention(
      sql,
      { orderId, code: 'CONFIRMATION_FAILED', subject: 'confirmation' },
      `${reason}; tell the customer another way`,
      now,
    );
  });
  deps.logger.warn({ orderId }, 'the confirmation was given up'); // the reason may name the customer
}
