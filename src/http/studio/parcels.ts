import { findAccountOfOrder } from '../../db/repositories/orders';
import { hasRecord } from '../../db/repositories/studio-orders';
import { notFoundError } from '../../domain/errors';
import { PARCEL_FIELDS, type NewParcel } from '../../domain/order-messages/parcel-added';
import { EXISTING_PARCEL_ID } from '../../domain/order-messages/parcel-voided';
import { presentStudioOrder } from '../../presenters/studio-orders';
import { afterChange } from '../overload';
import { pathId, requireFound } from '../path-id';
import { type BodyOf, bodySchema, nullable } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { recordDelivery } from './support/deliveries';
import { messageFields, timestampField } from './support/fields';
import { sendOrderMessage } from './support/order-messages';
import { loadOrderView } from './support/order-view';
import { STUDIO_ORDER } from './support/order-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

export const parcelRequest = bodySchema(messageFields<NewParcel>(PARCEL_FIELDS));

export const parcelChange = bodySchema({
  deliveredAt: nullable(timestampField()).description('the time of delivery; null takes it back'),
});

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
    method: 'PATCH',
    path: '/orders/:id/parcels/:parcelId',
    role: 'floor',
    body: parcelChange,
    id: 'changeParcel',
    summary: 'Record when a parcel was delivered',
    description:
      'The client sees the time in `shipments`. The status of the order does not change, and the client gets no event. The time must not be before `shippedAt` or in the future. A later request corrects it. A parcel with a voided label is refused.',
    response: STUDIO_ORDER,
    errorCodes: ['MILESTONE_REFUSED', 'SERVICE_UNAVAILABLE'],
    requestExample: { deliveredAt: '2026-03-05T03:20:00.000Z' },
    handler: patchParcel,
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
    async (orderId) => EXISTING_PARCEL_ID.issue(parcelId) === null && hasRecord(request.deps.database, 'parcels', orderId, parcelId),
  );
}

async function patchParcel(request: StudioRequest<BodyOf<typeof parcelChange>>): Promise<HandlerResponse> {
  const orderId = pathId(request, 'ord');
  requireFound(request, 'ord', await findAccountOfOrder(request.deps.database, orderId));
  const parcelId = request.params.parcelId ?? '';
  if (EXISTING_PARCEL_ID.issue(parcelId) !== null) throw notFoundError('parcel on this order');
  const { deliveredAt } = request.body;
  await recordDelivery(request, { orderId, parcelId, deliveredAt: deliveredAt === null ? null : new Date(deliveredAt) });
  return { data: presentStudioOrder(await afterChange(() => loadOrderView(request))) };
}
