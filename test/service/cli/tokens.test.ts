import { findToken } from '../../../src/db/repositories/tokens';
import { hashKey } from '../../../src/security/api-keys';
import { runTradePrint, type CommandOutput } from '../../support/command-line';
import { useDatabase } from '../../support/fixtures';

describe('trade-print tokens create-admin', () => {
  const { own, database } = useDatabase();
  const createAdminToken = (...args: string[]): Promise<CommandOutput> =>
    runTradePrint(['tokens', 'create-admin', ...args], { DATABASE_URL: own.url });

  it('prints the first admin token once, and it works; of concurrent calls one creates it, and the other names a remedy', async () => {
    const outputs = await Promise.all([createAdminToken('--name', 'Iris'), createAdminToken('--name', 'Iris')]);
    const [created, refused] = outputs.toSorted((one, other) => Number(one.code) - Number(other.code));
    expect(created).toEqual({ code: 0, stdout: expect.stringMatching(/^lps_[0-9a-f]{64}\n$/), stderr: '' });
    const token = created?.stdout.trim() ?? '';
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^an admin token already works \(tok_[0-9a-f]+\).*--force if it is lost\n$/),
    });
    expect(await findToken(database, hashKey(token))).toMatchObject({ name: 'Iris', role: 'admin', works: true });
    const entries = await database.rows<object>('SELECT actor, actor_id, action, after FROM audit_log');
    expect(entries).toEqual([
      {
        actor: 'command line',
        actor_id: 'command-line',
        action: 'token.create',
        after: { name: 'Iris', role: 'admin', kind: 'person', expiresAt: null, revokedAt: null },
      },
    ]);
  });

  it('creates another token with --force, for a lost first one', async () => {
    const { code, stdout } = await createAdminToken('--name', 'Spare', '--force');
    expect([code, await findToken(database, hashKey(stdout.trim()))]).toMatchObject([0, { works: true }]);
  });

  it('refuses a name of other actors', async () => {
    const { code, stderr } = await createAdminToken('--force', '--name', 'signal:floor');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^--name is invalid: /)]);
  });
});
