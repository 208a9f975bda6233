import { spawn } from 'node:child_process';
import { ConfigError, loadConfig } from '../../../src/config/config';
import { createDependencies } from '../../../src/processes/dependencies';
import { rotateSecrets } from '../../../src/db/rotate-secrets';
import { SecretBox } from '../../../src/security/secret-box';
import { newSecretsKey, readSecretsKeys } from '../../../src/security/secrets-keys';
import { aWebhookShop, waitForDeliveries, type WebhookShop } from '../../service/http/studio/webhook-support';
import { startService, type TestService } from '../../support/service';
import { TEST_SECRETS_KEY } from '../../support/secrets';
import { waitFor } from '../../support/wait-for';
import { isSignedBy, startReceiver, type WebhookReceiver } from '../../support/webhook-receiver';
import { builtFile } from '../../support/infrastructure';

const NEW_KEY = newSecretsKey('fresh');
const boxOf = (...keys: string[]): SecretBox => new SecretBox(readSecretsKeys(keys.join(',')).keys);

describe('secrets in the database', () => {
  let receiver: WebhookReceiver;
  let service: TestService;
  let shop: WebhookShop;
  beforeEach(async () => {
    receiver = await startReceiver();
    service = await startService({
      env: {
        WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
        WEBHOOK_RETRY_SCHEDULE: '100ms',
        SECRETS_KEY: `${TEST_SECRETS_KEY},${NEW_KEY}`,
        RATE_LIMIT_FACTOR: '50',
      },
    });
    shop = await aWebhookShop(service, service.studio(), receiver);
  });
  afterEach(async () => {
    await service.stop();
    await receiver.close();
  });

  const sql = <T>(text: string, parameters: unknown[] = []): Promise<T[]> => service.deps.database.rows(text, parameters);
  const rotateShop = async (id = shop.endpointId, body: { overlapHours?: number } = {}): Promise<string> =>
    (await service.studio().post(`/webhook-endpoints/${id}/rotate-secret`, body)).json.data.secret;
  const ping = async (id = shop.endpointId) => {
    await service.studio().post(`/webhook-endpoints/${id}/ping`);
    return receiver.received.findLast(({ body }) => body.data.endpointId === id) ?? { rawBody: '', signature: '' };
  };
  /** Every row of every table that contains `needle`, as text. */
  async function findTablesContaining(needle: string): Promise<string[]> {
    const tables = await sql<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
    const found = await Promise.all(
      tables.map(
        async ({ name }) =>
          [name, (await sql(`SELECT 1 FROM "${name}" t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [needle])).length] as const,
      ),
    );
    return found.filter(([, count]) => count > 0).map(([name]) => name);
  }
  /** The format of earlier releases. */
  const storeInClear = () =>
    sql('UPDATE webhook_endpoints SET secret = $2, updated_at = now() WHERE id = $1', [shop.endpointId, shop.secret]);

  it("appear nowhere in clear text: an endpoint's secret, its replacement, and the service's own secrets", async () => {
    const next = await rotateShop();
    const found = await Promise.all([shop.secret, next, service.deps.storageSecret, 'lpw_'].map(findTablesContaining));
    expect(found).toEqual([[], [], [], []]);
    expect(await sql('SELECT name FROM service_secrets WHERE value NOT LIKE $1', ['eyJ%'])).toEqual([]);
    const request = await ping();
    expect([shop.secret, next].map((secret) => isSignedBy(request, secret))).toEqual([true, true]);
  });

  it('stored in clear text before still sign, and are encrypted when the studio rotates them', async () => {
    await storeInClear();
    await shop.orders.place();
    await waitFor('the webhook', async () => shop.received().length === 1);
    expect(await findTablesContaining(shop.secret)).toEqual(['webhook_endpoints']);
    const next = await rotateShop();
    expect(await findTablesContaining(shop.secret)).toEqual([]);
    const request = await ping();
    expect([shop.secret, next].map((secret) => isSignedBy(request, secret))).toEqual([true, true]);
  });

  it('do not work in another row: nothing is sent, the log gives the reason, and other endpoints still work', async () => {
    const other = await aWebhookShop(service, service.studio(), receiver);
    await sql(
      'UPDATE webhook_endpoints SET secret = (SELECT secret FROM webhook_endpoints WHERE id = $2), updated_at = now() WHERE id = $1',
      [shop.endpointId, other.endpointId],
    );
    await shop.orders.place();
    await waitFor('the log', async () =>
      service.logLines.some((line) => line.includes(`the secret of webhook-endpoint/${shop.endpointId} was encrypted for another owner`)),
    );
    await other.orders.place();
    await waitForDeliveries(service.studio(), other.endpointId, 'delivered');
    expect(receiver.received).toHaveLength(1);
    expect(await waitForDeliveries(service.studio(), shop.endpointId, 'pending')).toHaveLength(1);
  });

  it('move to the first key while the service runs, clear text is encrypted, and a second run changes nothing', async () => {
    const inClear = await aWebhookShop(service, service.studio(), receiver);
    await sql('UPDATE webhook_endpoints SET secret = $2, updated_at = now() WHERE id = $1', [inClear.endpointId, inClear.secret]);
    const gone = await aWebhookShop(service, service.studio(), receiver);
    await rotateShop(gone.endpointId);
    await service.studio().send('DELETE', `/webhook-endpoints/${gone.endpointId}`);
    const endpointVersions = () => sql('SELECT id, updated_at FROM webhook_endpoints ORDER BY id');
    const before = await endpointVersions();

    const box = boxOf(NEW_KEY, TEST_SECRETS_KEY);
    const none = { encrypted: 0, moved: 0, unchanged: 0, unreadable: [] };
    expect(await rotateSecrets(service.deps.database, box)).toEqual({
      otherKeyIds: [],
      columns: [
        { ...none, column: 'service_secrets.value', moved: 2 },
        { ...none, column: 'webhook_endpoints.secret', encrypted: 1, moved: 2 },
        { ...none, column: 'webhook_endpoints.previous_secret', moved: 1 },
      ],
    });
    expect(
      (await rotateSecrets(service.deps.database, box)).columns.map(({ encrypted, moved, unchanged }) => [encrypted, moved, unchanged]),
    ).toEqual([
      [0, 0, 2],
      [0, 0, 3],
      [0, 0, 1],
    ]);
    expect(await endpointVersions()).toEqual(before);
    expect(await findTablesContaining('lpw_')).toEqual([]);

    for (const each of [shop, inClear]) {
      await each.orders.place();
      await waitFor('the webhook', async () => each.received().length === 1);
    }
  });

  it('rotated by the studio at the same time match the ones in its responses', async () => {
    const shops = [shop, ...(await Promise.all(Array.from({ length: 5 }, () => aWebhookShop(service, service.studio(), receiver))))];
    const shown = new Map<string, string>();
    const studio = async (): Promise<void> => {
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(shops.map(async ({ endpointId }) => shown.set(endpointId, await rotateShop(endpointId, { overlapHours: 0 }))));
      }
    };
    const there = boxOf(NEW_KEY, TEST_SECRETS_KEY);
    const back = boxOf(TEST_SECRETS_KEY, NEW_KEY);
    const rotateRepeatedly = async (): Promise<void> => {
      for (let round = 0; round < 20; round += 1) await rotateSecrets(service.deps.database, round % 2 === 0 ? there : back);
    };
    await Promise.all([studio(), rotateRepeatedly()]);
    for (const { endpointId } of shops) expect(isSignedBy(await ping(endpointId), shown.get(endpointId) ?? 'none')).toBe(true);
  });

  it('under a missing key prevent the start of a process with a message, and after the move the key can be removed', async () => {
    const startWithKeys = async (...keys: string[]) => {
      const deps = await createDependencies(loadConfig({ ...service.env, SECRETS_KEY: keys.join(',') }), 'another', {
        logger: service.deps.logger,
      });
      const { storageSecret } = deps;
      await deps.close();
      return storageSecret;
    };
    const refused = await startWithKeys(NEW_KEY).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigError);
    expect((refused as ConfigError).problems).toEqual([expect.stringMatching(/^SECRETS_KEY lacks the key test, /)]);
    await expect(startWithKeys(newSecretsKey('test'))).rejects.toThrow('the key test of SECRETS_KEY cannot decrypt');

    await rotateSecrets(service.deps.database, boxOf(NEW_KEY, TEST_SECRETS_KEY));
    expect(await startWithKeys(NEW_KEY)).toBe(service.deps.storageSecret);
    await expect(startWithKeys(TEST_SECRETS_KEY)).rejects.toThrow('SECRETS_KEY lacks the key fresh');
  });

  it('are counted by trade-print secrets rotate, which also reports unreadable ones and whether the old key can be removed', async () => {
    const broken = await aWebhookShop(service, service.studio(), receiver);
    await storeInClear();
    await sql('UPDATE webhook_endpoints SET secret = (SELECT value FROM service_secrets LIMIT 1) WHERE id = $1', [broken.endpointId]);
    const first = await runRotate(`${NEW_KEY},${TEST_SECRETS_KEY}`);
    expect(first).toMatchObject({ code: 1, stderr: '' });
    expect(first.stdout.split('\n')).toEqual([
      'service_secrets.value: 0 newly encrypted, 2 moved from another key, 0 unchanged, 0 unreadable',
      'webhook_endpoints.secret: 1 newly encrypted, 0 moved from another key, 0 unchanged, 1 unreadable',
      'webhook_endpoints.previous_secret: 0 newly encrypted, 0 moved from another key, 0 unchanged, 0 unreadable',
      expect.stringMatching(`^the secret of webhook-endpoint/${broken.endpointId} was encrypted for another owner`),
      '1 unreadable: keep all keys of SECRETS_KEY, repair these secrets, then run this again',
      '',
    ]);
    await service.studio().post(`/webhook-endpoints/${broken.endpointId}/rotate-secret`, { overlapHours: 0 });
    const second = await runRotate(`${NEW_KEY},${TEST_SECRETS_KEY}`);
    expect([second.code, second.stdout.split('\n').slice(-2)]).toEqual([
      0,
      ['all secrets use the key fresh: remove the other keys from SECRETS_KEY', ''],
    ]);
  });

  it.each([
    ['a header that is not JSON', `eyJ${Buffer.from('no JSON').toString('base64url')}..aa.bb.cc`],
    ['a header that is not base64', 'eyJ!!!..aa.bb.cc'],
    ['a header of half a character', 'eyJhb..aa.bb.cc'],
    ['a header without a key', `${Buffer.from('{"alg":"dir"}').toString('base64url')}..aa.bb.cc`],
    ['only its beginning', 'eyJhbGciOiJkaXIi'],
  ])(
    'damaged so that one has %s: processes start, its deliveries wait, the log gives the reason, no key may be removed, and a new secret repairs it',
    async (_what, damaged) => {
      await sql('UPDATE webhook_endpoints SET secret = $2, updated_at = now() WHERE id = $1', [shop.endpointId, damaged]);
      const deps = await createDependencies(loadConfig(service.env), 'another', { logger: service.deps.logger });
      await deps.close();
      await shop.orders.place();
      await waitFor('the log', async () =>
        service.logLines.some((line) => line.includes(`the secret of webhook-endpoint/${shop.endpointId} is damaged`)),
      );
      expect(receiver.received).toHaveLength(0);

      const said = await runRotate(`${NEW_KEY},${TEST_SECRETS_KEY}`);
      expect([said.code, said.stderr]).toEqual([1, '']);
      expect(said.stdout).toContain('webhook_endpoints.secret: 0 newly encrypted, 0 moved from another key, 0 unchanged, 1 unreadable');
      expect(said.stdout).toContain('keep all keys of SECRETS_KEY');
      expect(said.stdout).not.toContain('can leave');
      expect(await sql('SELECT secret FROM webhook_endpoints WHERE id = $1', [shop.endpointId])).toEqual([{ secret: damaged }]);

      const repaired = await service.studio().post(`/webhook-endpoints/${shop.endpointId}/rotate-secret`, { overlapHours: 0 });
      expect(repaired.status).toBe(200);
      expect(isSignedBy(await ping(), repaired.json.data.secret)).toBe(true);
      expect((await runRotate(`${NEW_KEY},${TEST_SECRETS_KEY}`)).code).toBe(0);
    },
  );

  it('of the service that are damaged are one problem with instructions for a new one', async () => {
    await sql(`UPDATE service_secrets SET value = 'eyJ!..a.b.c' WHERE name = 'cursors'`);
    const start = () => createDependencies(loadConfig(service.env), 'another', { logger: service.deps.logger });
    const refused: unknown = await start().catch((error: unknown) => error);
    expect((refused as ConfigError).problems).toEqual([expect.stringContaining("DELETE FROM service_secrets WHERE name = 'cursors'")]);
    await sql(`DELETE FROM service_secrets WHERE name = 'cursors'`);
    await (await start()).close();
  });

  function runRotate(keys: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [builtFile('src', 'cli', 'index.js'), 'secrets', 'rotate'], {
      env: { ...process.env, ...service.env, SECRETS_KEY: keys },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    return new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
  }
});
