/** The storage server's responses, with the API's envelope, error format and request id. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '../domain/errors';
import { SERVED_CONTENT_TYPE, servedDisposition } from './types';
import { preflightHeaders } from '../http-server/preflight';
import { SECURITY_HEADERS } from '../http-server/responses';
import { REQUEST_ID_HEADER } from '../http-server/request-id';
import { errorBody, successBody } from '../presenters/envelope';
import { newId } from '../security/ids';

/** Browsers may upload from any page, because only the URL's signature authorizes them, not a cookie. */
const CORS_HEADERS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': `${REQUEST_ID_HEADER}, Retry-After` };
/** Content types come from the uploader, so nothing from here may run as a page of this origin. */
const UNTRUSTED_CONTENT_HEADERS = {
  ...SECURITY_HEADERS,
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
};
const VALID_REQUEST_ID = /^[A-Za-z0-9_.-]{1,64}$/;

/** Sets the request id on the response: the caller's if it is valid, otherwise a new one. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const header = request.headers[REQUEST_ID_HEADER.toLowerCase()];
  const id = typeof header === 'string' && VALID_REQUEST_ID.test(header) ? header : newId('req');
  response.setHeader(REQUEST_ID_HEADER, id);
  return id;
}

export function sendData(response: ServerResponse, data: Record<string, unknown>): void {
  sendJson(response, 200, successBody(data));
}

export function sendError(response: ServerResponse, error: ApiError): void {
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', error.retryAfterSeconds);
  sendJson(response, error.status, errorBody(error));
}

export function sendPreflight(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, { ...CORS_HEADERS, ...SECURITY_HEADERS, ...preflightHeaders(request, ['PUT', 'GET', 'HEAD']) }).end();
}

/** Writes the headers of an artwork. The content follows, except for HEAD. */
export function writeArtworkHead(response: ServerResponse, key: string, artwork: { sizeBytes: number }): void {
  response.writeHead(200, {
    ...CORS_HEADERS,
    ...UNTRUSTED_CONTENT_HEADERS,
    'Cache-Control': 'private, no-store',
    'Content-Disposition': servedDisposition(key),
    'Content-Type': SERVED_CONTENT_TYPE,
    'Content-Length': artwork.sizeBytes,
  });
}

function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    ...CORS_HEADERS,
    ...SECURITY_HEADERS,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}
