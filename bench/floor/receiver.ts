import { createServer } from 'node:http';
import { onTermination } from '../../src/process';

/** [id of the body, ms since epoch of the request's first byte] */
export type Arrival = [id: string, at: number];

/**
 * A fast receiver in a process of its own: POST anything gets 204 and is noted, POST /hang never gets an answer,
 * GET /arrivals tells what has come so far.
 */
const arrivals: Arrival[] = [];
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(arrivals));
  const at = Date.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/hang') return;
    arrivals.push([(JSON.parse(Buffer.concat(chunks).toString()) as { id: string }).id, at]);
    response.writeHead(204).end();
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
void onTermination().then(() => process.exit(0));
