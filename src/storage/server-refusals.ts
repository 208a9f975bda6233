/** The storage server's refusals, and their log entries. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../domain/errors';
import { closeUnanswered } from '../http-server/listen';
import { writeRawResponse } from '../http-server/responses';
import { REQUEST_ID_HEADER } from '../http-server/request-id';
import { errorBody } from '../presenters/envelope';
import { parseArtworkKey, parseContentKey } from './artwork-key';
import { systemCode } from './durable-files';
import { newId } from '../security/ids';
import { sendError } from './server-responses';

type Log = (fields: Record<string, unknown>, message: string) => void;
export type StorageLogger = Record<'info' | 'warn' | 'error', Log>;

const UNREADABLE_REASONS: Record<string, string> = { ERR_HTTP_REQUEST_TIMEOUT: 'it did not arrive in time' };

/** Returns only ids and sizes, because the URLs of this server contain credentials. */
export function logFieldsOf(request: IncomingMessage, response: ServerResponse): Record<string, unknown> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const key = path.slice(path.lastIndexOf('/artwork/') + 1);
  const uploadId = parseArtworkKey(parseContentKey(key)?.key ?? key)?.uploadId;
  const status = response.writableFinished ? response.statusCode : 'aborted';
  return { method: request.method, uploadId, status, sizeBytes: Number(request.headers['content-length'] ?? 0) };
}

/** Answers a failed request, if its client is still connected. */
export function respondWithRefusal(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  requestId: string,
  error: unknown,
  logger: StorageLogger | undefined,
): void {
  // Closes the connection if the client waits for "100 Continue", because its next bytes could be the body or another request.
  if (request.headers.expect !== undefined && !response.headersSent) response.setHeader('Connection', 'close');
  if (error instanceof ApiError && error.code === 'STORAGE_FULL')
    logger?.warn({ requestId }, 'the artwork store has no space for an upload');
  if (error instanceof ApiError && !response.headersSent) return sendError(response, error);
  if (response.headersSent || request.socket.destroyed) return void response.destroy();
  // The error's message is not logged, because it may contain paths.
  const cause = systemCode(error) ?? (error instanceof Error ? error.name : 'unknown');
  logger?.error({ requestId, cause }, 'storage request failed');
  sendError(response, new ApiError('INTERNAL_ERROR', `The file could not be handled. Request ${requestId}.`));
}

/** Answers requests that the HTTP parser rejects: invalid HTTP, too large headers, contradictory lengths and slow requests. */
export function respondToUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (closeUnanswered(error, socket)) return;
  const issue = new ApiError('VALIDATION_ERROR', 'The request is not readable HTTP.', {
    paths: [''],
    issues: [{ path: '', message: UNREADABLE_REASONS[error.code ?? ''] ?? 'not readable HTTP, or its headers are too large' }],
  });
  const body = errorBody(issue);
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${newId('req')}`,
  ];
  writeRawResponse(socket, issue.status, headers, body);
}
