/**
 * The embedded store's own listener (`STORAGE_PORT`): signed PUT, GET and HEAD of artwork, nothing else.
 * What a client does with it: specification "After the response".
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { ArtworkFiles } from './artwork-files';
import { discardBody } from './discard-body';
import { DiskSpace } from './disk-space';
import type { FileOperations } from './durable-files';
import { logFieldsOf, respondWithRefusal, respondToUnreadable, type StorageLogger } from './server-refusals';
import { handleRequest, type RequestContext, type StorageExchange } from './server-requests';
import { assignRequestId } from './server-responses';
import type { ArrivalRecorder } from './types';
import { UploadSlots } from './upload-slots';
import { closeWithConnection } from '../http-server/responses';
import { DRAIN_TIMEOUT_MS, DEFAULT_TIMEOUTS } from '../http-server/timeouts';
import { MAX_BODY_DURATION_MS } from '../domain/artwork-rules';
import { MINUTE_MS } from '../domain/duration';

export interface StorageServerOptions {
  dir: string;
  /** HMAC key shared with `createLocalStorage`. */
  secret: string;
  bindAddress: string;
  /** 0 takes a free port; see `StorageServer.url`. */
  port: number;
  /** The address clients see (`STORAGE_PUBLIC_URL`). A path in it is taken off requests, should the proxy leave it on. */
  publicUrl?: string;
  logger?: StorageLogger;
  /** Hears of every upload with its last byte, before the answer; left out: whatever arrives is stored. */
  arrivalRecorder?: ArrivalRecorder;
  /** The free space, in bytes, that uploads leave on the disk. Default 0: they may fill it. */
  reserveBytes?: number;
  /** Milliseconds since the epoch. */
  clock?: () => number;
  /** A connection on which nothing moves for so long is cut. Default 60 s. */
  idleTimeoutMs?: number;
  /** How long the headers of a request may take. Default 15 s. */
  headersTimeoutMs?: number;
  /** How long a whole upload may take. Default: a minute longer than a body may. */
  uploadTimeoutMs?: number;
  /** How long `close` waits for requests in hand. Default as for every listener. */
  closeDeadlineMs?: number;
  fileOperations?: FileOperations;
}

export interface StorageServer {
  /** Where it listens, e.g. `http://127.0.0.1:8082`. */
  url: string;
  port: number;
  /** Stops accepting, finishes what is in hand within the deadline, cuts the rest and leaves no partial file. */
  close(): Promise<void>;
}

/** The body is cut first, with an answer that says why. */
const UPLOAD_TIMEOUT_MS = MAX_BODY_DURATION_MS + MINUTE_MS;
/** Partial files that nothing has written to for so long are a crash's. */
const ABANDONED_MS = 15 * MINUTE_MS;
/** What was cut at the deadline gets so long, ms, to put away what it had begun to write. */
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
    slots: new UploadSlots(),
    diskSpace: new DiskSpace(options.dir, options.reserveBytes ?? 0),
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
  const { headersTimeoutMs = DEFAULT_TIMEOUTS.headersMs, uploadTimeoutMs = UPLOAD_TIMEOUT_MS } = options;
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: uploadTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs, DEFAULT_TIMEOUTS.checkIntervalMs),
  });
  server.setTimeout(options.idleTimeoutMs ?? DEFAULT_TIMEOUTS.idleMs);
  const accept = (request: IncomingMessage, response: ServerResponse, acceptBody: () => void): void => {
    closeWithConnection(request, response);
    const work = handle(context, options.logger, { request, response, acceptBody }).finally(() => pendingRequests.delete(work));
    pendingRequests.add(work);
  };
  server.on('request', (request, response) => accept(request, response, () => {}));
  server.on('checkContinue', (request, response) => accept(request, response, () => response.writeContinue()));
  server.on('clientError', respondToUnreadable);
  return server;
}

/** Resolves when the response is out (or its connection lost); never rejects. */
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
