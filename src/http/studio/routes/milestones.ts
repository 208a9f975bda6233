import { hasParcel, hasPayment, type StudioJobRow } from '../../../db/repositories/studio-orders';
import { validationError, noSuch } from '../../../domain/errors';
import { readOrderMessage, PARCEL_FIELDS, PAYMENT_FIELDS } from '../../../domain/order-message';
import type { OrderMessage } from '../../../domain/order-status';
import { sealOfSender } from '../../../security/sender-seal';
import { presentStudioOrder } from '../../../presenters/studio-orders';
import type { MilestoneRequest, ParcelRequest, PaymentRequest } from '../schemas/milestones';
import type { Answer } from '../../types';
import { loadStudioOrder, viewOrder } from '../order-view';
import type { StudioRequest } from '../types';

/** `POST /orders/{id}/milestones`. @throws ApiError MILESTONE_REFUSED, MILESTONE_ID_REUSED (studio API "Refusals"). */
export async function postMilestone(request: StudioRequest<MilestoneRequest>): Promise<Answer> {
  return tell(request, request.body);
}

/** `POST /orders/{id}/parcels`: from then on the order reads `shipped`, until its last label is voided (ruling 28). */
export async function postParcel(request: StudioRequest<ParcelRequest>): Promise<Answer> {
  return tell(request, { ...request.body, type: 'parcel_added' });
}

/** `DELETE /orders/{id}/parcels/{parcelId}`: voids the label. */
export async function deleteParcel(request: StudioRequest): Promise<Answer> {
  const parcelId = request.params.parcelId ?? '';
  const message = { type: 'parcel_voided', parcelId };
  return tell(
    request,
    message,
    async (order) => PARCEL_FIELDS.parcelId.issue(parcelId) === null && hasParcel(request.deps.database, order.id, parcelId),
  );
}

/** `POST /orders/{id}/payments`: money received for the order's invoice, in cents. */
export async function postPayment(request: StudioRequest<PaymentRequest>): Promise<Answer> {
  return tell(request, { ...request.body, type: 'payment_recorded' });
}

/** `DELETE /orders/{id}/payments/{paymentId}`: reverses it. */
export async function deletePayment(request: StudioRequest): Promise<Answer> {
  const paymentId = request.params.paymentId ?? '';
  const message = { type: 'payment_reversed', paymentId };
  return tell(
    request,
    message,
    async (order) => PAYMENT_FIELDS.paymentId.issue(paymentId) === null && hasPayment(request.deps.database, order.id, paymentId),
  );
}

/** Tells the order's workflow, which judges it and stores it once, with its row in the audit log. */
async function tell(request: StudioRequest, fields: object, known?: (order: StudioJobRow) => Promise<boolean>): Promise<Answer> {
  const { deps, caller, requestId } = request;
  const before = await loadStudioOrder(deps.database, request);
  if (known !== undefined && !(await known(before))) throw noSuch('parcel or payment on this order');
  const message = readMessage({ ...fields, tokenId: caller.tokenId, requestId });
  const { id: orderId, order_number: orderNumber, account_id: accountId, environment } = before;
  const sealed = { ...message, seal: sealOfSender(deps.senderSecret, orderId, message) };
  await deps.temporal.orders.applyMilestone({ orderId, orderNumber, accountId, environment }, sealed, requestId);
  return { data: presentStudioOrder(await viewOrder(request)) };
}

/** The message in the form that signals get too, so that a repeat by either way is known as one. */
function readMessage(fields: object): OrderMessage {
  const read = readOrderMessage(fields);
  if ('issues' in read) throw validationError(read.issues);
  return read.message;
}
