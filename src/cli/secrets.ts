import type { Database } from '../db/database';
import type { Config } from '../config';
import { rotateSecrets, type ColumnRotation, type Rotation } from '../db/rotate-secrets';
import { SecretBox } from '../security/secret-box';

/**
 * `trade-print secrets rotate`: brings every stored secret under the first key of `SECRETS_KEY`; the service may run meanwhile.
 * @returns false when some secret is not under it afterwards
 */
export async function rotate(database: Database, config: Config, say: (line: string) => void): Promise<boolean> {
  const box = new SecretBox(config.secretsKeys);
  const rotation = await rotateSecrets(database, box);
  for (const column of rotation.columns) say(counts(column));
  const unreadable = rotation.columns.flatMap((column) => column.unreadable);
  for (const each of unreadable) say(each);
  say(conclusion(rotation, box.keyId));
  return unreadable.length === 0 && rotation.otherKeyIds.length === 0;
}

function counts({ column, encrypted, moved, asTheyWere, unreadable }: ColumnRotation): string {
  return `${column}: ${encrypted} encrypted that were in clear, ${moved} moved from another key, ${asTheyWere} as they were, ${unreadable.length} not readable`;
}

function conclusion({ otherKeyIds, columns }: Rotation, keyId: string): string {
  const unreadable = columns.reduce((sum, column) => sum + column.unreadable.length, 0);
  if (otherKeyIds.length === 0 && unreadable > 0)
    return `${unreadable} not readable, and nobody knows which key they need: keep all of SECRETS_KEY; once they are mended, run this again`;
  if (otherKeyIds.length === 0) return `no secret needs another key than ${keyId}: the others can leave SECRETS_KEY`;
  return `some secrets still need ${otherKeyIds.join(', ')}: keep it in SECRETS_KEY; once every process has ${keyId} as its first key, run this again`;
}
