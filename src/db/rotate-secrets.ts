import { keyIdOf, SecretUnreadable, type SecretBox } from '../security/secret-box';
import type { Database, Sql } from './database';
import { SECRET_COLUMNS, secretKeyIds, type SecretColumn } from './repositories/secrets';

/** How many rows are locked at once: few enough that whoever waits for one of them waits only milliseconds. */
const ROWS_AT_ONCE = 200;

export interface ColumnRotation {
  /** `table.column` */
  column: string;
  /** Were stored in clear. */
  encrypted: number;
  /** Were under another key. */
  moved: number;
  /** Were under the first key before. */
  asTheyWere: number;
  /** What is wrong with those that could not be read; they stay as they are. */
  unreadable: string[];
}

export interface Rotation {
  columns: ColumnRotation[];
  /** Keys besides the first that some secret still needs. */
  otherKeyIds: string[];
}

/**
 * Brings every stored secret under the first key of `box`, some rows to a transaction, each row locked before it is read: the service
 * may run, and what was cut short is done by doing it again.
 */
export async function rotateSecrets(database: Database, box: SecretBox): Promise<Rotation> {
  const columns: ColumnRotation[] = [];
  for (const column of SECRET_COLUMNS) columns.push(await rotateColumn(database, box, column));
  const otherKeyIds = (await secretKeyIds(database)).filter((id) => id !== box.keyId);
  return { columns, otherKeyIds };
}

async function rotateColumn(database: Database, box: SecretBox, place: SecretColumn): Promise<ColumnRotation> {
  const { table, column } = place;
  const done: ColumnRotation = { column: `${table}.${column}`, encrypted: 0, moved: 0, asTheyWere: 0, unreadable: [] };
  let after: string | null = '';
  while (after !== null) {
    const from: string = after;
    after = await database.transaction((sql) => rotateRows(sql, box, place, from, done));
  }
  return done;
}

interface StoredRow {
  id: string;
  stored: string;
}

/** @returns the last row's id, or null when there are no more */
async function rotateRows(
  sql: Sql,
  box: SecretBox,
  { table, id, column, owner }: SecretColumn,
  after: string,
  done: ColumnRotation,
): Promise<string | null> {
  const found = await sql.rows<StoredRow>(
    `
    SELECT ${id} AS id, ${column} AS stored FROM ${table}
     WHERE ${id} > $1 AND ${column} IS NOT NULL
     ORDER BY ${id} LIMIT ${ROWS_AT_ONCE} FOR NO KEY UPDATE`,
    [after],
  );
  const fresh: { id: string; stored: string }[] = [];
  for (const each of found) {
    const keyId = keyIdOf(each.stored);
    if (keyId === box.keyId) {
      done.asTheyWere += 1;
      continue;
    }
    const stored = await box.reseal(owner(each.id), each.stored).catch((error: unknown) => noteUnreadable(error, done));
    if (stored === null) continue;
    fresh.push({ id: each.id, stored });
    done[keyId === null ? 'encrypted' : 'moved'] += 1;
  }
  await sql.run(`UPDATE ${table} t SET ${column} = f.stored FROM unnest($1::text[], $2::text[]) f (id, stored) WHERE t.${id} = f.id`, [
    fresh.map((each) => each.id),
    fresh.map(({ stored }) => stored),
  ]);
  return found.at(-1)?.id ?? null;
}

function noteUnreadable(error: unknown, done: ColumnRotation): null {
  if (!(error instanceof SecretUnreadable)) throw error;
  done.unreadable.push(error.message);
  return null;
}
