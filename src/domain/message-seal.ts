import { isIdentifier } from './identifiers';
import type { OrderMessage } from './order-message-types';
import { ADVANCE_ID_PREFIX } from './message-fields';

/** Types that only the service sends, with the credential that seals them. */
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
 * Why a message is refused that lacks the seal of its type or id; null where it has it. Comes after `attributed`, which removes wrong seals
 * and makes a message by an account's key the account's.
 */
export function findForgery({ type, milestoneId, tokenId, actor }: OrderMessage): string | null {
  const isToken = isIdentifier('tok', tokenId ?? '');
  const isAccount = actor === 'account';
  if (milestoneId?.startsWith(ADVANCE_ID_PREFIX) && !isAccount) return `ids that begin with ${ADVANCE_ID_PREFIX} are the service's own`;
  if (requiredSeal(type) === 'tok' && !isToken) return `${type} is sent by the studio API alone`;
  if (requiredSeal(type) === 'key' && !isAccount) return `${type} is sent by the trade API alone`;
  return null;
}

export function isAdvance(payload: Record<string, unknown>): boolean {
  const { milestoneId } = payload;
  return typeof milestoneId === 'string' && milestoneId.startsWith(ADVANCE_ID_PREFIX) && claimsSeal('key', payload);
}

/** Claims to come from an account's key, or a token of the studio; whether its seal is good is judged where it is stored. */
export function claimsSeal(prefix: 'key' | 'tok', { tokenId, seal }: Record<string, unknown>): boolean {
  return typeof tokenId === 'string' && isIdentifier(prefix, tokenId) && typeof seal === 'string';
}
