import { Client, Connection } from '@temporalio/client';
import { newSecret } from '../../../src/security/ids';
import { SEARCH_ATTRIBUTES } from '../../../workflows/search-attributes';
import { runTradePrint } from '../../support/command-line';
import { createDatabase, type TestDatabase } from '../../support/database';
import { temporalAddress } from '../../support/infrastructure';
import { startOperatorOnlyProxy } from '../../support/operator-only-proxy';
import { waitFor } from '../../support/wait-for';

const NAMES = Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name);
const [PERMISSION_DENIED, UNIMPLEMENTED] = [7, 12];
const KEYWORD = 2;
const TEXT = 1;

describe('trade-print migrate where only operators register search attributes, as at Temporal Cloud', () => {
  let database: TestDatabase;
  let connection: Connection;
  beforeAll(async () => {
    database = await createDatabase();
    connection = await Connection.connect({ address: await temporalAddress() });
  });
  afterAll(async () => {
    await connection?.close();
    await database?.drop();
  });

  async function createNamespace(): Promise<string> {
    const namespace = `cloud-${newSecret()
      .slice(0, 12)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, 'x')}`;
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds: 86_400 as never } });
    const { workflow } = new Client({ connection, namespace });
    await waitFor('the namespace', () =>
      workflow.count('').then(
        () => true,
        () => false,
      ),
    );
    return namespace;
  }

  async function register(namespace: string, attributes: Record<string, number>): Promise<void> {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: attributes });
    const { workflow } = new Client({ connection, namespace });
    for (const [name, type] of Object.entries(attributes))
      await waitFor(name, () =>
        // Only a keyword has prefixes. Temporal may still know the attribute as text.
        workflow.count(`${name} ${type === KEYWORD ? 'STARTS_WITH' : '='} "-"`).then(
          () => true,
          () => false,
        ),
      );
  }

  it.each([
    ['PERMISSION_DENIED', PERMISSION_DENIED],
    ['UNIMPLEMENTED', UNIMPLEMENTED],
  ])('fails with the missing names and the commands until an operator has run one (%s)', async (_name, grpcStatus) => {
    const namespace = await createNamespace();
    const proxy = await startOperatorOnlyProxy(grpcStatus);
    const migrate = () =>
      runTradePrint(['migrate'], { DATABASE_URL: database.url, TEMPORAL_ADDRESS: proxy.address, TEMPORAL_NAMESPACE: namespace });
    try {
      const [first = '', ...others] = NAMES;
      await register(namespace, { [first]: TEXT });
      const refused = await migrate();
      expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('up to date') });
      expect(refused.stderr).toContain(`namespace ${namespace} lacks the search attributes ${NAMES.join(', ')}`);
      expect(refused.stderr).toContain(
        `tcld namespace search-attributes add --namespace ${namespace} ${NAMES.map((name) => `--search-attribute ${name}=Keyword`).join(' ')}\n`,
      );
      expect(refused.stderr).not.toMatch(/^\s+at /m);
      await register(namespace, Object.fromEntries(others.map((name) => [name, KEYWORD])));
      expect((await migrate()).stderr).toContain(`namespace ${namespace} lacks the search attributes ${first},`);
      await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes: [first] });
      await register(namespace, { [first]: KEYWORD });
      expect(await migrate()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`registered: ${NAMES.join(', ')}`) });
      expect(proxy.refused).toHaveLength(3);
    } finally {
      proxy.close();
    }
  });
});
