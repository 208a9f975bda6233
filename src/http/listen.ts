import { createServer, type OutgoingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { validationError } from '../domain/errors';
import { errorBody } from '../presenters/envelope';
import { newId } from '../security/ids';

/** What is in hand gets this long at shutdown, ms (studio API "SIGTERM"). */
const DRAIN_MS = 10_000;

/** Resolves when the server listens; rejects when it cannot. Slow clients hold no more than their socket. */
export function listen(listener: RequestListener, port: number, host: string): Promise<Server> {
  const server = createServer({ headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 65_000, maxHeaderSize: 32_768, requireHostHeader: false }, listener);
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', listener);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/** What never becomes a request gets the envelope too (ruling 1). */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: OutgoingMessage }): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const body = errorBody(validationError([{ path: '', message: tooLarge ? 'the headers are too large' : 'this is not an HTTP request that can be read' }]));
  socket.end(['HTTP/1.1 400 Bad Request', `Service-Request-Id: ${newId('req')}`, 'Cache-Control: no-store', 'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body].join('\r\n'));
}

/** Stops accepting, lets running requests finish, cuts what is left after ten seconds. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  // A connection whose last answer is just going out becomes idle a moment later.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(cut);
  clearInterval(sweep);
}
