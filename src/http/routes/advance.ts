import { loadOrderState } from '../../db/repositories/orders';
import type { OrderWithParcels } from '../../db/rows';
import { planAdvance, type Advance } from '../../domain/advance';
import { ApiError } from '../../domain/errors';
import { orderMessage } from '../../domain/order-message';
import type { OrderState } from '../../domain/order-status';
import { presentOrder } from '../../presenters/orders';
import { sealed } from '../../security/sender-seal';
import type { AdvanceRequest } from '../schemas/advance';
import type { Answer, TradeRequest } from '../types';
import { orderOf, reloadOrder } from './orders';

/** How often it is planned anew because the order moved meanwhile. */
const ATTEMPTS = 5;

/**
 * `POST /test/orders/{id}/advance`: tells the order's workflow what the floor would, by the same messages, events and webhooks included
 * (ruling 61). Already there is 200 without an event. Where somebody else moved the order meanwhile, it goes on from there.
 * @throws ApiError NOT_FOUND, MILESTONE_REFUSED, MILESTONE_ID_REUSED
 */
export async function advanceOrder(request: TradeRequest<AdvanceRequest, OrderWithParcels>): Promise<Answer> {
  const asked = readAdvance(request.body);
  const order = orderOf(request); // callers are test keys, so this is a test order
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
