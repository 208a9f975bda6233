import { clearAttention } from '../../src/db/repositories/attention';
import type { ParcelVoided } from '../../src/domain/order-messages/parcel-voided';
import type { DatabaseSteps } from './kind';

export const parcelVoided: DatabaseSteps<ParcelVoided> = {
  action: 'parcel.void',
  store: ({ sql, orderId, now }, { parcelId }) =>
    sql.run('UPDATE parcels SET voided_at = $3 WHERE order_id = $1 AND id = $2 AND voided_at IS NULL', [orderId, parcelId, now]),
  async attend({ sql, orderId, facts, now }, { parcelId }) {
    if (facts.baseStatus === 'cancelled') await clearAttention(sql, { orderId, code: 'SHIPPED_AFTER_CANCEL', subject: parcelId }, now);
  },
};
