import { number } from './report';
import type { Stage } from './stage';

/** What the databases have taken so far. */
export interface Footprint {
  /** Bytes by table of the service, indexes and long values included. */
  tables: Record<string, number>;
  /** Bytes by database of Temporal's; none with the dev server. */
  databases: Record<string, number>;
  /** Transactions committed, by database. */
  commits: Record<string, number>;
  /** Bytes of write-ahead log of the whole cluster. */
  wal: number;
}

type Counts = { name: string; value: number }[];

export async function footprint({ database }: Stage): Promise<Footprint> {
  const read = (text: string): Promise<Counts> => database.rows(text);
  const byName = (counts: Counts): Record<string, number> => Object.fromEntries(counts.map(({ name, value }) => [name, Number(value)]));
  const databases = "datname = 'bench' OR datname LIKE 'temporal%'";
  const [wal] = await read(`SELECT '' AS name, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS value`);
  return {
    tables: byName(
      await read(
        `SELECT relname AS name, pg_total_relation_size(oid) AS value FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
      ),
    ),
    databases: byName(await read(`SELECT datname AS name, pg_database_size(oid) AS value FROM pg_database WHERE datname LIKE 'temporal%'`)),
    commits: byName(await read(`SELECT datname AS name, xact_commit AS value FROM pg_stat_database WHERE ${databases}`)),
    wal: Number(wal?.value ?? 0),
  };
}

/** What each of `count` took between the two. */
export function footprintNote(what: string, count: number, before: Footprint, after: Footprint): string {
  const kib = (bytes: number): string => `${number(bytes / 1024 / count)} KiB`;
  const grown = (now: Record<string, number>, then: Record<string, number>): [string, number][] =>
    Object.entries(now)
      .map(([name, value]): [string, number] => [name, value - (then[name] ?? 0)])
      .filter(([, more]) => more > 0)
      .sort(([, a], [, b]) => b - a);
  const [tables, databases] = [grown(after.tables, before.tables), grown(after.databases, before.databases)];
  const total = tables.reduce((sum, [, bytes]) => sum + bytes, 0);
  return (
    `${what} takes in PostgreSQL: ${kib(total)} (${tables.map(([name, bytes]) => `${name} ${kib(bytes)}`).join(', ')})` +
    `${databases.map(([name, bytes]) => `, database ${name} ${kib(bytes)}`).join('')}; write-ahead log ${kib(after.wal - before.wal)}; ` +
    `commits ${grown(after.commits, before.commits)
      .map(([name, more]) => `${name} ${number(more / count)}`)
      .join(', ')}`
  );
}
