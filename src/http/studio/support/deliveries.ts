import { lockParcel, setDelivered } from '../../../db/repositories/parcels';
import { deliveryIssue } from '../../../domain/delivery';
import { ApiError, notFoundError, validationError } from '../../../domain/errors';
import { audited } from './audited';
import type { StudioRequest } from './types';

export interface Delivery {
  orderId: string;
  parcelId: string;
  /** Null takes the delivery back. */
  deliveredAt: Date | null;
}

/**
 * Stores when a parcel was delivered. No rule of the workflow depends on it, so the order gets no message. Returns whether the time changed;
 * a repeated request changes nothing.
 * @throws ApiError NOT_FOUND, MILESTONE_REFUSED for a voided label, VALIDATION_ERROR for an impossible time
 */
export function recordDelivery(request: StudioRequest, { orderId, parcelId, deliveredAt }: Delivery): Promise<boolean> {
  return audited(request, async (sql, record) => {
    const parcel = await lockParcel(sql, orderId, parcelId);
    if (parcel === null) throw notFoundError('parcel on this order');
    if (parcel.voided_at !== null) throw new ApiError('MILESTONE_REFUSED', `the label of parcel ${parcelId} was voided`);
    const { shipped_at: shippedAt, delivered_at: before } = parcel;
    const issue = deliveredAt === null ? null : deliveryIssue({ shippedAt, deliveredAt, now: request.deps.clock.now() });
    if (issue !== null) throw validationError([{ path: 'deliveredAt', message: issue }]);
    if (before?.getTime() === deliveredAt?.getTime()) return false;
    await setDelivered(sql, { ...parcel, delivered_at: deliveredAt });
    const auditedDelivery = (at: Date | null) => ({ parcelId, deliveredAt: at?.toISOString() ?? null });
    await record({ action: 'parcel.deliver', subject: orderId, before: auditedDelivery(before), after: auditedDelivery(deliveredAt) });
    return true;
  });
}
