import { newSecret } from '../../../src/security/ids';
import type { HttpClient } from '../../support/client';
import { runTradePrint, type CommandOutput } from '../../support/command-line';
import { createDatabase, type TestDatabase } from '../../support/database';
import { startService, type TestService } from '../../support/service';

const TOKEN = /^lps_[0-9a-f]{64}\n$/;

describe('trade-print tokens create-admin', () => {
  let database: TestDatabase;
  let service: TestService;
  beforeAll(async () => {
    database = await createDatabase();
    service = await startService({ worker: false, env: { DATABASE_URL: database.url, STUDIO_ADMIN_TOKEN: '' } });
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    await database?.drop();
  });
  const createAdminToken = (...args: string[]): Promise<CommandOutput> =>
    runTradePrint(['tokens', 'create-admin', ...args], { DATABASE_URL: database.url });
  const studioClient = (token: string): HttpClient => service.studio(token.trim());

  it('prints the first admin token once, and it works; of several concurrent calls one creates it', async () => {
    const said = await Promise.all([
      createAdminToken('--name', 'Iris'),
      createAdminToken('--name', 'Iris'),
      createAdminToken('--name', 'Iris'),
    ]);
    const made = said.filter(({ code }) => code === 0);
    expect(made).toEqual([{ code: 0, stdout: expect.stringMatching(TOKEN), stderr: '' }]);
    const { json } = await studioClient(made[0]?.stdout ?? '').get('/audit');
    expect(json.data).toEqual([
      expect.objectContaining({
        actor: { name: 'command line', tokenId: 'command-line' },
        action: 'token.create',
        after: { name: 'Iris', role: 'admin', expiresAt: null, revokedAt: null },
      }),
    ]);
    expect(JSON.stringify(json)).not.toContain(made[0]?.stdout.trim());
  });

  it('refuses while an admin token works, with a remedy', async () => {
    const { code, stdout, stderr } = await createAdminToken('--name', 'Second');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^an admin token already works \(tok_[0-9a-f]+\).*--force if it is lost\n$/);
  });

  it('creates another token with --force, for a lost first one', async () => {
    const { code, stdout } = await createAdminToken('--name', `Spare ${newSecret().slice(0, 4)}`, '--force');
    expect([code, (await studioClient(stdout).get('/tokens')).json.data.length]).toEqual([0, 2]);
  });

  it.each([
    ['empty', ''],
    ['a prefix of other senders', 'signal:floor'],
    ['too long', 'x'.repeat(101)],
  ])('refuses a name that is %s', async (_what, name) => {
    const { code, stderr } = await createAdminToken('--force', '--name', name);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^--name is invalid: /)]);
  });
});
