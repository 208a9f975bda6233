import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSecretsKeys } from '../../../src/security/secrets-keys';
import { loadOrCreateSecretsKey } from '../../../scripts/start/prepare-database';

describe('the secrets key that npm start stores', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trade-print-key-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is created once, readable by its owner only, in the format of SECRETS_KEY', () => {
    const made = loadOrCreateSecretsKey(folder);
    expect(readSecretsKeys(made)).toMatchObject({ problems: [], keys: [{ id: expect.stringMatching(/^local-[0-9a-f]{8}$/) }] });
    expect([loadOrCreateSecretsKey(folder), readFileSync(join(folder, 'secrets-key'), 'utf8')]).toEqual([made, `${made}\n`]);
    expect(statSync(join(folder, 'secrets-key')).mode & 0o777).toBe(0o600);
  });
});
