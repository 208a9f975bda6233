import type { IncomingMessage } from 'node:http';

/** How long a refused body is still read, ms, so that the client gets to see the refusal; then the connection is cut. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
const DISCARD_TIMEOUT_MS = 10_000;

/**
 * Cutting the connection at once would reset it, and with it the answer on its way to a client that is still sending.
 * Does nothing for a body that has been read.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  let remainingBytes = MAX_DISCARDED_BYTES;
  const closeConnection = (): void => void request.socket.destroy();
  const timer = setTimeout(closeConnection, DISCARD_TIMEOUT_MS);
  timer.unref();
  request.on('data', (chunk: Buffer) => {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) closeConnection();
  });
  request.on('error', () => undefined);
  request.on('close', () => clearTimeout(timer));
}
