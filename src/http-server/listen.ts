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
import { writeRawResponse, closeWithConnection, keepWhileResponding } from './responses';
import { DRAIN_TIMEOUT_MS, DEFAULT_TIMEOUTS, KEEP_ALIVE_MS } from './timeouts';
import { REQUEST_ID_HEADER } from './request-id';

/** The time that a connection without a request gets at shutdown, ms. */
const SILENT_CONNECTION_MS = 1000;

/** Handles requests and its own failures, as Koa's callback does; its result is ignored. */
type AsyncRequestListener = (...asked: Parameters<RequestListener>) => unknown;

/** Resolves when the server listens, else rejects. Slow clients occupy only their socket, for a limited time. */
export function listen(listener: AsyncRequestListener, port: number, host: string, timeouts = DEFAULT_TIMEOUTS): Promise<Server> {
  const serializedListener = serializePerConnection(listener);
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: 32_768,
      requireHostHeader: false,
    },
    serializedListener,
  );
  server.setTimeout(timeouts.idleMs);
  for (const event of ['request', 'checkExpectation']) {
    server.prependListener(event, closeWithConnection);
    server.prependListener(event, keepWhileResponding);
    server.prependListener(event, noteEarlyResponse);
  }
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

/**
 * Handles the requests of a connection one after the other, because Node would handle pipelined requests at the same time. Other
 * connections run between two requests.
 */
function serializePerConnection(listener: AsyncRequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const handle = (): void => {
      response.setMaxListeners(response.getMaxListeners() + 1); // allows the next line without a warning
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
 * Node treats a connection as idle once its response is written, before the client has it, and never treats a connection without a request
 * as idle. Here a connection is idle if no response is pending. A connection without a request gets a moment more.
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

/** After a pause of this length, ms, request timeouts are the fault of the service; it remembers the pause for the same time. */
const STALL_MS = 3_000;
const STALL_MEMORY_MS = 20_000;

/** Detects that the process was frozen or blocked for seconds. */
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
  HPE_HEADER_OVERFLOW: 'the headers are too large; send smaller headers',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time; send it again',
};

/** The last request of a connection whose response was sent before its body was complete. */
const respondedEarly = new WeakMap<Duplex, IncomingMessage>();

export function noteEarlyResponse(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (!request.complete) respondedEarly.set(request.socket, request);
  });
}

/**
 * Closes a connection with a parser error if nothing may be written to it: it is lost, its request has a response, or no request came in
 * time. Browsers open connections in advance, and would take any bytes for the answer to their next request. @returns whether it closes it
 */
export function closeUnanswered(
  { code }: NodeJS.ErrnoException,
  socket: Duplex & { bytesRead?: number; _httpMessage?: OutgoingMessage },
): boolean {
  const hasResponse = socket._httpMessage?.headersSent || respondedEarly.get(socket)?.complete === false;
  if (code === 'ECONNRESET' || !socket.writable || hasResponse) {
    socket.destroy();
    return true;
  }
  if (code !== 'ERR_HTTP_REQUEST_TIMEOUT' || socket.bytesRead !== 0) return false;
  // If this process paused, a request may have arrived that it reads first.
  setImmediate(() => {
    if (socket.bytesRead === 0) socket.destroy();
  });
  return true;
}

/** Requests that Node cannot parse never reach the app, so their error envelope is written here. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (closeUnanswered(error, socket)) return;
  const refusal = isCausedByStall(error)
    ? new ApiError('INTERNAL_ERROR', 'the service paused while the request arrived; repeat the request')
    : validationError([
        { path: '', message: UNREADABLE_MESSAGES[error.code ?? ''] ?? 'the request is not valid HTTP; send a valid HTTP/1.1 request' },
      ]);
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

/** Stops accepting, finishes open requests, and closes the others at the end of the time limit. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const cutTimer = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  // A connection becomes idle a moment after its last response.
  const sweepTimer = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(cutTimer);
  clearInterval(sweepTimer);
}
