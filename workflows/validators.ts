import { createFailure } from './failures';
import { isIdentifier } from '../src/domain/identifiers';
import { LIMITS } from '../src/domain/limits';

/** Checks the id of a stored message before it is written to history. */
export function requireMessageId(reference: { messageId?: unknown } | null | undefined): void {
  if (typeof reference?.messageId !== 'string' || !isIdentifier('msg', reference.messageId))
    throw createFailure('VALIDATION_ERROR', 'applyMessage takes { messageId } of a message that an API has stored');
}

/** Fails a run that was started with an invalid order id, because any Temporal client can start one. */
export function requireOrderId(input: { orderId?: unknown } | null | undefined): void {
  if (typeof input?.orderId !== 'string' || !isIdentifier('ord', input.orderId))
    throw createFailure('VALIDATION_ERROR', 'the order workflow takes { orderId }, such as ord_0123abcd');
}

const MAX_ID_LENGTH = LIMITS.identifierLength;
const MAX_TEXT_LENGTHS = {
  deliveryId: MAX_ID_LENGTH,
  endpointId: MAX_ID_LENGTH,
  accountId: MAX_ID_LENGTH,
  title: 500,
  lastAnswer: 100,
  notBefore: 40,
} as const;

/** Refuses values that would later make the workflow task fail. */
export function requireDelivery(delivery: unknown): void {
  const fields = (typeof delivery === 'object' && delivery !== null ? delivery : {}) as Record<string, unknown>;
  const invalidFields = [
    ...Object.entries(MAX_TEXT_LENGTHS)
      .filter(([name, max]) => !isText(fields[name], max))
      .map(([name]) => name),
    ...['chain', 'attempt'].filter((name) => !Number.isSafeInteger(fields[name]) || (fields[name] as number) < 1),
    ...(isIdentifier('dlv', String(fields.deliveryId)) ? [] : ['deliveryId']),
    ...(Number.isNaN(Date.parse(String(fields.notBefore))) ? ['notBefore'] : []),
  ];
  if (invalidFields.length > 0)
    throw createFailure(
      'VALIDATION_ERROR',
      `retryDelivery takes { deliveryId, chain, attempt, notBefore, … }; invalid: ${[...new Set(invalidFields)].join(', ')}`,
    );
}

function isText(value: unknown, max: number): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= max && !value.includes('\0');
}
