import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort, waitUntil } from '../../../scripts/start/ports';
import { ProcessManager } from '../../../scripts/start/processes';
import { MIGRATIONS } from '../../../src/db/data-source';
import { openDatabase } from '../../../src/db/database';
import { prepareDatabase } from '../../../scripts/start/prepare-database';
import { newStudioToken } from '../../../src/security/api-keys';
import { aKey } from '../../support/accounts';
import { aQuote } from '../../support/baskets';
import { HttpClient } from '../../support/client';
import { createDatabase, type TestDatabase } from '../../support/database';
import { builtFile, temporalAddress } from '../../support/infrastructure';
import { TEST_SECRETS_KEY } from '../../support/secrets';

/** Two copies of each process start at the same moment on an empty database. */
describe('two starts at once on an empty database', () => {
  let database: TestDatabase;
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-twins-'));
  const processManager = new ProcessManager(folder, 'temporary');
  beforeAll(async () => {
    database = await createDatabase({ empty: true });
  });
  afterAll(async () => {
    await processManager.stopAll();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const startProcess = (name: string, script: string, args: string[], env: Record<string, string>) =>
    processManager.start({
      name,
      command: process.execPath,
      args: [builtFile('src', script), ...args],
      env: { ...process.env, ...env },
      logFile: join(folder, `${name}.log`),
    });

  it('create one schema, one price book and one demo account, and serve the same data', async () => {
    const adminToken = newStudioToken();
    const common = {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: await temporalAddress(),
      STUDIO_ADMIN_TOKEN: adminToken,
      DATA_DIR: join(folder, 'data'),
      NODE_ENV: 'test',
      SECRETS_KEY: TEST_SECRETS_KEY,
    };

    const commands = await Promise.all(['one', 'two'].map((name) => startProcess(`migrate-${name}`, 'cli/index.js', ['migrate'], common)));
    const prepared = await Promise.all([prepareDatabase(common), prepareDatabase(common)]);
    expect((await Promise.all(commands.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0]);
    expect(prepared.filter(({ firstRun }) => firstRun !== undefined)).toHaveLength(1);

    const opened = await openDatabase(database.url, 2);
    try {
      expect(await opened.rows('SELECT name FROM migrations ORDER BY id')).toEqual(MIGRATIONS.map(({ name }) => ({ name })));
      expect(
        await opened.rows(
          'SELECT (SELECT count(*) FROM price_books)::int AS books, (SELECT count(*) FROM accounts)::int AS accounts, (SELECT count(*) FROM studio_tokens)::int AS tokens',
        ),
      ).toEqual([{ books: 1, accounts: 1, tokens: 1 }]);

      const apis = await Promise.all(['one', 'two'].map((name) => startApi(name, common)));
      const account = await opened.row<{ id: string }>('SELECT id FROM accounts');
      const key = await aKey(opened, account?.id ?? '');
      const [one, two] = apis.map(({ url }) => new HttpClient(url, key));
      if (one === undefined || two === undefined) throw new Error('two were started');
      const quotes = [await aQuote(one), await aQuote(two)];
      expect(quotes[0].totalCents).toBe(quotes[1].totalCents);
      expect((await two.get('/catalogue')).text).toBe((await one.get('/catalogue')).text);
      expect((await two.get(`/quotes/${quotes[0].quoteId}`)).status).toBe(200);
      expect(await opened.rows('SELECT name FROM service_secrets ORDER BY name')).toEqual([{ name: 'cursors' }, { name: 'storage' }]);
    } finally {
      await opened.close();
    }
  });

  async function startApi(name: string, common: Record<string, string>): Promise<{ url: string }> {
    const [api, studio, storage] = [await findFreePort(), await findFreePort(), await findFreePort()];
    const process = await startProcess(`api-${name}`, 'processes/api.js', [], {
      ...common,
      API_PORT: String(api),
      STUDIO_PORT: String(studio),
      MANAGEMENT_PORT: '0',
      STORAGE_PORT: String(storage),
    });
    await waitUntil('the API did not listen', async () => (await fetch(`http://127.0.0.1:${api}/healthz`)).ok || undefined, {
      timeoutMs: 240_000,
      signal: process.endSignal,
    });
    return { url: `http://127.0.0.1:${api}/v1` };
  }
});
