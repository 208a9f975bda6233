import { createHash, randomBytes } from 'node:crypto';
import type { Environment } from '../domain/limits';

/** `lpk_live_` or `lpk_test_` and 64 hexadecimal characters (specification "Authentication" 3). Shown once. */
export function newApiKey(environment: Environment): string {
  return `${apiKeyPrefix(environment)}${randomBytes(32).toString('hex')}`;
}

/** The prefix of a key. Lists of an account's keys show it with the last four characters. */
export const apiKeyPrefix = (environment: Environment): string => `lpk_${environment}_`;

export const TOKEN_PREFIX = 'lps_';
const TOKEN_PATTERN = new RegExp(`^${TOKEN_PREFIX}[0-9a-f]{64}$`);

/** `lps_` and 64 hexadecimal characters (studio API "Who may do what"). Shown once. */
export function newStudioToken(): string {
  return `${TOKEN_PREFIX}${randomBytes(32).toString('hex')}`;
}

export const isStudioToken = (text: string): boolean => TOKEN_PATTERN.test(text);

/** The stored SHA-256 of a key. 256 random bits need no salt or slow hash. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}

/**
 * Returns the credential of an Authorization header, or null. The scheme is case-insensitive, but the key is not (specification
 * "Authentication" 1).
 */
export function bearerCredential(header: string | undefined): string | null {
  const match = /^bearer +([\x21-\x7e]{1,200})$/i.exec(header ?? '');
  return match?.[1] ?? null;
}
