import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { BADGE_ALPHABET, BADGE_PREFIX, BADGE_RANDOM_LENGTH } from '../domain/badges';
import type { IdPrefix } from '../domain/identifiers';

/** `<prefix>_` and 32 lowercase hex digits from a cryptographic source: a UUID, because Node generates UUIDs in batches. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

/** 64 hex digits, for secrets that the service generates. */
export function newSecret(): string {
  return randomBytes(32).toString('hex');
}

/** 144 bits in base64, for the scripts and styles of one page (Content-Security-Policy). */
export function newNonce(): string {
  return randomBytes(18).toString('base64');
}

/** The code of a badge: fifty random bits, because a badge gives no rights. */
export const newBadgeCode = (): string =>
  BADGE_PREFIX + Array.from({ length: BADGE_RANDOM_LENGTH }, () => BADGE_ALPHABET[randomInt(BADGE_ALPHABET.length)]).join('');

export const isSecret = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
