import Joi from 'joi';
import { pickAddressFields, checkDestination } from '../../../domain/basket/destination';
import type { ShippingAddress } from '../../../domain/basket/quote-request';
import { validationError } from '../../../domain/errors';
import { LIMITS } from '../../../domain/limits';
import { LINE_QUANTITY_BOUNDS } from '../../../domain/line-quantities';
import { changedLineIssues, type LineReference, type OrderChange } from '../../../domain/pricing/order-change';
import { findResponse, changeOrder } from '../../../orders/change-order';
import { sendMessage } from '../../../orders/send-message';
import { requestFingerprint } from '../../../security/fingerprint';
import { ADDRESS_EXAMPLE } from '../../openapi/examples';
import { ORDER } from '../../openapi/resources';
import { pathId } from '../../path-id';
import { withJsonSchema } from '../../schemas/json-schema';
import { shippingAddressField } from '../../schemas/shipping-address';
import { integerField, singleLineTextField, nullable, textField } from '../../schemas/text';
import type { HandlerResponse, EndpointRow, TradeRequest } from '../../types';
import { idempotencyKeyHeaders, REPLAYED_HEADERS } from './idempotency-key';
import { loadOrder } from './orders';

const { lines: linesField, line: lineField } = LINE_QUANTITY_BOUNDS;
const CHANGEABLE_FIELDS = ['shippingAddress', 'reference', 'lines', 'specialInstructions'] as const;

const changeField = Joi.object({
  shippingAddress: shippingAddressField.description('the complete new address with its recipient; it replaces the old one'),
  reference: nullable(singleLineTextField(1, LIMITS.referenceLength)).description('the new purchase order number; null removes it'),
  lines: Joi.array()
    .items(
      Joi.object({
        line: integerField(lineField.min, lineField.max).required().description("the index in the order's `lines`, from 0"),
        externalReference: singleLineTextField(0, LIMITS.externalReferenceLength)
          .allow(null)
          .required()
          .description('the new reference; null removes it'),
      }),
    )
    .min(1)
    .max(linesField)
    .description('new references for these lines; other lines stay unchanged'),
  specialInstructions: nullable(textField(0, LIMITS.specialInstructionsLength)).description('the new instructions; null removes them'),
})
  .or(...CHANGEABLE_FIELDS)
  .messages({ 'object.missing': `send at least one of ${CHANGEABLE_FIELDS.join(', ')}` });

export const changeRequest = withJsonSchema(changeField, (toJsonSchema) => ({
  ...toJsonSchema(changeField),
  anyOf: CHANGEABLE_FIELDS.map((field) => ({ required: [field] })),
}));

interface ChangeRequest {
  shippingAddress?: ShippingAddress;
  reference?: string | null;
  lines?: LineReference[];
  specialInstructions?: string | null;
}

export const CHANGE_ORDER_ENDPOINTS: readonly EndpointRow[] = [
  {
    method: 'PATCH',
    path: '/orders/:id',
    scope: 'orders:write',
    queue: 'messages',
    perMinute: 30,
    ...idempotencyKeyHeaders('a new key for each change, the same key for its retries'),
    body: changeRequest,
    bodyBytes: LIMITS.orderBodyBytes,
    id: 'changeOrder',
    summary: 'Update an order',
    description:
      'Changes recipient, address, references or instructions while the status is `received`. By the price book of the order, the new address must have exactly the same price. Fields that you do not send stay unchanged. No event is sent. For 24 hours the same Idempotency-Key with the same body returns the first response.',
    response: ORDER,
    errorCodes: [
      'IDEMPOTENCY_KEY_REQUIRED',
      'SHIPPING_ADDRESS_INCOMPLETE',
      'IDEMPOTENCY_KEY_REUSED',
      'ORDER_NOT_CHANGEABLE',
      'SERVICE_UNAVAILABLE',
    ],
    requestExample: { shippingAddress: { ...ADDRESS_EXAMPLE, line2: 'Flat 7' } },
    handler: patchOrder,
  },
];

/**
 * Stores the change; the order's workflow applies it.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED, NOT_FOUND, VALIDATION_ERROR, SHIPPING_ADDRESS_INCOMPLETE, ORDER_NOT_CHANGEABLE, in this order
 */
async function patchOrder(request: TradeRequest<ChangeRequest>): Promise<HandlerResponse> {
  const { deps, caller, headers, bodyText, requestId } = request;
  const keyedRequest = {
    accountId: caller.accountId,
    idempotencyKey: String(headers['idempotency-key']),
    fingerprint: requestFingerprint(caller.environment, `PATCH /orders/${pathId(request, 'ord')}`, bodyText),
  };
  const replayedResponse = await findResponse(deps, keyedRequest);
  if (replayedResponse !== null) return { text: replayedResponse.body, headers: REPLAYED_HEADERS };
  const order = await loadOrder(request);
  const content = readChange(request.body, order.lines.length);
  const { body, replayed } = await changeOrder(deps, { ...keyedRequest, orderId: order.id, content }, async (changeId) => {
    const sender = { credentialId: caller.keyId, requestId };
    await sendMessage(deps, { orderId: order.id, message: { type: 'changed', changeId }, sender });
  });
  return { text: body, ...(replayed ? { headers: REPLAYED_HEADERS } : {}) };
}

/** Validates the sent fields and converts them for storage. */
function readChange({ shippingAddress, reference, lines, specialInstructions }: ChangeRequest, lineCount: number): OrderChange {
  const issues = changedLineIssues(lines ?? [], lineCount);
  if (issues.length > 0) throw validationError(issues);
  return {
    ...(shippingAddress === undefined ? {} : { shippingAddress: pickAddressFields(checkDestination(shippingAddress)) }),
    ...(reference === undefined ? {} : { reference }),
    ...(lines === undefined ? {} : { lines: lines.map(({ line, externalReference }) => ({ line, externalReference })) }),
    ...(specialInstructions === undefined ? {} : { specialInstructions }),
  };
}
