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

/** A connection on which nothing has been asked yet gets this long at shutdown, ms. */
const SILENT_CONNECTION_MS = 1000;

/** Answers requests and its own failures, as Koa's callback does; nobody waits for what it returns. */
type AsyncRequestListener = (...asked: Parameters<RequestListener>) => unknown;

/** Resolves when the server listens; rejects when it cannot. Slow clients hold no more than their socket, and not for long. */
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

/** More unanswered requests on one connection close it: only an attacker sends them. */
const MAX_PIPELINED = 100;

/**
 * Handles the requests of a connection one after the other; Node would handle pipelined requests at the same time. Between two of them other
 * connections have their turn.
 */
function serializePerConnection(listener: AsyncRequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const handle = (): void => {
      response.setMaxListeners(response.getMaxListeners() + 1); // for the next line
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
 * Node takes a connection for idle as soon as its answer has been written, though most of it may still be on its way to the
 * client; and never one that was opened and has sent nothing. Here idle means: no request whose answer is not out. One that has
 * not asked anything yet gets a moment more for what may be on its way.
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

/** After standing still for this long, ms, requests that ran out of time did so by our fault; and for how long we remember that. */
const STALL_MS = 3_000;
const STALL_MEMORY_MS = 20_000;

/** Notices that the process stood still: frozen, or busy with one thing for seconds. */
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

/** Bytes that Node cannot read as a request never reach the app; they get the envelope here (ruling 1). */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex & { _httpMessage?: OutgoingMessage }): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const refusal = isCausedByStall(error)
    ? new ApiError('INTERNAL_ERROR', 'the service stood still while the request came; it is safe to try again')
    : validationError([{ path: '', message: UNREADABLE_MESSAGES[error.code ?? ''] ?? 'this is not an HTTP request that can be read' }]);
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

/** Stops accepting, lets requests in hand finish, cuts what is left in time. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const cutTimer = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  // A connection whose last answer is just going out becomes idle a moment later.
  const sweepTimer = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(cutTimer);
  clearInterval(sweepTimer);
}
