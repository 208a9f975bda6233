import type { Database } from '../../src/db/database';
import type { Environment } from '../../src/domain/limits';
import { insertEndpoint } from '../../src/db/repositories/webhook-endpoints';
import { newId } from '../../src/security/ids';
import { newWebhookSecret } from '../../src/security/webhook-signature';
import { testSecretBox } from './secrets';

/** An enabled endpoint of this account. Its `secret` is in clear text. */
export async function anEndpoint(database: Database, accountId: string, url: string, environment: Environment = 'test') {
  const secret = newWebhookSecret();
  const stored = await insertEndpoint(database, testSecretBox, {
    id: newId('whe'),
    accountId,
    environment,
    url,
    eventTypes: null,
    secret,
    now: new Date(),
  });
  return { ...stored, secret };
}
