import { raiseAttention } from '../../src/db/repositories/attention';
import { packedPieces } from '../../src/db/repositories/parcels';
import { excessIssue } from '../../src/domain/line-quantities';
import type { ParcelAdded } from '../../src/domain/order-messages/parcel-added';
import type { MessageContext, DatabaseSteps } from './kind';

export const parcelAdded: DatabaseSteps<ParcelAdded, Awaited<ReturnType<typeof packedPieces>> | null> = {
  action: 'parcel.add',
  load: async (sql, orderId, { lines }) => (lines ? packedPieces(sql, orderId) : null),
  check(_context, { lines }, pieces) {
    if (!lines || pieces === null) return null; // `load` reads no pieces without lines
    const { ordered, packed } = pieces;
    const issue = excessIssue(lines, ordered, packed);
    return issue === null ? null : { refused: issue };
  },
  store: ({ sql, orderId, now }, { parcelId, trackingNumber, carrier, trackingUrl, shippedAt, lines }) =>
    sql.run(
      `
      INSERT INTO parcels (order_id, id, position, tracking_number, carrier, tracking_url, shipped_at, created_at, lines)
      SELECT $1, $2, count(*), $3, $4, $5, $6, $7, $8 FROM parcels WHERE order_id = $1`,
      [
        orderId,
        parcelId,
        trackingNumber,
        carrier ?? null,
        trackingUrl ?? null,
        shippedAt ?? now.toISOString(),
        now,
        lines ? JSON.stringify(lines) : null,
      ],
    ),
  async attend(context, { parcelId }) {
    if (context.facts.baseStatus === 'cancelled') await raiseShippedAfterCancel(context, parcelId);
  },
};

export function raiseShippedAfterCancel({ sql, orderId, now }: MessageContext, parcelId: string): Promise<void> {
  const occurrence = { orderId, code: 'SHIPPED_AFTER_CANCEL', subject: parcelId } as const;
  return raiseAttention(sql, occurrence, `parcel ${parcelId} was shipped although the order is cancelled`, now);
}
