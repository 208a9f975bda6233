import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { ParameterizedContext } from 'koa';

/** A shorter body fits one packet as it is. */
const MIN_BYTES = 1024;

/** Pictures and PDFs are compressed already; events of a stream arrive when they happen. */
const COMPRESSIBLE_TYPES = ['application/json', 'image/svg+xml', 'text/css', 'text/csv', 'text/html', 'text/javascript'];

/** The best first. Brotli at 4 is smaller than gzip and as quick. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const COMPRESSORS = { br: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI), gzip: promisify<Buffer, Buffer>(gzip) };
/** A window of 256 KiB instead of 4 MiB: its client decides how long a stream lasts. */
const BROTLI_STREAM = { params: { ...BROTLI.params, [constants.BROTLI_PARAM_LGWIN]: 18 } };
const STREAM_COMPRESSORS = { br: () => createBrotliCompress(BROTLI_STREAM), gzip: () => createGzip() };

export const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> => COMPRESSORS[encoding](bytes);

/**
 * How a body of the answer's type is sent to this client; null: as it is. Sets the headers that say so. The ETag becomes weak, because it
 * names what the client reads and not the bytes that come.
 */
export function negotiateEncoding(ctx: ParameterizedContext, bytes: number): Encoding | null {
  if (!COMPRESSIBLE_TYPES.includes(ctx.response.type)) return null;
  ctx.vary('Accept-Encoding');
  const encoding = bytes > MIN_BYTES ? ENCODINGS.find((one) => ctx.acceptsEncodings(one) === one) : undefined;
  if (encoding === undefined) return null;
  ctx.set('Content-Encoding', encoding);
  const etag = ctx.response.get('ETag') as string | undefined; // Koa's types say that it is always there
  if (etag?.startsWith('"') === true) ctx.set('ETag', `W/${etag}`);
  return encoding;
}

/** Answers with this body, compressed where it is worth it. The type is set before. */
export async function sendBody(ctx: ParameterizedContext, body: string | Buffer | Readable): Promise<void> {
  if (body instanceof Readable) {
    const encoding = negotiateEncoding(ctx, Number.POSITIVE_INFINITY);
    // Where either ends early, so does the other; an error reaches Koa by the one that is sent.
    ctx.body = encoding === null ? body : pipeline(body, STREAM_COMPRESSORS[encoding](), () => undefined);
    return;
  }
  const encoding = negotiateEncoding(ctx, Buffer.byteLength(body));
  ctx.body = encoding === null ? body : await compress(Buffer.from(body), encoding);
}
