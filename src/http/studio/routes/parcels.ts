import { hasParcel } from '../../../db/repositories/studio-orders';
import { SENT_PARCEL_ID } from '../../../domain/order-message';
import type { Answer } from '../../types';
import { sendOrderMessage } from '../order-messages';
import type { ParcelRequest } from '../schemas/parcels';
import type { StudioRequest } from '../types';

/** `POST /orders/{id}/parcels`: from then on the order reads `shipped`, until its last label is voided (ruling 28). */
export function postParcel(request: StudioRequest<ParcelRequest>): Promise<Answer> {
  return sendOrderMessage(request, { ...request.body, type: 'parcel_added' });
}

/** `DELETE /orders/{id}/parcels/{parcelId}`: voids the label. */
export function deleteParcel(request: StudioRequest): Promise<Answer> {
  const parcelId = request.params.parcelId ?? '';
  return sendOrderMessage(
    request,
    { type: 'parcel_voided', parcelId },
    async (orderId) => SENT_PARCEL_ID.issue(parcelId) === null && hasParcel(request.deps.database, orderId, parcelId),
  );
}
