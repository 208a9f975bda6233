import Joi from 'joi';
import { loadOrderState } from '../../../db/repositories/orders';
import type { OrderWithParcels } from '../../../db/rows';
import { type Advance, nextFree, planAdvance } from '../../../domain/advance';
import { ApiError, validationError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import type { LinePieces } from '../../../domain/line-pieces';
import {
  type MessageField,
  orderMessage,
  OWN_ID,
  PARCEL_FIELDS,
  PAYMENT_FIELDS,
  SENT_PARCEL_ID,
  SENT_PAYMENT_ID,
  TRACKING_NUMBER_AS_ID,
} from '../../../domain/order-message';
import { type NewParcel, type NewPayment, ORDER_STATUSES, type OrderState, type OrderStatus } from '../../../domain/order-status';
import { MAX_REMAKES, remadeLineIssues } from '../../../domain/remakes';
import { remakeTestOrder } from '../../../orders/remake-order';
import { presentOrder } from '../../../presenters/orders';
import { sealed } from '../../../security/sender-seal';
import { ORDER_EXAMPLE } from '../../openapi/examples';
import { ORDER } from '../../openapi/resources';
import { documented } from '../../schemas/documented';
import { messageField, namedMessageField } from '../../schemas/message-field';
import { checked, integerField, oneOfField, orNull, textField } from '../../schemas/text';
import type { Answer, EndpointRow, TradeRequest } from '../../types';
import { orderOf, reloadOrder } from './orders';

/** A tracking number stands for its parcel where no id is given, so it is no longer than one. */
const TEST_PARCEL = { ...PARCEL_FIELDS, trackingNumber: TRACKING_NUMBER_AS_ID };

/** Each field of a message may be left out or null. */
const optionalFields = (fields: Record<string, MessageField>): Joi.ObjectSchema =>
  Joi.object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, namedMessageField(name, field).allow(null)])));

const printedField = checked({ kind: 'boolean' }, (value) => (value === true ? null : 'must be true'));

const STEPS = {
  to: oneOfField(ORDER_STATUSES).description('the status it is to reach'),
  printed: documented(printedField, (told) => ({ ...told(printedField), const: true })).description('its artwork has been printed'),
  parcel: optionalFields(TEST_PARCEL).description('a parcel that has left; fields that are left out are made up'),
  voidParcel: messageField(SENT_PARCEL_ID).description(
    "a parcel's id, whose label is voided: its tracking number, unless it was given one",
  ),
  payment: optionalFields(PAYMENT_FIELDS).description('a payment on its invoice; without an amount it pays what is open'),
  reversePayment: messageField(SENT_PAYMENT_ID).description('the id of a payment that is reversed'),
  remake: Joi.object({
    remakeId: messageField(OWN_ID).allow(null).description('known by it when sent again; left out, it is another remake each time'),
    lines: messageField(PARCEL_FIELDS.lines).allow(null).description('how much of which lines; left out, the whole order'),
    reason: orNull(textField(0, 500)).description('why, in words'),
  }).description('the studio remakes it at no charge'),
};

type Step = keyof typeof STEPS;
const STEP_NAMES = Object.keys(STEPS) as Step[];
const EXACTLY_ONE = `send exactly one of ${STEP_NAMES.join(', ')}`;

const askedField = Joi.object({
  ...STEPS,
  ofRemake: integerField(0, MAX_REMAKES - 1).description(
    "moves a remake of the order on instead: its place in the order's `remakes`, from 0",
  ),
})
  .xor(...STEP_NAMES)
  .messages({ 'object.missing': EXACTLY_ONE, 'object.xor': EXACTLY_ONE });

export const advanceRequest = documented(askedField, (told) => ({
  ...told(askedField),
  oneOf: STEP_NAMES.map((field) => ({ required: [field] })),
}));

type Sent<T> = { [K in keyof T]?: T[K] | null };

interface AdvanceRequest {
  to?: OrderStatus;
  printed?: true;
  parcel?: Sent<NewParcel>;
  voidParcel?: string;
  payment?: Sent<NewPayment>;
  reversePayment?: string;
  remake?: { remakeId?: string | null; lines?: LinePieces[] | null; reason?: string | null };
  ofRemake?: number;
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
    description: `For test keys; a live key finds nothing here. Send exactly one of ${STEP_NAMES.map((name) => `\`${name}\``).join(', ')}; with \`ofRemake\` it is a step of a remake. What is missing on the way to a status is told too, each step with its event and webhooks. Already there is 200 without an event.`,
    answer: ORDER,
    refuses: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'TEMPORAL_AWAY'],
    requestExample: { to: 'in_production' },
    example: { ...ORDER_EXAMPLE, status: 'in_production' },
    handler: advanceOrder,
  },
];

/** How often it is planned anew because the order moved meanwhile. */
const ATTEMPTS = 5;

/** By the same messages as the floor's (ruling 61). Where somebody else moved the order meanwhile, it goes on from there. */
async function advanceOrder(request: TradeRequest<AdvanceRequest>): Promise<Answer> {
  const { body } = request;
  const order = await orderOf(request); // callers are test keys, so this is a test order
  const movedId = idOfMoved(order, body.ofRemake);
  if (body.remake !== undefined) {
    await remake(request, order, movedId, body.remake);
    return { data: presentOrder(await reloadOrder(request, order)) };
  }
  const asked = readAdvance(body);
  for (let attempt = 1; ; attempt += 1) {
    const state = await loadState(request, movedId);
    try {
      await send(request, movedId, state, asked);
      const reached = await reloadOrder(request, order);
      const status = statusOf(reached, movedId);
      if (!('to' in asked) || status === asked.to) return { data: presentOrder(reached) };
      if (attempt >= ATTEMPTS) throw new ApiError('MILESTONE_REFUSED', `the order moved meanwhile and reads ${status}`);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code === 'MILESTONE_REFUSED';
      if (!isRefused || attempt >= ATTEMPTS || (await loadState(request, movedId)).version === state.version) throw error;
    }
  }
}

/** The order, or its remake at this place. @throws ApiError VALIDATION_ERROR */
function idOfMoved({ id, remakes }: OrderWithParcels, ofRemake: number | undefined): string {
  if (ofRemake === undefined) return id;
  const moved = remakes[ofRemake];
  if (moved !== undefined) return moved.order_id;
  throw validationError([{ path: 'ofRemake', message: `must be a place in the order's remakes, from 0; it has ${remakes.length}` }]);
}

const statusOf = (order: OrderWithParcels, movedId: string): OrderStatus =>
  order.remakes.find(({ order_id }) => order_id === movedId)?.status ?? order.status;

/** The schema has seen to it that it is one of them. */
function readAdvance({ to, printed, parcel, voidParcel, payment, reversePayment }: AdvanceRequest): Advance {
  if (to !== undefined) return { to };
  if (printed !== undefined) return { printed };
  if (parcel !== undefined) return { parcel: withoutNulls(parcel) };
  if (payment !== undefined) return { payment: withoutNulls(payment) };
  return voidParcel === undefined ? { reversePayment: reversePayment ?? '' } : { voidParcel };
}

const withoutNulls = <T extends object>(fields: Sent<T>): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Partial<T>;

async function send(request: TradeRequest, orderId: string, state: OrderState, asked: Advance): Promise<void> {
  const plan = planAdvance(state, asked);
  if ('refused' in plan) throw new ApiError('MILESTONE_REFUSED', plan.refused);
  const { deps, caller, requestId } = request;
  for (const message of plan.messages) {
    const sent = orderMessage({ ...message, tokenId: caller.keyId, requestId });
    await deps.temporal.orders.applyMilestone(orderId, sealed(deps.senderSecret, orderId, sent), requestId);
  }
}

/** Refusals have the codes of this endpoint, because clients know no remakes by an id. */
const REMAKE_CODES = { REMAKE_REFUSED: 'MILESTONE_REFUSED', REMAKE_ID_REUSED: 'MILESTONE_ID_REUSED' } as const;

/** As `POST /orders/{id}/remakes` of the studio does (ruling 57). */
async function remake(
  request: TradeRequest,
  order: OrderWithParcels,
  originalId: string,
  { remakeId, lines, reason }: NonNullable<AdvanceRequest['remake']>,
): Promise<void> {
  const { deps, requestId } = request;
  const whole = order.lines.map(({ quantity }, line) => ({ line, quantity }));
  const known = order.remakes.map(({ remake_id }) => remake_id);
  const issues = remadeLineIssues(lines ?? [], order.lines);
  if (issues.length > 0) throw validationError(issues.map(({ path, message }) => ({ path: `remake.${path}`, message })));
  const wanted = {
    originalId,
    remakeId: remakeId ?? nextFree('TEST', known),
    lines: lines ?? whole,
    reason: reason ?? 'test',
    shippingAddress: null,
  };
  try {
    const remade = await remakeTestOrder(deps, wanted);
    if (remade !== null && 'start' in remade) deps.workflowStarts.order({ ...remade.start, requestId });
  } catch (error) {
    const code = error instanceof ApiError ? REMAKE_CODES[error.code as keyof typeof REMAKE_CODES] : undefined;
    if (code === undefined) throw error;
    throw new ApiError(code, (error as ApiError).message);
  }
}

async function loadState({ deps }: TradeRequest, orderId: string): Promise<OrderState> {
  const state = await loadOrderState(deps.database, orderId);
  if (state === null) throw new Error(`order ${orderId} is gone`);
  return state;
}
