import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** A client that was refused gets this long to read why and hang up, ms; it need not do so by itself. */
const LINGER_MS = 2000;

/** Answers what never became a request, with these header lines, and ends the connection. */
export function answerUnreadable(socket: Duplex, status: number, headers: readonly string[], body: string): void {
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, 'Connection: close', '', body].join('\r\n'));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
