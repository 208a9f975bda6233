import { createServer } from 'node:http';
import { onTermination } from '../../src/process';

/** [id of the event, ms since epoch of the request's first byte, with fractions] */
export type Arrival = [id: string, at: number];

/**
 * A fast receiver in a process of its own: POST anything gets 204 and is noted, POST /sink/… is only counted, POST /hang never gets an
 * answer, POST /switch gets the status that PUT /switch/<status> has set last; GET /count tells how many have been noted or counted,
 * GET /arrivals/<n> those noted after the n-th. Connections are kept for as long as the other side likes.
 */
const arrivals: Arrival[] = [];
let sunk = 0;
let switched = 500;
const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  const url = request.url ?? '';
  if (request.method === 'GET')
    return void response.end(
      JSON.stringify(url === '/count' ? arrivals.length : url === '/sunk' ? sunk : arrivals.slice(Number(url.split('/')[2]))),
    );
  if (request.method === 'PUT') {
    switched = Number(url.split('/')[2]);
    return void response.writeHead(204).end();
  }
  request.resume();
  request.on('end', () => {
    if (url === '/hang') return;
    if (url === '/switch') return void response.writeHead(switched).end();
    if (url.startsWith('/sink')) sunk += 1;
    else arrivals.push([String(request.headers['service-event-id']), at]);
    response.writeHead(204).end();
  });
});
server.keepAliveTimeout = 0;
server.listen(Number(process.env['PORT']), '127.0.0.1');
void onTermination().then(() => process.exit(0));
