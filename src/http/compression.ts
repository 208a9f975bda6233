import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { ParameterizedContext } from 'koa';
import Negotiator from 'negotiator';

/** A shorter body fits into one packet without compression. */
const MIN_BYTES = 1024;

/** Pictures and PDFs are already compressed, and compression would delay events of a stream. */
const COMPRESSIBLE_TYPES = ['application/json', 'image/svg+xml', 'text/css', 'text/csv', 'text/html', 'text/javascript'];

/** Our preference among encodings that the client likes equally. Brotli at level 4 is as fast as gzip and produces less. */
const ENCODINGS = ['br', 'gzip', 'identity'];
export type Encoding = 'br' | 'gzip';

/** The package's types lack the option. */
interface EncodingNegotiator {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
}

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const COMPRESSORS = { br: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI), gzip: promisify<Buffer, Buffer>(gzip) };
/** A window of 256 KiB instead of 4 MiB, because clients can keep streams open for long. */
const BROTLI_STREAM = { params: { ...BROTLI.params, [constants.BROTLI_PARAM_LGWIN]: 18 } };
const STREAM_COMPRESSORS = { br: () => createBrotliCompress(BROTLI_STREAM), gzip: () => createGzip() };

export const compress = (bytes: Buffer, encoding: Encoding): Promise<Buffer> => COMPRESSORS[encoding](bytes);

/**
 * Chooses the encoding of the response and sets its headers; null for no compression. The ETag becomes weak, because it identifies the
 * content and not the encoded bytes.
 */
export function negotiateEncoding(ctx: ParameterizedContext, bytes: number): Encoding | null {
  if (!COMPRESSIBLE_TYPES.includes(ctx.response.type)) return null;
  ctx.vary('Accept-Encoding');
  if (bytes <= MIN_BYTES || ctx.get('Accept-Encoding') === '') return null;
  const negotiator: EncodingNegotiator = new Negotiator(ctx.req);
  const encoding = negotiator.encoding(ENCODINGS, { preferred: ENCODINGS });
  if (encoding !== 'br' && encoding !== 'gzip') return null;
  ctx.set('Content-Encoding', encoding);
  const etag = ctx.response.get('ETag') as string | undefined; // Koa's types omit undefined
  if (etag?.startsWith('"') === true) ctx.set('ETag', `W/${etag}`);
  return encoding;
}

/** Sends the body, compressed if useful. The content type must be set before. */
export async function sendBody(ctx: ParameterizedContext, body: string | Buffer | Readable): Promise<void> {
  if (body instanceof Readable) {
    const encoding = negotiateEncoding(ctx, Number.POSITIVE_INFINITY);
    // `pipeline` ends both streams together. Koa handles errors of the stream that it sends.
    ctx.body = encoding === null ? body : pipeline(body, STREAM_COMPRESSORS[encoding](), () => undefined);
    return;
  }
  const encoding = negotiateEncoding(ctx, Buffer.byteLength(body));
  ctx.body = encoding === null ? body : await compress(Buffer.from(body), encoding);
}
