import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long a refused client has to read the answer before its connection is closed, ms. */
const LINGER_MS = 2000;

/** Answers bytes that are no HTTP request and ends the connection. */
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
 * Closes every answer of a connection that closes. Node closes only the one it is sending: a pipelined answer behind it would never emit
 * `close`, and its listeners would wait forever.
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

/** Closes an answer as Node does; its streams check `_closed`. */
function lose(answer: ServerResponse & { _closed?: boolean }): void {
  if (answer.closed) return;
  answer.destroy();
  answer._closed = true;
  answer.emit('close');
}
