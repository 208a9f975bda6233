import { isIdentifier } from './identifiers';
import type { OrderMessage } from './order-message-types';
import { ADVANCE_ID_PREFIX } from './message-fields';

/** Types that only the service sends, with the credential of their seal. */
const SEAL_BY_TYPE = {
  credit_noted: 'tok',
  credit_note_reversed: 'tok',
  corrected: 'tok',
  changed: 'key',
  artwork_replaced: 'key',
} as const;
export const requiredSeal = (type: unknown): 'tok' | 'key' | null =>
  typeof type === 'string' && Object.hasOwn(SEAL_BY_TYPE, type) ? SEAL_BY_TYPE[type as keyof typeof SEAL_BY_TYPE] : null;

/**
 * Why a message without the seal of its type or id is refused; null if the seal is valid. Call it after `attributed`, which removes invalid
 * seals and attributes messages of an account's key to the account.
 */
export function findForgery({ type, milestoneId, tokenId, actor }: OrderMessage): string | null {
  const isToken = isIdentifier('tok', tokenId ?? '');
  const isAccount = actor === 'account';
  if (milestoneId?.startsWith(ADVANCE_ID_PREFIX) && !isAccount)
    return `ids that begin with ${ADVANCE_ID_PREFIX} are reserved for the service`;
  if (requiredSeal(type) === 'tok' && !isToken) return `only the studio API can send ${type}`;
  if (requiredSeal(type) === 'key' && !isAccount) return `only the trade API can send ${type}`;
  return null;
}

export function isAdvance(payload: Record<string, unknown>): boolean {
  const { milestoneId } = payload;
  return typeof milestoneId === 'string' && milestoneId.startsWith(ADVANCE_ID_PREFIX) && claimsSeal('key', payload);
}

/** Whether the message claims to come from an account's key or a studio token. The seal is checked when the message is stored. */
export function claimsSeal(prefix: 'key' | 'tok', { tokenId, seal }: Record<string, unknown>): boolean {
  return typeof tokenId === 'string' && isIdentifier(prefix, tokenId) && typeof seal === 'string';
}
