import { keyIdOf, UnreadableSecretError, type SecretBox } from '../security/secret-box';
import type { Database, Sql } from './database';
import { SECRET_COLUMNS, findSecretKeyIds, type SecretColumn } from './repositories/secrets';

/** Rows locked at once. The number is small, so other transactions wait only milliseconds. */
const BATCH_SIZE = 200;

export interface ColumnRotation {
  /** `table.column` */
  column: string;
  /** The number of secrets that were stored as plain text. */
  encrypted: number;
  /** The number of secrets that were encrypted with another key. */
  moved: number;
  /** The number of secrets that already had the first key. */
  unchanged: number;
  /** Problems of the secrets that could not be decrypted. They stay unchanged. */
  unreadable: string[];
}

export interface Rotation {
  columns: ColumnRotation[];
  /** Other keys that some secrets still need, because they could not be decrypted. */
  otherKeyIds: string[];
}

/**
 * Encrypts every stored secret with the first key of `box`, a few rows in each transaction. Locks each row before reading it, so the
 * service may run meanwhile. An interrupted rotation can be repeated.
 */
export async function rotateSecrets(database: Database, box: SecretBox): Promise<Rotation> {
  const columns: ColumnRotation[] = [];
  for (const column of SECRET_COLUMNS) columns.push(await rotateColumn(database, box, column));
  const otherKeyIds = (await findSecretKeyIds(database)).filter((id) => id !== box.keyId);
  return { columns, otherKeyIds };
}

async function rotateColumn(database: Database, box: SecretBox, secretColumn: SecretColumn): Promise<ColumnRotation> {
  const { table, column } = secretColumn;
  const rotation: ColumnRotation = { column: `${table}.${column}`, encrypted: 0, moved: 0, unchanged: 0, unreadable: [] };
  let after: string | null = '';
  while (after !== null) {
    const from: string = after;
    after = await database.transaction((sql) => rotateRows(sql, box, secretColumn, from, rotation));
  }
  return rotation;
}

/** @returns the last row's id, or null if there are no more rows */
async function rotateRows(
  sql: Sql,
  box: SecretBox,
  { table, id, column, owner }: SecretColumn,
  after: string,
  rotation: ColumnRotation,
): Promise<string | null> {
  const rows = await sql.rows<{ id: string; stored: string }>(
    `
    SELECT ${id} AS id, ${column} AS stored FROM ${table}
     WHERE ${id} > $1 AND ${column} IS NOT NULL
     ORDER BY ${id} LIMIT ${BATCH_SIZE} FOR NO KEY UPDATE`,
    [after],
  );
  const updates: { id: string; stored: string }[] = [];
  for (const row of rows) {
    const keyId = keyIdOf(row.stored);
    if (keyId === box.keyId) {
      rotation.unchanged += 1;
      continue;
    }
    const stored = await box.reseal(owner(row.id), row.stored).catch((error: unknown) => recordUnreadable(error, rotation));
    if (stored === null) continue;
    updates.push({ id: row.id, stored });
    rotation[keyId === null ? 'encrypted' : 'moved'] += 1;
  }
  await sql.run(`UPDATE ${table} t SET ${column} = f.stored FROM unnest($1::text[], $2::text[]) f (id, stored) WHERE t.${id} = f.id`, [
    updates.map((row) => row.id),
    updates.map(({ stored }) => stored),
  ]);
  return rows.at(-1)?.id ?? null;
}

function recordUnreadable(error: unknown, rotation: ColumnRotation): null {
  if (!(error instanceof UnreadableSecretError)) throw error;
  rotation.unreadable.push(error.message);
  return null;
}
