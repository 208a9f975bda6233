import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import type { SecretsKey } from './secrets-keys';

/**
 * Parts that identify a compact JWE, also a damaged one. A plain secret contains none of them.
 */
const ENCRYPTED_PATTERN = /^eyJ|\./;
/** The number of cached decrypted secrets, because a secret may sign thousands of times a second. */
const MAX_CACHED = 10_000;

/** A stored secret that cannot be decrypted. The message contains its owner and key, never its text. */
export class UnreadableSecretError extends Error {}

/**
 * Encrypts the secrets in the database, so that a stolen backup contains no usable secret. Uses compact JWE with `dir` and A256GCM. The
 * protected header contains the key id and the owner, so a ciphertext that is copied to another row cannot be decrypted. Secrets stored as
 * plain text are accepted.
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

  /** Encrypts a secret for this owner. */
  seal(owner: string, secret: string): Promise<string> {
    return new CompactEncrypt(Buffer.from(secret))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: this.keyId, sub: owner })
      .encrypt(this.first.key);
  }

  /** @throws UnreadableSecretError */
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

  /** Encrypts a stored secret with the first key. @throws UnreadableSecretError */
  async reseal(owner: string, stored: string): Promise<string> {
    const secret = await this.open(owner, stored);
    return keyIdOf(stored) === this.keyId ? stored : this.seal(owner, secret);
  }

  private get first(): SecretsKey {
    const [first] = this.keys;
    if (first === undefined) throw new Error('SecretBox needs at least one key');
    return first;
  }

  private async decrypt(owner: string, stored: string): Promise<string> {
    const keyId = keyIdOf(stored);
    if (keyId === UNREADABLE_HEADER_ID)
      throw new UnreadableSecretError(`the secret of ${owner} is damaged: its header has no key id; replace the secret`);
    const key = this.keys.find(({ id }) => id === keyId)?.key;
    if (key === undefined)
      throw new UnreadableSecretError(
        `the secret of ${owner} is encrypted with the key ${keyId}, which SECRETS_KEY does not contain; add it there`,
      );
    const decrypted = await compactDecrypt(stored, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    }).catch(() => null);
    if (decrypted === null)
      throw new UnreadableSecretError(
        `the key ${keyId} of SECRETS_KEY cannot decrypt the secret of ${owner}: one of them has changed; restore the key or replace the secret`,
      );
    if (decrypted.protectedHeader.sub !== owner)
      throw new UnreadableSecretError(`the secret of ${owner} was encrypted for another owner; replace the secret`);
    return Buffer.from(decrypted.plaintext).toString();
  }
}

/** Stands for the key id of a damaged header. Real key ids contain no spaces. */
export const UNREADABLE_HEADER_ID = 'no readable header';

/** The key id of a stored secret; null for a plain secret. */
export function keyIdOf(stored: string): string | null {
  if (!ENCRYPTED_PATTERN.test(stored)) return null;
  try {
    const { kid } = decodeProtectedHeader(stored);
    return typeof kid === 'string' && kid !== '' ? kid : UNREADABLE_HEADER_ID;
  } catch {
    return UNREADABLE_HEADER_ID;
  }
}
