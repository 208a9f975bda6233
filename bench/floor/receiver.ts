import { createServer } from 'node:http';
import { onTermination } from '../../src/process';

/** [id of the body, ms since epoch of the request's first byte] */
export type Arrival = [id: string, at: number];

/**
 * A fast receiver in a process of its own: POST anything gets 204 and is noted, POST /hang never gets an answer, POST /switch
 * gets the status that PUT /switch/<status> has set last; GET /count tells how many have been noted, GET /arrivals/<n> those
 * from the n-th on.
 */
const arrivals: Arrival[] = [];
let switched = 500;
const server = createServer((request, response) => {
  const url = request.url ?? '';
  if (request.method === 'GET') return void response.end(JSON.stringify(url === '/count' ? arrivals.length : arrivals.slice(Number(url.split('/')[2]))));
  if (request.method === 'PUT') {
    switched = Number(url.split('/')[2]);
    return void response.writeHead(204).end();
  }
  const at = Date.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (url === '/hang') return;
    if (url === '/switch') return void response.writeHead(switched).end();
    arrivals.push([(JSON.parse(Buffer.concat(chunks).toString()) as { id: string }).id, at]);
    response.writeHead(204).end();
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
void onTermination().then(() => process.exit(0));
