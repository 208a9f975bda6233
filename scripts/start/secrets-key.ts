import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newSecret } from '../../src/security/ids';
import { newSecretsKey } from '../../src/security/secrets-keys';

/**
 * `SECRETS_KEY` for those who set none: made once and kept in the data folder, readable by us only. It is on the disk before anything is
 * encrypted with it. The file takes what the setting takes, so several keys too.
 */
export function keptSecretsKey(dataDir: string): string {
  const file = path.join(dataDir, 'secrets-key');
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, `${newSecretsKey(`local-${newSecret().slice(0, 8)}`)}\n`, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8').trim();
}
