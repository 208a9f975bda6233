import { writeAudit } from '../../../db/repositories/audit';
import { hasParcel, hasPayment, type StudioJobRow } from '../../../db/repositories/studio-orders';
import { ApiError, validationError } from '../../../domain/errors';
import { readOrderMessage } from '../../../domain/order-message';
import type { OrderMessage } from '../../../domain/order-status';
import { presentStudioOrder, presentStudioOrderRow } from '../../../presenters/studio-orders';
import type { MilestoneRequest, ParcelRequest, PaymentRequest } from '../../schemas/studio-orders';
import { textProblem } from '../../schemas/text';
import type { Answer } from '../../types';
import { witnessed } from '../audited';
import { loadStudioOrder, viewOrder } from '../order-view';
import type { StudioRequest } from '../types';

/** `POST /orders/{id}/milestones`. @throws ApiError MILESTONE_REFUSED, MILESTONE_ID_REUSED (studio API "Refusals"). */
export async function postMilestone(request: StudioRequest<MilestoneRequest>): Promise<Answer> {
  return tell(request, request.body);
}

/** `POST /orders/{id}/parcels`: the order reads shipped while one parcel is not voided (ruling 28). */
export async function postParcel(request: StudioRequest<ParcelRequest>): Promise<Answer> {
  return tell(request, { ...request.body, milestoneId: `parcel:${request.body.parcelId}`, type: 'parcel_added' });
}

/** `DELETE /orders/{id}/parcels/{parcelId}`: voids the label. */
export async function deleteParcel(request: StudioRequest): Promise<Answer> {
  const parcelId = request.params.parcelId ?? '';
  const message = { milestoneId: `parcel-void:${parcelId}`, type: 'parcel_voided', parcelId };
  return tell(request, message, async (order) => isStorable(parcelId) && hasParcel(request.deps.dataSource.manager, order.id, parcelId));
}

/** `POST /orders/{id}/payments`: money received for the order's invoice, in cents. */
export async function postPayment(request: StudioRequest<PaymentRequest>): Promise<Answer> {
  return tell(request, { ...request.body, milestoneId: `payment:${request.body.paymentId}`, type: 'payment_recorded' });
}

/** `DELETE /orders/{id}/payments/{paymentId}`: reverses it. */
export async function deletePayment(request: StudioRequest): Promise<Answer> {
  const paymentId = request.params.paymentId ?? '';
  const message = { milestoneId: `payment-reversal:${paymentId}`, type: 'payment_reversed', paymentId };
  return tell(request, message, async (order) => isStorable(paymentId) && hasPayment(request.deps.dataSource.manager, order.id, paymentId));
}

const isStorable = (id: string): boolean => textProblem(id, 1, 100) === null;

/**
 * Tells the order's workflow, which judges and stores it once. The audit row follows: where the process dies between the
 * two, the sender's repeat writes it.
 */
async function tell(request: StudioRequest, fields: object, known?: (order: StudioJobRow) => Promise<boolean>): Promise<Answer> {
  const { deps, caller, requestId } = request;
  const before = await loadStudioOrder(deps.dataSource.manager, request);
  if (known !== undefined && !(await known(before))) throw new ApiError('NOT_FOUND', 'there is no such parcel or payment on this order');
  const message = readMessage({ ...fields, actor: caller.name });
  const { id: orderId, order_number: orderNumber, account_id: accountId, environment } = before;
  await deps.temporal.orders.applyMilestone({ orderId, orderNumber, accountId, environment }, message, requestId);
  const after = await viewOrder(request);
  await writeAudit(deps.dataSource.manager, witnessed(request), {
    action: ACTIONS[message.type] ?? `milestone.${message.type}`,
    subject: orderId,
    before: standing(before),
    after: { ...standing(after.order), ...contentOf(message) },
  });
  return { data: presentStudioOrder(after) };
}

/** The message in the form that signals get too, so that a repeat by either way is known as one. */
function readMessage(fields: object): OrderMessage {
  const read = readOrderMessage(fields);
  if ('problem' in read) throw validationError([{ path: '', message: read.problem }]);
  return read.message;
}

const ACTIONS: Partial<Record<OrderMessage['type'], string>> = {
  parcel_added: 'parcel.add', parcel_voided: 'parcel.void', payment_recorded: 'payment.record', payment_reversed: 'payment.reverse',
};

function standing(order: StudioJobRow) {
  const { status, baseStatus, facts } = presentStudioOrderRow(order);
  return { status, baseStatus, facts };
}

function contentOf({ actor: _actor, ...content }: OrderMessage) {
  return content;
}
