import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The time that a refused client gets to read the response, ms. */
const LINGER_MS = 2000;

/** Responds to invalid HTTP and closes the connection. */
export function writeRawResponse(socket: Duplex, status: number, headers: readonly string[], body: string): void {
  const security = Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...security, ...headers, 'Connection: close', '', body].join('\r\n'));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Headers of all responses of all listeners. Pages and files have their own policy. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** Node destroys an idle connection also while its response is made. */
export function keepWhileResponding(request: IncomingMessage, response: ServerResponse): void {
  response.on('timeout', (socket: Socket) => {
    if (request.complete && !response.headersSent) socket.setTimeout(socket.timeout ?? 0);
    else socket.destroy();
  });
}

const pendingResponses = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Closes all responses of a closed connection. Node closes only the current one, so a pipelined response would never emit `close`.
 */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  const responses = pendingResponses.get(socket) ?? trackResponses(socket);
  responses.add(response);
  response.once('close', () => responses.delete(response));
}

function trackResponses(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>();
  pendingResponses.set(socket, responses);
  socket.once('close', () => {
    for (const response of responses) abandonResponse(response);
  });
  return responses;
}

/** Closes a response as Node does; streams check `_closed`. */
function abandonResponse(response: ServerResponse & { _closed?: boolean }): void {
  if (response.closed) return;
  response.destroy();
  response._closed = true;
  response.emit('close');
}
