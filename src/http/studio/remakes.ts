import Joi from 'joi';
import { type LineQuantity, LINE_QUANTITY_BOUNDS } from '../../domain/line-quantities';
import { NEW_ID } from '../../domain/order-messages/fields';
import { createRemakeAuditEntry, remakeOrder } from '../../orders/remake-order';
import { presentStudioOrder } from '../../presenters/studio-orders';
import { LINE_EXAMPLE, ORDER_EXAMPLE } from '../openapi/examples';
import * as json from '../openapi/json';
import { afterChange } from '../overload';
import { requireFound, pathId } from '../path-id';
import { messageField } from '../schemas/message-field';
import { shippingAddressField } from '../schemas/shipping-address';
import { type BodyOf, bodySchema, integerField, optional, textField } from '../schemas/text';
import type { HandlerResponse } from '../types';
import { audited } from './support/audited';
import { loadOrderView } from './support/order-view';
import { JOB, STUDIO_ORDER } from './support/order-resources';
import type { StudioEndpointRow, StudioRequest } from './support/types';

const { lines: linesField, line: lineField, quantity: quantityField } = LINE_QUANTITY_BOUNDS;

const lineQuantityField = bodySchema({
  line: integerField(lineField.min, lineField.max).description('the line of the order, from 0'),
  quantity: integerField(quantityField.min, quantityField.max).description('at most the ordered quantity of the line'),
});

export const remakeRequest = bodySchema({
  remakeId: messageField(NEW_ID).description('an id of the caller; repeating the request with it is safe'),
  lines: Joi.array<LineQuantity[]>().items(lineQuantityField).min(1).max(linesField).description('each line once'),
  reason: textField(1, 500).description('printed on the job sheet'),
  shippingAddress: optional(shippingAddressField).description('the default is the address of the original order'),
});

const REMAKE_EXAMPLE = json.exampleWith(STUDIO_ORDER, {
  orderId: 'ord_7c2e',
  orderNumber: `${ORDER_EXAMPLE.orderNumber}-R1`,
  quoteId: null,
  lines: [{ ...LINE_EXAMPLE, quantity: 1, unitPriceCents: 0, amountCents: 0 }],
  subtotalCents: 0,
  shippingCents: 0,
  discountCents: 0,
  rushFeeCents: 0,
  totalCents: 0,
  gstCents: 0,
  remakeOf: {
    orderId: ORDER_EXAMPLE.orderId,
    orderNumber: ORDER_EXAMPLE.orderNumber,
    remakeId: 'complaint-17',
    reason: 'scratched in transit',
    lines: [{ line: 0, quantity: 1 }],
  },
  job: json.exampleWith(JOB, { remake: `REMAKE of ${ORDER_EXAMPLE.orderNumber}: scratched in transit` }),
  timeline: [],
  invoice: null,
  events: [],
});

export const REMAKES_ENDPOINTS: readonly StudioEndpointRow[] = [
  {
    method: 'POST',
    path: '/orders/:id/remakes',
    role: 'office',
    body: remakeRequest,
    status: 201,
    id: 'remakeOrder',
    summary: 'Remake lines of an order',
    description:
      'Creates a free order with the same artwork and selections, and a number such as `P-10001-R1`. It has a job, a workflow and parcels, but no price, invoice, mail or webhooks. Lines count from 0, and each quantity is at most the ordered one. Repeating the request with the same `remakeId` is safe.',
    response: STUDIO_ORDER,
    repeatDescription: 'The request was repeated: the response is the existing remake.',
    errorCodes: ['REMAKE_REFUSED', 'REMAKE_ID_REUSED', 'SHIPPING_ADDRESS_INCOMPLETE', 'SERVICE_UNAVAILABLE'],
    requestExample: { remakeId: 'complaint-17', lines: [{ line: 0, quantity: 1 }], reason: 'scratched in transit' },
    example: REMAKE_EXAMPLE,
    handler: postRemake,
  },
];

/** The workflow starts after the response, as for every order. */
async function postRemake(request: StudioRequest<BodyOf<typeof remakeRequest>>): Promise<HandlerResponse> {
  const { deps, requestId, body } = request;
  const originalId = pathId(request, 'ord');
  const input = { ...body, originalId, shippingAddress: body.shippingAddress ?? null };
  const result = requireFound(
    request,
    'ord',
    await audited(request, async (sql, record) => {
      const now = deps.clock.now();
      const remake = await remakeOrder(sql, input, { dueDate: await deps.calendar.standardDueDate(sql, now), now });
      if (remake !== null && 'start' in remake) await record(createRemakeAuditEntry(input, remake.start));
      return remake;
    }),
  );
  if ('start' in result) deps.workflowStarter.startOrder({ ...result.start, requestId });
  const data = presentStudioOrder(await afterChange(() => loadOrderView(request, { id: result.orderId })));
  return 'start' in result ? { data } : { data, status: 200 };
}
