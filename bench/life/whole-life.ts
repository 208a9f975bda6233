import { call, placeOrder } from '../http';
import type { Buyer } from '../fixtures';
import type { RunningApi } from '../processes';
import type { Stage } from '../stage';

/** Placed, then all that the floor tells of it; six messages. */
export async function wholeLife(
  stage: Stage,
  buyer: Buyer,
  quoteId: string,
  api: Pick<RunningApi, 'tradeUrl' | 'studioUrl'> = stage,
): Promise<string> {
  const { orderId } = (JSON.parse(await placeOrder(stage, buyer.key, quoteId, api.tradeUrl)) as { data: { orderId: string } }).data;
  const studio = (path: string, body: object) =>
    call(stage, { method: 'POST', url: api.studioUrl, path: `/studio/v1/orders/${orderId}/${path}`, credential: stage.adminToken, body });
  for (const type of ['production_started', 'printed', 'held', 'released']) await studio('milestones', { milestoneId: type, type });
  await studio('parcels', { parcelId: 'p1', trackingNumber: 'T1' });
  await studio('milestones', { milestoneId: 'completed', type: 'completed' });
  return orderId;
}
