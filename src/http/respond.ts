import { Readable } from 'node:stream';
import type { ParameterizedContext } from 'koa';
import { successBody } from '../presenters/envelope';
import { sendBody } from './compression';
import type { HandlerResponse } from './types';

/** Writes a success. Only the catalogue may be cached: the default is `no-store`. */
export async function respond(ctx: ParameterizedContext, status: number, response: HandlerResponse): Promise<void> {
  ctx.status = response.status ?? status;
  ctx.set('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(response.headers ?? {})) ctx.set(name, value);
  if (ctx.status === 304) return ctx.vary('Accept-Encoding'); // like the response with a body
  if (response.file !== undefined) return sendFile(ctx, response.file);
  if (response.stream !== undefined) return sendStream(ctx, response.stream);
  ctx.type = 'application/json; charset=utf-8';
  await sendBody(ctx, response.text ?? successBody(response.data, response.nextCursor));
}

/** `X-Accel-Buffering` keeps nginx from buffering the stream. The stream ends when the connection closes. */
function sendStream(ctx: ParameterizedContext, { contentType, body }: NonNullable<HandlerResponse['stream']>): void {
  ctx.set({ 'Content-Type': contentType, 'X-Accel-Buffering': 'no', 'X-Content-Type-Options': 'nosniff' });
  ctx.body = destroyOnClose(ctx, body);
}

/** Koa closes only sent bodies, so a HEAD request or an early disconnect would leave the body open. */
function destroyOnClose({ res }: ParameterizedContext, body: Readable): Readable {
  const end = (): void => void body.destroy();
  if (res.closed) end();
  else res.once('close', end);
  return body;
}

type FileBytes = Exclude<NonNullable<HandlerResponse['file']>['bytes'], Buffer>;

/** A stream is not wrapped: the wrapper would not close it if nothing is read, as for a HEAD request. */
const asStream = (bytes: FileBytes): Readable => (bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false }));

const SANDBOX_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";
/** Browsers do not show PDFs in a sandbox, and their PDF viewers need an object and inline styles. */
export const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/**
 * Sends a file, which may contain data of clients. The headers prevent type sniffing, scripts, framing and shared caching. A failed stream
 * closes the connection, because an incomplete file must not look complete.
 */
async function sendFile(
  ctx: ParameterizedContext,
  { contentType, bytes, policy = SANDBOX_POLICY }: NonNullable<HandlerResponse['file']>,
): Promise<void> {
  ctx.set({
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': policy,
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  ctx.type = contentType;
  await sendBody(ctx, Buffer.isBuffer(bytes) ? bytes : destroyOnClose(ctx, asStream(bytes)));
}
