import {
  createServer,
  type IncomingMessage,
  type OutgoingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, validationError } from '../domain/errors';
import { errorBody } from '../presenters/envelope';
import { newId } from '../security/ids';
import { writeRawResponse, closeWithConnection } from './responses';
import { DRAIN_TIMEOUT_MS, DEFAULT_TIMEOUTS } from './timeouts';
import { REQUEST_ID_HEADER } from './request-id';

/** At shutdown a connection without a request gets this long, ms. */
const SILENT_CONNECTION_MS = 1000;

/** Answers requests and its own errors, as Koa's callback does. Its result is not awaited. */
type AsyncRequestListener = (...args: Parameters<RequestListener>) => unknown;

/** Resolves when the server listens. A slow client occupies only its socket, and only for a limited time. */
export function listen(listener: AsyncRequestListener, port: number, host: string, timeouts = DEFAULT_TIMEOUTS): Promise<Server> {
  const serializedListener = serializePerConnection(listener);
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
      keepAliveTimeout: 65_000,
      maxHeaderSize: 32_768,
      requireHostHeader: false,
    },
    serializedListener,
  );
  server.setTimeout(timeouts.idleMs);
  server.prependListener('request', closeWithConnection);
  server.prependListener('checkExpectation', closeWithConnection);
  overrideCloseIdleConnections(server);
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', serializedListener);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

/** More unanswered requests on one connection close it, because only attackers send them. */
const MAX_PIPELINED = 100;

/** Handles the requests of a connection one at a time and fairly to other connections. Node would handle pipelined requests concurrently. */
function serializePerConnection(listener: AsyncRequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const handle = (): void => {
      response.setMaxListeners(response.getMaxListeners() + 1); // for the listener below
      response.once('close', () => next(socket));
      void listener(request, response);
    };
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      handle();
    } else if (queue.length < MAX_PIPELINED) queue.push(handle);
    else socket.destroy();
  };

  function next(socket: Socket): void {
    const handle = waiting.get(socket)?.shift();
    if (socket.destroyed || handle === undefined) waiting.delete(socket);
    else setImmediate(handle);
  }
}

/**
 * Node treats a connection as idle once its answer is written, even if most of it was not sent, and never if it has sent nothing. Here idle
 * means that all answers have been sent. A connection without a request gets some more time.
 */
function overrideCloseIdleConnections(server: Server): void {
  const connections = new Map<Socket, { inFlight: number; hasRequested: boolean }>();
  server.on('connection', (socket) => {
    connections.set(socket, { inFlight: 0, hasRequested: false });
    socket.once('close', () => connections.delete(socket));
  });
  const count = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.inFlight += 1;
    connection.hasRequested = true;
    response.once('close', () => (connection.inFlight -= 1));
  };
  server.prependListener('request', count);
  server.prependListener('checkExpectation', count);
  let silentUntilMs: number | undefined;
  server.closeIdleConnections = () => {
    silentUntilMs ??= Date.now() + SILENT_CONNECTION_MS;
    for (const [socket, { inFlight, hasRequested }] of connections)
      if (inFlight === 0 && (hasRequested || Date.now() > silentUntilMs)) socket.destroy();
  };
}

/** After the process was paused for this long, ms, timeouts of requests are our fault; and how long a pause is remembered. */
const STALL_MS = 3_000;
const STALL_MEMORY_MS = 20_000;

/** Detects that the process was paused, or busy with one task for seconds. */
const stall = { lastTickMs: performance.now(), detectedAtMs: Number.NEGATIVE_INFINITY };
setInterval(() => {
  detectStall();
  stall.lastTickMs = performance.now();
}, 500).unref();

function detectStall(): void {
  if (performance.now() - stall.lastTickMs > STALL_MS) stall.detectedAtMs = performance.now();
}

function isCausedByStall(error: NodeJS.ErrnoException): boolean {
  detectStall();
  return error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && performance.now() - stall.detectedAtMs < STALL_MEMORY_MS;
}

const UNREADABLE_MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** Node does not pass invalid requests to the app, so they get their answer here (ruling 1). */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: OutgoingMessage }): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const refusal = isCausedByStall(error)
    ? new ApiError('INTERNAL_ERROR', 'the service was paused while the request arrived; it is safe to retry')
    : validationError([{ path: '', message: UNREADABLE_MESSAGES[error.code ?? ''] ?? 'the request is not valid HTTP' }]);
  const body = errorBody(refusal);
  writeRawResponse(
    socket,
    refusal.status,
    [
      `${REQUEST_ID_HEADER}: ${newId('req')}`,
      'Cache-Control: no-store',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ],
    body,
  );
}

/** Stops accepting connections, finishes running requests, and closes the rest after a timeout. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const cutTimer = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  // A connection becomes idle shortly after its last answer.
  const sweepTimer = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(cutTimer);
  clearInterval(sweepTimer);
}
