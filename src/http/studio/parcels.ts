import { hasParcel } from '../../db/repositories/studio-orders';
import { PARCEL_FIELDS, type NewParcel } from '../../domain/order-messages/parcel-added';
import { EXISTING_PARCEL_ID } from '../../domain/order-messages/parcel-voided';
import { type BodyOf, bodySchema } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { messageFields } from './support/fields';
import { sendOrderMessage } from './support/order-messages';
import { STUDIO_ORDER } from './support/order-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const parcelRequest = bodySchema(messageFields<NewParcel>(PARCEL_FIELDS));

export const PARCELS_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/orders/:id/parcels',
    role: 'floor',
    body: parcelRequest,
    id: 'addParcel',
    summary: 'Record a parcel',
    description:
      'The order has the status `shipped` until its last label is voided. An order number is refused as `trackingNumber`. Repeating the request with the same `parcelId` is safe.',
    response: STUDIO_ORDER,
    errorCodes: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'SERVICE_UNAVAILABLE'],
    requestExample: { parcelId: 'p-1', trackingNumber: 'AP-1', carrier: 'Australia Post' },
    handler: (request: StudioRequest<BodyOf<typeof parcelRequest>>) => sendOrderMessage(request, { ...request.body, type: 'parcel_added' }),
  },
  {
    method: 'DELETE',
    path: '/orders/:id/parcels/:parcelId',
    role: 'floor',
    id: 'voidParcel',
    summary: 'Void the label of a parcel',
    description: 'After the only parcel, the order returns to its earlier status.',
    response: STUDIO_ORDER,
    errorCodes: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'SERVICE_UNAVAILABLE'],
    handler: deleteParcel,
  },
];

function deleteParcel(request: StudioRequest): Promise<HandlerResponse> {
  const parcelId = request.params.parcelId ?? '';
  return sendOrderMessage(
    request,
    { type: 'parcel_voided', parcelId },
    async (orderId) => EXISTING_PARCEL_ID.issue(parcelId) === null && hasParcel(request.deps.database, orderId, parcelId),
  );
}
