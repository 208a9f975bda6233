import type { IncomingMessage } from 'node:http';

/** A refused body is read up to these limits, so that the client can read the refusal. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
const DISCARD_TIMEOUT_MS = 10_000;

/**
 * Reads and discards the rest of a refused body. Closing the connection at once would reset it, and a client that is still sending would
 * lose the answer. Does nothing after the body's end.
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
