import Joi from 'joi';
import { notFoundError, validationError, type ErrorCode } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { MILESTONE_TYPES } from '../../domain/order-messages';
import { milestoneIssues } from '../../domain/order-messages/read';
import { mapLimited } from '../../runtime/map-limited';
import { TemporalUnavailable } from '../../temporal/breaker';
import * as json from '../openapi/json';
import { toRefusal } from '../refusal';
import { type BodyOf, bodySchema, oneOfField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { milestoneFields } from './milestones';
import { chargeBatch, loadBatchOrders } from './support/batches';
import { sendStudioMessage } from './support/order-messages';
import { prefixedIdField } from './support/query-filters';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const { milestoneId, note, reason, line } = milestoneFields;

/** A cancel voids an invoice, so each one is confirmed alone. */
const BATCH_MILESTONE_TYPES = MILESTONE_TYPES.filter((type) => type !== 'cancelled');

const itemField = bodySchema({ orderId: prefixedIdField('ord', 'an order'), milestoneId });

type BatchItem = BodyOf<typeof itemField>;

export const milestoneBatchRequest = bodySchema({
  type: oneOfField(BATCH_MILESTONE_TYPES),
  note,
  reason,
  line,
  items: Joi.array<BatchItem[]>()
    .items(itemField)
    .min(1)
    .max(LIMITS.ordersPerBatch)
    .unique('orderId')
    .messages({ 'array.unique': '{{#label}} repeats an order; send each order once' })
    .description('the orders, all of one environment, each with the id of its milestone'),
});

export const ITEM_CODES: readonly ErrorCode[] = [
  'MILESTONE_REFUSED',
  'MILESTONE_ID_REUSED',
  'NOT_FOUND',
  'SERVICE_UNAVAILABLE',
  'OVERLOADED',
  'INTERNAL_ERROR',
];

const OUTCOMES = ['applied', 'unchanged', 'refused', 'failed'] as const;

interface BatchResult {
  orderId: string;
  outcome: (typeof OUTCOMES)[number];
  error?: { code: ErrorCode; message: string };
}

const BATCH_RESULT = json.resource<BatchResult>(
  'MilestoneBatchResult',
  {
    orderId: [json.id('ord'), 'ord_0f3a'],
    outcome: [
      json.openEnum(
        OUTCOMES,
        '`unchanged`: recorded before, or without effect; `refused`: see `error`; `failed`: the service failed, so send the item again',
      ),
      'applied',
    ],
    error: json.object<NonNullable<BatchResult['error']>>(
      { code: json.openEnum(ITEM_CODES, 'the code of the refusal'), message: json.string('the reason in words') },
      { description: 'why the item was refused or failed' },
    ),
  },
  { optional: ['error'] },
);

const PATH = '/milestone-batches';

export const MILESTONE_BATCHES_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: PATH,
    role: 'floor',
    body: milestoneBatchRequest,
    id: 'recordMilestoneBatch',
    summary: 'Record a milestone of many orders',
    description:
      'Records one milestone on each order and lists the outcomes in the order of the items. Each order succeeds or fails alone. Repeating the request with the same milestone ids is safe. Live and test orders need separate batches. Ten items count as one request.',
    response: json.list(BATCH_RESULT),
    requestExample: {
      type: 'printed',
      items: [
        { orderId: 'ord_0f3a', milestoneId: 'press-7/sheet-12/1041' },
        { orderId: 'ord_0f3b', milestoneId: 'press-7/sheet-12/1042' },
      ],
    },
    handler: postMilestoneBatch,
  },
];

const ORDERS_AT_ONCE = 8;

/** Later items are not sent, so the response comes before proxies give up. */
const SENDING_TIME_MS = 15_000;

async function postMilestoneBatch(request: StudioRequest<BodyOf<typeof milestoneBatchRequest>>): Promise<HandlerResponse> {
  const { items, ...milestone } = request.body;
  const issues = milestoneIssues({ ...milestone, milestoneId: items[0]?.milestoneId });
  if (issues.length > 0) throw validationError(issues);
  const orders = await loadBatchOrders(
    request,
    'items',
    items.map(({ orderId }) => orderId),
  );
  const orderIds = new Set(orders.map(({ id }) => id));
  await chargeBatch(request, `POST ${PATH}`, items.length);
  const deadlineMs = performance.now() + SENDING_TIME_MS;
  const send = async ({ orderId, ...item }: BatchItem): Promise<boolean> => {
    if (!orderIds.has(orderId)) throw notFoundError('order');
    if (performance.now() > deadlineMs) throw new TemporalUnavailable();
    return sendStudioMessage(request, orderId, { ...milestone, ...item });
  };
  const results = await mapLimited(items, ORDERS_AT_ONCE, async (item): Promise<BatchResult> => {
    const { orderId } = item;
    try {
      return { orderId, outcome: (await send(item)) ? 'applied' : 'unchanged' };
    } catch (error) {
      const { code, message, status } = toRefusal(error, request);
      if (status < 500) await recordRefusedItem(request, code);
      return { orderId, outcome: status >= 500 ? 'failed' : 'refused', error: { code, message } };
    }
  });
  return { data: results };
}

/** Counts the refusal in the audit log like that of a request. */
function recordRefusedItem({ deps, caller, requestId }: StudioRequest, code: ErrorCode): Promise<void> {
  const actor = { id: caller.tokenId, name: caller.name, badgeId: caller.badgeId };
  return deps.failureAudit.record({ action: 'write.refused', subject: `POST ${PATH}`, actor, after: { code }, requestId });
}
