import { totalmem } from 'node:os';
import { number } from '../report';
import type { Year } from './year';

/** What a year of orders takes, and where it is kept while it is read. */
export async function sizeNote({ stage, orders }: Year, loadMs: number): Promise<string> {
  const tables = await stage.database.rows<{ name: string; bytes: number }>(`
    SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 2 DESC`);
  const [rows] = await stage.database.rows<{ records: number; parcels: number }>(
    'SELECT (SELECT count(*) FROM idempotency_records) AS records, (SELECT count(*) FROM parcels) AS parcels',
  );
  const [server] = await stage.database.rows<{ bytes: number; buffers: string }>(
    `SELECT pg_database_size(current_database()) AS bytes, current_setting('shared_buffers') AS buffers`,
  );
  const per = tables.map(({ name, bytes }) => ({ name, each: bytes / orders })).filter(({ each }) => each >= 1);
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    `${orders.toLocaleString('en')} orders of one line, loaded in ${Math.round(loadMs / 1000)} s: ${number(total / orders / 1024)} KiB an order (bytes: ${per.map(({ name, each }) => `${name} ${Math.round(each)}`).join(', ')}; ` +
    `a parcel for one in four (${rows?.parcels}), one timeline entry, one event, idempotency records of one day (${rows?.records})); ` +
    `database ${Math.round((server?.bytes ?? 0) / 2 ** 20)} MiB, shared_buffers ${server?.buffers}, memory ${Math.round(totalmem() / 2 ** 30)} GiB: what PostgreSQL does not hold is in the file cache`
  );
}
