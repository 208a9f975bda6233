import type { DataSource } from 'typeorm';
import type { Environment } from '../../src/domain/limits';
import { insertEndpoint } from '../../src/db/repositories/webhook-endpoints';
import { newId } from '../../src/security/ids';
import { newWebhookSecret } from '../../src/security/webhook-signature';

/** An enabled endpoint of this account. */
export async function anEndpoint(dataSource: DataSource, accountId: string, url: string, environment: Environment = 'test') {
  return insertEndpoint(dataSource.manager, { id: newId('whe'), accountId, environment, url, secret: newWebhookSecret(), now: new Date() });
}
