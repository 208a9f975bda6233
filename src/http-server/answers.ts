import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** On every response (ruling 11). */
export const REQUEST_ID_HEADER = 'Service-Request-Id';

/** A client that was refused gets this long to read why and hang up, ms; it need not do so by itself. */
const LINGER_MS = 2000;

/** Answers what never became a request, with these header lines, and ends the connection. */
export function answerUnreadable(socket: Duplex, status: number, headers: readonly string[], body: string): void {
  const security = Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...security, ...headers, 'Connection: close', '', body].join('\r\n'));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Headers of every response of every listener. Pages and files replace the policy with their own. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

const awaited = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * An answer closes with its connection. Node does so only for the one whose turn it is: an answer that waits behind another, of requests
 * sent without waiting, never closes once the connection is gone, and who waits for its end waits for ever.
 */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  const answers = awaited.get(socket) ?? answersOf(socket);
  answers.add(response);
  response.once('close', () => answers.delete(response));
}

function answersOf(socket: Socket): Set<ServerResponse> {
  const answers = new Set<ServerResponse>();
  awaited.set(socket, answers);
  socket.once('close', () => {
    for (const answer of answers) lose(answer);
  });
  return answers;
}

/** As Node does it, whose streams look at `_closed`. */
function lose(answer: ServerResponse & { _closed?: boolean }): void {
  if (answer.closed) return;
  answer.destroy();
  answer._closed = true;
  answer.emit('close');
}
