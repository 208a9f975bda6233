import { auditedRemake, remakeOrder } from '../../../orders/remake-order';
import { presentStudioOrder } from '../../../presenters/studio-orders';
import { found, pathId } from '../../path-id';
import type { Answer } from '../../types';
import { audited } from '../audited';
import { viewOrderOf } from '../order-view';
import type { RemakeRequest } from '../schemas/remakes';
import type { StudioRequest } from '../types';

/**
 * `POST /orders/{id}/remakes`: makes lines of the order again, as an order of its own (ruling 57). The same again is 200 with the remake as
 * it is. Its workflow is started behind the answer, as that of any order.
 * @throws ApiError NOT_FOUND, REMAKE_REFUSED, REMAKE_ID_REUSED, SHIPPING_ADDRESS_INCOMPLETE
 */
export async function postRemake(request: StudioRequest<RemakeRequest>): Promise<Answer> {
  const { deps, requestId, body } = request;
  const originalId = pathId(request, 'ord');
  const wanted = { ...body, originalId, shippingAddress: body.shippingAddress ?? null };
  const remade = found(
    request,
    'ord',
    await audited(request, async (sql, record) => {
      const now = deps.clock.now();
      const made = await remakeOrder(sql, wanted, { dueDate: await deps.pricingTerms.standardDueDate(sql, now), now });
      if (made !== null && 'start' in made) await record(auditedRemake(wanted, made.start));
      return made;
    }),
  );
  if ('start' in remade) deps.workflowStarts.order({ ...remade.start, requestId });
  const data = presentStudioOrder(await viewOrderOf(request, remade.orderId));
  return 'start' in remade ? { data } : { data, status: 200 };
}
