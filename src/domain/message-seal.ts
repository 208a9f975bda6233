import { isIdentifier } from './identifiers';
import type { OrderMessage } from './order-message-types';
import { ADVANCE_ID_PREFIX } from './message-fields';

/** Types that only the service's own APIs send, with the kind of credential in their seal: a studio token or an API key. */
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
 * Returns the reason why a message without the seal of its type or id is refused; null if it is genuine. Call it after `attributeSender`,
 * which removes invalid seals and attributes messages with an account's key to the account.
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

/** True if the message claims to come from an account's key or a studio token. The seal is checked when the message is stored. */
export function claimsSeal(prefix: 'key' | 'tok', { tokenId, seal }: Record<string, unknown>): boolean {
  return typeof tokenId === 'string' && isIdentifier(prefix, tokenId) && typeof seal === 'string';
}
