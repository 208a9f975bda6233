import { appliedType } from '../../../db/repositories/timeline';
import { CORRECTION_FIELDS } from '../../../domain/order-message';
import type { Answer } from '../../types';
import { sendOrderMessage } from '../order-messages';
import type { CorrectionRequest } from '../schemas/corrections';
import type { StudioRequest } from '../types';

/**
 * `POST /orders/{id}/milestones/{milestoneId}/correct`: takes a milestone back that was recorded by mistake. Repeated it answers the order
 * as it is.
 * @throws ApiError NOT_FOUND, CORRECTION_REFUSED (rulings 46 and 56)
 */
export function postCorrection(request: StudioRequest<CorrectionRequest>): Promise<Answer> {
  const corrects = request.params.milestoneId ?? '';
  return sendOrderMessage(
    request,
    { ...request.body, type: 'corrected', corrects },
    async (orderId) =>
      CORRECTION_FIELDS.corrects.issue(corrects) === null && (await appliedType(request.deps.database, orderId, corrects)) !== null,
  );
}
