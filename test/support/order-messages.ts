import type { OrderMessage } from '../../src/domain/order-messages';
import { sendMessage } from '../../src/orders/send-message';
import type { Dependencies } from '../../src/processes/dependencies';
import { newId } from '../../src/security/ids';

/** Sends a message with a studio token, as the studio API does. Returns whether the order changed. */
export async function sendAsStudio({ deps }: { deps: Dependencies }, orderId: string, message: OrderMessage): Promise<boolean> {
  const credentialId = await deps.database.value<string>('SELECT id FROM studio_tokens ORDER BY created_at LIMIT 1');
  return sendMessage(deps, { orderId, message, sender: { credentialId, badgeId: null, requestId: newId('req') } });
}
