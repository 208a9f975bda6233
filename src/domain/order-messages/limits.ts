import { MESSAGE_KINDS, MESSAGE_TYPES, type OrderMessageType } from '.';

/** The maximum of applied messages of one kind on an order, and of refusals in its timeline. */
export const MAX_PER_KIND = 200;

/** Returns the types that share a limit with this one, and the label of the limit; null if there is no limit. */
export function findLimitGroup(type: OrderMessageType): { types: readonly OrderMessageType[]; label: string } | null {
  const label = MESSAGE_KINDS[type].limit;
  return label === null ? null : { types: MESSAGE_TYPES.filter((one) => MESSAGE_KINDS[one].limit === label), label };
}

export const limitReason = (label: string): string =>
  `this order already has the maximum of ${MAX_PER_KIND} ${label}` +
  (label === 'cancels' ? '' : '; you can still cancel it, void parcels, and reverse payments and credit notes');
