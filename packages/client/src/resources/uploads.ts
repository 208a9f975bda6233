import { Deadline } from '../deadline.js';
import type { RequestOptions } from '../options.js';
import { inPath, type Transport } from '../transport.js';
import type { Upload, UploadContentType, UploadRequest, UploadTarget } from '../types.js';
import { artworkOf, type ArtworkSource } from '../uploads/artwork.js';
import { contentTypeOf } from '../uploads/content-type.js';
import { putArtwork, type UploadProgress } from '../uploads/put.js';

export interface UploadOptions extends RequestOptions {
  /** Told to the studio, and what the content type is guessed from. Default: a File's own. */
  filename?: string;
  contentType?: UploadContentType;
  /** The exact length of a stream, which then need not be collected in memory first (Node). */
  sizeBytes?: number;
  /** Called as the bytes leave; in a page, where fetch does not tell, at the beginning and at the end. */
  onProgress?: (progress: UploadProgress) => void;
}

/** Where artwork lies now: `url` is what a line of a quote takes as `imageUrl`. */
export type UploadedArtwork = Omit<UploadTarget, 'uploadUrl'> & { sizeBytes: number };

export class UploadsResource {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Artwork in one call: asks for a place and PUTs the bytes there. An hour unless `timeoutMs` says otherwise. Scope `orders:write`. */
  async upload(source: ArtworkSource, options: UploadOptions = {}): Promise<UploadedArtwork> {
    const { settings } = this.#transport;
    const timeoutMs = options.timeoutMs ?? settings.uploadTimeoutMs;
    const requestId = options.requestId ?? crypto.randomUUID();
    const filename = options.filename ?? nameOf(source);
    const contentType = options.contentType ?? contentTypeOf(filename);
    const deadline = new Deadline({ signal: options.signal, timeoutMs, requestId });
    try {
      const artwork = await deadline.race(artworkOf(source, options.sizeBytes, deadline));
      const call = { ...options, requestId, timeoutMs, signal: deadline.signal };
      const { uploadUrl, ...target } = await this.create({ filename, contentType, sizeBytes: artwork.sizeBytes }, call);
      const put = { artwork, uploadUrl, contentType: target.contentType, requestId, onProgress: options.onProgress };
      await putArtwork(settings, put, deadline);
      return { ...target, sizeBytes: artwork.sizeBytes };
    } finally {
      deadline.release();
    }
  }

  /** `POST /uploads`: a signed URL for exactly so many bytes, good for a quarter of an hour. Scope `orders:write`. */
  create(upload: UploadRequest, options?: RequestOptions): Promise<UploadTarget> {
    return this.#transport.data({ method: 'POST', path: '/uploads', body: upload }, options);
  }

  /** `GET /uploads/{id}`: whether the bytes arrived, and which they are. Scope `orders:write`. */
  async get(uploadId: string, options?: RequestOptions): Promise<Upload> {
    return this.#transport.data({ method: 'GET', path: `/uploads/${inPath(uploadId)}` }, options);
  }
}

function nameOf(source: ArtworkSource): string {
  if (typeof File === 'function' && source instanceof File && source.name !== '') return source.name;
  throw new TypeError('filename is missing');
}
