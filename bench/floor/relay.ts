import { createServer } from 'node:http';
import { Client, Pool } from 'pg';
import { Pool as Connections } from 'undici';
import { onTermination } from '../../src/processes/signals';
import { runAsProcess } from '../../src/processes/run-as-process';

const CLAIMERS = 3;
const CLAIM_BATCH_SIZE = 250;
const CONCURRENT_POSTS = 20;

interface ClaimedDelivery {
  id: string;
  endpoint_id: string;
  event_id: string;
  path: string;
  body: string;
}

const database = new Pool({ connectionString: process.env['DATABASE_URL'], max: CLAIMERS });
const receiver = new Connections(process.env['RECEIVER_URL'] ?? '', { connections: CLAIMERS * CONCURRENT_POSTS });

async function claim(): Promise<ClaimedDelivery[]> {
  const claimed = await database.query<ClaimedDelivery>({
    name: 'claim',
    text: `
      UPDATE bench_deliveries d SET claimed_until = clock_timestamp() + interval '60 seconds'
        FROM (SELECT id FROM bench_deliveries WHERE state = 'pending' AND attempts = 0 AND claimed_until IS NULL LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) p,
             bench_events e, bench_paths w
       WHERE d.id = p.id AND e.id = d.event_id AND w.endpoint_id = d.endpoint_id RETURNING d.id, d.endpoint_id, d.event_id, w.path, e.body`,
    values: [CLAIM_BATCH_SIZE],
  });
  return claimed.rows;
}

async function post({ path, body, event_id }: Pick<ClaimedDelivery, 'path' | 'body' | 'event_id'>): Promise<number> {
  const headers = { 'content-type': 'application/json', 'service-event-id': event_id };
  const reply = await receiver.request({ method: 'POST', path, body, headers });
  await reply.body.dump();
  return reply.statusCode;
}

async function recordResults(batch: readonly ClaimedDelivery[], statuses: readonly number[]): Promise<void> {
  await database.query({
    name: 'record',
    text: `
      WITH results AS (SELECT * FROM unnest($1::text[], $2::text[], $3::integer[]) AS t (id, endpoint_id, status)),
      delivered AS (
        UPDATE bench_deliveries d SET state = 'delivered', attempts = 1, claimed_until = NULL, next_attempt_at = NULL, completed_at = now()
          FROM results r WHERE d.id = r.id)
      INSERT INTO bench_attempts (delivery_id, endpoint_id, chain, number, trigger, at, ok, status, timings)
      SELECT id, endpoint_id, 1, 1, 'automatic', now(), true, status, '{}' FROM results`,
    values: [batch.map(({ id }) => id), batch.map(({ endpoint_id }) => endpoint_id), statuses],
  });
}

async function sendAll(): Promise<void> {
  for (let batch = await claim(); batch.length > 0; batch = await claim()) {
    const statuses: number[] = [];
    const remaining = batch.entries();
    const sender = async (): Promise<void> => {
      for (const [index, delivery] of remaining) statuses[index] = await post(delivery);
    };
    await Promise.all(Array.from({ length: CONCURRENT_POSTS }, sender));
    await recordResults(batch, statuses);
  }
}

/** Posts a row of bench_notices as soon as its insert commits. */
async function followNotices(): Promise<void> {
  const listener = new Client({ connectionString: process.env['DATABASE_URL'] });
  await listener.connect();
  await listener.query('CREATE TABLE IF NOT EXISTS bench_notices (id text PRIMARY KEY, body text NOT NULL)');
  listener.on('notification', ({ payload = '' }) => void postNotice(payload));
  await listener.query('LISTEN bench_notices');
}

async function postNotice(id: string): Promise<void> {
  const { rows } = await database.query<{ body: string }>({
    name: 'notice',
    text: 'SELECT body FROM bench_notices WHERE id = $1',
    values: [id],
  });
  await post({ path: '/notices', body: rows[0]?.body ?? '', event_id: id });
}

/**
 * A minimal relay. `GET /drain` claims rows, posts them over persistent connections and stores the results of a batch in one statement. It
 * reads and writes as many rows as the service, in copies of its tables, without signing, address checks, leases and fair shares.
 */
async function main(): Promise<void> {
  await followNotices();
  const server = createServer((_, response) => {
    Promise.all(Array.from({ length: CLAIMERS }, sendAll)).then(
      () => response.end('done'),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(Number(process.env['PORT']), '127.0.0.1');
  await onTermination();
}

runAsProcess(module, main);
