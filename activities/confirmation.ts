import { findAccount } from '../src/db/repositories/accounts';
import { confirmationDue, findOrderById } from '../src/db/repositories/orders';
import { row } from '../src/db/data-source';
import type { QuoteRow } from '../src/db/rows';
import { confirmationMail } from '../src/mail/confirmation';
import type { ActivityDeps } from './index';

/**
 * The customer's one confirmation, for live orders with the studio's own packaging. Sent before it is marked: after a
 * crash between the two it goes out again under the same Message-ID rather than not at all.
 */
export async function sendConfirmation(deps: ActivityDeps, orderId: string): Promise<void> {
  const order = await findOrderById(deps.dataSource.manager, orderId);
  if (order === null || !confirmationDue(order)) return;
  const [quote, account] = await Promise.all([
    row<QuoteRow>(deps.dataSource.manager, `SELECT * FROM quotes WHERE id = $1`, [order.quote_id]),
    findAccount(deps.dataSource.manager, order.account_id),
  ]);
  if (quote === null || account === null) throw new Error(`order ${orderId} has lost its quote or account`);
  await deps.mailer.send(confirmationMail(order, quote.shipping_address, account));
  await deps.dataSource.query(`UPDATE orders SET confirmation_sent_at = $2 WHERE id = $1`, [orderId, deps.clock.now()]);
}
