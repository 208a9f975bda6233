import { createServer } from 'node:http';
import { onTermination } from '../../src/processes/signals';

/** [event id, time of the request's first byte in ms since epoch, with fractions] */
export type Arrival = [id: string, at: number];

/**
 * A receiver that answers every POST with 204. It records event ids, except for `/sink`, where it only counts. `GET /sunk` returns the
 * count, and `GET /arrivals/<n>` returns the records after the n-th.
 */
const arrivals: Arrival[] = [];
let sinkCount = 0;
const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  const url = request.url ?? '';
  if (request.method === 'GET') {
    response.end(JSON.stringify(url === '/sunk' ? sinkCount : arrivals.slice(Number(url.split('/')[2]))));
    return;
  }
  request.resume();
  request.on('end', () => {
    if (url.startsWith('/sink')) sinkCount += 1;
    else arrivals.push([String(request.headers['service-event-id']), at]);
    response.writeHead(204).end();
  });
});
server.keepAliveTimeout = 0;
server.listen(Number(process.env['PORT']), '127.0.0.1');
void onTermination().then(() => process.exit(0));
