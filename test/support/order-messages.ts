import type { Activities } from '../../activities';
import { decideChange, type OrderMessage } from '../../src/domain/order-messages';
import { sendMessage } from '../../src/orders/send-message';
import type { Dependencies } from '../../src/processes/dependencies';
import { newId } from '../../src/security/ids';

/** Sends a message with a studio token, as the studio API does. Returns whether the order changed. */
export async function sendAsStudio({ deps }: { deps: Dependencies }, orderId: string, message: OrderMessage): Promise<boolean> {
  const credentialId = await deps.database.value<string>('SELECT id FROM studio_tokens ORDER BY created_at LIMIT 1');
  return sendMessage(deps, { orderId, message, sender: { credentialId, badgeId: null, requestId: newId('req') } });
}

/** Acts like the order's workflow, which decides again if its state was too old. Returns the last decision and its outcome. */
export async function applyLikeWorkflow(activities: Activities, orderId: string, message: OrderMessage) {
  for (;;) {
    const state = (await activities.loadOrder({ orderId }))?.state;
    if (state === undefined) throw new Error(`there is no order ${orderId}`);
    const { accountId, orderNumber, version: expectedVersion, facts } = state;
    const decision = decideChange(facts, message);
    const outcome = await activities.applyChange({ orderId, accountId, orderNumber, expectedVersion, message, sender: null, decision });
    if (outcome.outcome !== 'stale') return { decision, outcome };
  }
}
