/** The embedded store's server (`STORAGE_PORT`): signed PUT, GET and HEAD of artwork (specification "After the response"). */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { ArtworkFiles } from './artwork-files';
import { discardBody } from './discard-body';
import type { FileOperations } from './durable-files';
import { logFieldsOf, respondWithRefusal, respondToUnreadable, type StorageLogger } from './server-refusals';
import { handleRequest, type RequestContext, type StorageExchange } from './server-requests';
import { assignRequestId } from './server-responses';
import type { ArrivalRecorder } from './types';
import { noteEarlyResponse } from '../http-server/listen';
import { closeWithConnection, keepWhileResponding } from '../http-server/responses';
import { DRAIN_TIMEOUT_MS, DEFAULT_TIMEOUTS, KEEP_ALIVE_MS } from '../http-server/timeouts';
import { MAX_BODY_DURATION_MS } from '../domain/artwork-rules';
import { MINUTE_MS } from '../domain/duration';

export interface StorageServerOptions {
  dir: string;
  /** HMAC key shared with `createLocalStorage`. */
  secret: string;
  bindAddress: string;
  /** 0 takes a free port; see `StorageServer.url`. */
  port: number;
  /** The URL for clients (`STORAGE_PUBLIC_URL`). Its path is removed from requests if a proxy has kept it. */
  publicUrl?: string;
  logger?: StorageLogger;
  /** Records every complete upload before the answer. Without a recorder every upload is stored. */
  arrivalRecorder?: ArrivalRecorder;
  /** Milliseconds since the epoch. */
  clock?: () => number;
  /** An idle connection is closed after this time. Default 60 s. */
  idleTimeoutMs?: number;
  /** Timeout of a request's headers. Default 15 s. */
  headersTimeoutMs?: number;
  /** Timeout of a whole upload. Default two hours. */
  uploadTimeoutMs?: number;
  /** How long `close` waits for running requests. Default as for every listener. */
  closeDeadlineMs?: number;
  fileOperations?: FileOperations;
}

export interface StorageServer {
  /** The server's URL, such as `http://127.0.0.1:8082`. */
  url: string;
  port: number;
  /** Stops accepting connections, finishes running requests within the deadline, closes the rest and leaves no partial file. */
  close(): Promise<void>;
}

/** Partial files that were not written for this time come from a crash. */
const ABANDONED_MS = 15 * MINUTE_MS;
/** The time, ms, in which requests that were closed at the deadline remove their partial files. */
const CLEANUP_GRACE_MS = 500;

export async function startStorageServer(options: StorageServerOptions): Promise<StorageServer> {
  const clock = options.clock ?? Date.now;
  const files = new ArtworkFiles(options.dir, options.fileOperations);
  await files.prepare(Date.now() - ABANDONED_MS);
  const pendingRequests = new Set<Promise<void>>();
  const basePath = options.publicUrl ? new URL(options.publicUrl).pathname.replace(/(?<!\/)\/+$/, '') : '';
  const context = {
    files,
    secret: options.secret,
    clock,
    basePath,
    arrivalRecorder: options.arrivalRecorder ?? null,
    busyKeys: new Set<string>(),
  };
  const server = createListener(context, options, pendingRequests);
  server.listen(options.port, options.bindAddress);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = options.bindAddress.includes(':') ? `[${options.bindAddress}]` : options.bindAddress;
  const deadlineMs = options.closeDeadlineMs ?? DRAIN_TIMEOUT_MS;
  return { url: `http://${host}:${port}`, port, close: () => closeGracefully(server, pendingRequests, deadlineMs) };
}

function createListener(context: RequestContext, options: StorageServerOptions, pendingRequests: Set<Promise<void>>): Server {
  const { headersTimeoutMs = DEFAULT_TIMEOUTS.headersMs, uploadTimeoutMs = MAX_BODY_DURATION_MS } = options;
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: uploadTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs, DEFAULT_TIMEOUTS.checkIntervalMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
  });
  server.setTimeout(options.idleTimeoutMs ?? DEFAULT_TIMEOUTS.idleMs);
  const accept = (request: IncomingMessage, response: ServerResponse, acceptBody: () => void): void => {
    closeWithConnection(request, response);
    keepWhileResponding(request, response);
    noteEarlyResponse(request, response);
    const work = handle(context, options.logger, { request, response, acceptBody }).finally(() => pendingRequests.delete(work));
    pendingRequests.add(work);
  };
  // Without listeners, Node answers other expectations itself.
  for (const event of ['request', 'checkExpectation'])
    server.on(event, (request: IncomingMessage, response: ServerResponse) => accept(request, response, () => {}));
  server.on('checkContinue', (request, response) => accept(request, response, () => response.writeContinue()));
  server.on('clientError', respondToUnreadable);
  return server;
}

/** Resolves when the response was sent or its connection was lost. Never rejects. */
async function handle(context: RequestContext, logger: StorageLogger | undefined, exchange: StorageExchange): Promise<void> {
  const { request, response } = exchange;
  const requestId = assignRequestId(request, response);
  const responseEnd = finished(response).catch(() => undefined);
  try {
    await handleRequest(context, exchange);
  } catch (error) {
    respondWithRefusal(exchange, requestId, error, logger);
  }
  discardBody(request);
  await responseEnd;
  logger?.info({ requestId, ...logFieldsOf(request, response) }, 'storage request');
}

async function closeGracefully(server: Server, pendingRequests: Set<Promise<void>>, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  let cleanupTimer: NodeJS.Timeout | undefined;
  const cleanupTimeout = new Promise<void>((resolve) => (cleanupTimer = setTimeout(resolve, deadlineMs + CLEANUP_GRACE_MS)));
  await Promise.race([waitForAll(pendingRequests), cleanupTimeout]);
  clearTimeout(deadline);
  clearTimeout(cleanupTimer);
  server.closeAllConnections();
  await closed;
}

async function waitForAll(pendingRequests: Set<Promise<void>>): Promise<void> {
  while (pendingRequests.size > 0) await Promise.all(pendingRequests);
}
