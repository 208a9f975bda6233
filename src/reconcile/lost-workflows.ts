import { markExpired } from '../db/repositories/quotes';
import { quoteWorkflowId } from '../../workflows/messages';
import { deliveryWorkflowId } from '../../workflows/webhook-messages';
import { compareRows, type Finding, type ReconcileDeps } from './finding';

interface UnmarkedQuote {
  id: string;
  expires_at: Date;
}

/** Finds unordered quotes that expired without the mark, and open quotes whose timer is not running. */
export async function findUnmarkedQuotes(deps: ReconcileDeps): Promise<Finding[]> {
  const running = await deps.temporal.runs.listRunningIds('quoteExpiry');
  return compareRows<UnmarkedQuote>(
    deps,
    `SELECT id, expires_at FROM quotes WHERE consumed_at IS NULL AND expired_at IS NULL AND id > $1 ORDER BY id LIMIT $2`,
    async (quote) => (running.has(quoteWorkflowId(quote.id)) ? null : checkQuote(deps, quote)),
  );
}

async function checkQuote({ database, temporal, clock }: ReconcileDeps, { id, expires_at }: UnmarkedQuote): Promise<Finding | null> {
  const isUnmarked = () => database.exists('SELECT 1 FROM quotes WHERE id = $1 AND consumed_at IS NULL AND expired_at IS NULL', [id]);
  if ((await temporal.runs.isRunning(quoteWorkflowId(id))) || !(await isUnmarked())) return null;
  const until = expires_at.toISOString();
  if (expires_at <= clock.now())
    return {
      kind: 'quote not marked expired',
      subject: id,
      detail: `expired at ${until}, but has no mark`,
      repair: () => markExpired(database, id, clock.now()),
      isRepaired: async () => !(await isUnmarked()),
    };
  return {
    kind: 'quote without a timer',
    subject: id,
    detail: `is valid until ${until}, but no workflow is running for it`,
    repair: () => temporal.quotes.startTimer(id, expires_at, 'ALLOW_DUPLICATE'),
    isRepaired: async () => !(await isUnmarked()) || temporal.runs.isRunning(quoteWorkflowId(id)),
  };
}

/** Finds deliveries that the relay handed over to a workflow that is not running. After the repair, the relay hands them over again. */
export async function findDeliveriesWithoutRetries(deps: ReconcileDeps): Promise<Finding[]> {
  const running = await deps.temporal.runs.listRunningIds('webhookDelivery');
  return compareRows<{ id: string }>(
    deps,
    `SELECT id FROM webhook_deliveries WHERE state = 'pending' AND attempts > 0 AND handed_over_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2`,
    async ({ id }) => (running.has(deliveryWorkflowId(id)) ? null : checkDelivery(deps, id)),
  );
}

const IS_HANDED_OVER = `id = $1 AND state = 'pending' AND handed_over_at IS NOT NULL`;

async function checkDelivery({ database, temporal }: ReconcileDeps, id: string): Promise<Finding | null> {
  const isWaiting = () => database.exists(`SELECT 1 FROM webhook_deliveries WHERE ${IS_HANDED_OVER}`, [id]);
  if ((await temporal.runs.isRunning(deliveryWorkflowId(id))) || !(await isWaiting())) return null;
  return {
    kind: 'delivery without retries',
    subject: id,
    detail: 'waits for another attempt, but no workflow is running for it',
    repair: () => database.run(`UPDATE webhook_deliveries SET handed_over_at = NULL WHERE ${IS_HANDED_OVER}`, [id]),
    isRepaired: async () => !(await isWaiting()) || temporal.runs.isRunning(deliveryWorkflowId(id)),
  };
}
