import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ParameterizedContext } from 'koa';
import { sha256 } from '../../security/fingerprint';

const gzipped = promisify(gzip);

/** Bytes that are the same for everybody, compressed once for all who ask. */
export class Representation {
  /** Of these bytes, and of no others. */
  readonly hash: string;
  private readonly body: Buffer;
  private compressed: Promise<Buffer> | undefined;

  constructor(
    readonly type: string,
    body: Buffer | string,
  ) {
    this.body = Buffer.from(body);
    this.hash = sha256(this.body).slice(0, 16);
  }

  /** Answers GET and HEAD, with 304 where the caller has these bytes already. */
  async send(ctx: ParameterizedContext, headers: Readonly<Record<string, string>>): Promise<void> {
    ctx.status = 200;
    ctx.set(headers);
    // Weak, because it names the bytes whether or not they come compressed.
    ctx.set({ ETag: `W/"${this.hash}"`, 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' });
    ctx.vary('Accept-Encoding');
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = this.type;
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
      ctx.body = this.body;
      return;
    }
    this.compressed ??= gzipped(this.body);
    ctx.set('Content-Encoding', 'gzip');
    ctx.body = await this.compressed;
  }
}
