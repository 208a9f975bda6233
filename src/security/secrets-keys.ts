import { randomBytes } from 'node:crypto';

/** A key of `SECRETS_KEY`: its id in stored secrets and its 32 bytes. */
export interface SecretsKey {
  id: string;
  key: Uint8Array;
}

const KEY_BYTES = 32;
const KEY_FORMAT =
  "<id>:<32 random bytes as base64url>; make one with: node -p \"require('node:crypto').randomBytes(32).toString('base64url')\"";

/**
 * Reads `<id>:<base64url>,…`; the first key encrypts, all decrypt.
 * @returns the keys, and problems that contain only key ids and no other part of the text
 */
export function readSecretsKeys(text: string): { keys: SecretsKey[]; problems: string[] } {
  const keys: SecretsKey[] = [];
  const problems: string[] = [];
  for (const [index, part] of text.split(',').entries()) {
    const [, id, encoded] = /^\s*([\w.-]{1,40}):([\w-]+)\s*$/.exec(part) ?? [];
    if (id === undefined || encoded === undefined) problems.push(`SECRETS_KEY: part ${index + 1} is not a key; write ${KEY_FORMAT}`);
    else if (keys.some((other) => other.id === id)) problems.push(`SECRETS_KEY has two keys with the id ${id}; give each a different id`);
    else if (Buffer.from(encoded, 'base64url').length !== KEY_BYTES)
      problems.push(`SECRETS_KEY: the key ${id} is not ${KEY_BYTES} bytes long; write ${KEY_FORMAT}`);
    else keys.push({ id, key: Buffer.from(encoded, 'base64url') });
  }
  return { keys, problems };
}

/** Generates a key in the format of `SECRETS_KEY`. */
export function newSecretsKey(id: string): string {
  return `${id}:${randomBytes(KEY_BYTES).toString('base64url')}`;
}
