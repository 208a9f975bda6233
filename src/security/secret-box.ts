import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import type { SecretsKey } from './secrets-keys';

/** A compact JWE begins with `eyJ` and has dots between its parts. A plain secret has neither, so a damaged JWE is not read as plain text. */
const ENCRYPTED_PATTERN = /^eyJ|\./;
/** The number of cached plain secrets. Secrets that sign thousands of times a second are decrypted once. */
const MAX_CACHED = 10_000;

/** A stored secret that cannot be decrypted. The message names its owner and key, never its text. */
export class UnreadableSecretError extends Error {}

/**
 * Encrypts the secrets in the database, so that a stolen backup cannot sign anything (ruling 50). Compact JWE with `dir` and A256GCM. The
 * protected header has the key's id and the secret's owner, so a ciphertext cannot be used in another row. Older unencrypted text is read as
 * it is.
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

  /** Encrypts a secret for storage. Only this owner can open it. */
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

  /** Encrypts the secret again with the current key. @throws UnreadableSecretError */
  async reseal(owner: string, stored: string): Promise<string> {
    const secret = await this.open(owner, stored);
    return keyIdOf(stored) === this.keyId ? stored : this.seal(owner, secret);
  }

  private get first(): SecretsKey {
    const [first] = this.keys;
    if (first === undefined) throw new Error('no key for encrypting secrets is set');
    return first;
  }

  private async decrypt(owner: string, stored: string): Promise<string> {
    const keyId = keyIdOf(stored);
    if (keyId === UNREADABLE_HEADER_ID)
      throw new UnreadableSecretError(`the secret of ${owner} is damaged: its header has no key id; set a new secret`);
    const key = this.keys.find(({ id }) => id === keyId)?.key;
    if (key === undefined)
      throw new UnreadableSecretError(
        `the secret of ${owner} is encrypted with the key ${keyId}, which SECRETS_KEY does not have; add the key`,
      );
    const decrypted = await compactDecrypt(stored, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    }).catch(() => null);
    if (decrypted === null)
      throw new UnreadableSecretError(
        `the secret of ${owner} cannot be decrypted with the key ${keyId} of SECRETS_KEY; the secret or the key was changed`,
      );
    if (decrypted.protectedHeader.sub !== owner)
      throw new UnreadableSecretError(`the secret of ${owner} was encrypted for another owner; set a new secret`);
    return Buffer.from(decrypted.plaintext).toString();
  }
}

/** Replaces the key's id if the header cannot be read. Ids of keys have no spaces. */
export const UNREADABLE_HEADER_ID = 'no readable header';

/** The id of the key of an encrypted secret; null for unencrypted text. */
export function keyIdOf(stored: string): string | null {
  if (!ENCRYPTED_PATTERN.test(stored)) return null;
  try {
    const { kid } = decodeProtectedHeader(stored);
    return typeof kid === 'string' && kid !== '' ? kid : UNREADABLE_HEADER_ID;
  } catch {
    return UNREADABLE_HEADER_ID;
  }
}
