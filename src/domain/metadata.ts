import { singleLineTextIssue, textIssue } from './field-formats';
import { LIMITS } from './limits';

/** A client's own data on a quote or order. The service never reads it. */
export type Metadata = Readonly<Record<string, string>>;

/** `__proto__` would set a prototype when an object is copied. `readJsonBody` renames it to the second key. */
export const FORBIDDEN_KEYS: readonly string[] = ['__proto__', '(__proto__)'];

/** @returns the required form, or null if valid */
export function metadataIssue(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object whose values are strings';
  const entries = Object.entries(value);
  if (entries.length > LIMITS.metadataEntries) return `must have at most ${LIMITS.metadataEntries} entries, it has ${entries.length}`;
  for (const [key, text] of entries) {
    const keyIssue = singleLineTextIssue(key, 1, LIMITS.metadataKeyLength);
    if (keyIssue !== null) return `has a key that ${keyIssue}`;
    if (FORBIDDEN_KEYS.includes(key))
      return `must not have the key ${JSON.stringify(FORBIDDEN_KEYS[0])} or ${JSON.stringify(FORBIDDEN_KEYS[1])}; choose another`;
    const issue = textIssue(text, 0, LIMITS.metadataValueLength);
    if (issue !== null) return `has an entry ${JSON.stringify(key)} that ${issue}`;
  }
  return null;
}
