/** Handles the storage server's requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { formatByteSize } from '../domain/byte-size';
import { ApiError, validationError, type ErrorCode } from '../domain/errors';
import { verifyGrant, type UrlGrant } from '../security/signed-urls';
import type { ArtworkFiles } from './artwork-files';
import { parseArtworkKey, parseContentKey } from './artwork-key';
import { SizeMismatchError, systemCode } from './durable-files';
import { sendData, sendPreflight, writeArtworkHead } from './server-responses';
import type { Arrival, ArrivalRecorder } from './types';

export interface RequestContext {
  files: ArtworkFiles;
  secret: string;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** The public URL's path without a trailing slash; usually empty. */
  basePath: string;
  /** Null stores every upload. */
  arrivalRecorder: ArrivalRecorder | null;
  /** Keys of the uploads in progress. */
  busyKeys: Set<string>;
}

export interface StorageExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Requests the body from a client that sent `Expect: 100-continue`; otherwise does nothing. */
  acceptBody: () => void;
}

/** The recorder's refusals. After another error, the row may name the file. */
const REFUSALS: readonly ErrorCode[] = ['NOT_FOUND', 'ARTWORK_IN_USE'];
/** File system errors for a full disk. */
const NO_SPACE_CODES: readonly string[] = ['ENOSPC', 'EDQUOT'];

/** Answers a request. @throws ApiError for refusals; other errors are our own or a lost connection */
export async function handleRequest(context: RequestContext, exchange: StorageExchange): Promise<void> {
  switch (exchange.request.method) {
    case 'OPTIONS':
      return sendPreflight(exchange.request, exchange.response);
    case 'PUT':
      return receiveArtwork(context, exchange);
    case 'GET':
    case 'HEAD':
      return serveArtwork(context, exchange);
    default:
      throw new ApiError('NOT_FOUND', 'This address does not support this method.');
  }
}

/**
 * `PUT /artwork/…?expires&size&signature`. As in S3, a second PUT to the same URL replaces the first, until an order uses it. The file is on
 * disk before its upload's row is locked, so a slow disk never holds the lock. The expiry is checked when the headers arrive.
 */
async function receiveArtwork(context: RequestContext, { request, response, acceptBody }: StorageExchange): Promise<void> {
  const grant = authorize(context, request, 'PUT');
  if (grant.method !== 'PUT') throw new ApiError('FORBIDDEN', 'The signature of this URL does not allow an upload.');
  requireDeclaredSize(request, grant.sizeBytes);
  if (context.busyKeys.has(grant.key)) throw uploadRunning();
  context.busyKeys.add(grant.key);
  try {
    acceptBody();
    // A failed write must not destroy the request, because the client would get no answer.
    const body = request.iterator({ destroyOnReturn: false });
    await recordArrival(context, ...(await context.files.write(grant.key, body, grant.sizeBytes)));
  } catch (error) {
    if (error instanceof SizeMismatchError) throw wrongSize(grant.sizeBytes);
    if (NO_SPACE_CODES.includes(systemCode(error) ?? '')) throw storageFull(grant.sizeBytes);
    throw error;
  } finally {
    context.busyKeys.delete(grant.key);
  }
  sendData(response, { sizeBytes: grant.sizeBytes, contentType: request.headers['content-type'] || 'application/octet-stream' });
}

/** After an arrival, only its file remains. After another error than a refusal, all files remain until the next arrival. */
async function recordArrival({ arrivalRecorder, files }: RequestContext, arrival: Arrival, isNew: boolean): Promise<void> {
  try {
    await arrivalRecorder?.record(arrival);
  } catch (error) {
    if (isNew && error instanceof ApiError && REFUSALS.includes(error.code)) await files.removeFile(arrival);
    throw error;
  }
  await files.remove(arrival.key, { except: arrival.checksum });
}

async function serveArtwork(context: RequestContext, { request, response }: StorageExchange): Promise<void> {
  const grant = authorize(context, request, 'GET');
  const artwork = await context.files.open(grant.key);
  if (!artwork) throw new ApiError('NOT_FOUND', 'No artwork is stored here.');
  writeArtworkHead(response, parseContentKey(grant.key)?.key ?? grant.key, artwork);
  if (request.method === 'GET') return pipeline(artwork.stream(), response);
  response.end();
  await artwork.close();
}

/** Checks the key, which is matched without decoding (404), then the signature and the expiry (403). */
function authorize(context: RequestContext, request: IncomingMessage, method: 'PUT' | 'GET'): UrlGrant {
  const { key, query } = splitTarget(request.url ?? '', context.basePath);
  if (!parseArtworkKey(key) && (method === 'PUT' || !parseContentKey(key))) throw new ApiError('NOT_FOUND', 'This address does not exist.');
  const verification = verifyGrant({ method, key, query }, context.secret, context.clock());
  if (verification.verdict === 'valid') return verification.grant;
  if (verification.verdict === 'expired') throw urlExpired(method);
  throw new ApiError('FORBIDDEN', 'This URL is not signed for this request. Use it exactly as returned.');
}

function urlExpired(method: 'PUT' | 'GET'): ApiError {
  if (method === 'GET') return new ApiError('FORBIDDEN', 'This URL has expired. Request a new one.');
  return new ApiError('UPLOAD_EXPIRED', 'This URL has expired. Renew the upload, then send the whole file to the new URL.');
}

function uploadRunning(): ApiError {
  return new ApiError('RATE_LIMITED', 'Another upload to this URL is running. Wait for its answer, then try again.', undefined, 1);
}

function storageFull(sizeBytes: number): ApiError {
  const message = `The artwork store has no space for ${formatByteSize(sizeBytes)} now. Try again later, or contact the studio.`;
  return new ApiError('STORAGE_FULL', message, undefined, 60);
}

function splitTarget(target: string, basePath: string): { key: string; query: URLSearchParams } {
  const queryStart = target.indexOf('?');
  const fullPath = queryStart < 0 ? target : target.slice(0, queryStart);
  const path = fullPath.startsWith(`${basePath}/`) ? fullPath.slice(basePath.length) : fullPath;
  return { key: path.replace(/^\//, ''), query: new URLSearchParams(queryStart < 0 ? '' : target.slice(queryStart + 1)) };
}

/** Refuses a Content-Length other than the signed size before the body is read (specification "After the response" 2). */
function requireDeclaredSize(request: IncomingMessage, sizeBytes: number): void {
  const declared = request.headers['content-length'];
  if (request.headers['transfer-encoding'] !== undefined || declared === undefined) {
    const message = 'required: send the body with its length, not chunked';
    throw validationError([{ path: 'headers.content-length', message }]);
  }
  if (Number(declared) !== sizeBytes) throw wrongSize(sizeBytes);
}

function wrongSize(sizeBytes: number): ApiError {
  const message = `this URL was signed for exactly ${sizeBytes} bytes`;
  return validationError([{ path: 'headers.content-length', message }]);
}
