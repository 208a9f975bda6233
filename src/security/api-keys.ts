import { createHash, randomBytes } from 'node:crypto';
import type { Environment } from '../domain/limits';

/** `lpk_live_` or `lpk_test_` and 64 hexadecimal characters (specification "Authentication" 3). Shown once. */
export function newApiKey(environment: Environment): string {
  return `lpk_${environment}_${randomBytes(32).toString('hex')}`;
}

/** `lps_` and 64 hexadecimal characters (studio API "Who may do what"). Shown once. */
export function newStudioToken(): string {
  return `lps_${randomBytes(32).toString('hex')}`;
}

/** What is stored of a key: SHA-256 of its exact text. 256 random bits need no salt or slow hash. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key, 'utf8').digest();
}

/**
 * The credential of an Authorization header, or null. The scheme word is matched case-insensitively, the key exactly
 * (specification "Authentication" 1, ruling 13).
 */
export function bearerCredential(header: string | undefined): string | null {
  const match = /^bearer +([\x21-\x7e]{1,200})$/i.exec(header ?? '');
  return match?.[1] ?? null;
}
