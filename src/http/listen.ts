import { createServer, type RequestListener, type Server } from 'node:http';

/** What is in hand gets this long at shutdown, ms (studio API "SIGTERM"). */
const DRAIN_MS = 10_000;

/** Resolves when the server listens; rejects when it cannot. Slow clients hold no more than their socket. */
export function listen(listener: RequestListener, port: number, host: string): Promise<Server> {
  const server = createServer({ headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 65_000, maxHeaderSize: 32_768 }, listener);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
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
