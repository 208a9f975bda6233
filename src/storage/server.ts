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
import { DiskRoom } from './disk-room';
import type { FileOperations } from './durable-files';
import { loggable, refuse, refuseUnreadable, type StorageLogger } from './server-refusals';
import { answer, type RequestContext, type StorageExchange } from './server-requests';
import { assignRequestId } from './server-responses';
import type { ArrivalBook } from './types';
import { UploadSlots } from './upload-slots';
import { closeWithConnection } from '../http-server/answers';
import { DRAIN_MS, PATIENCE } from '../http-server/patience';
import { LONGEST_BODY_MS } from '../domain/artwork-rules';
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
  book?: ArrivalBook;
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
const UPLOAD_TIMEOUT_MS = LONGEST_BODY_MS + MINUTE_MS;
/** Partial files that nothing has written to for so long are a crash's. */
const ABANDONED_MS = 15 * MINUTE_MS;
/** What was cut at the deadline gets so long, ms, to put away what it had begun to write. */
const TIDY_MS = 500;

export async function startStorageServer(options: StorageServerOptions): Promise<StorageServer> {
  const clock = options.clock ?? Date.now;
  const files = new ArtworkFiles(options.dir, options.fileOperations);
  await files.prepare(Date.now() - ABANDONED_MS);
  const inHand = new Set<Promise<void>>();
  const basePath = options.publicUrl ? new URL(options.publicUrl).pathname.replace(/(?<!\/)\/+$/, '') : '';
  const context = {
    files,
    secret: options.secret,
    clock,
    basePath,
    book: options.book ?? null,
    slots: new UploadSlots(),
    room: new DiskRoom(options.dir, options.reserveBytes ?? 0),
  };
  const server = listenerFor(context, options, inHand);
  server.listen(options.port, options.bindAddress);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = options.bindAddress.includes(':') ? `[${options.bindAddress}]` : options.bindAddress;
  const deadlineMs = options.closeDeadlineMs ?? DRAIN_MS;
  return { url: `http://${host}:${port}`, port, close: () => closeGracefully(server, inHand, deadlineMs) };
}

function listenerFor(context: RequestContext, options: StorageServerOptions, inHand: Set<Promise<void>>): Server {
  const { headersTimeoutMs = PATIENCE.headersMs, uploadTimeoutMs = UPLOAD_TIMEOUT_MS } = options;
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: uploadTimeoutMs,
    connectionsCheckingInterval: Math.min(headersTimeoutMs, PATIENCE.checkedEveryMs),
  });
  server.setTimeout(options.idleTimeoutMs ?? PATIENCE.idleMs);
  const take = (request: IncomingMessage, response: ServerResponse, acceptBody: () => void): void => {
    closeWithConnection(request, response);
    const work = handle(context, options.logger, { request, response, acceptBody }).finally(() => inHand.delete(work));
    inHand.add(work);
  };
  server.on('request', (request, response) => take(request, response, () => {}));
  server.on('checkContinue', (request, response) => take(request, response, () => response.writeContinue()));
  server.on('clientError', refuseUnreadable);
  return server;
}

/** Resolves when the response is out (or its connection lost); never rejects. */
async function handle(context: RequestContext, logger: StorageLogger | undefined, exchange: StorageExchange): Promise<void> {
  const { request, response } = exchange;
  const requestId = assignRequestId(request, response);
  const sent = finished(response).catch(() => undefined);
  try {
    await answer(context, exchange);
  } catch (error) {
    refuse(exchange, requestId, error, logger);
  }
  discardBody(request);
  await sent;
  logger?.info({ requestId, ...loggable(request, response) }, 'storage request');
}

async function closeGracefully(server: Server, inHand: Set<Promise<void>>, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  let end: NodeJS.Timeout | undefined;
  const tidied = new Promise<void>((resolve) => (end = setTimeout(resolve, deadlineMs + TIDY_MS)));
  await Promise.race([allDone(inHand), tidied]);
  clearTimeout(deadline);
  clearTimeout(end);
  server.closeAllConnections();
  await closed;
}

async function allDone(inHand: Set<Promise<void>>): Promise<void> {
  while (inHand.size > 0) await Promise.all(inHand);
}
