import type { ParameterizedContext } from 'koa';
import { sha256 } from '../../security/fingerprint';
import { compress, negotiateEncoding, type Encoding } from '../compression';

/** Static bytes, compressed once for all clients. */
export class Representation {
  readonly hash: string;
  private readonly body: Buffer;
  private readonly compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(
    readonly type: string,
    body: Buffer | string,
  ) {
    this.body = Buffer.from(body);
    this.hash = sha256(this.body).slice(0, 16);
  }

  /** Serves GET and HEAD, with 304 if the client has a current copy. */
  async send(ctx: ParameterizedContext, headers: Readonly<Record<string, string>>): Promise<void> {
    ctx.status = 200;
    ctx.set(headers);
    // Weak, because it is equal for compressed and uncompressed bytes.
    ctx.set({ ETag: `W/"${this.hash}"`, 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' });
    ctx.vary('Accept-Encoding');
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = this.type;
    const encoding = negotiateEncoding(ctx, this.body.length);
    if (encoding === null) {
      ctx.body = this.body;
      return;
    }
    const bytes = this.compressed.get(encoding) ?? compress(this.body, encoding);
    this.compressed.set(encoding, bytes);
    ctx.body = await bytes;
  }
}
