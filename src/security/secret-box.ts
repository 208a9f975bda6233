import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import type { SecretsKey } from './secrets-keys';

/**
 * What a compact JWE begins with, or has between its parts; a secret in clear has neither, and what is left of a damaged one is not taken
 * for it.
 */
const ENCRYPTED_PATTERN = /^eyJ|\./;
/** Secrets that are remembered in clear, so that what signs thousands of times a second is decrypted once. */
const MAX_CACHED = 10_000;

/** A stored secret that cannot be read: names its owner and key, never its text. */
export class UnreadableSecretError extends Error {}

/**
 * Encrypts the secrets that the database keeps, so that a stolen backup can sign nothing (ruling 50). Compact JWE with `dir` and A256GCM;
 * the key's id and the secret's owner are in the protected header, so a ciphertext copied to another row does not open there. Text from
 * before secrets were encrypted is read as it is.
 */
export class SecretBox {
  private readonly decryptedSecrets = new Map<string, string>();

  /** @param keys the first encrypts, all decrypt; at least one */
  constructor(private readonly keys: readonly SecretsKey[]) {}

  get keyId(): string {
    return this.first.id;
  }

  hasKey(keyId: string): boolean {
    return this.keys.some(({ id }) => id === keyId);
  }

  /** `secret` as it is stored; it opens for this owner alone. */
  seal(owner: string, secret: string): Promise<string> {
    return new CompactEncrypt(Buffer.from(secret))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: this.keyId, sub: owner })
      .encrypt(this.first.key);
  }

  /** @throws SecretUnreadable */
  async open(owner: string, stored: string): Promise<string> {
    if (!ENCRYPTED_PATTERN.test(stored)) return stored;
    const cacheKey = `${owner} ${stored}`;
    const cached = this.decryptedSecrets.get(cacheKey);
    if (cached !== undefined) return cached;
    const secret = await this.decrypt(owner, stored);
    if (this.decryptedSecrets.size >= MAX_CACHED) this.decryptedSecrets.delete(this.decryptedSecrets.keys().next().value ?? '');
    this.decryptedSecrets.set(cacheKey, secret);
    return secret;
  }

  /** The same secret under the key that encrypts. @throws SecretUnreadable */
  async reseal(owner: string, stored: string): Promise<string> {
    const secret = await this.open(owner, stored);
    return keyIdOf(stored) === this.keyId ? stored : this.seal(owner, secret);
  }

  private get first(): SecretsKey {
    const [first] = this.keys;
    if (first === undefined) throw new Error('there is no key to encrypt secrets with');
    return first;
  }

  private async decrypt(owner: string, stored: string): Promise<string> {
    const keyId = keyIdOf(stored);
    if (keyId === UNREADABLE_HEADER_ID)
      throw new UnreadableSecretError(`the secret of ${owner} is damaged: its header names no key; give it a new one`);
    const key = this.keys.find(({ id }) => id === keyId)?.key;
    if (key === undefined)
      throw new UnreadableSecretError(
        `the secret of ${owner} is encrypted under the key ${keyId}, which SECRETS_KEY does not have; add it there`,
      );
    const decrypted = await compactDecrypt(stored, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    }).catch(() => null);
    if (decrypted === null)
      throw new UnreadableSecretError(`the secret of ${owner} does not open with the key ${keyId} of SECRETS_KEY: either has been changed`);
    if (decrypted.protectedHeader.sub !== owner)
      throw new UnreadableSecretError(`the secret of ${owner} was encrypted for another owner; give it a new one`);
    return Buffer.from(decrypted.plaintext).toString();
  }
}

/** Stands for the id of the key where the header cannot be read; no key's id has blanks. */
export const UNREADABLE_HEADER_ID = 'no readable header';

/** The id of the key that a stored secret is encrypted under, from its header or all of it; null where it is text from before that. */
export function keyIdOf(stored: string): string | null {
  if (!ENCRYPTED_PATTERN.test(stored)) return null;
  try {
    const { kid } = decodeProtectedHeader(stored);
    return typeof kid === 'string' && kid !== '' ? kid : UNREADABLE_HEADER_ID;
  } catch {
    return UNREADABLE_HEADER_ID;
  }
}
