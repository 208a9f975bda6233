import { Connection } from '@temporalio/client';
import { Client } from 'pg';
import { pgAdminUrl, temporalAddress } from '../../support/infrastructure';

describe('the infrastructure of a test run', () => {
  test('its PostgreSQL answers as version 18', async () => {
    const client = new Client({ connectionString: await pgAdminUrl() });
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    await client.end();
    expect(rows[0]?.server_version).toMatch(/^18\./);
  });

  test('its Temporal server answers in the default namespace', async () => {
    const connection = await Connection.connect({ address: await temporalAddress() });
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    await connection.close();
    expect(namespaceInfo?.name).toBe('default');
  });
});
