import { SecretBox } from '../../src/security/secret-box';
import { readSecretsKeys } from '../../src/security/secrets-keys';

/** `SECRETS_KEY` of every service under test, so the service can read the rows that tests write into its database. */
export const TEST_SECRETS_KEY = 'test:dGhlIDMyIGJ5dGVzIG9mIGEga2V5IGZvciB0ZXN0cy4';

export const testSecretBox = new SecretBox(readSecretsKeys(TEST_SECRETS_KEY).keys);
