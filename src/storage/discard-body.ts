import type { IncomingMessage } from 'node:http';

/** How long a refused body is still read, ms, so that the client gets to see the refusal; then the connection is cut. */
const DISCARD_BYTES = 16 * 1024 * 1024;
const DISCARD_MS = 10_000;

/**
 * Cutting the connection at once would reset it, and with it the answer on its way to a client that is still sending.
 * Does nothing for a body that has been read.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  let left = DISCARD_BYTES;
  const cut = (): void => void request.socket.destroy();
  const timer = setTimeout(cut, DISCARD_MS);
  timer.unref();
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
  request.on('error', () => undefined);
  request.on('close', () => clearTimeout(timer));
}
