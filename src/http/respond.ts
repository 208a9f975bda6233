import { Readable } from 'node:stream';
import type { ParameterizedContext } from 'koa';
import { successBody } from '../presenters/envelope';
import { sendBody } from './compression';
import type { HandlerResponse } from './types';

/** Writes a success. Only the catalogue may be cached: everything is `no-store` unless the answer says otherwise (ruling 12). */
export async function respond(ctx: ParameterizedContext, status: number, response: HandlerResponse): Promise<void> {
  ctx.status = response.status ?? status;
  ctx.set('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(response.headers ?? {})) ctx.set(name, value);
  if (ctx.status === 304) return ctx.vary('Accept-Encoding'); // as the body that it stands for
  if (response.file !== undefined) return sendFile(ctx, response.file);
  if (response.stream !== undefined) return sendStream(ctx, response.stream);
  ctx.type = 'application/json; charset=utf-8';
  await sendBody(ctx, response.text ?? successBody(response.data, response.nextCursor));
}

/** Nobody on the way keeps it until there is more: nginx would. The stream ends with the connection, and the connection with it. */
function sendStream(ctx: ParameterizedContext, { contentType, body }: NonNullable<HandlerResponse['stream']>): void {
  ctx.set({ 'Content-Type': contentType, 'X-Accel-Buffering': 'no', 'X-Content-Type-Options': 'nosniff' });
  ctx.body = destroyOnClose(ctx, body);
}

/** Koa looks after a body from when it is sent: who only asked for the head, or hung up while another answer was sent, leaves it open. */
function destroyOnClose({ res }: ParameterizedContext, body: Readable): Readable {
  const end = (): void => void body.destroy();
  if (res.closed) end();
  else res.once('close', end);
  return body;
}

const SANDBOX_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";
/** Browsers show no PDF in a sandbox; their viewers bring an object and styles of their own. */
export const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/**
 * It holds what somebody else sent, so it opens as what it is said to be, runs nothing, is framed nowhere, and stays with who asked. What
 * is sent as it comes is asked for no faster than the caller takes it; where it fails the connection is cut: half of it is no whole.
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
  await sendBody(ctx, Buffer.isBuffer(bytes) ? bytes : destroyOnClose(ctx, Readable.from(bytes, { objectMode: false })));
}
