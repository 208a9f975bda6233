import { SecretBox } from '../../src/security/secret-box';
import { readSecretsKeys } from '../../src/security/secrets-keys';

/** `SECRETS_KEY` of every service under test, so that what tests write into its database it can read. */
export const TEST_SECRETS_KEY = 'test:dGhlIDMyIGJ5dGVzIG9mIGEga2V5IGZvciB0ZXN0cy4';

export const testSecretBox = new SecretBox(readSecretsKeys(TEST_SECRETS_KEY).keys);
