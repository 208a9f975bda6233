import Joi from 'joi';
import { loadOrderState } from '../../../db/repositories/orders';
import type { OrderWithRelations } from '../../../db/rows';
import { type Advance, nextUnusedId, planAdvance } from '../../../domain/advance';
import { ApiError, validationError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import type { LineQuantity } from '../../../domain/line-quantities';
import { type MessageField, NEW_ID } from '../../../domain/order-messages/fields';
import { PARCEL_FIELDS, TRACKING_NUMBER_AS_ID, type NewParcel } from '../../../domain/order-messages/parcel-added';
import { EXISTING_PARCEL_ID } from '../../../domain/order-messages/parcel-voided';
import { PAYMENT_FIELDS, type NewPayment } from '../../../domain/order-messages/payment-recorded';
import { EXISTING_PAYMENT_ID } from '../../../domain/order-messages/payment-reversed';
import { ORDER_STATUSES, type OrderState, type OrderStatus } from '../../../domain/order-status';
import { MAX_REMAKES, remadeLineIssues } from '../../../domain/remakes';
import { remakeTestOrder } from '../../../orders/remake-order';
import { sendMessage } from '../../../orders/send-message';
import { presentOrder } from '../../../presenters/orders';
import { ORDER_EXAMPLE } from '../../openapi/examples';
import { ORDER } from '../../openapi/resources';
import { withJsonSchema } from '../../schemas/json-schema';
import { messageField, describedMessageField } from '../../schemas/message-field';
import { checkedField, integerField, oneOfField, nullable, textField } from '../../schemas/text';
import { afterChange } from '../../overload';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';
import { loadOrder, reloadOrder } from './orders';

/** Without a parcel id the tracking number is the id, so it has the same maximum length. */
const TEST_PARCEL_FIELDS = { ...PARCEL_FIELDS, trackingNumber: TRACKING_NUMBER_AS_ID };

const optionalFields = (fields: Record<string, MessageField>): Joi.ObjectSchema =>
  Joi.object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describedMessageField(name, field).allow(null)])));

const printedField = checkedField({ kind: 'boolean' }, (value) => (value === true ? null : 'must be true'));

const STEPS = {
  to: oneOfField(ORDER_STATUSES).description('the status to reach'),
  printed: withJsonSchema(printedField, (toJsonSchema) => ({ ...toJsonSchema(printedField), const: true })).description(
    'true records that the artwork has been printed',
  ),
  parcel: optionalFields(TEST_PARCEL_FIELDS).description('a shipped parcel; the service fills in missing fields'),
  voidParcel: messageField(EXISTING_PARCEL_ID).description('the id of the parcel whose label to void; without an id its tracking number'),
  payment: optionalFields(PAYMENT_FIELDS).description('a payment on the invoice; without an amount it pays the open amount'),
  reversePayment: messageField(EXISTING_PAYMENT_ID).description('the id of the payment to reverse'),
  remake: Joi.object({
    remakeId: messageField(NEW_ID)
      .allow(null)
      .description('your id of the remake; repeating it is safe. Without it every request creates a remake.'),
    lines: messageField(PARCEL_FIELDS.lines).allow(null).description('the quantities by line; the default is the complete order'),
    reason: nullable(textField(0, 500)).description('the reason in words'),
  }).description('a free remake'),
};

type Step = keyof typeof STEPS;
const STEP_NAMES = Object.keys(STEPS) as Step[];
const EXACTLY_ONE_MESSAGE = `send exactly one of ${STEP_NAMES.join(', ')}`;

const advanceField = Joi.object({
  ...STEPS,
  ofRemake: integerField(0, MAX_REMAKES - 1).description("applies the step to a remake: its index in the order's `remakes`, from 0"),
})
  .xor(...STEP_NAMES)
  .messages({ 'object.missing': EXACTLY_ONE_MESSAGE, 'object.xor': EXACTLY_ONE_MESSAGE });

export const advanceRequest = withJsonSchema(advanceField, (toJsonSchema) => ({
  ...toJsonSchema(advanceField),
  oneOf: STEP_NAMES.map((field) => ({ required: [field] })),
}));

type NullableFields<T> = { [K in keyof T]?: T[K] | null };

interface AdvanceRequest {
  to?: OrderStatus;
  printed?: true;
  parcel?: NullableFields<NewParcel>;
  voidParcel?: string;
  payment?: NullableFields<NewPayment>;
  reversePayment?: string;
  remake?: { remakeId?: string | null; lines?: LineQuantity[] | null; reason?: string | null };
  ofRemake?: number;
}

export const ADVANCE_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'POST',
    path: '/test/orders/:id/advance',
    scope: 'orders:write',
    queue: 'messages',
    perMinute: 60,
    testOnly: true,
    body: advanceRequest,
    bodyBytes: LIMITS.uploadBodyBytes,
    id: 'advanceTestOrder',
    summary: 'Advance a test order',
    description: `Performs a step of the studio on a test order. With a live key the response is 404. Send exactly one of ${STEP_NAMES.map((name) => `\`${name}\``).join(', ')}; with \`ofRemake\` the step applies to a remake. Missing steps before the status are performed too, each with its event and webhooks. If the order already has that status, the response is 200 and no event is sent.`,
    response: ORDER,
    errorCodes: ['MILESTONE_REFUSED', 'MILESTONE_ID_REUSED', 'SERVICE_UNAVAILABLE'],
    requestExample: { to: 'in_production' },
    example: { ...ORDER_EXAMPLE, status: 'in_production' },
    handler: advanceOrder,
  },
];

/** The maximum of attempts if other messages change the order at the same time. */
const MAX_ATTEMPTS = 5;

/** Sends the messages that the floor would send. If another message changes the order meanwhile, plans the messages again. */
async function advanceOrder(request: TradeRequest<AdvanceRequest>): Promise<HandlerResponse> {
  const { body } = request;
  const order = await loadOrder(request); // the key is a test key, so the order is a test order
  const targetId = targetOrderId(order, body.ofRemake);
  if (body.remake !== undefined) {
    await remakeTestOrderLines(request, order, targetId, body.remake);
    return { data: presentOrder(await afterChange(() => reloadOrder(request, order))) };
  }
  const advance = readAdvance(body);
  for (let attempt = 1; ; attempt += 1) {
    const state = await loadState(request, targetId);
    try {
      await sendMessages(request, targetId, state, advance);
      const updated = await afterChange(() => reloadOrder(request, order));
      const status = statusOf(updated, targetId);
      if (!('to' in advance) || status === advance.to) return { data: presentOrder(updated) };
      if (attempt >= MAX_ATTEMPTS)
        throw new ApiError('MILESTONE_REFUSED', `the order changed at the same time and is now ${status}; repeat the request`);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code === 'MILESTONE_REFUSED';
      if (!isRefused || attempt >= MAX_ATTEMPTS || (await loadState(request, targetId)).version === state.version) throw error;
    }
  }
}

/** The order, or its remake at the index. @throws ApiError VALIDATION_ERROR */
function targetOrderId({ id, remakes }: OrderWithRelations, ofRemake: number | undefined): string {
  if (ofRemake === undefined) return id;
  const remake = remakes[ofRemake];
  if (remake !== undefined) return remake.order_id;
  throw validationError([
    { path: 'ofRemake', message: `must be an index in the order's remakes, from 0; the order has ${remakes.length} remakes` },
  ]);
}

const statusOf = (order: OrderWithRelations, targetId: string): OrderStatus =>
  order.remakes.find(({ order_id }) => order_id === targetId)?.status ?? order.status;

/** The schema guarantees exactly one step. */
function readAdvance({ to, printed, parcel, voidParcel, payment, reversePayment }: AdvanceRequest): Advance {
  if (to !== undefined) return { to };
  if (printed !== undefined) return { printed };
  if (parcel !== undefined) return { parcel: withoutNulls(parcel) };
  if (payment !== undefined) return { payment: withoutNulls(payment) };
  return voidParcel === undefined ? { reversePayment: reversePayment ?? '' } : { voidParcel };
}

const withoutNulls = <T extends object>(fields: NullableFields<T>): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Partial<T>;

async function sendMessages(request: TradeRequest, orderId: string, state: OrderState, advance: Advance): Promise<void> {
  const plan = planAdvance(state, advance);
  if ('refused' in plan) throw new ApiError('MILESTONE_REFUSED', plan.refused);
  const { deps, caller, requestId } = request;
  for (const message of plan.messages)
    await sendMessage(deps, { orderId, message, sender: { credentialId: caller.keyId, badgeId: null, requestId } });
}

/** Maps the error codes of the studio's endpoint to the codes of this endpoint. */
const REMAKE_CODES = { REMAKE_REFUSED: 'MILESTONE_REFUSED', REMAKE_ID_REUSED: 'MILESTONE_ID_REUSED' } as const;

/** Remakes lines like the studio's `POST /orders/{id}/remakes`. */
async function remakeTestOrderLines(
  request: TradeRequest,
  order: OrderWithRelations,
  originalId: string,
  { remakeId, lines, reason }: NonNullable<AdvanceRequest['remake']>,
): Promise<void> {
  const { deps, requestId } = request;
  const allLines = order.lines.map(({ quantity }, line) => ({ line, quantity }));
  const usedIds = order.remakes.map(({ remake_id }) => remake_id);
  const issues = remadeLineIssues(lines ?? [], order.lines);
  if (issues.length > 0) throw validationError(issues.map(({ path, message }) => ({ path: `remake.${path}`, message })));
  const input = {
    originalId,
    remakeId: remakeId ?? nextUnusedId('TEST', usedIds),
    lines: lines ?? allLines,
    reason: reason ?? 'test',
    shippingAddress: null,
  };
  try {
    const result = await remakeTestOrder(deps, input);
    if (result !== null && 'start' in result) deps.workflowStarter.startOrder({ ...result.start, requestId });
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
