import { isOrderNumber } from './order-number';

/** A code starts with this, so it is neither an order number nor a usual tracking number. */
export const BADGE_PREFIX = 'BADGE-';
/** Digits and capitals without the ones that people confuse, as in Crockford's base 32. */
export const BADGE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const BADGE_RANDOM_LENGTH = 10;

const CODE = /^BADGE-[0-9A-HJKMNP-TV-Z]{10}$/;

/** Reads the code of a badge, in capitals or small letters. Null for any other text, such as an order number or a label. */
export function readBadge(text: string): string | null {
  const code = text.trim().toUpperCase();
  return CODE.test(code) && !isOrderNumber(code) ? code : null;
}

/** The actor in timelines and the audit log: a token, and the badge of the person at a station. */
export const actorName = (tokenName: string, badgeName: string | null): string =>
  badgeName === null ? tokenName : `${tokenName} (${badgeName})`;
