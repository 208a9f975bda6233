import Joi from 'joi';
import { loadOrderState } from '../../../db/repositories/orders';
import type { OrderWithParcels } from '../../../db/rows';
import { type Advance, planAdvance } from '../../../domain/advance';
import { ApiError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import { orderMessage, PARCEL_FIELDS, SENT_PARCEL_ID } from '../../../domain/order-message';
import { type NewParcel, ORDER_STATUSES, type OrderState, type OrderStatus } from '../../../domain/order-status';
import { presentOrder } from '../../../presenters/orders';
import { sealed } from '../../../security/sender-seal';
import { ORDER_EXAMPLE } from '../../openapi/examples';
import { ORDER } from '../../openapi/resources';
import { documented } from '../../schemas/documented';
import { messageField, namedMessageField } from '../../schemas/message-field';
import { oneOfField } from '../../schemas/text';
import type { Answer, EndpointRow, TradeRequest } from '../../types';
import { orderOf, reloadOrder } from './orders';

/** A tracking number stands for its parcel where no id is given, so it is no longer than one. */
const FIELDS = { ...PARCEL_FIELDS, trackingNumber: PARCEL_FIELDS.parcelId };

const parcelField = Object.entries(FIELDS).map(([name, field]) => [name, namedMessageField(name, field).allow(null)]);

const ONE_OF_THEM = ['to', 'parcel', 'voidParcel'] as const;

const EXACTLY_ONE = 'send exactly one of to, parcel, voidParcel';

const askedField = Joi.object({
  to: oneOfField(ORDER_STATUSES).description('the status it is to reach'),
  parcel: Joi.object(Object.fromEntries(parcelField) as Record<string, Joi.Schema>).description(
    'a parcel that has left; what is left out is made up',
  ),
  voidParcel: messageField(SENT_PARCEL_ID).description(
    "a parcel's id, whose label is voided: its tracking number, unless it was given one",
  ),
})
  .xor(...ONE_OF_THEM)
  .messages({ 'object.missing': EXACTLY_ONE, 'object.xor': EXACTLY_ONE });

/** Body of `POST /test/orders/{id}/advance`: exactly one of the three (specification). */
export const advanceRequest = documented(askedField, (told) => ({
  ...told(askedField),
  oneOf: ONE_OF_THEM.map((field) => ({ required: [field] })),
}));

type Sent<T> = { [K in keyof T]?: T[K] | null };

interface AdvanceRequest {
  to?: OrderStatus;
  parcel?: Sent<NewParcel>;
  voidParcel?: string;
}

export const ADVANCE_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'POST',
    path: '/test/orders/:id/advance',
    scope: 'orders:write',
    perMinute: 60,
    testOnly: true,
    body: advanceRequest,
    bodyBytes: LIMITS.uploadBodyBytes,
    id: 'advanceTestOrder',
    summary: 'Move a test order on, as the studio would',
    description:
      'For test keys; a live key finds nothing here. Send exactly one of `to`, `parcel` and `voidParcel`. What is missing on the way is told too, each step with its event and webhooks. Already there is 200 without an event.',
    answer: ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'TEMPORAL_AWAY'],
    requestExample: { to: 'in_production' },
    example: { ...ORDER_EXAMPLE, status: 'in_production' },
    handler: advanceOrder,
  },
];

/** How often it is planned anew because the order moved meanwhile. */
const ATTEMPTS = 5;

/**
 * `POST /test/orders/{id}/advance`: tells the order's workflow what the floor would, by the same messages, events and webhooks included
 * (ruling 61). Already there is 200 without an event. Where somebody else moved the order meanwhile, it goes on from there.
 * @throws ApiError NOT_FOUND, MILESTONE_REFUSED, MILESTONE_ID_REUSED
 */
async function advanceOrder(request: TradeRequest<AdvanceRequest>): Promise<Answer> {
  const asked = readAdvance(request.body);
  const order = await orderOf(request); // callers are test keys, so this is a test order
  for (let attempt = 1; ; attempt += 1) {
    const state = await loadState(request, order);
    try {
      await send(request, order, state, asked);
      const reached = await reloadOrder(request, order);
      if (!('to' in asked) || reached.status === asked.to) return { data: presentOrder(reached) };
      if (attempt >= ATTEMPTS) throw new ApiError('MILESTONE_REFUSED', `the order moved meanwhile and reads ${reached.status}`);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code === 'MILESTONE_REFUSED';
      if (!isRefused || attempt >= ATTEMPTS || (await loadState(request, order)).version === state.version) throw error;
    }
  }
}

/** The schema has seen to it that it is one of them. */
function readAdvance({ to, parcel, voidParcel }: AdvanceRequest): Advance {
  if (to !== undefined) return { to };
  return parcel === undefined ? { voidParcel: voidParcel ?? '' } : { parcel: withoutNulls(parcel) };
}

const withoutNulls = (parcel: NonNullable<AdvanceRequest['parcel']>) =>
  Object.fromEntries(Object.entries(parcel).filter(([, value]) => value !== null));

async function send(request: TradeRequest, order: OrderWithParcels, state: OrderState, asked: Advance): Promise<void> {
  const plan = planAdvance(state, asked);
  if ('refused' in plan) throw new ApiError('MILESTONE_REFUSED', plan.refused);
  const { deps, caller, requestId } = request;
  const { id: orderId } = order;
  for (const message of plan.messages) {
    const sent = orderMessage({ ...message, tokenId: caller.keyId, requestId });
    await deps.temporal.orders.applyMilestone(orderId, sealed(deps.senderSecret, orderId, sent), requestId);
  }
}

async function loadState({ deps }: TradeRequest, { id }: OrderWithParcels): Promise<OrderState> {
  const state = await loadOrderState(deps.database, id);
  if (state === null) throw new Error(`order ${id} is gone`);
  return state;
}
