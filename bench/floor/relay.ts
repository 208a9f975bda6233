import { createServer } from 'node:http';
import { Pool as Connections } from 'undici';
import { Pool } from 'pg';
import { onTermination } from '../../src/process';

const CLAIMERS = 3;
const CLAIMED_AT_ONCE = 250;
const POSTS_AT_ONCE = 20;

interface Claimed {
  id: string;
  endpoint_id: string;
  event_id: string;
  path: string;
  body: string;
}

/**
 * The least a relay could be: claims rows, posts them over kept connections, and stores what came of a batch in one statement. It
 * reads and writes as many rows as ours, in tables that are copies of ours (bench_deliveries, bench_events, bench_attempts), and
 * neither signs, vets, leases, counts nor keeps an endpoint's share. GET /drain sends until nothing is left.
 */
const database = new Pool({ connectionString: process.env['DATABASE_URL'], max: CLAIMERS });
const receiver = new Connections(process.env['RECEIVER_ORIGIN'] ?? '', { connections: CLAIMERS * POSTS_AT_ONCE });

function claim(): Promise<Claimed[]> {
  return database
    .query<Claimed>({
      name: 'claim',
      text: `
    UPDATE bench_deliveries d SET claimed_until = clock_timestamp() + interval '60 seconds'
      FROM (SELECT id FROM bench_deliveries WHERE state = 'pending' AND attempts = 0 AND claimed_until IS NULL LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) p, bench_events e, bench_paths w
     WHERE d.id = p.id AND e.id = d.event_id AND w.endpoint_id = d.endpoint_id RETURNING d.id, d.endpoint_id, d.event_id, w.path, e.body`,
      values: [CLAIMED_AT_ONCE],
    })
    .then(({ rows }) => rows);
}

async function post({ path, body, event_id }: Claimed): Promise<number> {
  const reply = await receiver.request({
    method: 'POST',
    path,
    body,
    headers: { 'content-type': 'application/json', 'service-event-id': event_id },
  });
  await reply.body.dump();
  return reply.statusCode;
}

async function record(batch: readonly Claimed[], statuses: readonly number[]): Promise<void> {
  await database.query({
    name: 'record',
    text: `
    WITH told AS (SELECT * FROM unnest($1::text[], $2::text[], $3::integer[]) AS t (id, endpoint_id, status)),
    moved AS (
      UPDATE bench_deliveries d SET state = 'delivered', attempts = 1, claimed_until = NULL, next_attempt_at = NULL, completed_at = now() FROM told WHERE d.id = told.id)
    INSERT INTO bench_attempts (delivery_id, endpoint_id, chain, number, trigger, at, ok, status, timings)
    SELECT id, endpoint_id, 1, 1, 'automatic', now(), true, status, '{}' FROM told`,
    values: [batch.map(({ id }) => id), batch.map(({ endpoint_id }) => endpoint_id), statuses],
  });
}

async function claimer(): Promise<void> {
  for (let batch = await claim(); batch.length > 0; batch = await claim()) {
    const statuses: number[] = [];
    let next = 0;
    await Promise.all(
      Array.from({ length: POSTS_AT_ONCE }, async () => {
        while (next < batch.length) {
          const index = next++;
          statuses[index] = await post(batch[index] as Claimed);
        }
      }),
    );
    await record(batch, statuses);
  }
}

const server = createServer((_, response) => {
  void Promise.all(Array.from({ length: CLAIMERS }, claimer)).then(
    () => response.end('done'),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
void onTermination().then(() => process.exit(0));
